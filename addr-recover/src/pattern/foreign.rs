//! Recognises strings of other formats, which get an explanation instead of a search.

use std::fmt;
use std::ops::RangeInclusive;

use zeroize::Zeroizing;

use super::plain::{Placed, is_mark, spelled, without_sets};
use crate::kind::Bech32Network;
use crate::number::MAX_LENGTH;

/// A format that cannot or need not be recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foreign {
    /// `bc1...`, `tb1...`, `ltc1...`.
    Bech32,
    /// `bitcoincash:q...`, or `q...` alone.
    CashAddr,
    /// `0x...`, or 40 hexadecimal digits.
    Ethereum,
    /// A private key in the wallet import format, or another text that is as long.
    PrivateKey,
    /// `S...`, 22 or 30 characters.
    MiniKey,
    /// `xpub...`, `ypub...`, `zpub...`.
    ExtendedPublicKey,
    /// 12 to 24 words of BIP 39.
    SeedPhrase,
    /// 64 hexadecimal digits.
    Hexadecimal,
    /// Another format, in which case carries no information, such as `a Nano address`.
    Caseless(&'static str),
    /// Another format, such as `a Solana address`.
    Unsupported(&'static str),
}

impl Foreign {
    /// Whether the text is or may be a key, which must not be repeated.
    #[must_use]
    pub fn is_key(self) -> bool {
        matches!(
            self,
            Self::PrivateKey
                | Self::MiniKey
                | Self::ExtendedPublicKey
                | Self::SeedPhrase
                | Self::Hexadecimal
        )
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bech32 => {
                "this begins like a Bech32 address, where case carries no information; in up to 90 \
                 characters, its checksum restores at most two wrong or three unreadable ones, or \
                 one that is missing or extra"
            }
            Self::CashAddr => {
                "this begins like a CashAddr address, where case carries no information; in 42 \
                 characters, its checksum restores at most two wrong or three unreadable ones, or \
                 one that is missing or extra"
            }
            Self::Ethereum => {
                "this looks like an Ethereum address, which is 0x and 40 hexadecimal digits: only \
                 letters of both cases are a checksum (EIP-55), which restores one wrong or three \
                 unreadable digits"
            }
            Self::PrivateKey => {
                "this has the form of a private key or contains one: keep it secret; \
                 `addr-recover key` recovers a damaged key, which it asks for without showing it"
            }
            Self::MiniKey => {
                "this has the form of a mini key (Casascius): keep it secret; `addr-recover key \
                 --address ADDRESS` recovers a damaged one, which it asks for without showing it"
            }
            Self::ExtendedPublicKey => {
                "this has the form of an extended public key (BIP 32), which shows all payments to \
                 whoever has it; `addr-recover key` recovers a damaged one"
            }
            Self::SeedPhrase => {
                "this looks like a seed phrase (BIP 39): keep it secret, and enter it only into a \
                 wallet; addr-recover does not recover seed phrases"
            }
            Self::Hexadecimal => {
                "these are 64 hexadecimal digits, such as those of a private key or the name of a \
                 transaction: if they are a key, keep it secret; they have no checksum"
            }
            Self::Caseless(name) => {
                return write!(
                    f,
                    "this looks like {name}, where case carries no information; other damage to it \
                     cannot be undone here"
                );
            }
            Self::Unsupported(name) => {
                return write!(f, "this looks like {name}, which cannot be recovered here");
            }
        })
    }
}

/// The 32 characters of Bech32 and CashAddr (BIP 173).
const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

const HEXADECIMAL: &str = "0123456789abcdef";
const BASE32: &str = "abcdefghijklmnopqrstuvwxyz234567";
const BASE58: &str = "123456789abcdefghijklmnopqrstuvwxyz";
const ANY: &str = "0123456789abcdefghijklmnopqrstuvwxyz";

/// Longer than any Base58Check address, even with an extra character.
const LONG: RangeInclusive<usize> = MAX_LENGTH + 2..=usize::MAX;

