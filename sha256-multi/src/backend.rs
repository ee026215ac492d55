//! Which kernel is the cheapest for how many messages, as measured.

use hash_lanes::{Backend, Crossovers, Design, NEVER};

/// See the comments at each.
pub(crate) fn crossovers(backend: Backend) -> Crossovers {
    let has_sha = backend.sha().is_some();
    let is_avx512 = backend.x8().or(backend.x16()).is_some_and(|kernel| kernel.is_avx512());
    match (is_avx512, has_sha, backend.design()) {
        (true, true, Design::Zen4) => Crossovers { x16: 15, x8: NEVER, x4: NEVER, has_hardware: true },
        (true, true, _) => Crossovers { x16: 10, x8: 6, x4: NEVER, has_hardware: true },
        (_, true, _) => Crossovers { x16: NEVER, x8: NEVER, x4: NEVER, has_hardware: true },
        (true, false, _) => Crossovers { x16: 9, x8: 2, x4: NEVER, has_hardware: true },
        (false, false, _) => Crossovers { x16: NEVER, x8: 2, x4: 2, has_hardware: true },
    }
}
