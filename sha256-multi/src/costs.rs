//! What a pass of each kernel costs. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order:
//!
//! - Zen 3, in tenths of a nanosecond: from records of whole calls on an EPYC (family 25, model 1),
//!   2026-11-21. Three and four streams of SHA instructions are from cycles of a prototype; two of
//!   nodes, from the cycles of Zen 4;
//! - Zen 4 and Intel, in tenths of a nanosecond: as `cargo run --release -p hashlanes-benches --bin
//!   costs` prints it on an EPYC (family 25, model 17) and a Granite Rapids Xeon (shown as family
//!   6, model 167), 2026-11-23;
//! - other CPUs, in cycles, counted and not measured: lanes as on Zen 4, SHA instructions as on ARM
//!   Neoverse, where two streams saturate the unit.

use hash_lanes::Kernel::*;
use hash_lanes::engine::{Costs, Plan, Plans, Shape};
use hash_lanes::{Backend, KernelSet};

/// The lane kernels of shapes that have two interleaved groups, too.
pub(crate) const TWO_GROUPS: KernelSet =
    KernelSet::SINGLE_GROUPS.with(Avx512x16x2).with(Avx512x8x2);

/// Nodes of 64 bytes.
static NODES: Plans = Plans::new(
    TWO_GROUPS,
    &[
        Costs::new(&[
            (Avx2x8, 6280),
            (Sse4_2x4, 8430),
            (Sse2x4, 9060),
            (Shax3, 1290),
            (Shax2, 680),
            (Shax1, 800),
            (Portable, 4500),
        ]),
        Costs::new(&[
            (Avx512x16x2, 9080),
            (Avx512x16, 4957),
            (Avx512x8, 2912),
            (Avx2x8, 4648),
            (Sse4_2x4, 5692),
            (Sse2x4, 4970),
            (Shax3, 879),
            (Shax2, 469),
            (Shax1, 515),
            (Portable, 2903),
        ]),
        Costs::new(&[
            (Avx512x16x2, 7727),
            (Avx512x16, 3768),
            (Avx512x8x2, 4802),
            (Avx512x8, 2767),
            (Avx2x8, 4782),
            (Sse4_2x4, 4826),
            (Sse2x4, 4999),
            (Shax3, 1398),
            (Shax2, 931),
            (Shax1, 493),
            (Portable, 2597),
        ]),
        Costs::new(&[
            (Neonx4, 2400),
            (Simd128x4, 2400),
            (Shax3, 331),
            (Shax2, 190),
            (Shax1, 140),
            (Portable, 1100),
        ]),
    ],
);

/// Nodes of 64 bytes, hashed twice.
static DOUBLE_NODES: Plans = Plans::new(
    TWO_GROUPS,
    &[
        Costs::new(&[
            (Avx2x8, 10100),
            (Sse4_2x4, 13900),
            (Sse2x4, 14200),
            (Shax3, 1920),
            (Shax2, 1250),
            (Shax1, 1400),
            (Portable, 7650),
        ]),
        Costs::new(&[
            (Avx512x16x2, 13720),
            (Avx512x16, 7510),
            (Avx512x8, 4381),
            (Avx2x8, 7261),
            (Sse4_2x4, 9001),
            (Sse2x4, 9180),
            (Shax3, 1346),
            (Shax2, 860),
            (Shax1, 946),
            (Portable, 5161),
        ]),
        Costs::new(&[
            (Avx512x16x2, 12593),
            (Avx512x16, 5740),
            (Avx512x8x2, 7593),
            (Avx512x8, 4162),
            (Avx2x8, 7398),
            (Sse4_2x4, 7541),
            (Sse2x4, 7713),
            (Shax3, 2089),
            (Shax2, 1395),
            (Shax1, 903),
            (Portable, 4120),
        ]),
        Costs::new(&[
            (Neonx4, 4000),
            (Simd128x4, 4000),
            (Shax3, 516),
            (Shax2, 300),
            (Shax1, 215),
            (Portable, 1870),
        ]),
    ],
);

/// Messages of 32 bytes.
static BYTES_32: Plans = Plans::new(
    TWO_GROUPS,
    &[
        Costs::new(&[
            (Avx2x8, 3400),
            (Sse4_2x4, 4000),
            (Sse2x4, 4400),
            (Shax4, 980),
            (Shax3, 780),
            (Shax2, 550),
            (Shax1, 500),
            (Portable, 2400),
        ]),
        Costs::new(&[
            (Avx512x16, 3355),
            (Avx512x8, 1870),
            (Avx2x8, 2946),
            (Sse4_2x4, 3514),
            (Sse2x4, 3121),
            (Shax4, 768),
            (Shax3, 570),
            (Shax2, 426),
            (Shax1, 274),
            (Portable, 1689),
        ]),
        Costs::new(&[
            (Avx512x16x2, 5443),
            (Avx512x16, 2532),
            (Avx512x8x2, 3260),
            (Avx512x8, 1688),
            (Avx2x8, 2920),
            (Sse4_2x4, 2900),
            (Sse2x4, 2973),
            (Shax4, 1040),
            (Shax3, 774),
            (Shax2, 518),
            (Shax1, 277),
            (Portable, 1552),
        ]),
        Costs::new(&[
            (Neonx4, 1400),
            (Simd128x4, 1400),
            (Shax4, 221),
            (Shax3, 186),
            (Shax2, 110),
            (Shax1, 75),
            (Portable, 640),
        ]),
    ],
);

