//! What a pass of each kernel costs. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order. An empty row
//! was not measured: the kernels are measured when they are first used.
//!
//! - Zen 3, in tenths of a nanosecond: from records of whole calls on an EPYC (family 25, model 1),
//!   2026-11-21;
//! - Zen 4, Zen 5 and Granite Rapids, in tenths of a nanosecond: as `cargo run --release -p
//!   hashlanes-benches --bin costs` prints it on EPYCs (family 25, model 17, 2026-11-24, and family
//!   26, model 2) and a Xeon (shown as family 6, model 167), 2026-11-23. On Zen 5 two groups of 16
//!   lanes for messages of any length are estimated from its latencies;
//! - CPUs that are not x86, in cycles, counted and not measured: lanes as on Zen 4.

use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, KernelSet, Plans, Shape};

/// The lane kernels of shapes that have two interleaved groups, too.
pub(crate) const TWO_GROUPS: KernelSet =
    KernelSet::SINGLE_GROUPS.with(Avx512x16x2).with(Avx512x8x2);

/// The lane kernels of messages of any length.
pub(crate) const STREAM: KernelSet = KernelSet::SINGLE_GROUPS.with(Avx512x16x2);

/// The lane kernels of HASH160.
pub(crate) const KEYS: KernelSet = KernelSet::of(&[Avx512x16x2, Avx512x16, Avx512x8, Avx2x8]);

/// Messages of 32 bytes.
static BYTES_32: Plans = Plans::new(
    TWO_GROUPS,
    &[
        Costs::new(&[(Avx2x8, 2530), (Sse4_2x4, 2580), (Sse2x4, 2600), (Portable, 1920)]),
        Costs::new(&[
            (Avx512x16x2, 4327),
            (Avx512x16, 2562),
            (Avx512x8x2, 2422),
            (Avx512x8, 1636),
            (Avx2x8, 1827),
            (Sse4_2x4, 1773),
            (Sse2x4, 1749),
            (Portable, 1251),
        ]),
        Costs::new(&[
            (Avx512x16x2, 2937),
            (Avx512x16, 2053),
            (Avx512x8x2, 2370),
            (Avx512x8, 1869),
            (Avx2x8, 2495),
            (Sse4_2x4, 2462),
            (Sse2x4, 2520),
            (Portable, 1035),
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
    STREAM,
    &[
        Costs::new(&[(Avx2x8, 2560), (Sse4_2x4, 2890), (Sse2x4, 2870), (Portable, 1910)]),
        Costs::new(&[
            (Avx512x16, 2079),
            (Avx512x8, 1398),
            (Avx2x8, 1644),
            (Sse4_2x4, 1826),
            (Sse2x4, 2293),
            (Portable, 1179),
        ]),
        Costs::new(&[
            (Avx512x16x2, 2500),
            (Avx512x16, 1688),
            (Avx512x8, 1667),
            (Avx2x8, 2280),
            (Sse4_2x4, 2561),
            (Sse2x4, 2600),
            (Portable, 996),
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
        Costs::new(&[(Avx512x16x2, 9606), (Avx512x16, 5426), (Avx512x8, 3210), (Avx2x8, 4538)]),
        Costs::new(&[(Avx512x16x2, 9113), (Avx512x16, 3955), (Avx512x8, 3689), (Avx2x8, 5141)]),
        Costs::new(&[(Avx512x16x2, 9200), (Avx512x16, 3900), (Avx512x8, 2662), (Avx2x8, 4502)]),
        Costs::new(&[]),
    ],
);

/// HASH160 of keys of 65 bytes.
static KEYS_65: Plans = Plans::new(
    KEYS,
    &[
        Costs::new(&[(Avx2x8, 11100)]),
        Costs::new(&[(Avx512x16x2, 14668), (Avx512x16, 7994), (Avx512x8, 4687), (Avx2x8, 7201)]),
        Costs::new(&[(Avx512x16x2, 13487), (Avx512x16, 5625), (Avx512x8, 5341), (Avx2x8, 7828)]),
        Costs::new(&[(Avx512x16x2, 15430), (Avx512x16, 5937), (Avx512x8, 4087), (Avx2x8, 7186)]),
        Costs::new(&[]),
    ],
);

/// The plans for messages of a shape.
pub(crate) fn plans(shape: Shape) -> &'static Plans {
    if shape == Shape::Bytes32 { &BYTES_32 } else { &BLOCKS }
}

/// The plans for HASH160 of keys of `BYTES` bytes, 33 or 65.
pub(crate) fn plans_of_keys<const BYTES: usize>() -> &'static Plans {
    if BYTES < 64 { &KEYS_33 } else { &KEYS_65 }
}
