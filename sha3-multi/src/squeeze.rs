//! Squeezes outputs out of states in memory.

use core::ops::Range;

use arrayvec::ArrayVec;
use hash_lanes::Backend;
use hash_lanes::engine::{GROUP, erase};

use crate::costs::pass_of;
#[cfg(feature = "alloc")]
use crate::costs::{Shape, plan};
use crate::jobs::{Advance, EMPTY, Function, MAX_MESSAGES, Pass, State, run};

/// How kernels are chosen.
#[derive(Clone, Copy)]
pub(crate) enum Passes {
    /// By a plan, which measures them.
    #[cfg(feature = "alloc")]
    Planned,
    /// By [`pass_of`], which allocates nothing.
    Fixed,
}

impl Passes {
    /// By a plan if there is an allocator.
    pub(crate) const BEST: Self = {
        #[cfg(feature = "alloc")]
        {
            Self::Planned
        }
        #[cfg(not(feature = "alloc"))]
        {
            Self::Fixed
        }
    };

    /// The passes over `count` states in memory.
    pub(crate) fn over(
        self,
        backend: Backend,
        count: usize,
    ) -> impl Iterator<Item = (Pass, Range<usize>)> {
        let fixed = match self {
            #[cfg(feature = "alloc")]
            Self::Planned => None,
            Self::Fixed => Some((pass_of(backend, count), 0..count)),
        };
        #[cfg(feature = "alloc")]
        let planned = {
            let plan = fixed.is_none().then(|| plan(Shape::Mixed, backend, count));
            plan.into_iter().flat_map(move |plan| plan.passes(backend, count))
        };
        #[cfg(not(feature = "alloc"))]
        let planned = core::iter::empty();
        planned.chain(fixed)
    }
}

/// Reads the next bytes of outputs whose blocks are in `states`, of which `used[i]` bytes have been
/// read. Whole blocks of several outputs are squeezed together, without leaving the lanes. So is
/// the next block, if all of them end at one place inside it.
pub(crate) fn squeeze(
    function: Function,
    passes: Passes,
    states: &mut [State],
    used: &mut [usize],
    outputs: &mut [&mut [u8]],
) {
    let Function { backend, sponge } = function;
    let rate = sponge.rate;
    loop {
        let mut active: ArrayVec<usize, GROUP> = ArrayVec::new();
        for (i, output) in outputs.iter_mut().enumerate() {
            let count = output.len().min(rate - used[i]);
            read_block(&states[i], used[i], take_first(output, count));
            used[i] += count;
            if !output.is_empty() {
                active.push(i);
            }
        }
        if active.is_empty() {
            return;
        }
        for (pass, range) in passes.over(backend, active.len()) {
            for active in active[range].chunks(MAX_MESSAGES) {
                let mut blocks = [EMPTY; MAX_MESSAGES];
                let blocks = &mut blocks[..active.len()];
                for (block, &i) in blocks.iter_mut().zip(active) {
                    *block = states[i];
                }
                let lens = active.iter().map(|&i| outputs[i].len());
                let (shortest, longest) = lens.fold((usize::MAX, 0), |(shortest, longest), len| {
                    (shortest.min(len), longest.max(len))
                });
                let whole = shortest / rate;
                // If all outputs end in the next block, this pass makes it, and it is read from
                // memory. If some end earlier, their lanes are free for others first.
                let ends_inside = shortest > whole * rate && shortest == longest;
                let goes_on = whole == 0 || ends_inside;
                let mut places: ArrayVec<&mut [u8], MAX_MESSAGES> = ArrayVec::new();
                if whole > 0 {
                    places
                        .extend(active.iter().map(|&i| take_first(&mut outputs[i], whole * rate)));
                }
                let nothing = &[&[][..]; MAX_MESSAGES][..active.len()];
                run(
                    pass,
                    Advance {
                        sponge,
                        states: blocks,
                        blocks: nothing,
                        outputs: &mut places,
                        count: whole + usize::from(goes_on),
                    },
                );
                for (block, &i) in blocks.iter().zip(active) {
                    states[i] = *block;
                    used[i] = if goes_on { 0 } else { rate };
                }
                erase(blocks);
            }
        }
    }
}

/// The first `count` bytes, which are then no longer part of `bytes`.
fn take_first<'b>(bytes: &mut &'b mut [u8], count: usize) -> &'b mut [u8] {
    bytes.split_off_mut(..count).unwrap_or_default()
}

/// Copies the bytes of a state from byte `begin` on.
pub(crate) fn read_block(state: &State, begin: usize, bytes: &mut [u8]) {
    if begin.is_multiple_of(8) {
        let (words, rest) = bytes.as_chunks_mut::<8>();
        let mut state = state[begin / 8..].iter();
        for (bytes, word) in words.iter_mut().zip(&mut state) {
            *bytes = word.to_le_bytes();
        }
        if let Some(word) = state.next() {
            rest.copy_from_slice(&word.to_le_bytes()[..rest.len()]);
        }
    } else {
        for (byte, i) in bytes.iter_mut().zip(begin..) {
            *byte = state[i / 8].to_le_bytes()[i % 8];
        }
    }
}