/// Formats: what their texts begin with, how long these are, and their characters, all in lower
/// case and without underscores.
const FORMATS: [(&str, RangeInclusive<usize>, &str, Foreign); 22] = {
    use Foreign::{Caseless, Ethereum, Hexadecimal, PrivateKey, Unsupported};
    const EOS: Foreign = Unsupported("a public key of EOS");
    [
        ("npub1 note1 nprofile1 nevent1 naddr1", LONG, BECH32, Caseless("a name of Nostr")),
        ("lnurl1 lnbc lntb", LONG, BECH32, Caseless("an invoice of Lightning")),
        ("nsec1", LONG, ANY, PrivateKey),
        ("nano xrb", LONG, ANY, Caseless("a Nano address")),
        ("addr1 ae2 ddzff", LONG, ANY, Unsupported("a Cardano address")),
        ("pubk1", LONG, ANY, EOS),
        ("eos", 52..=54, BASE58, EOS),
        ("g", 56..=56, BASE32, Caseless("a Stellar address")),
        ("0x", LONG, ANY, Ethereum),
        ("tz1 tz2 tz3 kt1", 36..=36, ANY, Unsupported("a Tezos address")),
        ("ds dc", 35..=35, ANY, Unsupported("a Decred address")),
        // 32 zero bytes: the address of the system program.
        ("", 32..=32, "1", Unsupported("a Solana address")),
        ("", 40..=40, HEXADECIMAL, Ethereum),
        ("", 64..=64, HEXADECIMAL, Hexadecimal),
        // A part of a key is a secret, too.
        ("5 k l", 40..=48, BASE58, PrivateKey),
        ("", 42..=44, BASE58, Unsupported("a Solana address")),
        ("qm", 46..=46, BASE58, Unsupported("an IPFS hash")),
        ("", 47..=48, BASE58, Unsupported("a Polkadot address")),
        ("", 45..=46, BASE58, PrivateKey),
        ("", 49..=53, BASE58, PrivateKey),
        ("", 95..=95, BASE58, Unsupported("a Monero address")),
        ("", 106..=106, BASE58, Unsupported("a Monero address")),
    ]
};

/// The lengths of most Bech32 addresses, after the `1`: those of 20 and of 32 bytes.
const USUAL_BECH32: [usize; 2] = [39, 59];

/// The number of characters outside its alphabet that an address may have.
const MAX_OUTSIDE: usize = 3;

/// What a format costs that begins with certain characters, or only has a certain length.
const COST: [i32; 2] = [30, 90];

/// The format of a text, if it is a known one other than Base58Check with a 20-byte payload, and
/// how unlike it the text is, in tenths of a character.
pub(super) fn of(text: &[Placed]) -> Option<(Foreign, i32)> {
    let text = Zeroizing::new(spelled(&without_sets(text)).replace(is_mark, "?"));
    let small = Zeroizing::new(text.to_ascii_lowercase());
    let outside =
        |data: &str, alphabet: &str| data.chars().filter(|&c| !alphabet.contains(c)).count();
    let cost = |length: usize, usual: usize, outside: usize| {
        let cost = 4 * length.abs_diff(usual).min(4) + 2 * outside;
        if outside <= MAX_OUTSIDE { cost as i32 } else { COST[0] }
    };
    if let Some(at) = separator(&small).filter(|_| LONG.contains(&small.len())) {
        let data = &small[at + 1..];
        let usual = USUAL_BECH32.into_iter().min_by_key(|usual| data.len().abs_diff(*usual))?;
        return Some((Foreign::Bech32, cost(data.len(), usual, outside(data, BECH32))));
    }
    let (digits, is_marked) = small.strip_prefix("0x").map_or((&**small, false), |it| (it, true));
    let wrong = outside(digits, HEXADECIMAL);
    let has_both_cases = *small != *text && text.to_ascii_uppercase() != *text;
    let is_ethereum = if is_marked {
        (38..=42).contains(&digits.len())
    } else {
        digits.len() == 40 && has_both_cases && digits.matches('?').count() == wrong
    };
    if is_ethereum && wrong <= MAX_OUTSIDE {
        return Some((Foreign::Ethereum, cost(digits.len(), 40, wrong)));
    }
    let wrong = outside(&small, BECH32);
    let has_digit = small.contains(|c: char| c.is_ascii_digit());
    if small.starts_with(['q', 'p', 'z', 'r'])
        && has_digit
        && small.len().abs_diff(42) + wrong <= MAX_OUTSIDE
    {
        return Some((Foreign::CashAddr, cost(small.len(), 42, wrong)));
    }
    // A `?` may have been an underscore.
    let begin = small.replace('?', "");
    let is_of = |&&(begins, ref lengths, alphabet, _): &&(&str, RangeInclusive<usize>, &str, _)| {
        let wrong = small.chars().filter(|&c| c != '?' && !alphabet.contains(c)).count();
        let max_wrong = if alphabet == BECH32 { small.len() / 8 + 4 } else { 0 };
        lengths.contains(&small.len())
            && begins.split(' ').any(|it| begin.starts_with(it))
            && wrong <= max_wrong
    };
    let &(begins, .., format) = FORMATS.iter().find(is_of)?;
    Some((format, COST[usize::from(begins.is_empty())]))
}

/// Where a text that begins like a Bech32 address has its `1`, which may be read as a letter.
pub(super) fn separator(small: &str) -> Option<usize> {
    let is_separator = |&at: &usize| {
        let is_like_one = matches!(small.as_bytes().get(at), Some(b'1' | b'l' | b'i' | b'?'));
        let prefix = small.get(..at).filter(|_| is_like_one);
        prefix.is_some_and(|prefix| Bech32Network::of(&format!("{prefix}1")).is_some())
    };
    (2..=4).find(is_separator)
}
