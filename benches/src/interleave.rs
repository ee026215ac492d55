//! Timing candidates by turns, so that what else the machine does hits them all alike.

use std::time::{Duration, Instant};

/// Long against the reading of a clock, short against a neighbour's slice of time.
const TURN: Duration = Duration::from_micros(200);
/// A median of fewer turns says little.
const MIN_ROUNDS: usize = 9;

/// What the turns of one candidate took, per hash.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Nanoseconds of the shortest turn: the core was its own then.
    pub min: f64,
    /// Nanoseconds of the middle turn: what this machine gave.
    pub median: f64,
}

/// Gives each candidate short turns, round after round, until `budget` is spent.
///
/// `hashes` has an entry for each candidate: how many hashes are within the time of one of its
/// calls. `time` says how long some calls of the candidate of that index take.
pub fn interleave(
    hashes: &[usize],
    mut time: impl FnMut(usize, u64) -> Duration,
    budget: Duration,
) -> Vec<Timing> {
    let calls: Vec<u64> =
        (0..hashes.len()).map(|at| calls_per_turn(|calls| time(at, calls))).collect();
    let mut turns: Vec<Vec<f64>> = vec![Vec::new(); hashes.len()];

    let start = Instant::now();
    for round in 0.. {
        if round >= MIN_ROUNDS && start.elapsed() >= budget {
            break;
        }
        for step in 0..hashes.len() {
            // There and back, so that nobody always runs after the same one.
            let at = if round % 2 == 0 { step } else { hashes.len() - 1 - step };
            let calls = calls[at];
            if calls > 1 {
                // Not to be timed: the first call finds the others' code and data in the caches.
                time(at, 1);
            }
            turns[at].push(time(at, calls).as_nanos() as f64 / (calls as f64 * hashes[at] as f64));
        }
    }

    turns.into_iter().map(timing).collect()
}

fn calls_per_turn(mut time: impl FnMut(u64) -> Duration) -> u64 {
    time(1);
    let mut calls = 1;
    // One call of a small batch is too short for the clock.
    while calls < 1 << 20 {
        let taken = time(calls);
        if taken >= TURN / 4 {
            return ((TURN.as_nanos() * u128::from(calls)).div_ceil(taken.as_nanos()) as u64)
                .max(1);
        }
        calls *= 2;
    }
    calls
}

fn timing(mut turns: Vec<f64>) -> Timing {
    turns.sort_by(f64::total_cmp);
    Timing { min: turns[0], median: turns[turns.len() / 2] }
}
