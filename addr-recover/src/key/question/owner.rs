//! The address that a key belongs to.

use std::str::FromStr;

use bech32::{hrp, segwit};
use sha2::{Digest, Sha256};

use crate::format::Hit;
use crate::formats::{cash_addr, ethereum};
use crate::key::range::KeyHash;
use crate::key::{KeyFormat, KeyKind};
use crate::kind::{CASH_ADDR_NETWORKS, Kind, Version};
use crate::repair::repair;

/// How the public keys of P2PKH addresses are hashed.
const P2PKH: [KeyHash; 2] = [KeyHash::Compressed, KeyHash::Uncompressed];

/// What the names of the kinds of addresses end in, and the hashes that these have.
const HASHES: [(&str, &[KeyHash]); 4] = [
    ("P2PKH", &P2PKH),
    ("P2SH", &[KeyHash::P2shP2wpkh]),
    ("Tron", &[KeyHash::Ethereum]),
    ("Ethereum", &[KeyHash::Ethereum]),
];

/// The address of a single key, P2PKH (also in CashAddr), P2WPKH, P2WPKH within P2SH, Ethereum or
/// Tron, which tells
/// that a private key is the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyOwner {
    pub(super) address: String,
    /// What the address pays to.
    pub(super) hash: [u8; 20],
    /// How keys may have that hash.
    pub(super) hashes: Vec<KeyHash>,
}

/// Why a text is no [`KeyOwner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyOwnerError {
    /// It is no address, or damaged.
    #[error(
        "not a valid address of Base58Check, Bech32, CashAddr or Ethereum; `addr-recover ADDRESS` \
         recovers a damaged one"
    )]
    Invalid,
    /// Its address is not that of one key.
    #[error("only addresses of a single key (P2PKH, P2WPKH or P2SH) can be checked")]
    OfSeveral,
    /// It is that of a script in CashAddr.
    #[error(
        "this is the address of a script (P2SH), and no single key has it: pass that of the key \
         (P2PKH), which begins with q after its colon"
    )]
    OfScript,
}

impl FromStr for KeyOwner {
    type Err = KeyOwnerError;

    fn from_str(address: &str) -> Result<Self, Self::Err> {
        let address = address.trim();
        let owner = |bytes: &[u8], hashes: Vec<KeyHash>| {
            let hash = bytes.try_into().map_err(|_| KeyOwnerError::OfSeveral)?;
            Ok(Self { address: address.to_owned(), hash, hashes })
        };
        if let Some(hit) = Hit::<Version>::of(address) {
            // The hash is what follows the version, of one byte or two.
            let bytes = bs58::decode(address)
                .with_check(None)
                .into_vec()
                .map_err(|_| KeyOwnerError::Invalid)?;
            return owner(&bytes[bytes.len() - 20..], hashes_of(Kind::names(hit.format)));
        }
        if let Ok((_, version, program)) = segwit::decode(address) {
            let program = if version == segwit::VERSION_0 { &program[..] } else { &[] };
            return owner(program, vec![KeyHash::Compressed]);
        }
        let answer = repair(address).map_err(|_| KeyOwnerError::Invalid)?;
        // It says so if it has corrected anything.
        if answer.estimate.is_some() {
            return Err(KeyOwnerError::Invalid);
        }
        if CASH_ADDR_NETWORKS.iter().any(|&(_, id, _)| answer.network == Some(id)) {
            let (kind, hash) = cash_addr::decode(address).ok_or(KeyOwnerError::Invalid)?;
            return match kind {
                // Without and with tokens.
                0 | 2 => owner(&hash, P2PKH.to_vec()),
                _ => Err(KeyOwnerError::OfScript),
            };
        }
        let digits = address.strip_prefix("0x").ok_or(KeyOwnerError::Invalid)?;
        if answer.network != Some("ethereum") {
            return Err(KeyOwnerError::Invalid);
        }
        owner(
            &hex::decode(digits).map_err(|_| KeyOwnerError::Invalid)?,
            hashes_of(["Ethereum"].into_iter()),
        )
    }
}

