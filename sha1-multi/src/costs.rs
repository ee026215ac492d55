//! What a pass of each kernel costs, in tenths of a nanosecond.
//!
//! The rows are those of [`Microarch`](hash_lanes::Microarch), in its order:
//!
//! - Zen 3 and Zen 4, from `benches/results`;
//!   three and four streams counted, no cheaper than AVX2;
//! - Sapphire Rapids, as `cargo run --release -p hashlanes-benches --bin costs` prints it;
//! - other CPUs, counted in cycles: lanes as on Zen 4, SHA instructions as on ARM Neoverse, where two
//!   streams saturate the unit. Not measured.

use hash_lanes::Kernel::*;
use hash_lanes::{Backend, Costs, Plan, Plans, Shape};

/// A block.
static BLOCKS: Plans = Plans::new(&[
    Costs::new(&[
        (Avx2x8, 1664),
        (Sse4_2x4, 1676),
        (Sse2x4, 1960),
        (Sha4, 840),
        (Sha3, 640),
        (Sha2, 532),
        (Sha1, 480),
        (Portable, 1100),
    ]),
    Costs::new(&[
        (Avx512x16, 1281),
        (Avx512x8, 744),
        (Avx2x8, 1149),
        (Sse4_2x4, 1149),
        (Sse2x4, 1335),
        (Sha4, 580),
        (Sha3, 450),
        (Sha2, 363),
        (Sha1, 328),
        (Portable, 744),
    ]),
    Costs::new(&[
        (Avx512x16, 2540),
        (Avx512x8, 1640),
        (Avx2x8, 2900),
        (Sse4_2x4, 2860),
        (Sse2x4, 3090),
        (Sha4, 2490),
        (Sha3, 1770),
        (Sha2, 1080),
        (Sha1, 594),
        (Portable, 2110),
    ]),
    Costs::new(&[
        (Avx512x16, 473),
        (Avx512x8, 275),
        (Avx2x8, 424),
        (Sse4_2x4, 424),
        (Sse2x4, 493),
        (Neonx4, 700),
        (Simd128x4, 700),
        (Sha4, 301),
        (Sha3, 246),
        (Sha2, 150),
        (Sha1, 95),
        (Portable, 275),
    ]),
]);

/// The plan for messages of any shape.
pub(crate) fn plan(backend: Backend, _: Shape) -> &'static Plan {
    BLOCKS.of(backend)
}
