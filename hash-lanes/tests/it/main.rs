//! The lanes against scalar formulas, and the scheduler against a hash made for that.

mod backends;
mod hash_many;
mod many_hasher;
mod mix;
mod next_pass;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
mod one_by_one;
mod passes;
mod schedule;
mod transpose;
mod words;

use hash_lanes::{Backend, Crossovers, LaneKernel, NEVER};

/// Every kernel of every backend of this machine, each once.
fn kernels() -> Vec<LaneKernel> {
    let mut kernels = vec![LaneKernel::PORTABLE];
    for backend in Backend::available() {
        kernels.extend([backend.x16(), backend.x8(), backend.x4()].into_iter().flatten());
    }
    let mut seen = Vec::new();
    kernels.retain(|kernel| {
        let name = format!("{kernel:?}");
        let is_new = !seen.contains(&name);
        seen.push(name);
        is_new
    });
    kernels
}

/// Crossovers that lead to each kind of pass and to changes from one to another.
const CROSSOVERS: [Crossovers; 7] = [
    Crossovers { x16: NEVER, x8: NEVER, x4: NEVER, has_hardware: false },
    Crossovers { x16: NEVER, x8: NEVER, x4: NEVER, has_hardware: true },
    Crossovers { x16: 0, x8: 0, x4: 0, has_hardware: false },
    Crossovers { x16: NEVER, x8: 1, x4: 1, has_hardware: true },
    Crossovers { x16: 9, x8: 5, x4: 3, has_hardware: true },
    Crossovers { x16: 9, x8: 5, x4: 3, has_hardware: false },
    Crossovers { x16: 16, x8: 8, x4: 4, has_hardware: true },
];

/// Bytes with a period of 251, so that no two blocks are alike; another `seed` gives others.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}

/// Compiles only for types that threads may share and hand over.
const fn assert_shared_between_threads<T: Send + Sync>() {}
