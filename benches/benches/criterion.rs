//! `cargo bench`: answers "did my change help", for each hash, the trees and the address search.
//!
//! The groups are `sha256` (digests of many messages, nodes, long messages), `sha1`, `ripemd160`,
//! `hash160`, `keccak`, `sha512`, `sumhash512`, `merkle` (roots and proofs), `addr-recover`,
//! `chains` and `slh-dsa`. The shapes and their candidates are those of `ratios`: our default
//! backend, here `hashlanes`, and the crates for one message, or with the feature `rivals` all
//! rivals. Digests are checked before they are timed.

#![allow(missing_docs, reason = "the macros define public functions without documentation")]

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hash_lanes::Backend;
use hashlanes_benches::harness::{Role, Shape};
use hashlanes_benches::machine;

/// Messages of this length and more are measured in bytes, shorter ones in messages.
const LONG: usize = 1 << 10;

fn all(criterion: &mut Criterion) {
    println!("{}; hashlanes runs {}\n", machine::cpu(), Backend::detect().name());
    for shape in Shape::all() {
        if let Some(set) = shape.set().filter(|set| set.in_cargo_bench) {
            bench(criterion, set.group, &shape);
        }
    }
}

/// Times our default backend and the rivals.
fn bench(criterion: &mut Criterion, group: &str, shape: &Shape) {
    let mut group = criterion.benchmark_group(format!("{group}/{}", shape.name()));
    group.throughput(if shape.bytes / shape.items >= LONG {
        Throughput::Bytes(shape.bytes as u64)
    } else {
        Throughput::Elements(shape.items as u64)
    });
    shape.with_checked(&mut |candidates, output| {
        for candidate in candidates {
            let name = match candidate.role {
                Role::Auto => "hashlanes",
                Role::Rival => candidate.name.as_str(),
                Role::Backend => continue,
            };
            let id = BenchmarkId::from_parameter(name);
            group.bench_function(id, |bencher| {
                bencher.iter_custom(|calls| candidate.time(output, calls));
            });
        }
    });
    group.finish();
}

/// Everything ends within five minutes.
fn settings() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .nresamples(10_000)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1000))
        .without_plots()
        .configure_from_args()
}

criterion_group!(name = benches; config = settings(); targets = all);
criterion_main!(benches);
