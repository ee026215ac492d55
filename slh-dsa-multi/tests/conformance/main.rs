//! No secret of a key stays in freed memory. The secrets are computed here, by `sha2` and `shake`.

#[cfg(feature = "draft-sp800-230")]
mod limited;

use std::convert::Infallible;
use std::hint::black_box;
use std::ops::Range;
use std::slice;

use hash_lanes_testing::freed::secrets_freed_by;
use hash_lanes_testing::watch_freed_memory;
use sha2::{Digest, Sha256};
use shake::digest::{ExtendableOutput, Update, XofReader};
use slh_dsa_multi::signature::rand_core::{TryCryptoRng, TryRng};
use slh_dsa_multi::signature::{RandomizedSigner, Signer};
use slh_dsa_multi::{ParameterSet, Sha2_128f, Shake128f, SigningKey};

watch_freed_memory!();

/// The bytes of a hash value, layers, height of a tree, chains of a WOTS+ key, FORS trees and their
/// height in the 128f sets (FIPS 205 table 2).
const N: usize = 16;
const LAYERS: u32 = 22;
const HEIGHT: u32 = 3;
const CHAINS: u32 = 35;
const FORS_TREES: u32 = 33;
const FORS_HEIGHT: u32 = 6;

/// One of the two 128f sets, as far as secrets need it.
#[derive(Clone, Copy)]
enum Family {
    Sha2,
    Shake,
}

/// An address (FIPS 205 §4.2).
#[derive(Clone, Copy)]
struct Address {
    layer: u32,
    tree: u64,
    kind: u32,
    key_pair: u32,
    last: [u32; 2],
}

fn shake(parts: &[&[u8]], output: &mut [u8]) {
    let mut hasher = shake::Shake256::default();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize_xof().read(output);
}

impl Family {
    /// PRF and F (§11.1, §11.2.1).
    fn hash(self, pk_seed: &[u8], at: Address, value: &[u8]) -> [u8; N] {
        let Address { layer, tree, kind, key_pair, last: [chain, hash] } = at;
        let words = [key_pair, chain, hash].map(u32::to_be_bytes);
        let mut output = [0; N];
        match self {
            Self::Sha2 => {
                let address = [&[layer as u8][..], &tree.to_be_bytes(), &[kind as u8]].concat();
                let parts = [pk_seed, &[0; 64 - N], &address, words.as_flattened(), value];
                output.copy_from_slice(&Sha256::digest(parts.concat())[..N]);
            }
            Self::Shake => {
                let layer = layer.to_be_bytes();
                let (tree, kind) = (tree.to_be_bytes(), kind.to_be_bytes());
                let address = [&layer[..], &[0; 4], &tree, &kind, words.as_flattened()].concat();
                shake(&[pk_seed, &address, value], &mut output);
            }
        }
        output
    }

    /// `H_msg`: 34 bytes that choose the keys.
    fn digest(self, r: &[u8], pk: &[u8], message: &[u8]) -> [u8; 34] {
        let mut digest = [0; 34];
        match self {
            Self::Sha2 => {
                let inner = Sha256::digest([r, pk, message].concat());
                let blocks = [0_u8, 1].map(|i| {
                    Sha256::digest([r, &pk[..N], &inner, &[0, 0, 0, i]].concat()).to_vec()
                });
                digest.copy_from_slice(&blocks.concat()[..34]);
            }
            Self::Shake => shake(&[r, pk, message], &mut digest),
        }
        digest
    }

    /// All values of the chains of a tree, from their beginnings to before their ends.
    fn chains_of_tree(self, seeds: &Seeds, layer: u32, tree: u64) -> Vec<Vec<u8>> {
        self.chains(seeds, (layer, tree), 0..1 << HEIGHT, CHAINS, 15)
    }

    /// The values of the chains of some leaves of a tree before each of `steps` steps.
    fn chains(
        self,
        seeds: &Seeds,
        (layer, tree): (u32, u64),
        leaves: Range<u32>,
        chains: u32,
        steps: u32,
    ) -> Vec<Vec<u8>> {
        let mut values = Vec::new();
        for (key_pair, chain) in leaves.flat_map(|k| (0..chains).map(move |c| (k, c))) {
            let at = |kind, hash| Address { layer, tree, kind, key_pair, last: [chain, hash] };
            let mut value = self.hash(&seeds.pk, at(5, 0), &seeds.sk);
            for step in 0..steps {
                values.push(value.to_vec());
                value = self.hash(&seeds.pk, at(0, step), &value);
            }
        }
        values
    }

    /// The secrets that signing `message` uses, except those that the signature reveals.
    fn secrets_of_signature(self, seeds: &Seeds, signature: &[u8], message: &[u8]) -> Vec<Vec<u8>> {
        let digest = self.digest(&signature[..N], &[&seeds.pk[..], &seeds.root].concat(), message);
        let tree = u64::from_be_bytes(*digest[25..].first_chunk().unwrap()) & (u64::MAX >> 1);
        let leaf = u32::from(digest[33] & 7);
        let mut secrets = seeds.secrets();
        for number in 0..FORS_TREES << FORS_HEIGHT {
            let at = Address { layer: 0, tree, kind: 6, key_pair: leaf, last: [0, number] };
            secrets.push(self.hash(&seeds.pk, at, &seeds.sk).to_vec());
        }
        for layer in 0..LAYERS {
            secrets.extend(self.chains_of_tree(seeds, layer, tree >> (HEIGHT * layer)));
        }
        let revealed: Vec<&[u8]> = signature.chunks_exact(N).collect();
        let all = secrets.len();
        secrets.retain(|secret| !revealed.contains(&&secret[..]));
        // One of each FORS tree at least, and of most chains of the keys that sign one.
        let difference = all - secrets.len();
        assert!((33 + 22 * 30..=33 + 22 * 35).contains(&difference), "{difference} are revealed");
        secrets
    }
}

