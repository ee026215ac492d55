//! Which kernel is the cheapest for how many messages.
//!
//! The figures are of an AMD EPYC (Zen 4). Not measured with this code are AVX-512 on other CPUs, for
//! which a pass of 16 lanes is taken to need less time than two of 8, and aarch64.

use hash_lanes::{Backend, Crossovers, Design, MAX_LANES, NEVER, TwoGroups};

/// RIPEMD-160 has no instructions of its own on any CPU. One message of 32 bytes takes 121 to 133 ns in
/// the portable lane, a pass of 8 lanes 149 ns with AVX-512 and 158 ns with AVX2, of 4 lanes 164 ns.
const LANES: Crossovers = Crossovers { x16: 2, x8: 2, x4: 2, has_hardware: false };

/// For messages of any length.
pub(crate) fn crossovers(backend: Backend) -> Crossovers {
    if has_both_widths(backend) { Crossovers { x16: 9, ..LANES } } else { LANES }
}

/// For `count` digests of 32 bytes. Two groups of 16 lanes take 340 ns. Up to 16 digests take 224 ns with
/// 16 lanes and, on Zen 4, 190 ns with two groups of 8; but as the rest of a larger batch, behind 16
/// lanes, they take as long with either, so that `count` decides.
pub(crate) fn digest_crossovers(backend: Backend, count: usize) -> (Crossovers, TwoGroups) {
    let crossovers = crossovers(backend);
    if backend.design() == Design::Zen4 && has_both_widths(backend) && count <= MAX_LANES {
        (Crossovers { x16: NEVER, ..crossovers }, TwoGroups { x16: NEVER, x8: 9 })
    } else {
        (crossovers, TwoGroups { x16: 17, x8: 9 })
    }
}

/// For HASH160 of public keys of 33 bytes, the lanes being those that compute both hashes.
///
/// A pass takes 323 ns with 8 lanes of AVX-512, 520 ns with 16, 898 ns with two groups of 16. One key takes
/// 319 ns in the portable lane, 4 lanes take 740 for both hashes. SHA-NI and then the lanes of RIPEMD-160
/// take 301 ns for 4 keys, 414 for 8 and 702 for 16. With 8 lanes of AVX2, where a key takes 54 ns, SHA-NI
/// is the quicker (50 ns); with 4 lanes it is so by far.
pub(crate) fn hash160_crossovers(backend: Backend) -> (Crossovers, TwoGroups) {
    const SHA: Crossovers = Crossovers { x16: NEVER, x8: NEVER, x4: NEVER, has_hardware: true };
    const LANES: Crossovers = Crossovers { x16: 2, x8: 2, x4: 3, has_hardware: true };
    match (has_both_widths(backend), backend.sha().is_some()) {
        (true, true) => (Crossovers { x16: 9, x8: 5, ..SHA }, TwoGroups { x16: 25, x8: NEVER }),
        (true, false) => (Crossovers { x16: 9, ..LANES }, TwoGroups { x16: 25, x8: NEVER }),
        (false, true) => (SHA, TwoGroups::NEVER),
        (false, false) => (LANES, TwoGroups { x16: 17, x8: NEVER }),
    }
}

/// Whether there are both widths of AVX-512.
fn has_both_widths(backend: Backend) -> bool {
    backend.x16().is_some() && backend.x8().is_some()
}
