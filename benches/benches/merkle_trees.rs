//! Merkle trees: roots in each family, batches of proofs, and updates.

use criterion::{Criterion, criterion_group, criterion_main};

fn rows(criterion: &mut Criterion) {
    hashlanes_benches::trees::bench(criterion);
}

criterion_group!(benches, rows);
criterion_main!(benches);
