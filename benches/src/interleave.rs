//! Times candidates in interleaved turns, so that other load on the machine affects all alike.

use std::time::{Duration, Instant};

/// Length of a turn: much longer than reading the clock, much shorter than a scheduler time slice.
const TURN: Duration = Duration::from_micros(200);
/// Minimum number of rounds: the median of fewer turns is too noisy.
const MIN_ROUNDS: usize = 9;

/// The time per hash of one candidate's turns.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Nanoseconds in the shortest turn, when nothing else used the core.
    pub min: f64,
    /// Nanoseconds in the median turn, under the load of this machine.
    pub median: f64,
}

/// Runs short turns of each candidate in rounds, until `budget` is spent.
///
/// `hashes` has the number of hashes timed in one call of each candidate. `time` times a number of
/// calls of the candidate at an index.
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
            // Forwards and backwards, so that no candidate always runs after the same one.
            let at = if round % 2 == 0 { step } else { hashes.len() - 1 - step };
            let calls = calls[at];
            if calls > 1 {
                // Warm-up: the first call finds the other candidates' code and data in the caches.
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
    // One call of a small batch is too short to time.
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
