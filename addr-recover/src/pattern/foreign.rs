//! Recognises strings of other formats, which get an explanation instead of a search.

use std::fmt;

use super::alphabet::DigitSet;
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
    /// `EOS...`, 53 characters, or `PUB_K1_...`.
    Eos,
    /// `0x...`, or 40 hexadecimal digits.
    Ethereum,
    /// 32 bytes in Base58.
    Solana,
    /// 95 or 106 characters.
    Monero,
    /// A private key in the wallet import format, or another text that is as long.
    PrivateKey,
    /// `S...`, 22 or 30 characters.
    MiniKey,
    /// `xpub...`, `ypub...`, `zpub...`.
    ExtendedPublicKey,
    /// `G` and 55 characters of Base32.
    Stellar,
    /// `addr1...`, `Ae2...`, `DdzFF...`.
    Cardano,
    /// 47 or 48 characters of Base58.
    Polkadot,
    /// `nano_...` or `xrb_...`.
    Nano,
    /// `Qm...`, 46 characters.
    Ipfs,
    /// `tz1...`, `tz2...`, `tz3...` or `KT1...`, 36 characters.
    Tezos,
    /// `Ds...` or `Dc...`, 35 characters.
    Decred,
}

impl Foreign {
    /// Whether the text is a key, which must not be repeated.
    #[must_use]
    pub fn is_key(self) -> bool {
        matches!(self, Self::PrivateKey | Self::MiniKey | Self::ExtendedPublicKey)
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bech32 => {
                "this begins like a Bech32 address, where case carries no information; in up to 90 \
                 characters, its checksum restores at most two wrong or three unreadable ones"
            }
            Self::CashAddr => {
                "this begins like a CashAddr address, where case carries no information; in 42 \
                 characters, its checksum restores at most two wrong or three unreadable ones"
            }
            Self::Ethereum => {
                "this looks like an Ethereum address, which is 0x and 40 hexadecimal digits: its \
                 only checksum is its letter case (EIP-55), so damage to it cannot be undone"
            }
            Self::Solana => {
                "this has the length of a Solana address, which has no checksum: its case cannot \
                 be recovered"
            }
            Self::Monero => {
                "this has the length of a Monero address, which is not Base58Check: its case \
                 cannot be recovered here"
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
            Self::Eos => {
                "this begins like a public key of EOS, whose checksum is RIPEMD-160: its case \
                 cannot be recovered here"
            }
            Self::Stellar => {
                "this is a Stellar address, where case carries no information: write it in upper \
                 case; other damage to it cannot be undone here"
            }
            Self::Cardano => {
                "this begins like a Cardano address, which is not Base58Check: if it begins with \
                 addr1, write it in lower case; otherwise its case cannot be recovered here"
            }
            Self::Polkadot => {
                "this has the length of a Polkadot address (SS58), whose checksum of two bytes is \
                 too short to recover its case"
            }
            Self::Nano => {
                "this is a Nano address, where case carries no information: write it in lower \
                 case; other damage to it cannot be undone here"
            }
            Self::Ipfs => {
                "this has the form of an IPFS hash (CIDv0), which has no checksum: its case cannot \
                 be recovered"
            }
            Self::Tezos => {
                "this begins like a Tezos address, which has a prefix of three bytes: it cannot be \
                 recovered here"
            }
            Self::Decred => {
                "this begins like a Decred address, whose checksum is BLAKE-256: it cannot be \
                 recovered here"
            }
        })
    }
}

/// The 32 characters of Bech32 and CashAddr (BIP 173).
const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The first characters of CashAddr addresses, one for each type.
const CASH_ADDR: [char; 4] = ['q', 'p', 'z', 'r'];

/// The format of a text, if it is a known one other than Base58Check with a 20-byte payload.
/// `scheme` is what precedes the colon.
pub(crate) fn recognise(scheme: &str, text: &str) -> Option<Foreign> {
    let small = text.to_ascii_lowercase();
    let length = small.chars().count();
    // Longer than any address here, even with an extra character. So a matching start is enough,
    // and the rest may be damaged.
    let is_long = length > MAX_LENGTH + 1 && !small.contains('[');
    if is_long && Bech32Network::of(&small).is_some() {
        return Some(Foreign::Bech32);
    }
    let begins_cash_addr = small.starts_with(CASH_ADDR);
    let wrong = small.chars().filter(|&character| !BECH32.contains(character)).count();
    let has_scheme = ["bitcoincash", "bchtest", "bchreg", "ecash"].contains(&scheme);
    if begins_cash_addr && is_long && (has_scheme || (41..=43).contains(&length) && wrong <= 1) {
        return Some(Foreign::CashAddr);
    }
    if is_long && ["nano_", "xrb_", "nano?", "xrb?"].iter().any(|&start| small.starts_with(start)) {
        return Some(Foreign::Nano);
    }
    if is_long && ["addr1", "ae2", "ddzff"].iter().any(|&start| small.starts_with(start)) {
        return Some(Foreign::Cardano);
    }
    if (52..=54).contains(&length) && small.starts_with("eos") || small.starts_with("pub_k1_") {
        return Some(Foreign::Eos);
    }
    let is_base32 = |character: char| matches!(character, 'a'..='z' | '2'..='7');
    if length == 56 && small.starts_with('g') && small.chars().all(is_base32) {
        return Some(Foreign::Stellar);
    }
    let is_hexadecimal = length == 40 && small.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hexadecimal || is_long && small.starts_with("0x") {
        return Some(Foreign::Ethereum);
    }
    if !text.chars().all(|character| !DigitSet::in_either_case(character).is_empty()) {
        return None;
    }
    match length {
        40..=44 => Some(Foreign::Solana),
        46 if small.starts_with("qm") => Some(Foreign::Ipfs),
        47 | 48 => Some(Foreign::Polkadot),
        51 | 52 => Some(Foreign::PrivateKey),
        95 | 106 => Some(Foreign::Monero),
        _ => None,
    }
}

