//! What a pass of each kernel costs until it is measured on the running CPU.
//!
//! The first messages of a process use these costs, and programs without a clock all of them. Those
//! of x86 are of Zen 4, in tenths of a nanosecond. On other CPUs they are operations, counted and
//! divided by the number of pipes. Of these, only simd128 beside portable code was measured: a
//! permutation in two lanes takes 1.34 to 1.67 times as long in Node.js 20 on Zen 5.

#[cfg(feature = "alloc")]
use core::hint::black_box;

use hash_lanes::Backend;
use hash_lanes::engine::Kernel::{self, *};
use hash_lanes::engine::{Costs, ShaExtensions};
#[cfg(feature = "alloc")]
use hash_lanes::engine::{Plan, Plans};

use crate::jobs::Pass;
#[cfg(feature = "alloc")]
use crate::jobs::{Advance, Alike, EMPTY, KERNELS, MAX_MESSAGES, Results, Sponge, run};

/// One permutation in each lane.
const BLOCK: Costs = Costs::of_architecture(
    &[
        (Avx512x16, 4200),
        (Avx512x8, 2290),
        (Avx2x8, 3660),
        (Sse2x4, 3800),
        (Bmix1, 2500),
        (Portable, 2980),
    ],
    &[(Neonx4, 1910), (Simd128x4, 1560), (Portable, 1040)],
)
.of_words::<u64>();

/// The same in two lanes with ARM's SHA3 instructions, if only one pipe executes them, as on
/// Neoverse V1 and V2.
const SHA3: &[(Kernel, u32)] = &[(Shax2, 1580)];

/// The shapes of messages; each has its own costs, per block.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Messages that fit into one block with their padding.
    OneBlock,
    /// Longer messages.
    Blocks,
    /// Messages whose states are in memory: of different lengths, or in parts.
    Mixed,
}

/// The pass that costs least for `count` messages whose states are in memory, by the costs of
/// before any measurement. Unlike a plan, it needs no memory from the heap.
pub(crate) fn pass_of(backend: Backend, count: usize) -> Pass {
    const WITH_SHA3: Costs = BLOCK.with_all(SHA3);
    let has_sha3 = ShaExtensions::detect().is_some_and(ShaExtensions::has_sha3);
    let costs = if has_sha3 { &WITH_SHA3 } else { &BLOCK };
    let cost = |kernel| {
        let pass = costs.of(kernel)? as usize;
        Some(pass * count.div_ceil(costs.messages(kernel)))
    };
    let cheapest = backend
        .kernels()
        .filter_map(|kernel| Some((kernel, cost(kernel)?)))
        .min_by_key(|&(_, cost)| cost);
    backend.pass(cheapest.map_or(Kernel::Portable, |(kernel, _)| kernel))
}

/// What the kernels are measured with: Keccak-256.
#[cfg(feature = "alloc")]
const SAMPLE: Sponge = Sponge { rate: 136, suffix: 1, rounds: 24 };

/// The plan for messages of a shape, which have this many `blocks` together.
#[cfg(feature = "alloc")]
pub(crate) fn plan(shape: Shape, backend: Backend, blocks: usize) -> &'static Plan {
    static WITHOUT: [Plans; 3] = [const { Plans::new(KERNELS, BLOCK) }; 3];
    static WITH: [Plans; 3] = [const { Plans::new(KERNELS, BLOCK.with_all(SHA3)) }; 3];
    let has_sha3 = ShaExtensions::detect().is_some_and(ShaExtensions::has_sha3);
    let plans = if has_sha3 { &WITH } else { &WITHOUT };
    plans[shape as usize].of(
        backend,
        || blocks as u64,
        |kernel, messages| {
            let pass = backend.pass(kernel);
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
                        run(
                            pass,
                            Advance {
                                sponge: SAMPLE,
                                states,
                                blocks: all,
                                outputs: &mut [],
                                count: 4,
                            },
                        );
                        black_box(states);
                    }
                    Shape::OneBlock | Shape::Blocks => {
                        let len =
                            if let Shape::OneBlock = shape { 40 } else { 3 * SAMPLE.rate + 40 };
                        blocks = len as u32 / SAMPLE.rate as u32 + 1;
                        let mut rows = [[0; 32]; MAX_MESSAGES];
                        let messages = &[&bytes[..len]; MAX_MESSAGES][..count];
                        let rows = &mut rows[..count];
                        let job = Alike {
                            sponge: SAMPLE,
                            initial: None,
                            messages,
                            tails: &[],
                            results: Results::Short(rows),
                        };
                        run(pass, job);
                        black_box(rows);
                    }
                }
            }
            blocks
        },
    )
}
