//! What a pass of each kernel costs. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order:
//!
//! - Zen 3, in tenths of a nanosecond: from records of whole calls on an EPYC (family 25, model 1),
//!   2026-11-21. Three and four streams of SHA instructions are counted, and no cheaper than AVX2;
//! - Zen 4 and Intel, in tenths of a nanosecond: as `cargo run --release -p hashlanes-benches --bin
//!   costs` prints it on an EPYC (family 25, model 17) and a Granite Rapids Xeon (shown as family
//!   6, model 167), 2026-11-23;
//! - other CPUs, in cycles, counted and not measured: lanes as on Zen 4, SHA instructions as on ARM
//!   Neoverse, where two streams saturate the unit.

use hash_lanes::Kernel::*;
use hash_lanes::engine::{Costs, Plan, Plans, Shape};
use hash_lanes::{Backend, KernelSet};

/// A block.
static BLOCKS: Plans = Plans::new(
    KernelSet::SINGLE_GROUPS,
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
            (Avx512x16, 1423),
            (Avx512x8, 832),
            (Avx2x8, 1225),
            (Sse4_2x4, 1222),
            (Sse2x4, 1386),
            (Shax4, 590),
            (Shax3, 484),
            (Shax2, 386),
            (Shax1, 321),
            (Portable, 776),
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

/// The plan for messages of any shape.
pub(crate) fn plan(backend: Backend, _: Shape) -> &'static Plan {
    BLOCKS.of(backend)
}
