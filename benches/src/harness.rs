//! Checks and times the candidates of a shape. All programs measure through this module.
//!
//! A *shape* is an operation and its messages. A *candidate* is one of our backends or a rival.
//! `ratios`, `record` and `regret` differ only in the candidates they time and in what they do with
//! the times.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hash_lanes::Backend;
use sha256_multi::Sha256Lanes;

use crate::record::Row;
use crate::{lanes, search, signatures, sumhash, trees};

/// The role of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Our default backend.
    Auto,
    /// Another backend of ours, or another way to call the default one.
    Backend,
    /// Another crate.
    Rival,
}

impl Role {
    /// The name in a record.
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Backend => "backend",
            Self::Rival => "rival",
        }
    }

    /// The role of one of our backends.
    pub(crate) fn of<B: PartialEq>(backend: &B, default: &B) -> Self {
        if backend == default { Self::Auto } else { Self::Backend }
    }
}

/// Writes the digests, the root or the verdicts to a buffer of the expected length.
///
/// It is called through a pointer, so the compiler cannot move work out of the timed loop.
pub(crate) type Run<'a> = Box<dyn FnMut(&mut [u8]) + 'a>;

/// Something that can compute a shape.
pub struct Candidate<'a> {
    /// The backend's name, or the rival's with its version.
    pub name: String,
    /// The role.
    pub role: Role,
    run: Run<'a>,
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(name: String, role: Role, run: Run<'a>) -> Self {
        Self { name, role, run }
    }

    /// A candidate that returns what it computes.
    pub(crate) fn returning<T: AsRef<[u8]>>(
        name: String,
        role: Role,
        mut run: impl FnMut() -> T + 'a,
    ) -> Self {
        Self::new(name, role, Box::new(move |output| output.copy_from_slice(run().as_ref())))
    }

    /// The time of `calls` calls.
    pub fn time(&mut self, output: &mut [u8], calls: u64) -> Duration {
        clean_vector_state();
        let start = Instant::now();
        for _ in 0..calls {
            (self.run)(black_box(&mut *output));
        }
        start.elapsed()
    }
}

/// Cleans the upper halves of the vector registers.
///
/// hashtree's AVX kernels leave them dirty, which slows SHA-NI code by a third until the next
/// `vzeroupper`, so sha2's time would depend on the candidate before it. The compiler emits
/// `vzeroupper` at the end of every function that uses AVX, such as this backend's kernel.
fn clean_vector_state() {
    if let Ok(avx2) = "avx2".parse::<Backend>() {
        let sha256 = Sha256Lanes::on(avx2);
        sha256.hash_pairs_into(black_box(&[[0; 64]; 8]), black_box(&mut [[0; 32]; 8]));
    }
}

/// Related shapes.
#[derive(PartialEq, Eq)]
pub struct Set {
    /// The name, for `ratios --shape`.
    pub name: &'static str,
    /// The hash or the crate, which is the group in `cargo bench`.
    pub group: &'static str,
    /// The package whose `cargo bench` measures it.
    pub package: &'static str,
    /// Whether `cargo bench` measures it, which must end within five minutes.
    pub in_cargo_bench: bool,
}

impl Set {
    /// A set of `cargo bench`.
    pub(crate) const fn new(
        name: &'static str,
        group: &'static str,
        package: &'static str,
    ) -> Self {
        Self { name, group, package, in_cargo_bench: true }
    }

    /// A set that only `ratios` and `record` measure.
    pub(crate) const fn only_ratios(
        name: &'static str,
        group: &'static str,
        package: &'static str,
    ) -> Self {
        Self { name, group, package, in_cargo_bench: false }
    }

    /// The sets, in the order of their shapes. Those named `small` have every number of messages
    /// from 1 to 64.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        let others = [&sumhash::SETS[..], &trees::SETS, &search::SETS, &signatures::SETS];
        lanes::sets().chain(others.into_iter().flatten())
    }
}

