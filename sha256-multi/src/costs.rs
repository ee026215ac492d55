//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. They
//! are those of Granite Rapids in tenths of a nanosecond, which are the least wrong on other x86
//! CPUs. On other CPUs they are cycles, counted, or for lanes of NEON estimated by llvm-mca for
//! Neoverse V2; nobody has measured them.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans, Shape};

/// Nodes of 64 bytes.
static NODES: Plans = Plans::new(
    KernelSet::LANES,
    Costs::of_architecture(
        &[
            (Avx512x16x2, 7727),
            (Avx512x16, 3768),
            (Avx512x8, 2767),
            (Avx2x8, 4782),
            (Sse4_2x4, 4826),
            (Sse2x4, 4999),
            (Shax3, 1398),
            (Shax2, 931),
            (Shax1, 493),
            (Portable, 2597),
        ],
        &[
            (Neonx4x2, 4320),
            (Neonx4, 2400),
            (Simd128x4, 2400),
            (Shax3, 331),
            (Shax2, 190),
            (Shax1, 140),
            (Portable, 1100),
        ],
    ),
);

/// Nodes of 64 bytes, hashed twice.
static DOUBLE_NODES: Plans = Plans::new(
    KernelSet::LANES,
    Costs::of_architecture(
        &[
            (Avx512x16x2, 12593),
            (Avx512x16, 5740),
            (Avx512x8, 4162),
            (Avx2x8, 7398),
            (Sse4_2x4, 7541),
            (Sse2x4, 7713),
            (Shax3, 2089),
            (Shax2, 1395),
            (Shax1, 903),
            (Portable, 4120),
        ],
        &[
            (Neonx4x2, 7200),
            (Neonx4, 4000),
            (Simd128x4, 4000),
            (Shax3, 516),
            (Shax2, 300),
            (Shax1, 215),
            (Portable, 1870),
        ],
    ),
);

static BYTES_32: Plans = Plans::new(
    KernelSet::LANES,
    Costs::of_architecture(
        &[
            (Avx512x16x2, 5443),
            (Avx512x16, 2532),
            (Avx512x8, 1688),
            (Avx2x8, 2920),
            (Sse4_2x4, 2900),
            (Sse2x4, 2973),
            (Shax4, 1040),
            (Shax3, 774),
            (Shax2, 518),
            (Shax1, 277),
            (Portable, 1552),
        ],
        &[
            (Neonx4x2, 2520),
            (Neonx4, 1400),
            (Simd128x4, 1400),
            (Shax4, 221),
            (Shax3, 186),
            (Shax2, 110),
            (Shax1, 75),
            (Portable, 640),
        ],
    ),
);

static ONE_BLOCK: Plans = Plans::new(
    KernelSet::LANES,
    Costs::of_architecture(
        &[
            (Avx512x16x2, 5900),
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
        ],
        &[
            (Neonx4x2, 2880),
            (Neonx4, 1600),
            (Simd128x4, 1600),
            (Shax4, 241),
            (Shax3, 206),
            (Shax2, 120),
            (Shax1, 85),
            (Portable, 700),
        ],
    ),
);

/// Of one block of longer messages.
const BLOCK: Costs = Costs::of_architecture(
    &[
        (Avx512x16x2, 4700),
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
    ],
    &[
        (Neonx4x2, 2520),
        (Neonx4, 1400),
        (Simd128x4, 1400),
        (Shax4, 221),
        (Shax3, 186),
        (Shax2, 110),
        (Shax1, 75),
        (Portable, 630),
    ],
);

/// The plans for nodes of 64 bytes, hashed once or twice.
pub(crate) fn plans_of_nodes(is_double: bool) -> &'static Plans {
    if is_double { &DOUBLE_NODES } else { &NODES }
}

/// The plans for messages of a shape.
pub(crate) fn plans(shape: Shape) -> &'static Plans {
    static LONGER: [Plans; Shape::COUNT] =
        [const { Plans::new(KernelSet::LANES, BLOCK) }; Shape::COUNT];
    match shape {
        Shape::Bytes32 => &BYTES_32,
        Shape::OneBlock => &ONE_BLOCK,
        _ => &LONGER[shape as usize],
    }
}
