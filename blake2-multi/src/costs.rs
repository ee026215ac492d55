//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. On
//! x86 those of BLAKE2s are of Zen 5, in tenths of a nanosecond, and those of BLAKE2b are estimated
//! from them. On other CPUs they are cycles, counted and not measured.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans, Shape};

/// The lane kernels. Two interleaved groups of AVX-512 would need twice its registers: the state
/// and the block of one group fill them.
pub(crate) const KERNELS: KernelSet =
    KernelSet::of(&[Avx512x16, Avx512x8, Avx2x8, Sse2x4, Neonx4, Simd128x4, Portable]);

/// Of one block of BLAKE2s.
const BLOCK_S: Costs = Costs::of_architecture(
    &[(Avx512x16, 1840), (Avx512x8, 1580), (Avx2x8, 2010), (Sse2x4, 1990), (Portable, 850)],
    &[(Neonx4, 560), (Simd128x4, 700), (Portable, 360)],
);

/// The plans for messages of a shape, of BLAKE2s.
pub(crate) fn plans_s(shape: Shape) -> &'static Plans {
    static PLANS: [Plans; Shape::COUNT] = [const { Plans::new(KERNELS, BLOCK_S) }; Shape::COUNT];
    &PLANS[shape as usize]
}

/// Of one block of BLAKE2b.
const BLOCK_B: Costs = Costs::of_architecture(
    &[(Avx512x16, 3600), (Avx512x8, 2000), (Avx2x8, 2600), (Sse2x4, 3000), (Portable, 1200)],
    &[(Neonx4, 630), (Simd128x4, 800), (Portable, 430)],
)
.of_words::<u64>();

/// The plans for messages of a shape, of BLAKE2b.
pub(crate) fn plans_b(shape: Shape) -> &'static Plans {
    static PLANS: [Plans; Shape::COUNT] = [const { Plans::new(KERNELS, BLOCK_B) }; Shape::COUNT];
    &PLANS[shape as usize]
}
