//! Recognises strings of other formats, which get an explanation instead of a search.

use std::fmt;

use super::alphabet::DigitSet;
use super::plain::{Placed, spelled};
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

/// The first characters of CashAddr addresses, one for each type.
const CASH_ADDR: [char; 4] = ['q', 'p', 'z', 'r'];

/// What begins other names in Bech32. They have no mixed case, and no character of a key is as
/// rare as the `1` after such a prefix.
const OTHER_BECH32: [(&str, Foreign); 9] = {
    const NOSTR: Foreign = Foreign::Caseless("a name of Nostr");
    const LIGHTNING: Foreign = Foreign::Caseless("an invoice of Lightning");
    [
        ("npub1", NOSTR),
        ("note1", NOSTR),
        ("nprofile1", NOSTR),
        ("nevent1", NOSTR),
        ("naddr1", NOSTR),
        ("lnurl1", LIGHTNING),
        ("lnbc", LIGHTNING),
        ("lntb", LIGHTNING),
        ("lnbcrt", LIGHTNING),
    ]
};

/// What begins other long formats. A `?` may have been an underscore.
const STARTS: [(&str, Foreign); 11] = {
    const NANO: Foreign = Foreign::Caseless("a Nano address");
    const CARDANO: Foreign = Foreign::Unsupported("a Cardano address");
    const EOS: Foreign = Foreign::Unsupported("a public key of EOS");
    [
        ("nano_", NANO),
        ("nano?", NANO),
        ("xrb_", NANO),
        ("xrb?", NANO),
        ("addr1", CARDANO),
        ("ae2", CARDANO),
        ("ddzff", CARDANO),
        ("pub_k1_", EOS),
        ("pub?k1?", EOS),
        ("nsec1", Foreign::PrivateKey),
        ("0x", Foreign::Ethereum),
    ]
};

/// The format of a text, if it is a known one other than Base58Check with a 20-byte payload.
/// `given` is the text that it is from.
pub(crate) fn recognise(given: &str, text: &str) -> Option<Foreign> {
    let small = text.to_ascii_lowercase();
    let length = small.chars().count();
    // Longer than any address here, even with an extra character. So a matching start is enough,
    // and the rest may be damaged.
    let is_long = length > MAX_LENGTH + 1 && !small.contains('[');
    let begins = |starts: &[(&str, Foreign)]| {
        let start = starts.iter().find(|(start, _)| is_long && small.starts_with(start));
        start.map(|&(_, foreign)| foreign)
    };
    if is_long && (Bech32Network::of(&small).is_some() || with_separator(&small).is_some()) {
        return Some(Foreign::Bech32);
    }
    let wrong = small.chars().filter(|&character| !BECH32.contains(character)).count();
    let has_scheme = || {
        let given = given.to_ascii_lowercase();
        ["bitcoincash:", "bchtest:", "bchreg:", "ecash:"].iter().any(|it| given.contains(it))
    };
    if is_long
        && small.starts_with(CASH_ADDR)
        && ((41..=43).contains(&length) && wrong <= 1 || has_scheme())
    {
        return Some(Foreign::CashAddr);
    }
    let is_base32 = |character: char| matches!(character, 'a'..='z' | '2'..='7');
    let is_hexadecimal = small.bytes().all(|byte| byte.is_ascii_hexdigit());
    let of_start = begins(&STARTS);
    let of_bech32 = begins(&OTHER_BECH32).filter(|_| wrong <= length / 8 + 4);
    if let Some(foreign) = of_start.or(of_bech32) {
        return Some(foreign);
    }
    match length {
        52..=54 if small.starts_with("eos") => {
            return Some(Foreign::Unsupported("a public key of EOS"));
        }
        56 if small.starts_with('g') && small.chars().all(is_base32) => {
            return Some(Foreign::Caseless("a Stellar address"));
        }
        64 if is_hexadecimal => return Some(Foreign::Hexadecimal),
        40 if is_hexadecimal => return Some(Foreign::Ethereum),
        _ => {}
    }
    if !text.chars().all(|character| !DigitSet::in_either_case(character).is_empty()) {
        return None;
    }
    match length {
        // The beginning of a key: a part of it is a secret, too.
        40..=48 if small.starts_with(['5', 'k', 'l']) => Some(Foreign::PrivateKey),
        42..=44 => Some(Foreign::Unsupported("a Solana address")),
        46 if small.starts_with("qm") => Some(Foreign::Unsupported("an IPFS hash")),
        47 | 48 => Some(Foreign::Unsupported("a Polkadot address")),
        45..=53 => Some(Foreign::PrivateKey),
        95 | 106 => Some(Foreign::Unsupported("a Monero address")),
        _ => None,
    }
}

