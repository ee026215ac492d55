//! Merkle trees: roots of each family, many proofs at once, updates.

use criterion::{Criterion, criterion_group, criterion_main};

fn rows(criterion: &mut Criterion) {
    hashlanes_benches::trees::bench(criterion);
}

criterion_group!(benches, rows);
criterion_main!(benches);
