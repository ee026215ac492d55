//! What a pass of each kernel costs. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order. An empty row
//! was not measured: the kernels are measured when they are first used.
//!
//! - Zen 3, in tenths of a nanosecond: from records of whole calls on an EPYC (family 25, model 1),
//!   2026-11-21. Three and four streams of SHA instructions are counted, and no cheaper than AVX2;
//! - Zen 4, Zen 5 and Granite Rapids, in tenths of a nanosecond: as `cargo run --release -p
//!   hashlanes-benches --bin costs` prints it on EPYCs (family 25, model 17, 2026-11-24, and family
//!   26, model 2) and a Xeon (shown as family 6, model 167), 2026-11-23. On Zen 5 two groups of 16
//!   lanes for messages of any length are estimated from its latencies;
//! - CPUs that are not x86, in cycles, counted and not measured: lanes as on Zen 4, SHA
//!   instructions as on ARM Neoverse, where two streams saturate the unit.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans};

/// The lane kernels.
pub(crate) const STREAM: KernelSet = KernelSet::SINGLE_GROUPS.with(Avx512x16x2);

/// A block.
pub(crate) static BLOCKS: Plans = Plans::new(
    STREAM,
    &[
        Costs::new(&[
            (Avx2x8, 1664),
            (Sse4_2x4, 1676),
            (Sse2x4, 1960),
            (Shax4, 840),
            (Shax3, 640),
            (Shax2, 532),
            (Shax1, 480),
            (Portable, 1100),
        ]),
        Costs::new(&[
            (Avx512x16, 1333),
            (Avx512x8, 780),
            (Avx2x8, 1178),
            (Sse4_2x4, 1285),
            (Sse2x4, 1413),
            (Shax4, 585),
            (Shax3, 484),
            (Shax2, 387),
            (Shax1, 320),
            (Portable, 754),
        ]),
        Costs::new(&[
            (Avx512x16x2, 1350),
            (Avx512x16, 853),
            (Avx512x8, 811),
            (Avx2x8, 1288),
            (Sse4_2x4, 1377),
            (Sse2x4, 1479),
            (Shax4, 487),
            (Shax3, 411),
            (Shax2, 334),
            (Shax1, 282),
            (Portable, 597),
        ]),
        Costs::new(&[
            (Avx512x16, 1082),
            (Avx512x8, 701),
            (Avx2x8, 1229),
            (Sse4_2x4, 1236),
            (Sse2x4, 1406),
            (Shax4, 1086),
            (Shax3, 818),
            (Shax2, 517),
            (Shax1, 288),
            (Portable, 686),
        ]),
        Costs::new(&[
            (Neonx4, 700),
            (Simd128x4, 700),
            (Shax4, 301),
            (Shax3, 246),
            (Shax2, 150),
            (Shax1, 95),
            (Portable, 275),
        ]),
    ],
);
