//! Times an addr-recover search with each backend and, for comparison, `double_hash_many` of
//! messages of the same length.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use addr_recover::{Backend, Kind, Pattern, Search, SearchSpace};
use criterion::{BenchmarkId, Criterion, Throughput};

use crate::candidate::Role;
use crate::interleave::interleave;
use crate::record::Row;

/// Bitcoin's first address in lower case: a complete search with few enough hashes for short turns.
const DAMAGED: &str = "1a1zp1ep5qgefi2dmptftl5slmv7divfna";

/// The address that the search finds.
const ADDRESS: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

/// The number of prefixes of the spellings that decode to 25 bytes.
const HASHES: usize = 262_402;

/// Messages per call of `double_hash_many`.
const MESSAGES: usize = 2048;

/// The name of the Criterion group and of the shape.
pub const NAME: &str = "addr-recover/search";

/// Length of version and payload in bytes.
const LEN: usize = 21;

/// One way to hash.
struct Candidate {
    name: String,
    role: Role,
    hashes: usize,
    run: Box<dyn FnMut()>,
}

impl Candidate {
    fn time(&mut self, calls: u64) -> Duration {
        let start = Instant::now();
        (0..calls).for_each(|_| (self.run)());
        start.elapsed()
    }
}

fn candidates() -> Vec<Candidate> {
    let pattern: Pattern = DAMAGED.parse().expect("the pattern is valid");
    let space =
        SearchSpace::new(&pattern, &Kind::common_versions()).expect("only letter case is damaged");
    let mut candidates = Vec::new();
    for backend in Backend::available() {
        let space = space.clone();
        let run = move || {
            let search = Search::new(&space).backend(backend).threads(NonZeroUsize::MIN);
            let outcome = search.run().expect("the search is not cancelled");
            assert_eq!(
                (outcome.hits[0].address.as_str(), outcome.hashes),
                (ADDRESS, HASHES as u64)
            );
        };
        let role = if backend == Backend::detect() { Role::Auto } else { Role::Backend };
        candidates.push(Candidate {
            name: backend.name().to_owned(),
            role,
            hashes: HASHES,
            run: Box::new(run),
        });
    }
    for backend in ["avx512x16", "sha-ni"].into_iter().filter_map(|name| name.parse().ok()) {
        let messages: Vec<[u8; LEN]> = (0..MESSAGES).map(|i| [(i % 251) as u8; LEN]).collect();
        let mut digests = vec![[0; 32]; MESSAGES];
        candidates.push(Candidate {
            name: format!("double_hash_many {backend}"),
            role: Role::Backend,
            hashes: MESSAGES,
            run: Box::new(move || {
                sha256_multi::double_hash_many_with(backend, black_box(&messages), &mut digests);
                black_box(&mut digests);
            }),
        });
    }
    candidates
}

/// Times the candidates in interleaved turns.
///
/// # Panics
///
/// Panics if a search returns a wrong result.
#[must_use]
pub fn measure(budget: Duration) -> Vec<Row> {
    let mut candidates = candidates();
    let hashes: Vec<usize> = candidates.iter().map(|candidate| candidate.hashes).collect();
    let timings = interleave(&hashes, |at, calls| candidates[at].time(calls), budget);
    let row = |(candidate, timing): (&Candidate, crate::interleave::Timing)| Row {
        shape: NAME.to_owned(),
        candidate: candidate.name.clone(),
        role: candidate.role.name().to_owned(),
        messages: HASHES,
        bytes: HASHES * LEN,
        min_ns: timing.min,
        median_ns: timing.median,
    };
    candidates.iter().zip(timings).map(row).collect()
}

/// Times the candidates as Criterion rows, named `addr-recover/search/candidate`.
///
/// # Panics
///
/// Panics if a search returns a wrong result.
pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(NAME);
    for mut candidate in candidates() {
        group.throughput(Throughput::Elements(candidate.hashes as u64));
        let id = BenchmarkId::from_parameter(&candidate.name);
        group.bench_function(id, |bencher| bencher.iter_custom(|calls| candidate.time(calls)));
    }
    group.finish();
}
