//! The permutation itself, for custom modes and kernels. **Sharp**: no padding and no domain
//! separation.
//!
//! [`permute_many`] permutes states in memory. ML-KEM and ML-DSA expand matrices from four or eight
//! states at once:
//!
//! ```
//! use sha3_multi::hazmat::permute_many;
//!
//! let mut states = [[0; 25]; 8];
//! permute_many(&mut states, 24);
//! assert_eq!(states[7][0], 0xf125_8f79_40e1_dde7);
//! ```
//!
//! [`permute`] is for a custom [`LaneJob`](hash_lanes::engine::LaneJob), whose states never leave
//! the registers. These traits are part of the engine, which semantic versioning does not cover.

use hash_lanes::Backend;

use crate::jobs::{Advance, MAX_MESSAGES, Sponge, run};
use crate::squeeze::Passes;

pub use crate::rounds::{RC, ROUNDS, State, permute};

/// Applies the last `rounds` rounds of Keccak-f\[1600\] to each state: 24 for the permutation
/// itself, 12 for TurboSHAKE. A\[x, y\] is at index `x + 5 * y` (FIPS 202 §3.1.2).
///
/// # Panics
///
/// Panics if `rounds` is odd or above 24.
#[track_caller]
pub fn permute_many(states: &mut [[u64; 25]], rounds: usize) {
    permute_many_with(Backend::detect(), states, rounds);
}

/// [`permute_many`] on a backend other than the default.
///
/// # Panics
///
/// Panics if [`permute_many`] does.
#[track_caller]
pub fn permute_many_with(backend: Backend, states: &mut [[u64; 25]], rounds: usize) {
    assert!(
        rounds <= ROUNDS && rounds.is_multiple_of(2),
        "{rounds} rounds are not an even number up to {ROUNDS}"
    );
    let sponge = Sponge { rate: 8, suffix: 0, rounds };
    for (pass, range) in Passes::BEST.over(backend, states.len()) {
        for states in states[range].chunks_mut(MAX_MESSAGES) {
            let blocks = &[&[][..]; MAX_MESSAGES][..states.len()];
            run(pass, Advance { sponge, states, blocks, outputs: &mut [], count: 1 });
        }
    }
}