/// Other messages of one block.
static ONE_BLOCK: Plans = Plans::new(
    KernelSet::SINGLE_GROUPS,
    &[
        Costs::new(&[
            (Avx2x8, 4800),
            (Sse4_2x4, 5600),
            (Sse2x4, 5800),
            (Shax4, 1060),
            (Shax3, 850),
            (Shax2, 620),
            (Shax1, 580),
            (Portable, 3000),
        ]),
        Costs::new(&[
            (Avx512x16, 4990),
            (Avx512x8, 2871),
            (Avx2x8, 4056),
            (Sse4_2x4, 3639),
            (Sse2x4, 3947),
            (Shax4, 1185),
            (Shax3, 901),
            (Shax2, 649),
            (Shax1, 424),
            (Portable, 2081),
        ]),
        Costs::new(&[
            (Avx512x16, 2850),
            (Avx512x8, 1896),
            (Avx2x8, 3180),
            (Sse4_2x4, 3034),
            (Sse2x4, 3152),
            (Shax4, 1376),
            (Shax3, 958),
            (Shax2, 633),
            (Shax1, 368),
            (Portable, 1663),
        ]),
        Costs::new(&[
            (Neonx4, 1600),
            (Simd128x4, 1600),
            (Shax4, 241),
            (Shax3, 206),
            (Shax2, 120),
            (Shax1, 85),
            (Portable, 700),
        ]),
    ],
);

/// A block of a longer message.
static BLOCKS: Plans = Plans::new(
    KernelSet::SINGLE_GROUPS,
    &[
        Costs::new(&[
            (Avx2x8, 3830),
            (Sse4_2x4, 3860),
            (Sse2x4, 5400),
            (Shax4, 950),
            (Shax3, 740),
            (Shax2, 495),
            (Shax1, 490),
            (Portable, 2400),
        ]),
        Costs::new(&[
            (Avx512x16, 2915),
            (Avx512x8, 1600),
            (Avx2x8, 2802),
            (Sse4_2x4, 2865),
            (Sse2x4, 2982),
            (Shax4, 651),
            (Shax3, 503),
            (Shax2, 374),
            (Shax1, 352),
            (Portable, 1711),
        ]),
        Costs::new(&[
            (Avx512x16, 2223),
            (Avx512x8, 1518),
            (Avx2x8, 2808),
            (Sse4_2x4, 2842),
            (Sse2x4, 2907),
            (Shax4, 946),
            (Shax3, 713),
            (Shax2, 481),
            (Shax1, 313),
            (Portable, 1551),
        ]),
        Costs::new(&[
            (Neonx4, 1400),
            (Simd128x4, 1400),
            (Shax4, 221),
            (Shax3, 186),
            (Shax2, 110),
            (Shax1, 75),
            (Portable, 630),
        ]),
    ],
);

/// Messages of 80 bytes, hashed twice.
static DOUBLE: Plans = Plans::new(
    KernelSet::SINGLE_GROUPS,
    &[
        Costs::new(&[
            (Avx2x8, 14800),
            (Sse4_2x4, 18200),
            (Sse2x4, 19600),
            (Shax4, 2840),
            (Shax3, 2200),
            (Shax2, 1900),
            (Shax1, 1700),
            (Portable, 9900),
        ]),
        Costs::new(&[
            (Avx512x16, 10367),
            (Avx512x8, 5976),
            (Avx2x8, 9790),
            (Sse4_2x4, 11104),
            (Sse2x4, 12118),
            (Shax4, 2591),
            (Shax3, 2031),
            (Shax2, 1584),
            (Shax1, 1240),
            (Portable, 6237),
        ]),
        Costs::new(&[
            (Avx512x16, 6942),
            (Avx512x8, 4736),
            (Avx2x8, 8513),
            (Sse4_2x4, 8552),
            (Sse2x4, 8698),
            (Shax4, 3212),
            (Shax3, 2393),
            (Shax2, 1610),
            (Shax1, 1080),
            (Portable, 4659),
        ]),
        Costs::new(&[
            (Neonx4, 4700),
            (Simd128x4, 4700),
            (Shax4, 661),
            (Shax3, 556),
            (Shax2, 330),
            (Shax1, 225),
            (Portable, 2290),
        ]),
    ],
);

/// The plan for nodes of 64 bytes, hashed once or twice.
#[must_use]
pub fn plan_of_nodes(backend: Backend, is_double: bool) -> &'static Plan {
    if is_double { DOUBLE_NODES.of(backend) } else { NODES.of(backend) }
}

/// The plan for messages of a shape.
pub(crate) fn plan(backend: Backend, shape: Shape) -> &'static Plan {
    match shape {
        Shape::Bytes32 => BYTES_32.of(backend),
        Shape::OneBlock => ONE_BLOCK.of(backend),
        Shape::Blocks => BLOCKS.of(backend),
        Shape::Double => DOUBLE.of(backend),
    }
}
