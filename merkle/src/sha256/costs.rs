//! The cost of a pass of each kernel. Units are comparable within a row.
//!
//! The rows are in the order of [`Microarch`](hash_lanes::engine::Microarch). An empty row was not
//! measured: the kernels are measured when they are first used.
//!
//! - Zen 5, in tenths of a nanosecond, and CPUs that are not x86, in cycles: calculated from the
//!   block costs of `sha256-multi`, as a starting point for CPUs that measure themselves.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, Plans};

use super::prefixed::KERNELS;

/// The costs of 64-byte nodes after a prefix of one to three bytes.
pub(super) static PREFIXED: Plans = Plans::new(
    KERNELS,
    &[
        Costs::new(&[]),
        Costs::new(&[]),
        Costs::new(&[
            (Avx512x16x2, 6400),
            (Avx512x16, 3700),
            (Avx512x8, 3600),
            (Avx2x8, 5400),
            (Sse4_2x4, 5900),
            (Sse2x4, 6300),
            (Shax4, 1450),
            (Shax3, 1160),
            (Shax2, 850),
            (Shax1, 610),
            (Portable, 2600),
        ]),
        Costs::new(&[]),
        Costs::new(&[
            (Neonx4, 2800),
            (Simd128x4, 2800),
            (Shax4, 442),
            (Shax3, 372),
            (Shax2, 220),
            (Shax1, 150),
            (Portable, 1260),
        ]),
    ],
);
