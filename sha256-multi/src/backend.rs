//! Which kernel is the cheapest for how many messages.

use hash_lanes::{Backend, Crossovers, Design, NEVER, Times};

/// Only the SHA instructions: lanes without the operations of AVX-512 never come up to them. (Zen 4,
/// ns per 64-byte node: SHA-NI two at a time 35, AVX2 57.)
const HARDWARE: Crossovers = Crossovers { x16: NEVER, x8: NEVER, x4: NEVER, has_hardware: true };

/// AVX-512 and SHA-NI on Zen 4, for 64-byte nodes and for what is hashed twice. A pass of 16 lanes
/// takes 494 ns, SHA-NI 484 ns for 14 nodes and 545 ns for 15; a pass of 8 lanes takes 296 ns, SHA-NI
/// 280 ns for 8.
const ZEN4: Crossovers = Crossovers { x16: 15, ..HARDWARE };

/// AVX-512 and SHA-NI on other CPUs, not measured but counted: where an SHA instruction is issued every
/// third cycle, as on Intel's CPUs, a node costs 64 x 3 = 192 cycles; a pass of 8 lanes about 1100, one
/// of 16 lanes 1470. So 8 lanes pay from 6 nodes on, 16 lanes from 10.
const AVX512_SHA: Crossovers = Crossovers { x16: 10, x8: 6, ..HARDWARE };

/// Lanes without SHA instructions. One message takes 297 ns in the portable lane (Zen 4), a pass of
/// 8 lanes of AVX-512 296, of 8 lanes of AVX2 470, of 4 lanes of SSE 470 to 590.
const LANES: Crossovers = Crossovers { x16: 2, x8: 2, x4: 2, has_hardware: true };

/// Both widths of AVX-512 without SHA instructions: 8 lanes and a single message take 593 ns
/// together, a pass of 16 lanes 494.
const AVX512: Crossovers = Crossovers { x16: 9, ..LANES };

/// For messages of any length.
///
/// On Zen 4 SHA-NI is the best for any number of them (16 messages of 16 KiB: 3.6 GB/s, 16 lanes 3.2
/// to 3.6 from run to run), but not where the digest is hashed again, for which the lanes load nothing (messages of 80
/// bytes: 69 ns, SHA-NI 77).
pub(crate) fn crossovers(backend: Backend, times: Times) -> Crossovers {
    match (backend.design(), kernels(backend), times) {
        (Design::Zen4, Kernels::Avx512Sha, Times::Once) => HARDWARE,
        (Design::Zen4, Kernels::Avx512Sha, Times::Twice) => ZEN4,
        (_, kernels, _) => general(kernels),
    }
}

/// Which kernel of a backend is the cheapest for how many nodes of 64 bytes.
#[must_use]
pub fn pair_crossovers(backend: Backend) -> Crossovers {
    match (backend.design(), kernels(backend)) {
        (Design::Zen4, Kernels::Avx512Sha) => ZEN4,
        (_, kernels) => general(kernels),
    }
}

/// Measured with `ratios --shape small` of the benches on an AMD EPYC (Zen 4); what is said of
/// Intel's CPUs and of aarch64 is not measured with this code, but follows from the count of
/// operations and the throughput of the SHA instructions there.
fn general(kernels: Kernels) -> Crossovers {
    match kernels {
        Kernels::Avx512Sha => AVX512_SHA,
        Kernels::Avx512 => AVX512,
        Kernels::Sha => HARDWARE,
        Kernels::OneWidth => LANES,
    }
}

/// What a backend can choose from.
#[derive(Clone, Copy)]
enum Kernels {
    /// Both widths of AVX-512, and the SHA instructions.
    Avx512Sha,
    /// Both widths of AVX-512.
    Avx512,
    /// The SHA instructions, and no lanes that come up to them.
    Sha,
    /// Lanes of one width, or the portable one alone.
    OneWidth,
}

fn kernels(backend: Backend) -> Kernels {
    let has_both_widths = backend.x16().is_some() && backend.x8().is_some();
    match (has_both_widths, backend.sha().is_some()) {
        (true, true) => Kernels::Avx512Sha,
        (true, false) => Kernels::Avx512,
        (false, true) => Kernels::Sha,
        (false, false) => Kernels::OneWidth,
    }
}
