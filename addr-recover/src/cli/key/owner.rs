//! The address that a key belongs to.

use std::slice;
use std::str::FromStr;

use addr_recover::{Hit, KeyFormat, KeyKind, Kind, Version};
use bech32::segwit;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::secrets;

/// The 20 bytes that an address pays to.
pub(super) type Hash160 = [u8; 20];

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
    /// Whether the private key of a key is that of the address. It cannot be known of an encrypted
    /// one.
    pub(crate) fn owns(&self, key: &Hit<KeyKind>) -> bool {
        let bytes = key.bytes();
        match key.format.format {
            KeyFormat::Wif => self.is_of_secret(&bytes[1..33]),
            KeyFormat::Mini => self.is_of_secret(&bytes),
            _ => false,
        }
    }

    /// The bytes that encrypted keys of the address have: the first ones of the hash of its text
    /// (BIP 38). They are from the P2PKH address even if the key has others, so an address of P2SH
    /// tells nothing.
    pub(crate) fn address_hash(&self) -> Option<[u8; 4]> {
        let mut text = self.address.clone();
        if self.is_segwit {
            text = bs58::encode([&[0][..], &self.hash].concat()).with_check().into_string();
        } else {
            let version = Hit::<Version>::of(&text)?.format;
            Kind::names(version).find(|name| name.ends_with("P2PKH"))?;
        }
        Sha256::digest(Sha256::digest(text)).first_chunk().copied()
    }

    fn is_of_secret(&self, secret: &[u8]) -> bool {
        let secret = <[u8; 32]>::try_from(secret).map(Zeroizing::new);
        secret.is_ok_and(|secret| !secrets::owned(slice::from_ref(&*secret), self).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP 173 has the first one, of the private key 1.
    #[test]
    fn encrypted_keys_have_the_hash_of_the_p2pkh_address() {
        let hash = |address: &str| address.parse::<Owner>().unwrap().address_hash();
        let of_p2wpkh = hash("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
        assert_eq!(of_p2wpkh, hash("1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"));
        assert!(of_p2wpkh.is_some());
        assert_eq!(hash("3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN"), None);
    }

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
