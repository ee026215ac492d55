//! One digest by sha2 right after a lane kernel: dear if the kernel leaves the upper halves of its registers dirty.

use criterion::{Criterion, criterion_group, criterion_main};
use hashlanes_benches::criterion_rows::bench;
use hashlanes_benches::shape::Set;

fn rows(criterion: &mut Criterion) {
    bench(criterion, Set::AfterLanes);
}

criterion_group!(benches, rows);
criterion_main!(benches);
