//! The cost of a pass of each kernel. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order:
//!
//! - Zen 3, in tenths of a nanosecond: from timings of whole calls on an EPYC (family 25, model 1),
//!   2026-11-21. The costs of SHA instructions are from cycle counts of a prototype.
//! - Zen 4 and Intel, in tenths of a nanosecond: the output of `cargo run --release -p
//!   hashlanes-benches --bin costs` on an EPYC (family 25, model 17) and a Granite Rapids Xeon
//!   (shown as family 6, model 167), 2026-11-23.
//! - Other CPUs, in cycles, counted and not measured: lanes as on Zen 4, SHA instructions as on ARM
//!   Neoverse, where two streams saturate the unit.

use hash_lanes::Backend;
use hash_lanes::Kernel::*;
use hash_lanes::engine::{Costs, Plan, Plans};

use super::lanes::KERNELS;

/// The cost of double-hashing candidates.
static SEARCH: Plans = Plans::new(
    KERNELS,
    &[
        Costs::new(&[
            (Avx2x8, 8620),
            (Sse4_2x4, 10820),
            (Sse2x4, 11020),
            (Shax4, 2280),
            (Portable, 6390),
        ]),
        Costs::new(&[
            (Avx512x16x2, 10486),
            (Avx512x16, 5576),
            (Avx512x8, 3117),
            (Avx2x8, 5727),
            (Sse4_2x4, 7122),
            (Sse2x4, 7203),
            (Shax4, 1565),
            (Portable, 4219),
        ]),
        Costs::new(&[
            (Avx512x16x2, 9128),
            (Avx512x16, 4361),
            (Avx512x8, 3053),
            (Avx2x8, 5469),
            (Sse4_2x4, 5453),
            (Sse2x4, 5475),
            (Shax4, 2117),
            (Portable, 3010),
        ]),
        Costs::new(&[(Neonx4, 3000), (Simd128x4, 3000), (Shax4, 400), (Portable, 1460)]),
    ],
);

/// The plan for double-hashing candidates.
pub(crate) fn plan(backend: Backend) -> &'static Plan {
    SEARCH.of(backend)
}
