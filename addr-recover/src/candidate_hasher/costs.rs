//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. They
//! are those of Granite Rapids in tenths of a nanosecond, which are the least wrong on other x86
//! CPUs. On CPUs that are not x86 they are cycles, counted and not measured.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, Plans};

use super::lanes::KERNELS;

/// The double hash of a candidate.
pub(super) static SEARCH: Plans = Plans::new(
    KERNELS,
    Costs::of_architecture(
        &[
            (Avx512x16x2, 9128),
            (Avx512x16, 4361),
            (Avx512x8, 3053),
            (Avx2x8, 5469),
            (Sse4_2x4, 5453),
            (Sse2x4, 5475),
            (Shax4, 2117),
            (Portable, 3010),
        ],
        &[(Neonx4, 3000), (Simd128x4, 3000), (Shax4, 400), (Portable, 1460)],
    ),
);
