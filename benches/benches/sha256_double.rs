//! SHA-256 twice, Bitcoin's transaction tree and block headers.

use criterion::{Criterion, criterion_group, criterion_main};
use hashlanes_benches::criterion_rows::bench;
use hashlanes_benches::shape::Set;

fn rows(criterion: &mut Criterion) {
    bench(criterion, Set::Double);
}

criterion_group!(benches, rows);
criterion_main!(benches);
