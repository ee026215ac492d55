//! The address that a key belongs to.

use std::str::FromStr;

use addr_recover::{Hit, KeyFormat, KeyKind, Version};
use bech32::segwit;
use ethnum::U256;
use sha2::{Digest, Sha256};

use super::secrets;

/// The 20 bytes that an address pays to.
pub(super) type Hash160 = [u8; 20];

/// The position of the address's hash in an encrypted key (BIP 38).
const ADDRESS_HASH: std::ops::Range<usize> = 3..7;

/// An address of a single key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(super) address: String,
    /// What the address pays to.
    pub(super) hash: Hash160,
    /// Whether only compressed keys have such an address.
    pub(super) is_segwit: bool,
}

impl FromStr for Owner {
    type Err = &'static str;

    fn from_str(address: &str) -> Result<Self, Self::Err> {
        let invalid = "not a valid address of Base58Check or Bech32";
        let is_segwit = Hit::<Version>::of(address).is_none();
        let bytes = if !is_segwit {
            // The hash is what follows the version, of one byte or two.
            let bytes = bs58::decode(address).with_check(None).into_vec().map_err(|_| invalid)?;
            bytes[bytes.len() - 20..].to_vec()
        } else {
            let (_, version, program) = segwit::decode(address).map_err(|_| invalid)?;
            if version != segwit::VERSION_0 || program.len() != 20 {
                return Err(
                    "only addresses of a single key (P2PKH, P2WPKH or P2SH) can be checked",
                );
            }
            program
        };
        let hash = bytes.try_into().map_err(|_| invalid)?;
        Ok(Self { address: address.to_owned(), hash, is_segwit })
    }
}

impl Owner {
    /// Whether the address is that of a key. An encrypted key has only four bytes of its hash.
    pub(crate) fn owns(&self, key: &Hit<KeyKind>) -> bool {
        let bytes = key.bytes();
        match key.format.format {
            KeyFormat::Wif => self.is_of_secret(&bytes[1..33]),
            KeyFormat::Mini => self.is_of_secret(&bytes),
            KeyFormat::Encrypted => {
                Sha256::digest(Sha256::digest(&self.address)).starts_with(&bytes[ADDRESS_HASH])
            }
            _ => false,
        }
    }

    fn is_of_secret(&self, secret: &[u8]) -> bool {
        let secret = <[u8; 32]>::try_from(secret).map(U256::from_be_bytes);
        secret.is_ok_and(|secret| !secrets::owned(&[secret], self).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_a_single_key_are_accepted() {
        for text in [
            "",
            "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMh",
            "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        ] {
            assert!(text.parse::<Owner>().is_err(), "{text}");
        }
    }
}
