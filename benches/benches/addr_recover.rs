//! An addr-recover search.

use criterion::{Criterion, criterion_group, criterion_main};

fn rows(criterion: &mut Criterion) {
    hashlanes_benches::addr_recover::bench(criterion);
}

criterion_group!(benches, rows);
criterion_main!(benches);
