//! Tests trees of every family and shape against the specifications.

#[cfg(feature = "algorand")]
mod algorand;
mod any_digest;
mod bep52;
mod bitcoin;
mod bytes;
mod changes;
mod consistency;
mod counted;
mod ct;
mod extremes;
mod family;
mod inclusion;
mod kept_levels;
mod levels;
mod mapped;
mod memory;
mod misuse;
mod multi;
mod oracle;
#[cfg(feature = "rayon")]
mod parallel;
mod ranges;
mod rfc6962;
mod roots;
#[cfg(feature = "serde")]
mod serde;
mod ssz;
mod stack;
mod streaming;
mod verify_many;

use oracle::{Hash, sha256};

/// The value of a node before it is written.
const UNWRITTEN: Hash = [0xee; 32];

/// Distinct leaves.
fn leaves(count: usize) -> Vec<Hash> {
    (0..count as u64).map(|i| sha256(&[&i.to_le_bytes()])).collect()
}

/// The hash with one bit flipped.
fn flipped(hash: &Hash, bit: usize) -> Hash {
    let mut changed = *hash;
    changed[bit / 8] ^= 1 << (bit % 8);
    changed
}

/// Calls a function with each family, its definition, and any further arguments.
macro_rules! each_family {
    ($check:ident $(, $argument:expr)*) => {
        each_family!(Backend::detect() => $check $(, $argument)*)
    };
    ($backend:expr => $check:ident $(, $argument:expr)*) => {{
        use merkle_lanes::{Backend, bitcoin::Bitcoin, rfc6962::Rfc6962, ssz::Ssz};
        use crate::family::Family;
        use crate::oracle::Definition;

        let backend: Backend = $backend;
        for (family, definition) in [
            (Family::Rfc6962(Rfc6962::new().with_backend(backend)), Definition::Rfc6962),
            (Family::Bitcoin(Bitcoin::new().with_backend(backend)), Definition::Bitcoin),
            (Family::Ssz(Ssz::new().with_backend(backend)), Definition::Ssz),
            (Family::Ssz(Ssz::with_limit(1 << 20).with_backend(backend)), Definition::SszOfDepth(20)),
        ] {
            $check(family, definition $(, $argument)*);
        }
    }};
}
use each_family;
