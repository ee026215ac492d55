//! The candidates as rows of Criterion groups.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};

use crate::batch::Input;
use crate::candidate::candidates;
use crate::shape::Set;

/// Runs every candidate on every shape of the set, as `sha256-multi/operation/candidate/shape`.
///
/// # Panics
///
/// If a candidate gives a wrong digest.
pub fn bench(criterion: &mut Criterion, set: Set) {
    for shape in set.shapes() {
        let input = Input::new(shape.messages);
        let batch = input.batch();
        let mut digests = vec![[0; 32]; batch.messages.len()];

        let mut group = criterion.benchmark_group(format!("sha256-multi/{}", shape.operation.name()));
        group.throughput(Throughput::ElementsAndBytes {
            elements: digests.len() as u64,
            bytes: batch.bytes.len() as u64,
        });
        if set == Set::Small {
            // Some 800 rows.
            group.sample_size(10).warm_up_time(Duration::from_millis(50));
            group.measurement_time(Duration::from_millis(200));
        }
        for mut candidate in candidates(&shape) {
            candidate.check(&batch);
            let id = BenchmarkId::new(&candidate.name, shape.label());
            group.bench_function(id, |bencher| {
                bencher.iter_custom(|calls| candidate.time(&batch, &mut digests, calls));
            });
        }
        group.finish();
    }
}
