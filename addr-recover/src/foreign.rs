//! Strings of other formats, which get a sentence instead of a search.

use std::fmt;

use crate::alphabet::DigitSet;

/// A format that cannot be recovered, or need not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foreign {
    /// `bc1...`, `tb1...`, `ltc1...`.
    Bech32,
    /// `bitcoincash:q...`.
    CashAddr,
    /// `0x...`.
    Ethereum,
    /// 32 bytes in Base58.
    Solana,
    /// 95 or 106 characters.
    Monero,
    /// A private key in the wallet import format.
    PrivateKey,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bech32 => {
                "this is a Bech32 address, in which case carries nothing: written in small letters it is right"
            }
            Self::CashAddr => {
                "this is a CashAddr address, in which case carries nothing: written in small letters it is right"
            }
            Self::Ethereum => {
                "this is an Ethereum address, in which case is nothing but a checksum: any spelling is the same address"
            }
            Self::Solana => {
                "this has the length of a Solana address, which has no checksum: its case cannot be restored"
            }
            Self::Monero => {
                "this has the length of a Monero address, which is not Base58Check: its case cannot be restored here"
            }
            Self::PrivateKey => {
                "this has the length of a private key (WIF), which is not an address: keep it to yourself"
            }
        })
    }
}

/// The 32 characters of Bech32 and CashAddr (BIP 173).
const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// What a text is, if it is of a format that is known and not Base58Check with a 20-byte payload. `scheme` stands before a colon.
pub(crate) fn recognise(scheme: &str, text: &str) -> Option<Foreign> {
    let small = text.to_ascii_lowercase();
    let is_bech32 = |data: &str| data.len() >= 38 && data.chars().all(|character| BECH32.contains(character));
    if ["bc1", "tb1", "bcrt1", "ltc1", "tltc1"]
        .iter()
        .any(|&start| small.strip_prefix(start).is_some_and(is_bech32))
    {
        return Some(Foreign::Bech32);
    }
    if ["bitcoincash", "bchtest", "ecash"].contains(&scheme)
        || (small.len() == 42 && small.starts_with(['q', 'p']) && is_bech32(&small))
    {
        return Some(Foreign::CashAddr);
    }
    if small
        .strip_prefix("0x")
        .is_some_and(|digits| digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
    {
        return Some(Foreign::Ethereum);
    }
    if !text.chars().all(|character| !DigitSet::in_either_case(character).is_empty()) {
        return None;
    }
    match text.len() {
        40..=44 => Some(Foreign::Solana),
        51 | 52 => Some(Foreign::PrivateKey),
        95 | 106 => Some(Foreign::Monero),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        // The examples of BIP 173, of the CashAddr specification, of EIP-55, of Solana's and Bitcoin's documentation.
        for (scheme, text, foreign) in [
            ("", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", Some(Foreign::Bech32)),
            ("", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", Some(Foreign::Bech32)),
            ("bitcoincash", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", Some(Foreign::CashAddr)),
            ("", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", Some(Foreign::CashAddr)),
            ("", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", Some(Foreign::Ethereum)),
            ("", "vines1vzrybzlpmrxzdwy3jwwv7nxb1mfyhbs8kkjfz", Some(Foreign::Solana)),
            ("", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", Some(Foreign::PrivateKey)),
            ("bitcoin", "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", None),
            ("", "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT", None),
            ("", "", None),
        ] {
            assert_eq!(recognise(scheme, text), foreign, "{text}");
        }
        assert_eq!(recognise("", &"4".repeat(95)), Some(Foreign::Monero));
    }
}
