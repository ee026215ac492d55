//! SHA-256 of 1 to 64 nodes: whether the kernel chosen for a count is the cheapest one.

use criterion::{Criterion, criterion_group, criterion_main};
use hashlanes_benches::criterion_rows::bench;
use hashlanes_benches::shape::Set;

fn rows(criterion: &mut Criterion) {
    bench(criterion, Set::Small);
}

criterion_group!(benches, rows);
criterion_main!(benches);
