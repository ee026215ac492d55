//! Tests trees of every family and shape against the specifications.

#[cfg(feature = "algorand")]
mod algorand;
mod any_digest;
mod bep52;
mod bitcoin;
mod counted;
mod ct;
mod encodings;
mod extremes;
mod families;
mod family;
mod hostile;
#[cfg(feature = "keccak")]
mod keccak;
mod memory;
#[allow(dead_code, reason = "some definitions are of families that are features")]
mod oracle;
#[cfg(feature = "rayon")]
mod parallel;
mod proofs;
mod rfc6962;
mod roots;
mod ssz;
mod stack;
mod subtree;
mod trees;
mod verify_many;
#[cfg(feature = "verity")]
mod verity;

use std::path::PathBuf;

use family::Family;
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{Backend, TreeHead};
use oracle::{Definition, Hash, sha256};

/// A file of the large test vectors.
fn vectors(name: &str) -> PathBuf {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    PathBuf::from(folder).join(name)
}

/// The value of a node before it is written.
const UNWRITTEN: Hash = [0xee; 32];

/// Distinct leaves.
fn leaves(count: usize) -> Vec<Hash> {
    (0..count as u64).map(|i| sha256(&[&i.to_le_bytes()])).collect()
}

/// The head of a tree.
fn head(size: u64, root: &Hash) -> TreeHead<Hash> {
    TreeHead { size, root: *root }
}

/// The hash with one bit flipped.
fn flipped(hash: &Hash, bit: usize) -> Hash {
    let mut changed = *hash;
    changed[bit / 8] ^= 1 << (bit % 8);
    changed
}

/// Calls a function with each family and its definition.
fn each_family(check: impl FnMut(Family, Definition)) {
    each_family_on(Backend::detect(), check);
}

/// [`each_family`] with a backend. Families of few leaves have tests of their own in families.rs.
fn each_family_on(backend: Backend, mut check: impl FnMut(Family, Definition)) {
    for (family, definition) in Family::all(backend) {
        if definition.capacity() >= 1 << 20 {
            check(family, definition);
        }
    }
}

/// Families are passed by value: each is `Copy`.
const _: () = {
    const fn is_copy<F: Copy>() {}
    is_copy::<Rfc6962>();
    #[cfg(feature = "keccak")]
    is_copy::<merkle_lanes::keccak::Swarm>();
    is_copy::<Bitcoin>();
    is_copy::<Ssz>();
    is_copy::<merkle_lanes::bep52::Bep52>();
    is_copy::<merkle_lanes::AnyDigest<fn(&[u8]) -> [u8; 32], 32>>();
    #[cfg(feature = "algorand")]
    is_copy::<merkle_lanes::algorand::Algorand<merkle_lanes::algorand::Sumhash512>>();
    #[cfg(feature = "rayon")]
    is_copy::<merkle_lanes::Parallel<Ssz>>();
};