/// Takes the candidates of a shape, ours first, and the output expected of each.
pub(crate) type Then<'t> = dyn for<'a> FnMut(Vec<Candidate<'a>>, &[u8]) + 't;

/// An operation on certain messages.
pub struct Shape {
    /// The name of its set.
    set: &'static str,
    /// The name of the operation.
    pub operation: &'static str,
    /// A label for the messages, such as `16x1MiB`.
    pub label: String,
    /// The number of messages, leaves or proofs per call.
    pub items: usize,
    /// Their total length in bytes.
    pub bytes: usize,
    candidates: Box<dyn Fn(&mut Then<'_>)>,
}

impl Shape {
    /// A shape of a set. Its candidates get their messages from `candidates`, which calls the
    /// function that it is given once.
    pub(crate) fn new(
        set: &'static str,
        (operation, label): (&'static str, String),
        (items, bytes): (usize, usize),
        candidates: impl Fn(&mut Then<'_>) + 'static,
    ) -> Self {
        let candidates = Box::new(candidates);
        Self { set, operation, label, items, bytes, candidates }
    }

    /// Every shape, in the order of the tables.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut all = lanes::shapes();
        all.extend(sumhash::shapes());
        all.extend(trees::shapes());
        all.extend(search::shapes());
        all.extend(signatures::shapes());
        all
    }

    /// The shapes with these names: sets, operations or single shapes. Without names, all shapes.
    ///
    /// # Errors
    ///
    /// Returns a message that lists the names that exist.
    pub fn chosen(names: &[String]) -> Result<Vec<Self>, String> {
        let mut all = Self::all();
        let named = |shape: &Self, name: &str| {
            shape.set == name || shape.operation == name || shape.name() == name
        };
        for name in names {
            if !all.iter().any(|shape| named(shape, name)) {
                let known: Vec<String> = all.iter().map(Self::name).collect();
                return Err(format!(
                    "unknown shape {name:?}; the shapes are:\n{}",
                    known.join("\n")
                ));
            }
        }
        all.retain(|shape| names.is_empty() || names.iter().any(|name| named(shape, name)));
        Ok(all)
    }

    /// Operation and messages, such as `hash_pairs/4096`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.operation, self.label)
    }

    /// The set that it belongs to, unless it was made for one measurement.
    #[must_use]
    pub fn set(&self) -> Option<&'static Set> {
        Set::all().find(|set| set.name == self.set)
    }

    /// Whether this is one of the batches of 1 to 64 messages. There are many of these shapes,
    /// so each gets less time, and one line instead of a table.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.set.ends_with("small")
    }

    /// Checks what the candidates compute, without timing them.
    ///
    /// # Panics
    ///
    /// Panics if a candidate does not write what it must.
    pub fn check(&self) {
        self.with_checked(&mut |_, _| {});
    }

    /// Calls `then` with the candidates and a buffer for what they write, after a check of each.
    ///
    /// # Panics
    ///
    /// Panics if a candidate does not write what it must.
    pub fn with_checked(&self, then: &mut dyn FnMut(&mut Vec<Candidate<'_>>, &mut [u8])) {
        (self.candidates)(&mut |mut all, expected| {
            let mut output = vec![0; expected.len()];
            for candidate in &mut all {
                output.fill(0xa5);
                (candidate.run)(&mut output);
                if let Some(at) = output.iter().zip(expected).position(|(a, b)| a != b) {
                    panic!("{}: {} is wrong from byte {at}", self.name(), candidate.name);
                }
            }
            then(&mut all, &mut output);
        });
    }

    /// Times the candidates for about `seconds`, or a quarter of that if the batch is small.
    #[must_use]
    pub fn measure(&self, seconds: f64) -> Vec<Row> {
        let part = if self.is_small() { 0.25 } else { 1.0 };
        let mut rows = Vec::new();
        self.with_checked(&mut |all, output| {
            let timings = interleave(all, output, Duration::from_secs_f64(seconds * part));
            rows.extend(all.iter().zip(timings).map(|(candidate, timing)| Row {
                shape: self.name(),
                candidate: candidate.name.clone(),
                role: candidate.role.name().to_owned(),
                messages: self.items,
                bytes: self.bytes,
                min_ns: timing.min / self.items as f64,
                median_ns: timing.median / self.items as f64,
            }));
        });
        rows
    }
}

/// Lengths in bytes around the ends of blocks, and those that have kernels of their own: digests,
/// public keys and block headers.
pub(crate) const LENGTHS: &[usize] = &[0, 20, 31, 32, 33, 55, 64, 65, 80, 119, 130, 256, 1000];

/// An operation on any number of messages of certain lengths, for `regret`.
pub struct Grid {
    /// The name of the operation.
    pub name: &'static str,
    /// The lengths in bytes.
    pub lengths: &'static [usize],
    shape: Box<dyn Fn(usize, usize) -> Shape>,
}

impl Grid {
    /// `shape` gets the number of messages and their length.
    pub(crate) fn new(
        name: &'static str,
        lengths: &'static [usize],
        shape: impl Fn(usize, usize) -> Shape + 'static,
    ) -> Self {
        Self { name, lengths, shape: Box::new(shape) }
    }

    /// Every operation whose plans matter.
    #[must_use]
    pub fn all() -> Vec<Self> {
        lanes::grids().chain([sumhash::grid()]).collect()
    }

    /// This many messages of this length, hashed with each of our backends.
    #[must_use]
    pub fn shape(&self, count: usize, len: usize) -> Shape {
        (self.shape)(count, len)
    }
}

/// Length of a turn: much longer than reading the clock, much shorter than a scheduler time slice.
const TURN: Duration = Duration::from_micros(200);
/// Minimum number of rounds: the median of fewer turns is too noisy.
const MIN_ROUNDS: usize = 9;

/// The time per call of one candidate's turns.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Nanoseconds in the shortest turn, when nothing else used the core.
    pub min: f64,
    /// Nanoseconds in the median turn, under the load of this machine.
    pub median: f64,
}

