//! What a pass of each kernel costs. Units are comparable within a row.
//!
//! The rows are those of [`Microarch`](hash_lanes::engine::Microarch), in its order:
//!
//! - Zen 3 and Zen 4, in tenths of a nanosecond: from records of whole calls of proofs that are
//!   verified. Four streams of SHA instructions are counted;
//! - Sapphire Rapids, in tenths of a nanosecond: counted from the costs of two blocks and of nodes
//!   hashed twice in `sha256-multi`, not measured;
//! - other CPUs, in cycles, counted and not measured: lanes as on Zen 4.

use hash_lanes::Backend;
use hash_lanes::Kernel::*;
use hash_lanes::engine::{Costs, Plan, Plans};

use super::subtrees::KERNELS;

/// Nodes of 64 bytes behind a prefix of one to three bytes.
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
        Costs::new(&[(Avx512x16x2, 24470), (Avx512x16, 10930), (Avx2x8, 14100), (Shax2, 2785)]),
        Costs::new(&[(Avx512x16, 1830), (Avx2x8, 2540), (Shax2, 230)]),
    ],
);

/// The plan for nodes behind a prefix.
pub(super) fn plan_of_prefixed_nodes(backend: Backend) -> &'static Plan {
    PREFIXED.of(backend)
}