/// The lengths of most Bech32 addresses, after the `1`: those of 20 and of 32 bytes.
const USUAL_BECH32: [usize; 2] = [39, 59];

/// The number of characters outside its alphabet that a Bech32 address may have.
const MAX_OUTSIDE_ALPHABET: usize = 3;

/// How many characters longer or shorter than usual a Bech32, a CashAddr or an Ethereum address is.
/// `None` if the text is none of them.
pub(crate) fn unusual_length(text: &str) -> Option<usize> {
    let small = text.to_ascii_lowercase();
    let after_0x = small.strip_prefix("0x");
    let digits = after_0x.unwrap_or(&small).trim_end_matches('?');
    if digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let has_both_cases = small != text && text.to_ascii_uppercase() != text;
        return (has_both_cases || after_0x.is_some()).then_some(0);
    }
    let has_digit = small.contains(|c: char| c.is_ascii_digit());
    if small.len() == 42
        && small.starts_with(CASH_ADDR)
        && small.chars().all(|c| BECH32.contains(c))
        && has_digit
    {
        return Some(0);
    }
    let (_, data) = Bech32Network::of(&small)?;
    let is_character = |c: char| c.is_ascii_alphanumeric() || matches!(c, '?' | '_' | '*');
    let wrong = data.chars().filter(|&character| !BECH32.contains(character)).count();
    let is_address = data.chars().all(is_character)
        && wrong <= MAX_OUTSIDE_ALPHABET
        && (MAX_LENGTH + 2..=Bech32Network::MAX_LENGTH).contains(&small.len());
    USUAL_BECH32.map(|usual| data.len().abs_diff(usual)).into_iter().min().filter(|_| is_address)
}

/// The format that a text as long as an address may have, if no address of the selected kinds
/// begins like it.
pub(crate) fn instead_of_address(text: &str) -> Option<Foreign> {
    let small = text.to_ascii_lowercase();
    if small.len() == 36
        && ["tz1", "tz2", "tz3", "kt1"].iter().any(|&start| small.starts_with(start))
    {
        return Some(Foreign::Tezos);
    }
    if small.len() == 35 && (small.starts_with("ds") || small.starts_with("dc")) {
        return Some(Foreign::Decred);
    }
    // 32 zero bytes: the address of Solana's system program.
    (text == "1".repeat(32)).then_some(Foreign::Solana)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        // Examples from BIP 173, the CashAddr specification, EIP-55, and the documentation of
        // Solana and Bitcoin.
        for (scheme, text, foreign) in [
            ("", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", Some(Foreign::Bech32)),
            ("", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", Some(Foreign::Bech32)),
            ("", "via1qw508d6qejxtdg4y5r3zarvary0c5xw7kxzdzsn", Some(Foreign::Bech32)),
            ("bitcoincash", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", Some(Foreign::CashAddr)),
            ("", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", Some(Foreign::CashAddr)),
            ("", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", Some(Foreign::Ethereum)),
            ("", "vines1vzrybzlpmrxzdwy3jwwv7nxb1mfyhbs8kkjfz", Some(Foreign::Solana)),
            ("", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", Some(Foreign::PrivateKey)),
            ("bitcoin", "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", None),
            ("bitcoincash", "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", None),
            // With a missing or a wrong character.
            ("", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t", Some(Foreign::Bech32)),
            ("", "bc1qw508d6qejxtdg4y5r3zarvaryoc5xw7kv8f3t4", Some(Foreign::Bech32)),
            ("", "bc1qw508d6qejxtdg4y5r3zarvary?c5xw7kv8f3t4", Some(Foreign::Bech32)),
            ("bitcoincash", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6", Some(Foreign::CashAddr)),
            ("", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdxb6a", Some(Foreign::CashAddr)),
            ("", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", Some(Foreign::Ethereum)),
            ("", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", Some(Foreign::Ethereum)),
            // From EOSIO's documentation.
            ("", "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV", Some(Foreign::Eos)),
            ("", "eos6mryajqq8ud7hvnycfnvpjqcvpscn5so8bhthugyqet5gdw5cv", Some(Foreign::Eos)),
            ("", "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT", None),
            ("", "", None),
        ] {
            assert_eq!(recognise(scheme, text), foreign, "{text}");
        }
        assert_eq!(recognise("", &"4".repeat(95)), Some(Foreign::Monero));
        assert_eq!(instead_of_address(&"1".repeat(32)), Some(Foreign::Solana));
        assert_eq!(instead_of_address("4j98t1wpez73cnmqviecrnyiwrnqrhwnly"), None);
    }
}
