//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. They
//! are those of Granite Rapids in tenths of a nanosecond, which are the least wrong on other x86
//! CPUs. On other CPUs they are cycles, counted, or for lanes of NEON estimated by llvm-mca for
//! Neoverse V2; nobody has measured them.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans, Shape};

/// Of one block. The costs of longer messages and of nodes have nearly the same ratios.
pub const COSTS: Costs = Costs::of_architecture(
    &[
        (Avx512x16x2, 4700),
        (Avx512x16, 2223),
        (Avx512x8, 1518),
        (Avx2x8, 2808),
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

/// The plans for nodes of 64 bytes, hashed once or twice; their kernels take no four SHA streams.
pub(crate) fn plans_of_nodes(is_double: bool) -> &'static Plans {
    static NODES: [Plans; 2] = [const { Plans::new(KernelSet::LANES, COSTS.without(Shax4)) }; 2];
    &NODES[usize::from(is_double)]
}

/// The plans for messages of a shape.
pub(crate) fn plans(shape: Shape) -> &'static Plans {
    static PLANS: [Plans; Shape::COUNT] =
        [const { Plans::new(KernelSet::LANES, COSTS) }; Shape::COUNT];
    &PLANS[shape as usize]
}
