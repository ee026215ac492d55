//! The cost of a pass of each kernel. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order:
//!
//! - Zen 3, in tenths of a nanosecond: from timings of whole calls on an EPYC (family 25, model 1),
//!   2026-11-21. The costs of SHA instructions are from cycle counts of a prototype.
//! - Zen 4, Zen 5 and Granite Rapids, in tenths of a nanosecond: the output of `cargo run --release
//!   -p hashlanes-benches --bin costs` on EPYCs (family 25, model 17, and family 26, model 2) and a
//!   Xeon (shown as family 6, model 167), 2026-11-23.
//! - CPUs that are not x86, in cycles, counted and not measured: lanes as on Zen 4, SHA instructions as on ARM
//!   Neoverse, where two streams saturate the unit.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, Plans};

use super::lanes::KERNELS;

/// The cost of double-hashing candidates.
pub(super) static SEARCH: Plans = Plans::new(
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
            (Avx512x16x2, 10030),
            (Avx512x16, 5359),
            (Avx512x8, 3136),
            (Avx2x8, 5719),
            (Sse4_2x4, 7483),
            (Sse2x4, 7392),
            (Shax4, 1544),
            (Portable, 4449),
        ]),
        Costs::new(&[
            (Avx512x16x2, 7779),
            (Avx512x16, 3472),
            (Avx512x8, 3422),
            (Avx2x8, 5246),
            (Sse4_2x4, 6982),
            (Sse2x4, 7604),
            (Shax4, 1524),
            (Portable, 3927),
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
