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
mod family;
mod inclusion;
mod levels;
mod mapped;
mod misuse;
mod multi;
mod oracle;
#[cfg(feature = "rayon")]
mod parallel;
mod rfc6962;
mod roots;
#[cfg(feature = "serde")]
mod serde;
mod ssz;
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
        $check(Rfc6962::new().with_backend(backend), Definition::Rfc6962 $(, $argument)*);
        $check(Bitcoin::new().with_backend(backend), Definition::Bitcoin $(, $argument)*);
        $check(Ssz::new().with_backend(backend), Definition::Ssz $(, $argument)*);
        let limited = Ssz::with_limit(1 << 20).with_backend(backend);
        $check(limited, Definition::SszOfDepth(20) $(, $argument)*);
    }};
}
use each_family;
