//! Measures the cost of a pass of each kernel on this CPU, and prints rows for the crates'
//! `costs.rs`.
//!
//! ```text
//! cargo run --release -p hashlanes-benches --bin costs
//! ```
//!
//! The first line names the CPU, the date and the compiler. State CPU and date in the table's file.
//!
//! Only kernels with an existing cost in a table are measured. To try a new kernel, add it with any
//! cost first.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use addr_recover::{Kind, Pattern, Search, SearchSpace};
use hash_lanes::engine::{LaneHash, Shape};
use hash_lanes::{Backend, Kernel};
use hashlanes_benches::machine;
use hashlanes_benches::record::Record;
use ripemd_multi::Ripemd160Lanes;
use sha1_multi::Sha1Lanes;
use sha256_multi::{Sha256Lanes, hazmat};

/// A multiple of every kernel's number of messages.
const MESSAGES: usize = 96;

/// The number of times each kernel is timed. The minimum counts.
const ROUNDS: usize = 1500;

/// Hashes [`MESSAGES`] messages, and returns the digests if the flag is set.
type Hash = Box<dyn Fn(Backend, bool) -> Option<Vec<u8>>>;

/// A table of costs.
struct Table {
    name: &'static str,
    /// The kernel that a single-kernel backend hashes with.
    kernel: fn(Backend) -> Kernel,
    hash: Hash,
    /// The table's units per message: the number of blocks for `BLOCKS` tables, otherwise 1.
    units: u32,
}

fn main() {
    let Record { cpu, date, rustc, .. } = machine::empty_record();
    println!("// {cpu}, {date}, {rustc}");
    for table in tables() {
        let mut times: Vec<(Kernel, Backend, Duration)> = Backend::single_kernels()
            .into_iter()
            .chain("portable".parse())
            .map(|backend| ((table.kernel)(backend), backend, Duration::MAX))
            .filter(|&(kernel, backend, _)| backend.kernels().next() == Some(kernel))
            .collect();
        let portable = "portable".parse::<Backend>().expect("every machine can run it");
        let expected = (table.hash)(portable, true);
        for (kernel, backend, _) in &times {
            assert_eq!((table.hash)(*backend, true), expected, "{}: {kernel:?}", table.name);
        }
        for _ in 0..ROUNDS {
            for (_, backend, min) in &mut times {
                let begin = Instant::now();
                let _ = (table.hash)(*backend, false);
                *min = begin.elapsed().min(*min);
            }
        }
        let costs: Vec<String> = times
            .iter()
            .map(|(kernel, _, min)| {
                let pass = min.as_secs_f64() / (MESSAGES / kernel.messages()) as f64;
                format!("({kernel:?}, {:.0})", pass * 1e10 / f64::from(table.units))
            })
            .collect();
        println!("{}:\n    Costs::new(&[{}]),", table.name, costs.join(", "));
    }
    println!("addr-recover SEARCH:\n    Costs::new(&[{}]),", search().join(", "));
}