/// How the public keys of addresses with these names are hashed; in any way if that is not known.
fn hashes_of<'a>(names: impl Iterator<Item = &'a str>) -> Vec<KeyHash> {
    let of_name = |name: &'a str| HASHES.iter().filter(move |(end, _)| name.ends_with(end));
    let mut hashes: Vec<KeyHash> =
        names.flat_map(of_name).flat_map(|(_, hashes)| hashes.iter().copied()).collect();
    if hashes.is_empty() {
        hashes = HASHES.iter().flat_map(|(_, hashes)| hashes.iter().copied()).collect();
    }
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

impl KeyOwner {
    /// The address.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

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

    /// Whether a key may be that of the address: only its passphrase tells it of an encrypted one
    /// that has the hash of the address.
    pub(super) fn may_own(&self, key: &Hit<KeyKind>) -> bool {
        let is_of_hash = || self.address_hash().is_none_or(|hash| key.bytes()[3..7] == hash);
        self.owns(key) || key.format.format == KeyFormat::Encrypted && is_of_hash()
    }

    /// The bytes that encrypted keys of the address have: the first ones of the hash of its text
    /// (BIP 38). They are from the P2PKH address even if the key has others, so an address of P2SH
    /// tells nothing.
    pub(crate) fn address_hash(&self) -> Option<[u8; 4]> {
        let mut text = self.address.clone();
        if let Some(hit) = Hit::<Version>::of(&text) {
            Kind::names(hit.format).find(|name| name.ends_with("P2PKH"))?;
        } else if self.hashes == [KeyHash::Compressed] || self.hashes == P2PKH {
            text = bs58::encode([&[0][..], &self.hash].concat()).with_check().into_string();
        } else {
            return None;
        }
        Sha256::digest(Sha256::digest(text)).first_chunk().copied()
    }

    pub(super) fn is_of_secret(&self, secret: &[u8]) -> bool {
        let Some(secret) = secret.first_chunk() else { return false };
        self.hashes.iter().any(|hash| hash.of(secret).as_ref() == Some(&self.hash))
    }
}

/// The addresses of an undamaged key; none if only a wallet can tell.
pub(super) fn addresses(key: &Hit<KeyKind>) -> Vec<String> {
    use KeyHash::{Compressed, P2shP2wpkh, Uncompressed};

    let bytes = key.bytes();
    let (secret, is_compressed) = match key.format.format {
        KeyFormat::Mini => return addresses_of_secret(&bytes),
        KeyFormat::Wif => (&bytes[1..33], bytes.len() == 34),
        _ => return Vec::new(),
    };
    let hashes: &[KeyHash] = match (key.format.id, is_compressed) {
        ("wif-bitcoin", true) => &[Compressed, P2shP2wpkh],
        (_, true) => &[Compressed],
        _ => &[Uncompressed],
    };
    let network = key.format.id.trim_start_matches("wif-");
    hashes.iter().flat_map(|&hash| addresses_of_hash(secret, hash, network)).collect()
}

/// The addresses that wallets of Bitcoin, Ethereum and Tron list for a private key.
pub(super) fn addresses_of_secret(secret: &[u8]) -> Vec<String> {
    let hashes = HASHES.iter().filter(|(name, _)| *name != "Tron").flat_map(|(_, hashes)| *hashes);
    hashes.flat_map(|&hash| addresses_of_hash(secret, hash, "bitcoin")).collect()
}

/// The addresses of a private key that have this hash. The network is that of P2PKH.
fn addresses_of_hash(secret: &[u8], key_hash: KeyHash, network: &str) -> Vec<String> {
    let Some(hash) = secret.first_chunk().and_then(|secret| key_hash.of(secret)) else {
        return Vec::new();
    };
    let base58 = |id: &str| {
        let version = Kind::matching(id).first()?.version.to_string().parse().ok()?;
        Some(bs58::encode([&[version][..], &hash].concat()).with_check().into_string())
    };
    let addresses = match key_hash {
        KeyHash::Compressed => {
            let segwit = segwit::encode_v0(hrp::BC, &hash).ok().filter(|_| network == "bitcoin");
            [base58(&format!("{network}-p2pkh")), segwit]
        }
        KeyHash::Uncompressed => [base58(&format!("{network}-p2pkh")), None],
        KeyHash::P2shP2wpkh => [base58("bitcoin-p2sh"), None],
        KeyHash::Ethereum => [Some(ethereum::spelled(&hex::encode(hash))), base58("tron")],
    };
    addresses.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP 173 has the first one, of the private key 1.
    #[test]
    fn encrypted_keys_have_the_hash_of_the_p2pkh_address() {
        let hash = |address: &str| address.parse::<KeyOwner>().unwrap().address_hash();
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
            assert!(text.parse::<KeyOwner>().is_err(), "{text}");
        }
    }
}
