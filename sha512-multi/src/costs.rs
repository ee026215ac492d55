//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. On
//! x86 they are those of Zen 4 in tenths of a nanosecond. On other CPUs they are cycles, counted
//! and not measured, and so are those of x86's SHA-512 instructions. Only simd128 beside portable
//! code was measured: a block in two lanes takes 1.77 times as long in Node.js 20 on Zen 5.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, Kernel, KernelSet, Plans, ShaExtensions, Shape};

/// Of one block, without SHA-512 instructions. On Zen 4 a second group of eight lanes takes a block
/// from 43.8 to 42.2 ns, and two lanes of SSE2 take 5 to 20 % less than portable code.
const BLOCK: &[(Kernel, u32)] = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
    &[
        (Avx512x16x2, 6750),
        (Avx512x16, 3510),
        (Avx512x8, 1895),
        (Avx2x8, 3335),
        (Sse2x4, 3700),
        (Portable, 2120),
    ]
} else {
    &[(Neonx4x2, 2800), (Neonx4, 1500), (Simd128x4, 1115), (Portable, 630)]
};

/// Of one block with SHA-512 instructions.
const SHA: &[(Kernel, u32)] = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
    &[(Shax4, 3000), (Shax3, 2250), (Shax2, 1500), (Shax1, 1000)]
} else {
    &[(Shax4, 840), (Shax3, 630), (Shax2, 420), (Shax1, 360)]
};

/// The plans for messages of a shape.
pub(crate) fn plans(shape: Shape) -> &'static Plans {
    const LANES: Costs = Costs::new(BLOCK).of_words::<u64>();
    static WITHOUT: [Plans; Shape::COUNT] =
        [const { Plans::new(KernelSet::LANES, LANES) }; Shape::COUNT];
    static WITH: [Plans; Shape::COUNT] =
        [const { Plans::new(KernelSet::LANES, LANES.with_all(SHA)) }; Shape::COUNT];
    let has_sha512 = ShaExtensions::detect().is_some_and(ShaExtensions::has_sha512);
    let plans = if has_sha512 { &WITH } else { &WITHOUT };
    &plans[shape as usize]
}