fn tables() -> Vec<Table> {
    fn plan<H: LaneHash<WORDS>, const WORDS: usize>(backend: Backend, shape: Shape) -> Kernel {
        H::plan(backend, shape).bulk()
    }
    let nodes = vec![[7; 64]; MESSAGES];
    let messages = |length: usize| vec![vec![7; length]; MESSAGES];
    let table = |name, kernel, units, hash| Table { name, kernel, hash, units };
    let double_nodes = nodes.clone();
    let (bytes_32, bytes_48, bytes_80, bytes_1024) =
        (messages(32), messages(48), messages(80), messages(1024 - 9));
    let sha256 = |messages: Vec<Vec<u8>>| -> Hash {
        Box::new(move |backend, is_kept| {
            let mut digests = [[0; 32]; MESSAGES];
            sha256_multi::hash_many_with(backend, &messages, &mut digests);
            let digests = black_box(digests);
            is_kept.then(|| digests.as_flattened().to_vec())
        })
    };
    let sha1 = |messages: Vec<Vec<u8>>| -> Hash {
        Box::new(move |backend, is_kept| {
            let mut digests = [[0; 20]; MESSAGES];
            sha1_multi::hash_many_with(backend, &messages, &mut digests);
            let digests = black_box(digests);
            is_kept.then(|| digests.as_flattened().to_vec())
        })
    };
    let ripemd = |messages: Vec<Vec<u8>>| -> Hash {
        Box::new(move |backend, is_kept| {
            let mut digests = [[0; 20]; MESSAGES];
            ripemd_multi::hash_many_with(backend, &messages, &mut digests);
            let digests = black_box(digests);
            is_kept.then(|| digests.as_flattened().to_vec())
        })
    };
    let keys = |messages: Vec<Vec<u8>>| -> Hash {
        Box::new(move |backend, is_kept| {
            let mut hashes = [[0; 20]; MESSAGES];
            ripemd_multi::hash160_many_with(backend, &messages, &mut hashes);
            let digests = black_box(hashes);
            is_kept.then(|| digests.as_flattened().to_vec())
        })
    };
    let nodes_once: Hash = Box::new(move |backend, is_kept| {
        let mut digests = [[0; 32]; MESSAGES];
        sha256_multi::hash_pairs_with(backend, &nodes, &mut digests);
        let digests = black_box(digests);
        is_kept.then(|| digests.as_flattened().to_vec())
    });
    let nodes_twice: Hash = Box::new(move |backend, is_kept| {
        let mut digests = [[0; 32]; MESSAGES];
        sha256_multi::double_hash_pairs_with(backend, &double_nodes, &mut digests);
        let digests = black_box(digests);
        is_kept.then(|| digests.as_flattened().to_vec())
    });
    let twice: Hash = {
        let messages = bytes_80;
        Box::new(move |backend, is_kept| {
            let mut digests = [[0; 32]; MESSAGES];
            sha256_multi::double_hash_many_with(backend, &messages, &mut digests);
            let digests = black_box(digests);
            is_kept.then(|| digests.as_flattened().to_vec())
        })
    };
    vec![
        table("sha256-multi NODES", |b| hazmat::plan_of_nodes(b, false).bulk(), 1, nodes_once),
        table(
            "sha256-multi DOUBLE_NODES",
            |b| hazmat::plan_of_nodes(b, true).bulk(),
            1,
            nodes_twice,
        ),
        table(
            "sha256-multi BYTES_32",
            |b| plan::<Sha256Lanes, 8>(b, Shape::Bytes32),
            1,
            sha256(bytes_32.clone()),
        ),
        table(
            "sha256-multi ONE_BLOCK",
            |b| plan::<Sha256Lanes, 8>(b, Shape::OneBlock),
            1,
            sha256(bytes_48),
        ),
        table(
            "sha256-multi BLOCKS",
            |b| plan::<Sha256Lanes, 8>(b, Shape::Blocks),
            16,
            sha256(bytes_1024.clone()),
        ),
        table("sha256-multi DOUBLE", |b| plan::<Sha256Lanes, 8>(b, Shape::Double), 1, twice),
        table(
            "sha1-multi BLOCKS",
            |b| plan::<Sha1Lanes, 5>(b, Shape::Blocks),
            16,
            sha1(bytes_1024.clone()),
        ),
        table(
            "ripemd-multi BYTES_32",
            |b| plan::<Ripemd160Lanes, 5>(b, Shape::Bytes32),
            1,
            ripemd(bytes_32),
        ),
        table(
            "ripemd-multi BLOCKS",
            |b| plan::<Ripemd160Lanes, 5>(b, Shape::Blocks),
            16,
            ripemd(bytes_1024),
        ),
        table(
            "ripemd-multi KEYS_33",
            |b| ripemd_multi::hazmat::plan_of_keys::<33>(b).bulk(),
            1,
            keys(messages(33)),
        ),
        table(
            "ripemd-multi KEYS_65",
            |b| ripemd_multi::hazmat::plan_of_keys::<65>(b).bulk(),
            1,
            keys(messages(65)),
        ),
    ]
}

/// The costs of a search with each kernel that it can use.
fn search() -> Vec<String> {
    let pattern: Pattern =
        "1a1zp1ep5qgefi2dmptftl5slmv7divfna".parse().expect("the pattern is valid");
    let space =
        SearchSpace::new(&pattern, &Kind::common_versions()).expect("only letter case is damaged");
    let mut times = Vec::new();
    for backend in Backend::single_kernels().into_iter().chain("portable".parse()) {
        let kernel = backend.kernels().next().expect("every backend has a kernel");
        if ![Kernel::Shax4, Kernel::Portable].contains(&kernel) && kernel.messages() < 4
            || kernel == Kernel::Avx512x8x2
        {
            // The search does not use this kernel.
            continue;
        }
        let search = Search::new(&space).backend(backend).threads(NonZeroUsize::MIN);
        let times_per_hash = (0..ROUNDS / 100).map(|_| {
            let begin = Instant::now();
            let outcome = search.run().expect("the search is not cancelled");
            let elapsed = begin.elapsed().as_secs_f64();
            assert_eq!(
                outcome.hits[0].address.as_str(),
                "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
                "{kernel:?}"
            );
            elapsed / outcome.hashes as f64
        });
        let min = times_per_hash.fold(f64::MAX, f64::min);
        times.push(format!("({kernel:?}, {:.0})", min * 1e10 * kernel.messages() as f64));
    }
    times
}

#[cfg(test)]
mod tests {
    use super::tables;

    /// `addr-recover SEARCH` has its own measurement, and merkle-lanes' costs are calculated.
    #[test]
    fn tables_are_those_of_the_hash_crates() {
        let mut expected = Vec::new();
        for (folder, costs) in [
            ("sha256-multi", include_str!("../../../sha256-multi/src/costs.rs")),
            ("sha1-multi", include_str!("../../../sha1-multi/src/costs.rs")),
            ("ripemd-multi", include_str!("../../../ripemd-multi/src/costs.rs")),
        ] {
            let tables = costs.lines().filter_map(|line| line.strip_prefix("static "));
            let names = tables.filter_map(|line| line.split_once(": Plans = "));
            expected.extend(names.map(|(name, _)| format!("{folder} {name}")));
        }
        let tables: Vec<_> = tables().iter().map(|table| table.name).collect();
        assert_eq!(tables, expected);
    }
}
