//! Times the candidates as rows of Criterion groups.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};

use crate::batch::Input;
use crate::candidate::candidates;
use crate::shape::{Set, Shape};

/// Runs every candidate on every shape of the set. The rows are named
/// `crate/operation/candidate/shape`.
///
/// # Panics
///
/// Panics if a candidate returns a wrong digest.
pub fn run(set: Set) {
    let mut criterion = Criterion::default().configure_from_args();
    for shape in set.shapes() {
        bench(&mut criterion, &shape);
    }
    criterion.final_summary();
}

fn bench(criterion: &mut Criterion, shape: &Shape) {
    let input = Input::new(shape.messages);
    let batch = input.batch();

    let operation = shape.operation;
    let name = format!("{}/{}", operation.function().crate_name(), operation.name());
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::ElementsAndBytes {
        elements: batch.messages.len() as u64,
        bytes: batch.bytes.len() as u64,
    });
    if shape.set.is_small() {
        // There are some 800 of these rows, so each gets little time.
        group.sample_size(10).warm_up_time(Duration::from_millis(50));
        group.measurement_time(Duration::from_millis(200));
    }
    for mut candidate in candidates(shape) {
        candidate.check(&batch);
        let mut digests = candidate.digests(&batch);
        let id = BenchmarkId::new(&candidate.name, shape.label());
        group.bench_function(id, |bencher| {
            bencher.iter_custom(|calls| candidate.time(&batch, &mut digests, calls));
        });
    }
    group.finish();
}
