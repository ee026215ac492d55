//! What a pass of each kernel costs. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order:
//!
//! - Zen 3, in tenths of a nanosecond: from records of whole calls on an EPYC (family 25, model 1),
//!   2026-11-21;
//! - Zen 4 and Intel, in tenths of a nanosecond: as `cargo run --release -p hashlanes-benches --bin
//!   costs` prints it on an EPYC (family 25, model 17) and a Granite Rapids Xeon (shown as family
//!   6, model 167), 2026-11-23;
//! - other CPUs, in cycles, counted and not measured: lanes as on Zen 4.

use hash_lanes::Kernel::*;
use hash_lanes::engine::{Costs, Plan, Plans, Shape};
use hash_lanes::{Backend, KernelSet};

/// The lane kernels of shapes that have two interleaved groups, too.
pub(crate) const TWO_GROUPS: KernelSet =
    KernelSet::SINGLE_GROUPS.with(Avx512x16x2).with(Avx512x8x2);

/// The lane kernels of HASH160.
pub(crate) const KEYS: KernelSet = KernelSet::of(&[Avx512x16x2, Avx512x16, Avx512x8, Avx2x8]);

/// Messages of 32 bytes.
static BYTES_32: Plans = Plans::new(
    TWO_GROUPS,
    &[
        Costs::new(&[(Avx2x8, 2530), (Sse4_2x4, 2580), (Sse2x4, 2600), (Portable, 1920)]),
        Costs::new(&[
            (Avx512x16x2, 4507),
            (Avx512x16, 2653),
            (Avx512x8x2, 2737),
            (Avx512x8, 1686),
            (Avx2x8, 1878),
            (Sse4_2x4, 1844),
            (Sse2x4, 1840),
            (Portable, 1255),
        ]),
        Costs::new(&[
            (Avx512x16x2, 3660),
            (Avx512x16, 1855),
            (Avx512x8x2, 2238),
            (Avx512x8, 1199),
            (Avx2x8, 1812),
            (Sse4_2x4, 1768),
            (Sse2x4, 1787),
            (Portable, 1099),
        ]),
        Costs::new(&[(Neonx4, 700), (Simd128x4, 700), (Portable, 446)]),
    ],
);

/// A block of other messages.
static BLOCKS: Plans = Plans::new(
    KernelSet::SINGLE_GROUPS,
    &[
        Costs::new(&[(Avx2x8, 2560), (Sse4_2x4, 2890), (Sse2x4, 2870), (Portable, 1910)]),
        Costs::new(&[
            (Avx512x16, 2165),
            (Avx512x8, 1450),
            (Avx2x8, 1691),
            (Sse4_2x4, 1815),
            (Sse2x4, 1730),
            (Portable, 1209),
        ]),
        Costs::new(&[
            (Avx512x16, 1465),
            (Avx512x8, 995),
            (Avx2x8, 1646),
            (Sse4_2x4, 1726),
            (Sse2x4, 1746),
            (Portable, 1072),
        ]),
        Costs::new(&[(Neonx4, 750), (Simd128x4, 750), (Portable, 446)]),
    ],
);

/// HASH160 of keys of 33 bytes, both hashes in one kernel.
static KEYS_33: Plans = Plans::new(
    KEYS,
    &[
        Costs::new(&[(Avx2x8, 6860)]),
        Costs::new(&[(Avx512x16x2, 10613), (Avx512x16, 5257), (Avx512x8, 3262), (Avx2x8, 4649)]),
        Costs::new(&[(Avx512x16x2, 9200), (Avx512x16, 3900), (Avx512x8, 2662), (Avx2x8, 4502)]),
        Costs::new(&[]),
    ],
);

/// HASH160 of keys of 65 bytes.
static KEYS_65: Plans = Plans::new(
    KEYS,
    &[
        Costs::new(&[(Avx2x8, 11100)]),
        Costs::new(&[(Avx512x16x2, 16757), (Avx512x16, 7878), (Avx512x8, 4782), (Avx2x8, 7411)]),
        Costs::new(&[(Avx512x16x2, 15430), (Avx512x16, 5937), (Avx512x8, 4087), (Avx2x8, 7186)]),
        Costs::new(&[]),
    ],
);

/// The plan for messages of a shape.
pub(crate) fn plan(backend: Backend, shape: Shape) -> &'static Plan {
    if shape == Shape::Bytes32 { BYTES_32.of(backend) } else { BLOCKS.of(backend) }
}

/// The plan for HASH160 of keys of `BYTES` bytes, 33 or 65, in one kernel.
#[must_use]
pub fn plan_of_keys<const BYTES: usize>(backend: Backend) -> &'static Plan {
    if BYTES < 64 { KEYS_33.of(backend) } else { KEYS_65.of(backend) }
}
