//! What a pass of each kernel costs, in tenths of a nanosecond.
//!
//! The rows are those of [`Microarch`](hash_lanes::Microarch), in its order:
//!
//! - Zen 3 and Zen 4, from `benches/results`;
//!   three and four streams from cycles of a prototype on Zen 3, 94 a node with four;
//! - Sapphire Rapids, as `cargo run --release -p hashlanes-benches --bin costs` prints it;
//! - other CPUs, counted in cycles: lanes as on Zen 4, SHA instructions as on ARM Neoverse, where two
//!   streams saturate the unit. Not measured.

use hash_lanes::Kernel::*;
use hash_lanes::{Backend, Costs, Plan, Plans};

/// A candidate, hashed twice.
static SEARCH: Plans = Plans::new(&[
    Costs::new(&[(Avx2x8, 8620), (Sse4_2x4, 10820), (Sse2x4, 11020), (Sha4, 2280), (Portable, 6390)]),
    Costs::new(&[
        (Avx512x16x2, 9860),
        (Avx512x16, 5030),
        (Avx512x8, 3040),
        (Avx2x8, 5520),
        (Sse4_2x4, 7160),
        (Sse2x4, 7160),
        (Sha4, 1800),
        (Portable, 3950),
    ]),
    Costs::new(&[
        (Avx512x16x2, 23790),
        (Avx512x16, 9880),
        (Avx512x8, 7090),
        (Avx2x8, 13540),
        (Sse4_2x4, 18690),
        (Sse2x4, 18910),
        (Sha4, 6140),
        (Portable, 10720),
    ]),
    Costs::new(&[
        (Avx512x16, 1850),
        (Avx512x8, 1120),
        (Avx2x8, 2040),
        (Sse4_2x4, 2640),
        (Sse2x4, 2640),
        (Neonx4, 3000),
        (Simd128x4, 3000),
        (Sha4, 400),
        (Portable, 1460),
    ]),
]);

/// The plan for candidates, hashed twice.
pub(crate) fn plan(backend: Backend) -> &'static Plan {
    SEARCH.of(backend)
}
