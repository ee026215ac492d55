//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. They
//! are those of Granite Rapids in tenths of a nanosecond, which are the least wrong on other x86
//! CPUs. On other CPUs they are cycles, counted, or for lanes of NEON estimated by llvm-mca for
//! Neoverse V2; nobody has measured them.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans, Shape};

/// The lane kernels of HASH160.
pub(crate) const KEYS: KernelSet = KernelSet::of(&[Avx512x16x2, Avx512x16, Avx512x8, Avx2x8]);

const BLOCK: Costs = Costs::of_architecture(
    &[
        (Avx512x16x2, 2950),
        (Avx512x16, 1465),
        (Avx512x8, 995),
        (Avx2x8, 1646),
        (Sse2x4, 1746),
        (Portable, 1072),
    ],
    &[(Neonx4x2, 1100), (Neonx4, 1090), (Simd128x4, 750), (Portable, 446)],
);

/// HASH160 of keys of 33 bytes.
static KEYS_33: Plans = Plans::new(
    KEYS,
    Costs::of_architecture(
        &[(Avx512x16x2, 9200), (Avx512x16, 3900), (Avx512x8, 2662), (Avx2x8, 4502)],
        &[],
    ),
);

/// HASH160 of keys of 65 bytes.
static KEYS_65: Plans = Plans::new(
    KEYS,
    Costs::of_architecture(
        &[(Avx512x16x2, 15430), (Avx512x16, 5937), (Avx512x8, 4087), (Avx2x8, 7186)],
        &[],
    ),
);

/// The plans for messages of a shape.
pub(crate) fn plans(shape: Shape) -> &'static Plans {
    static PLANS: [Plans; Shape::COUNT] =
        [const { Plans::new(KernelSet::LANES, BLOCK) }; Shape::COUNT];
    &PLANS[shape as usize]
}

/// The plans for HASH160 of keys of `BYTES` bytes, 33 or 65.
pub(crate) fn plans_of_keys<const BYTES: usize>() -> &'static Plans {
    if BYTES < 64 { &KEYS_33 } else { &KEYS_65 }
}