/// The seeds of a key, and its root.
struct Seeds {
    sk: [u8; N],
    prf: [u8; N],
    pk: [u8; N],
    root: Vec<u8>,
}

impl Seeds {
    fn without_root(begin: u8) -> Self {
        let [sk, prf, pk] =
            [0, 1, 2].map(|i| std::array::from_fn(|j| begin + 7 * i + 13 * j as u8));
        Self { sk, prf, pk, root: Vec::new() }
    }

    fn new<P: ParameterSet>(begin: u8) -> Self {
        let mut seeds = Self::without_root(begin);
        seeds.root = seeds.key::<P>().verifying_key().to_bytes()[N..].to_vec();
        seeds
    }

    fn key<P: ParameterSet>(&self) -> SigningKey<P> {
        SigningKey::from_seeds(&self.sk, &self.prf, &self.pk).unwrap()
    }

    fn secrets(&self) -> Vec<Vec<u8>> {
        vec![self.sk.to_vec(), self.prf.to_vec()]
    }
}

/// A generator of random numbers that fails.
struct Broken;

impl TryRng for Broken {
    type Error = std::fmt::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(std::fmt::Error)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(std::fmt::Error)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        Err(std::fmt::Error)
    }
}

impl TryCryptoRng for Broken {}

/// A generator whose numbers are the seeds of a key.
struct Given(Vec<u8>);

impl TryRng for Given {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(7)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(7)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(&self.0[..bytes.len()]);
        self.0.rotate_left(bytes.len());
        Ok(())
    }
}

impl TryCryptoRng for Given {}

fn keys<P: ParameterSet>(family: Family) {
    let seeds = Seeds::new::<P>(1);
    let mut secrets = seeds.secrets();
    secrets.extend(family.chains_of_tree(&seeds, LAYERS - 1, 0));
    assert_eq!(secrets.len(), 2 + 8 * 35 * 15);

    let (found, key) = secrets_freed_by(&secrets, || seeds.key::<P>());
    assert_eq!(found, 0, "a key of seeds");
    let mut rng = Given([seeds.sk, seeds.prf, seeds.pk].concat());
    let (found, other) = secrets_freed_by(&secrets, || SigningKey::<P>::new(&mut rng));
    assert_eq!(found, 0, "a key of a generator");
    assert_eq!(other.to_bytes(), key.to_bytes());

    let bytes = key.to_bytes();
    let (found, ()) = secrets_freed_by(&secrets, || {
        drop(key.to_bytes());
        drop(Box::new(SigningKey::<P>::from_bytes(&bytes).unwrap()));
        // The list moves them when it grows.
        let mut keys = Vec::new();
        (0..9).for_each(|_| keys.push(key.clone()));
        drop(keys);
        drop(other);
    });
    assert_eq!(found, 0, "a key that is read, moved and dropped");

    let mut damaged = bytes.clone();
    damaged[4 * N - 1] ^= 1;
    let (found, _) =
        secrets_freed_by(&secrets, || SigningKey::<P>::from_bytes(&damaged).unwrap_err());
    assert_eq!(found, 0, "a key that is refused");
}

fn signatures<P: ParameterSet>(family: Family) {
    let seeds = Seeds::new::<P>(3);
    let key = seeds.key::<P>();
    let signature = key.sign(b"message");
    let bytes: &[u8] = signature.as_ref();
    let secrets = family.secrets_of_signature(&seeds, bytes, b"\0\0message");

    let (found, again) = secrets_freed_by(&secrets, || key.sign(b"message"));
    assert_eq!((found, again == signature), (0, true), "a signature");
    let (found, ()) = secrets_freed_by(&secrets, || {
        key.try_sign_with_rng(&mut Broken, b"message").unwrap_err();
        key.try_sign_with_context(b"message", &[7; 256], None).unwrap_err();
        key.sign_internal(&[b"message"], Some(&[7; 17])).unwrap_err();
        drop(key);
    });
    assert_eq!(found, 0, "a signature that fails, and the key dropped");
}

#[test]
fn keys_of_sha2() {
    keys::<Sha2_128f>(Family::Sha2);
}

#[test]
fn keys_of_shake() {
    keys::<Shake128f>(Family::Shake);
}

#[test]
fn signatures_of_sha2() {
    signatures::<Sha2_128f>(Family::Sha2);
}

#[test]
fn signatures_of_shake() {
    signatures::<Shake128f>(Family::Shake);
}

/// The test sees what is not erased.
#[test]
fn a_secret_that_is_not_erased_is_found() {
    let secret: Vec<u8> = (0..40).collect();
    // The compiler would leave out a block that nobody sees.
    let copy = || drop(black_box(secret[..].to_vec()));
    let (found, ()) = secrets_freed_by(slice::from_ref(&secret), copy);
    assert_eq!(found, 1);
    let (found, list) = secrets_freed_by(slice::from_ref(&secret), || {
        let mut list = Vec::with_capacity(40);
        list.extend_from_slice(&secret);
        black_box(&list);
        list.reserve(1000);
        list
    });
    assert_eq!((found, list.len()), (1, 40), "a list that grows");
}
