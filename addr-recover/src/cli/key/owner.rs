//! The address that a key belongs to.

use std::str::FromStr;

use addr_recover::{KeyFormat, KeyHit, version_of};
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
    address: String,
    hash: Hash160,
    is_segwit: bool,
}

impl FromStr for Owner {
    type Err = &'static str;

    fn from_str(address: &str) -> Result<Self, Self::Err> {
        let invalid = "not a valid address of Base58Check or Bech32";
        let is_segwit = version_of(address).is_none();
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
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Whether the address is that of a key. An encrypted key has only four bytes of its hash.
    pub(crate) fn owns(&self, key: &KeyHit) -> bool {
        let bytes = key.bytes();
        match key.kind().format {
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
        secret.is_ok_and(|secret| !secrets::owned(&[(secret, 1)], self).is_empty())
    }

    /// Whether the address pays to a hash.
    pub(super) fn has(&self, hash: &Hash160) -> bool {
        self.hash == *hash
    }

    /// Whether only compressed keys have such an address.
    pub(super) fn is_segwit(&self) -> bool {
        self.is_segwit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owns(address: &str, key: &str) -> bool {
        let owner: Owner = address.parse().unwrap();
        assert_eq!(owner.address(), address);
        owner.owns(&KeyHit::of(key).unwrap())
    }

    /// The generator of secp256k1 is the public key of 1. Its addresses are those of BIP 173 and of
    /// many wallets.
    #[test]
    fn addresses_are_those_of_their_keys() {
        let one = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";
        let two = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU74NMTptX4";
        for address in [
            "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
            "1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm",
            "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
        ] {
            assert!(owns(address, one), "{address}");
            assert!(!owns(address, two), "{address}");
        }
    }

    /// From the wiki of Bitcoin.
    #[test]
    fn a_mini_key_is_the_hash_of_its_text() {
        let address = "1CC3X2gu58d6wXUWMffpuzN9JAfTUWu4Kj";
        assert!(owns(address, "SzavMBLoXU6kDrqtUVmffv"));
        assert!(!owns(address, "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy"));
    }

    /// The first two encrypted keys of BIP 38 with their addresses, and one with a passphrase code.
    #[test]
    fn encrypted_keys_have_the_hash_of_their_address() {
        let multiplied = "6PfQu77ygVyJLZjfvMLyhLMQbYnu5uguoJJ4kMCLqWwPEdfpwANVS76gTX";
        assert!(owns("1PE6TQi6HTVNz5DLwB1LcpMBALubfuN2z2", multiplied));
        let other = "6PRW5o9FLp4gJDDVqJQKJFTpMvdsSGJxMYHtHaQBF3ooa8mwD69bapcDQn";
        assert!(owns("16ktGzmfrurhbhi6JGqsMWf7TyqK9HNAeF", other));
        assert!(!owns("1PE6TQi6HTVNz5DLwB1LcpMBALubfuN2z2", other));
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
