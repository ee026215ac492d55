//! SHA-256 of many messages of other lengths than a node, equal and mixed.

use criterion::{Criterion, criterion_group, criterion_main};
use hashlanes_benches::criterion_rows::bench;
use hashlanes_benches::shape::Set;

fn rows(criterion: &mut Criterion) {
    bench(criterion, Set::Long);
}

criterion_group!(benches, rows);
criterion_main!(benches);
