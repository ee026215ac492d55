//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. They
//! are those of Granite Rapids in tenths of a nanosecond, which are the least wrong on other x86
//! CPUs. On other CPUs they are cycles, counted, or for lanes of NEON estimated by llvm-mca for
//! Neoverse V2, and unmeasured.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans};

/// Nodes of 64 bytes after a prefix of one to three bytes.
pub(super) static PREFIXED: Plans = Plans::new(
    KernelSet::LANES,
    Costs::of_architecture(
        &[
            (Avx512x16x2, 8654),
            (Avx512x16, 4220),
            (Avx512x8, 3099),
            (Avx2x8, 5355),
            (Sse4_2x4, 5405),
            (Sse2x4, 5598),
            (Shax4, 2000),
            (Shax3, 1565),
            (Shax2, 1042),
            (Shax1, 552),
            (Portable, 2908),
        ],
        &[
            (Neonx4x2, 5040),
            (Neonx4, 2800),
            (Simd128x4, 2800),
            (Shax4, 442),
            (Shax3, 372),
            (Shax2, 220),
            (Shax1, 150),
            (Portable, 1260),
        ],
    ),
);
