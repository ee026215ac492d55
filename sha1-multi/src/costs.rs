//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. They
//! are those of Granite Rapids in tenths of a nanosecond, which are the least wrong on other x86
//! CPUs. On other CPUs they are cycles, counted, or for lanes of NEON estimated by llvm-mca for
//! Neoverse V2; nobody has measured them.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans, Shape};

const BLOCK: Costs = Costs::of_architecture(
    &[
        (Avx512x16x2, 2300),
        (Avx512x16, 1082),
        (Avx512x8, 701),
        (Avx2x8, 1229),
        (Sse2x4, 1406),
        (Shax4, 1086),
        (Shax3, 818),
        (Shax2, 517),
        (Shax1, 288),
        (Portable, 686),
    ],
    &[
        (Neonx4x2, 660),
        (Neonx4, 645),
        (Simd128x4, 700),
        (Shax4, 301),
        (Shax3, 246),
        (Shax2, 150),
        (Shax1, 95),
        (Portable, 275),
    ],
);

/// The plans for messages of a shape.
pub(crate) fn plans(shape: Shape) -> &'static Plans {
    static PLANS: [Plans; Shape::COUNT] =
        [const { Plans::new(KernelSet::LANES, BLOCK) }; Shape::COUNT];
    &PLANS[shape as usize]
}

/// The kernels with collision detection: those of two groups of AVX-512 need 16 KiB of stack, twice
/// as much as of one group, and take 1.02 of the time for a message on Zen 5.
#[cfg(feature = "collision-detection")]
pub(crate) const CHECKED_KERNELS: KernelSet = KernelSet::SINGLE_GROUPS.with(Neonx4x2);

/// What the kernels cost with collision detection, before it is measured: on x86 tenths of a
/// nanosecond on Zen 5, elsewhere guesses. No SHA instructions: they do not show the message
/// schedule that detection needs.
#[cfg(feature = "collision-detection")]
const CHECKED_BLOCK: Costs = Costs::of_architecture(
    &[(Avx512x16, 1440), (Avx512x8, 1000), (Avx2x8, 2390), (Sse2x4, 1930), (Portable, 900)],
    &[(Neonx4x2, 1000), (Neonx4, 950), (Simd128x4, 1050), (Portable, 450)],
);

/// [`plans`] with collision detection.
#[cfg(feature = "collision-detection")]
pub(crate) fn checked_plans(shape: Shape) -> &'static Plans {
    static PLANS: [Plans; Shape::COUNT] =
        [const { Plans::new(CHECKED_KERNELS, CHECKED_BLOCK) }; Shape::COUNT];
    &PLANS[shape as usize]
}
