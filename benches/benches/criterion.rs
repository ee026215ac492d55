//! `cargo bench`: answers "did my change help", for each hash, the trees and the address search.
//!
//! The groups are `sha256` (digests of many messages, nodes, long messages), `sha1`, `ripemd160`,
//! `hash160`, `keccak`, `sha512`, `blake2`, `sumhash512`, `merkle` (roots and proofs),
//! `addr-recover`, `chains` and `slh-dsa`. The shapes and their candidates are those of `ratios`:
//! our default backend, here `hashlanes`, and the crates for one message, or with the feature
//! `rivals` all rivals. Digests are checked before they are timed.
//!
//! `of_crate.rs`, the bench target of each crate, sets `HASHLANES_BENCH_PACKAGE`: only the groups
//! of that package are measured then.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, process};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_main};
use hash_lanes::Backend;
use hashlanes_benches::harness::{Role, Set, Shape};
use hashlanes_benches::machine;

/// Messages of this length and more are measured in bytes, shorter ones in messages.
const LONG: usize = 1 << 10;

fn all(criterion: &mut Criterion) {
    println!("{}; hashlanes runs {}\n", machine::cpu(), Backend::detect().name());
    let package = env::var("HASHLANES_BENCH_PACKAGE").ok();
    let is_measured = |set: &Set| {
        let is_of_package = package.as_ref().is_none_or(|package| package == set.package);
        set.in_cargo_bench && is_of_package
    };
    for shape in Shape::all() {
        if let Some(set) = shape.set().filter(|set| is_measured(set)) {
            bench(criterion, set.group, &shape);
        }
    }
}

/// Times our default backend and the rivals.
fn bench(criterion: &mut Criterion, group: &str, shape: &Shape) {
    let name = shape.name();
    // Such as `hash160/1x33B` in the group `hash160`.
    let rest = name.strip_prefix(group).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&name);
    let mut group = criterion.benchmark_group(format!("{group}/{rest}"));
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
    let criterion = Criterion::default()
        .sample_size(20)
        .nresamples(10_000)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1000));
    let Some(results) = results() else { return criterion.configure_from_args() };
    let criterion = criterion.output_directory(&results).configure_from_args();
    let known = baselines(&results);
    for name in values(&["--baseline", "-b", "--load-baseline"]) {
        if !known.contains(&name) {
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            eprintln!(
                "error: no results are saved as baseline {name:?} in {}\n\
                 saved are: {known}\n\
                 save one with `cargo bench -- --save-baseline NAME`",
                results.display()
            );
            process::exit(2);
        }
    }
    // Criterion panics at the first bench that is not in the baseline. Here it is only measured.
    match values(&["--baseline", "-b"]).pop() {
        Some(name) => criterion.retain_baseline(name, false),
        None => criterion,
    }
}

/// The folder of the results, in the target folder, which cargo marks as a cache.
fn results() -> Option<PathBuf> {
    let home = env::var_os("CRITERION_HOME").map(PathBuf::from);
    home.or_else(|| {
        let program = env::current_exe().ok()?;
        let mut folders = program.ancestors();
        folders.find(|folder| folder.join("CACHEDIR.TAG").is_file()).map(|it| it.join("criterion"))
    })
}

/// The values of options.
fn values(options: &[&str]) -> Vec<String> {
    let mut values = Vec::new();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.split_once('=') {
            Some((option, value)) if options.contains(&option) => values.push(value.to_owned()),
            None if options.contains(&argument.as_str()) => values.extend(arguments.next()),
            _ => {}
        }
    }
    values
}

/// The names under which results are saved, sorted.
fn baselines(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.join("estimates.json").is_file() {
            names.extend(entry.file_name().into_string());
        } else if path.is_dir() {
            names.extend(baselines(&path));
        }
    }
    // Where the last run is compared with the one before it.
    names.retain(|name| name != "change" && name != "new");
    names.sort_unstable();
    names.dedup();
    names
}

/// In place of `criterion_group`, which would read `--baseline` after [`settings`].
fn benches() {
    all(&mut settings());
}

criterion_main!(benches);
