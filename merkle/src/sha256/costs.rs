//! The cost of a pass of each kernel. Units are comparable within a row.
//!
//! The rows are in the order of [`Microarch`](hash_lanes::engine::Microarch):
//!
//! - Zen 3 and Zen 4, in tenths of a nanosecond: derived from timings of whole verification calls
//!   on EPYCs (family 25, models 1 and 17), 2026-11-22. The cost of four SHA instruction streams is
//!   calculated;
//! - Intel (Granite Rapids), in tenths of a nanosecond: calculated on 2026-11-23 from the costs of
//!   double-hashed nodes in `sha256-multi`, not measured;
//! - other CPUs, in cycles: calculated, not measured, with lanes as on Zen 4.

use hash_lanes::Kernel::*;
use hash_lanes::engine::{Costs, Plan, Plans};
use hash_lanes::{Backend, KernelSet};

/// The lane kernels of subtrees: only lanes that are the best for many nodes on some CPU.
///
/// The message schedules of two groups of 16 lanes spill, but two groups leave fewer execution
/// units idle than the dependency chains of one. On Zen 4 a node takes 26.8 ns, versus 28.7 ns if
/// only the padding is interleaved. Granite Rapids is faster with one group.
pub(super) const KERNELS: KernelSet = KernelSet::of(&[Avx512x16x2, Avx512x16, Avx2x8]);

/// The costs of 64-byte nodes after a prefix of one to three bytes.
static PREFIXED: Plans = Plans::new(
    KERNELS,
    &[
        Costs::new(&[(Avx2x8, 6760), (Shax4, 2280), (Shax2, 1350)]),
        Costs::new(&[
            (Avx512x16x2, 9380),
            (Avx512x16, 4960),
            (Avx2x8, 6900),
            (Shax4, 1560),
            (Shax2, 836),
        ]),
        Costs::new(&[(Avx512x16x2, 14210), (Avx512x16, 6280), (Avx2x8, 8080), (Shax2, 1570)]),
        Costs::new(&[(Shax2, 230)]),
    ],
);

/// The plan for nodes with a prefix.
pub(super) fn plan_of_prefixed_nodes(backend: Backend) -> &'static Plan {
    PREFIXED.of(backend)
}
