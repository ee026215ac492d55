//! What a pass of each kernel costs. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order. An empty row
//! was not measured: the kernels are measured when they are first used.
//!
//! - Zen 3, in tenths of a nanosecond: from records of whole calls on an EPYC (family 25, model 1),
//!   2026-11-21. Three and four streams of SHA instructions are from cycles of a prototype; two of
//!   nodes, from the cycles of Zen 4;
//! - Zen 4, Zen 5 and Granite Rapids, in tenths of a nanosecond: as `cargo run --release -p
//!   hashlanes-benches --bin costs` prints it on EPYCs (family 25, model 17, 2026-11-24, and family
//!   26, model 2) and a Xeon (shown as family 6, model 167), 2026-11-23. On Zen 5 two groups of 16
//!   lanes for messages of any length are estimated from its latencies;
//! - CPUs that are not x86, in cycles, counted and not measured: lanes as on Zen 4, SHA
//!   instructions as on ARM Neoverse, where two streams saturate the unit.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans, Shape};

/// The lane kernels of shapes that have two interleaved groups, too.
pub(crate) const TWO_GROUPS: KernelSet =
    KernelSet::SINGLE_GROUPS.with(Avx512x16x2).with(Avx512x8x2);

/// The lane kernels of messages of any length.
pub(crate) const STREAM: KernelSet = KernelSet::SINGLE_GROUPS.with(Avx512x16x2);

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
            (Avx512x16x2, 9194),
            (Avx512x16, 4935),
            (Avx512x8, 2947),
            (Avx2x8, 4916),
            (Sse4_2x4, 6393),
            (Sse2x4, 6778),
            (Shax3, 975),
            (Shax2, 529),
            (Shax1, 604),
            (Portable, 3562),
        ]),
        Costs::new(&[
            (Avx512x16x2, 5610),
            (Avx512x16, 3322),
            (Avx512x8, 3238),
            (Avx2x8, 5058),
            (Sse4_2x4, 5825),
            (Sse2x4, 6209),
            (Shax3, 1042),
            (Shax2, 665),
            (Shax1, 401),
            (Portable, 2122),
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
            (Avx512x16x2, 14300),
            (Avx512x16, 7402),
            (Avx512x8, 4272),
            (Avx2x8, 7146),
            (Sse4_2x4, 8822),
            (Sse2x4, 9230),
            (Shax3, 1296),
            (Shax2, 827),
            (Shax1, 929),
            (Portable, 5166),
        ]),
        Costs::new(&[
            (Avx512x16x2, 9447),
            (Avx512x16, 4923),
            (Avx512x8, 4866),
            (Avx2x8, 7636),
            (Sse4_2x4, 9656),
            (Sse2x4, 9961),
            (Shax3, 1568),
            (Shax2, 1064),
            (Shax1, 885),
            (Portable, 4283),
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
            (Avx512x16, 3266),
            (Avx512x8, 1744),
            (Avx2x8, 2829),
            (Sse4_2x4, 2899),
            (Sse2x4, 3651),
            (Shax4, 733),
            (Shax3, 571),
            (Shax2, 413),
            (Shax1, 268),
            (Portable, 1690),
        ]),
        Costs::new(&[
            (Avx512x16, 2035),
            (Avx512x8, 1828),
            (Avx2x8, 2721),
            (Sse4_2x4, 2888),
            (Sse2x4, 3555),
            (Shax4, 760),
            (Shax3, 585),
            (Shax2, 411),
            (Shax1, 241),
            (Portable, 1228),
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
    STREAM,
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
            (Avx512x16, 3620),
            (Avx512x8, 1940),
            (Avx2x8, 3137),
            (Sse4_2x4, 3109),
            (Sse2x4, 3272),
            (Shax4, 1180),
            (Shax3, 889),
            (Shax2, 633),
            (Shax1, 402),
            (Portable, 1837),
        ]),
        Costs::new(&[
            (Avx512x16x2, 3900),
            (Avx512x16, 2237),
            (Avx512x8, 1928),
            (Avx2x8, 2954),
            (Sse4_2x4, 2988),
            (Sse2x4, 3109),
            (Shax4, 1002),
            (Shax3, 751),
            (Shax2, 499),
            (Shax1, 314),
            (Portable, 1328),
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
    STREAM,
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
            (Avx512x16, 2837),
            (Avx512x8, 1549),
            (Avx2x8, 2768),
            (Sse4_2x4, 2938),
            (Sse2x4, 3086),
            (Shax4, 693),
            (Shax3, 503),
            (Shax2, 413),
            (Shax1, 351),
            (Portable, 1733),
        ]),
        Costs::new(&[
            (Avx512x16x2, 2900),
            (Avx512x16, 1656),
            (Avx512x8, 1637),
            (Avx2x8, 2603),
            (Sse4_2x4, 2832),
            (Sse2x4, 2888),
            (Shax4, 701),
            (Shax3, 561),
            (Shax2, 409),
            (Shax1, 303),
            (Portable, 1276),
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

/// The plans for nodes of 64 bytes, hashed once or twice.
pub(crate) fn plans_of_nodes(is_double: bool) -> &'static Plans {
    if is_double { &DOUBLE_NODES } else { &NODES }
}

/// The plans for messages of a shape.
pub(crate) fn plans(shape: Shape) -> &'static Plans {
    match shape {
        Shape::Bytes32 => &BYTES_32,
        Shape::OneBlock => &ONE_BLOCK,
        Shape::Blocks => &BLOCKS,
    }
}
