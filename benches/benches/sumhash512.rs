//! sumhash512: compressions, digests of Algorand's state-proof message sizes, and batches.

use criterion::{Criterion, criterion_group, criterion_main};

fn rows(criterion: &mut Criterion) {
    hashlanes_benches::sumhash::bench(criterion);
}

criterion_group!(benches, rows);
criterion_main!(benches);
