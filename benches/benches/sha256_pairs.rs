//! SHA-256 of 64-byte nodes, as in a binary Merkle tree, in batches from below the lane count up to
//! a whole level.

use hashlanes_benches::{criterion_rows, shape::Set};

fn main() {
    criterion_rows::run(Set::Pairs);
}
