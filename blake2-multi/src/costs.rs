//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. On
//! x86 they are those of Zen 5 in tenths of a nanosecond. On other CPUs they are cycles, counted
//! and not measured.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans, Shape};

/// The lane kernels. Two interleaved groups of AVX-512 would need twice its registers: the state
/// and the block of one group fill them.
pub(crate) const KERNELS: KernelSet =
    KernelSet::of(&[Avx512x16, Avx512x8, Avx2x8, Sse2x4, Neonx4, Simd128x4, Portable]);

/// Of one block of BLAKE2s.
const BLOCK_S: Costs = Costs::of_architecture(
    &[(Avx512x16, 3000), (Avx512x8, 1700), (Avx2x8, 2100), (Sse2x4, 2300), (Portable, 950)],
    &[(Neonx4, 560), (Simd128x4, 700), (Portable, 360)],
);

/// The plans for messages of a shape, of BLAKE2s.
pub(crate) fn plans_s(shape: Shape) -> &'static Plans {
    static PLANS: [Plans; Shape::COUNT] = [const { Plans::new(KERNELS, BLOCK_S) }; Shape::COUNT];
    &PLANS[shape as usize]
}
