//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. Those
//! of x86 are of Zen 4, in tenths of a nanosecond. On other CPUs they are operations, counted and
//! divided by the number of pipes; nobody has measured them.

use core::hint::black_box;

use hash_lanes::Backend;
use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, Plan, Plans};

use crate::jobs::{Advance, Alike, EMPTY, KERNELS, MAX_MESSAGES, Results, Sponge};
use crate::stream::lanes_of;

/// One permutation in each lane.
const BLOCK: Costs = Costs::of_architecture(
    &[
        (Avx512x16, 4200),
        (Avx512x8, 2290),
        (Avx2x8, 3660),
        (Sse4_2x4, 3800),
        (Sse2x4, 3800),
        (Bmix1, 2500),
        (Portable, 2980),
    ],
    &[(Neonx4, 1910), (Simd128x4, 2230), (Portable, 1040)],
)
.of_words::<u64>();

/// The shapes of messages; each has its own costs, per block.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Messages that fit into one block with their padding.
    OneBlock,
    /// Longer messages.
    Blocks,
    /// Messages whose states are in memory: of different lengths, or in parts.
    Mixed,
}

/// What the kernels are measured with: Keccak-256.
const SAMPLE: Sponge = Sponge { rate: 136, suffix: 1, rounds: 24 };

/// The plan for messages of a shape, which have this many `blocks` together.
pub(crate) fn plan(shape: Shape, backend: Backend, blocks: usize) -> &'static Plan {
    static PLANS: [Plans; 3] = [const { Plans::new(KERNELS, BLOCK) }; 3];
    PLANS[shape as usize].of(
        backend,
        || blocks as u64,
        |kernel, messages| {
            let kernel = lanes_of(backend.pass(kernel));
            let mut blocks = 1;
            let bytes = [0; 4 * SAMPLE.rate];
            for _ in 0..messages.div_ceil(MAX_MESSAGES) {
                let count = messages.min(MAX_MESSAGES);
                match shape {
                    Shape::Mixed => {
                        blocks = 4;
                        let mut states = [EMPTY; MAX_MESSAGES];
                        let all = &[&bytes[..]; MAX_MESSAGES][..count];
                        let states = &mut states[..count];
                        kernel.run(Advance { sponge: SAMPLE, states, blocks: all, count: 4 });
                        black_box(states);
                    }
                    Shape::OneBlock | Shape::Blocks => {
                        let len =
                            if let Shape::OneBlock = shape { 40 } else { 3 * SAMPLE.rate + 40 };
                        blocks = len as u32 / SAMPLE.rate as u32 + 1;
                        let mut rows = [[0; 32]; MAX_MESSAGES];
                        let messages = &[&bytes[..len]; MAX_MESSAGES][..count];
                        let rows = &mut rows[..count];
                        kernel.run(Alike {
                            sponge: SAMPLE,
                            initial: None,
                            messages,
                            tails: &[],
                            results: Results::Short(rows),
                        });
                        black_box(rows);
                    }
                }
            }
            blocks
        },
    )
}
