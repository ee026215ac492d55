//! SHA-256 of 64-byte nodes, the work of a binary Merkle tree, in batches from below the lane count
//! to a whole level.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Pairs);
}
