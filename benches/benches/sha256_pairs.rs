//! SHA-256 of 64-byte nodes, the work of a binary Merkle tree, in batches from below the lane count to a whole level.

use criterion::{Criterion, criterion_group, criterion_main};
use hashlanes_benches::criterion_rows::bench;
use hashlanes_benches::shape::Set;

fn rows(criterion: &mut Criterion) {
    bench(criterion, Set::Pairs);
}

criterion_group!(benches, rows);
criterion_main!(benches);
