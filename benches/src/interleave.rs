//! Timing candidates by turns, so that what else the machine does hits them all alike.

use std::time::{Duration, Instant};

use crate::batch::Batch;
use crate::candidate::Candidate;

/// Long against the reading of a clock, short against a neighbour's slice of time.
const TURN: Duration = Duration::from_micros(200);
/// A median of fewer turns says little.
const LEAST_ROUNDS: usize = 9;

/// What the turns of one candidate took, per message.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Nanoseconds of the shortest turn: the core was its own then.
    pub min: f64,
    /// Nanoseconds of the middle turn: what this machine gave.
    pub median: f64,
}

/// Gives each candidate short turns, round after round, until `budget` is spent.
///
/// All candidates have the same operation.
pub fn interleave(candidates: &mut [Candidate], batch: &Batch<'_>, budget: Duration) -> Vec<Timing> {
    let Some(first) = candidates.first() else { return Vec::new() };
    let mut digests = first.digests(batch);
    let calls: Vec<u64> = candidates.iter_mut().map(|c| calls_per_turn(c, batch, &mut digests)).collect();
    let mut turns: Vec<Vec<f64>> = vec![Vec::new(); candidates.len()];

    let start = Instant::now();
    for round in 0.. {
        if round >= LEAST_ROUNDS && start.elapsed() >= budget {
            break;
        }
        for step in 0..candidates.len() {
            // There and back, so that nobody always runs after the same one.
            let at = if round % 2 == 0 { step } else { candidates.len() - 1 - step };
            let calls = calls[at];
            if calls > 1 {
                // Not to be timed: the first call finds the others' code and data in the caches.
                candidates[at].time(batch, &mut digests, 1);
            }
            let turn = candidates[at].time(batch, &mut digests, calls);
            turns[at]
                .push(turn.as_nanos() as f64 / (calls as f64 * candidates[at].hashes_timed(batch) as f64));
        }
    }

    turns.into_iter().map(timing).collect()
}

fn calls_per_turn(candidate: &mut Candidate, batch: &Batch<'_>, digests: &mut [u8]) -> u64 {
    candidate.time(batch, digests, 1);
    let mut calls = 1;
    // One call of a small batch is too short for the clock.
    while calls < 1 << 20 {
        let taken = candidate.time(batch, digests, calls);
        if taken >= TURN / 4 {
            return ((TURN.as_nanos() * u128::from(calls)).div_ceil(taken.as_nanos()) as u64).max(1);
        }
        calls *= 2;
    }
    calls
}

fn timing(mut turns: Vec<f64>) -> Timing {
    turns.sort_by(f64::total_cmp);
    Timing { min: turns[0], median: turns[turns.len() / 2] }
}