/// Runs short turns of each candidate in rounds, until `budget` is spent, so that other load on the
/// machine affects all of them alike.
pub fn interleave(
    candidates: &mut [Candidate<'_>],
    output: &mut [u8],
    budget: Duration,
) -> Vec<Timing> {
    let calls: Vec<u64> = candidates.iter_mut().map(|one| calls_per_turn(one, output)).collect();
    let mut turns: Vec<Vec<f64>> = vec![Vec::new(); candidates.len()];

    let start = Instant::now();
    for round in 0.. {
        if round >= MIN_ROUNDS && start.elapsed() >= budget {
            break;
        }
        for step in 0..candidates.len() {
            // Forwards and backwards, so that no candidate always runs after the same one.
            let at = if round % 2 == 0 { step } else { candidates.len() - 1 - step };
            let calls = calls[at];
            if calls > 1 {
                // Warm-up: the first call finds the other candidates' code and data in the caches.
                candidates[at].time(output, 1);
            }
            let turn = candidates[at].time(output, calls);
            turns[at].push(turn.as_nanos() as f64 / calls as f64);
        }
    }

    let timing = |mut turns: Vec<f64>| {
        turns.sort_by(f64::total_cmp);
        Timing { min: turns[0], median: turns[turns.len() / 2] }
    };
    turns.into_iter().map(timing).collect()
}

fn calls_per_turn(candidate: &mut Candidate<'_>, output: &mut [u8]) -> u64 {
    candidate.time(output, 1);
    let mut calls = 1;
    // One call of a small batch is too short to time.
    while calls < 1 << 20 {
        let taken = candidate.time(output, calls);
        if taken >= TURN / 4 {
            return ((TURN.as_nanos() * u128::from(calls)).div_ceil(taken.as_nanos()) as u64)
                .max(1);
        }
        calls *= 2;
    }
    calls
}

/// Parses the seconds for each shape.
///
/// # Errors
///
/// Returns a message unless it is a number from 0 to 3600.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number from 0 to 3600".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A shape whose only candidate returns `result`, but must return `[1, 2]`.
    fn shape(result: [u8; 2]) -> Shape {
        Shape::new("set", ("operation", "label".to_owned()), (4, 2), move |then| {
            then(vec![Candidate::returning("x".to_owned(), Role::Auto, || result)], &[1, 2]);
        })
    }

    #[test]
    #[should_panic = "operation/label: x is wrong from byte 1"]
    fn wrong_results_are_not_timed() {
        let _ = shape([1, 3]).measure(0.0);
    }

    #[test]
    fn every_set_has_shapes() {
        let all = Shape::all();
        assert!(all.iter().all(|shape| shape.set().is_some()));
        for set in Set::all() {
            assert!(all.iter().any(|shape| shape.set == set.name), "{}", set.name);
        }
    }

    /// Plain `cargo bench` would leave out the groups of a crate without the target.
    #[test]
    fn every_crate_with_groups_has_the_target() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut with_target = Vec::new();
        for folder in fs::read_dir(root).unwrap() {
            let manifest = fs::read_to_string(folder.unwrap().path().join("Cargo.toml"));
            let manifest = manifest.unwrap_or_default();
            if manifest.contains("path = \"../benches/of_crate.rs\"\nharness = false\n") {
                let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap();
                // Otherwise cargo gives Criterion's arguments to the empty test of the library.
                let others = ["lib", "[bin]"];
                for target in others.map(|target| format!("[{target}]\n")) {
                    for section in manifest.split(&target).skip(1) {
                        let mut lines = section.lines().take_while(|line| !line.starts_with('['));
                        assert!(lines.any(|line| line == "bench = false"), "{name}");
                    }
                }
                with_target.push(name.trim_matches('"').to_owned());
            }
        }
        let with_target: BTreeSet<_> = with_target.into_iter().collect();
        let in_bench = Set::all().filter(|set| set.in_cargo_bench);
        assert_eq!(with_target, in_bench.map(|set| set.package.to_owned()).collect());
    }

    #[test]
    fn shapes_are_chosen_by_set_operation_and_name() {
        let names = |chosen: &[&str]| -> Vec<String> {
            let chosen: Vec<String> = chosen.iter().map(ToString::to_string).collect();
            Shape::chosen(&chosen).unwrap().iter().map(Shape::name).collect()
        };
        let all = names(&[]);
        assert_eq!(
            all.iter().collect::<HashSet<_>>().len(),
            all.len(),
            "records need unique names"
        );
        assert_eq!(names(&["hash160-single"]), ["hash160/1x33B", "hash160/1x65B"]);
        assert_eq!(names(&["hash160"]), ["hash160/1x33B", "hash160/1x65B"]);
        assert_eq!(names(&["hash160/1x33B"]), ["hash160/1x33B"]);
        let error = Shape::chosen(&["hash161".to_owned()]).err().unwrap();
        assert!(error.starts_with("unknown shape \"hash161\"; the shapes are:\n"), "{error}");
    }
}