/// The lengths of most Bech32 addresses, after the `1`: those of 20 and of 32 bytes.
const USUAL_BECH32: [usize; 2] = [39, 59];

/// The number of characters outside its alphabet that an address may have.
const MAX_OUTSIDE_ALPHABET: usize = 3;

/// How unlike a Bech32, a CashAddr or an Ethereum address a text is, in tenths of a character.
/// `None` if the text is none of them.
pub(super) fn cost(text: &str) -> Option<i32> {
    let small = text.to_ascii_lowercase();
    let of = |length: usize, usual: usize, outside: usize| {
        let cost = 4 * length.abs_diff(usual).min(4) + 2 * outside;
        (outside <= MAX_OUTSIDE_ALPHABET).then_some(cost as i32)
    };
    let after_0x = small.strip_prefix("0x");
    let digits = after_0x.unwrap_or(&small);
    let outside = digits.bytes().filter(|byte| !byte.is_ascii_hexdigit()).count();
    let has_both_cases = small != text && text.to_ascii_uppercase() != text;
    let is_marked = digits.bytes().filter(|&byte| byte == b'?').count() == outside;
    match digits.len() {
        38..=42 if after_0x.is_some() => return of(digits.len(), 40, outside),
        40 if has_both_cases && is_marked && outside <= MAX_OUTSIDE_ALPHABET => {
            return of(40, 40, outside);
        }
        _ => {}
    }
    let outside = |data: &str| data.chars().filter(|&c| !BECH32.contains(c)).count();
    let has_digit = small.contains(|c: char| c.is_ascii_digit());
    if (41..=43).contains(&small.len()) && small.starts_with(CASH_ADDR) && has_digit {
        return of(small.len(), 42, outside(&small));
    }
    let separated = with_separator(&small).unwrap_or(small);
    let (_, data) = Bech32Network::of(&separated)?;
    let usual = USUAL_BECH32.into_iter().min_by_key(|usual| data.len().abs_diff(*usual))?;
    let is_address = (MAX_LENGTH + 2..=Bech32Network::MAX_LENGTH).contains(&separated.len())
        && data.chars().all(|c| c.is_ascii_alphanumeric() || c == '?');
    is_address.then(|| of(data.len(), usual, outside(data))).flatten()
}

/// A long text in lower case that begins like a Bech32 address but for its `1`, with the `1`.
fn with_separator(small: &str) -> Option<String> {
    let repaired = |at: usize| {
        let is_like_one = small.is_ascii() && matches!(small.as_bytes()[at], b'l' | b'i' | b'?');
        let text = is_like_one.then(|| format!("{}1{}", &small[..at], &small[at + 1..]))?;
        Bech32Network::of(&text).filter(|(network, _)| network.prefix.len() == at)?;
        Some(text)
    };
    (2..=4).filter(|_| small.len() > MAX_LENGTH + 1).find_map(repaired)
}

/// Writes the `1` of a Bech32 address that was read as a letter.
pub(super) fn repair_separator(text: &mut [Placed]) {
    let small = spelled(text).to_ascii_lowercase();
    if Bech32Network::of(&small).is_none()
        && let Some(repaired) = with_separator(&small)
        && let Some(at) = repaired.find('1')
    {
        text[at].0 = '1';
    }
}

/// The format that a text as long as an address may have, if no address of the selected kinds
/// begins like it.
pub(crate) fn instead_of_address(text: &str) -> Option<Foreign> {
    let small = text.to_ascii_lowercase();
    if small.len() == 36
        && ["tz1", "tz2", "tz3", "kt1"].iter().any(|&start| small.starts_with(start))
    {
        return Some(Foreign::Unsupported("a Tezos address"));
    }
    if small.len() == 35 && (small.starts_with("ds") || small.starts_with("dc")) {
        return Some(Foreign::Unsupported("a Decred address"));
    }
    // 32 zero bytes: the address of Solana's system program.
    (text == "1".repeat(32)).then_some(Foreign::Unsupported("a Solana address"))
}
