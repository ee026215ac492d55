//! Hashes messages of different lengths.
//!
//! Every lane works on one message. When it ends, the lane takes the next one. When there is none,
//! the message of the last lane moves into its place. The active messages are therefore always in
//! the first lanes, and a narrower kernel can take over. In a pass all lanes advance by the same
//! number of blocks, the minimum of what they have left.

use alloc::boxed::Box;
use core::marker::PhantomData;

use super::Waiting;
use super::states::compress_states;
use crate::backend::Backend;
use crate::cpu::MAX_STREAMS;
use crate::hash::{LaneHash, Row, Shape};
use crate::kernel::Pass;
use crate::lanes::{BLOCK_BYTES, Block, MAX_LANES};
use crate::message::{Hashing, Message};
use crate::padding::Padding;
use crate::plan::Plan;
use crate::scratch::States;

/// The message of a lane, as far as it is still to be hashed.
#[derive(Clone, Debug)]
struct Slot<'m> {
    index: usize,
    /// The whole blocks of the message that are left.
    body: &'m [Block],
    /// The last blocks of the message.
    padding: Padding,
    /// The number of padding blocks that are left.
    padding_left: usize,
    /// Whether the digest will be hashed again.
    again: bool,
}

impl Slot<'_> {
    /// The blocks that can be hashed in one pass.
    #[inline]
    fn blocks(&self) -> &[Block] {
        if self.body.is_empty() {
            let blocks = self.padding.blocks();
            &blocks[blocks.len() - self.padding_left..]
        } else {
            self.body
        }
    }

    /// Whether all blocks have been hashed.
    #[inline]
    fn has_ended(&self) -> bool {
        self.body.is_empty() && self.padding_left == 0
    }

    /// Whether all blocks have been hashed once and the digest is to be hashed again.
    #[inline]
    fn begins_again(&self) -> bool {
        self.again && self.has_ended()
    }

    #[inline]
    fn advance(&mut self, blocks: usize) {
        if self.body.is_empty() {
            self.padding_left -= blocks;
        } else {
            self.body = &self.body[blocks..];
        }
    }
}

/// The active messages, in the first `count` lanes.
pub(super) struct Working<'m, H, const WORDS: usize> {
    backend: Backend,
    plan: &'static Plan,
    states: States<WORDS>,
    slots: [Slot<'m>; MAX_LANES],
    count: usize,
    hashing: Hashing,
    hash: PhantomData<H>,
}

impl<'m, H: LaneHash<WORDS>, const WORDS: usize> Working<'m, H, WORDS> {
    /// Without messages. Boxed because it is large and most calls never need it.
    // Inlined, its construction would take the stack of all calls.
    #[inline(never)]
    pub(super) fn boxed(backend: Backend, hashing: Hashing) -> Box<Self> {
        let idle =
            || Slot { index: 0, body: &[], padding: Padding::NONE, padding_left: 0, again: false };
        Box::new(Self {
            backend,
            plan: H::plan(
                backend,
                if hashing == Hashing::Double { Shape::Double } else { Shape::Blocks },
            ),
            states: States::splat(&H::IV),
            slots: core::array::from_fn(|_| idle()),
            count: 0,
            hashing,
            hash: PhantomData,
        })
    }

    /// Hashes all waiting messages.
    pub(super) fn hash_all(
        &mut self,
        waiting: &mut Waiting<'m, '_, WORDS>,
        finished: &mut dyn FnMut(usize, &[Row]),
    ) {
        let capacity = self.plan.bulk().messages();
        while self.count < capacity
            && let Some((index, message)) = waiting.pop()
        {
            self.begin(self.count, index, &message);
            self.count += 1;
        }
        while self.count > 0 {
            let pass = self.backend.pass(self.plan.first(self.count));
            let taken = self.count.min(pass.messages());
            self.run_pass(pass, taken);
            // From the last lane down, because `remove` moves the last message into the free lane.
            for lane in (0..taken).rev() {
                if self.slots[lane].has_ended() {
                    finished(self.slots[lane].index, &[H::row(&self.states.get(lane))]);
                    match waiting.pop() {
                        Some((index, message)) => self.begin(lane, index, &message),
                        None => self.remove(lane),
                    }
                }
            }
        }
    }

    /// Puts a message into a lane.
    #[inline]
    fn begin(&mut self, lane: usize, index: usize, message: &Message<'m, WORDS>) {
        let (body, rest) = message.bytes.as_chunks::<BLOCK_BYTES>();
        let slot = &mut self.slots[lane];
        slot.index = index;
        slot.body = body;
        match message.ends_after {
            Some(before) => {
                slot.padding.set(rest, before.wrapping_add(message.bytes.len() as u64), H::ORDER);
                slot.padding_left = slot.padding.blocks().len();
                slot.again = self.hashing == Hashing::Double;
            }
            None => {
                slot.padding_left = 0;
                slot.again = false;
            }
        }
        self.states.set(lane, message.state.unwrap_or(&H::IV));
    }

    /// Removes the message of a lane; the last message moves into that lane.
    fn remove(&mut self, lane: usize) {
        self.count -= 1;
        let last = self.states.get(self.count);
        self.states.set(lane, &last);
        self.slots.swap(lane, self.count);
    }

    /// Advances the first `taken` lanes by their shortest run of blocks.
    fn run_pass(&mut self, pass: Pass, taken: usize) {
        let run = self.slots[..taken].iter().map(|slot| slot.blocks().len()).min().unwrap_or(0);
        // Idle lanes read the blocks of lane 0.
        let mut blocks = [&self.slots[0].blocks()[..run]; MAX_LANES];
        for (blocks, slot) in blocks.iter_mut().zip(&self.slots[..taken]) {
            *blocks = &slot.blocks()[..run];
        }
        match pass {
            Pass::Lanes(kernel) => compress_states::<H, WORDS>(&mut self.states, kernel, &blocks),
            Pass::Sha(sha, _) => {
                let mut states = [[0; WORDS]; MAX_STREAMS];
                for lane in 0..taken {
                    states[lane] = self.states.get(lane);
                }
                H::compress_streams(sha, &mut states[..taken], &blocks[..taken]);
                for lane in 0..taken {
                    self.states.set(lane, &states[lane]);
                }
            }
        }
        for slot in &mut self.slots[..taken] {
            slot.advance(run);
        }
        if H::OFFERS_DOUBLE {
            self.begin_again(taken);
        }
    }

    /// Turns digests that are to be hashed again into messages of one block.
    fn begin_again(&mut self, taken: usize) {
        for lane in 0..taken {
            if self.slots[lane].begins_again() {
                let digest = H::row(&self.states.get(lane));
                let slot = &mut self.slots[lane];
                slot.padding.set(&digest, digest.len() as u64, H::ORDER);
                slot.padding_left = slot.padding.blocks().len();
                slot.again = false;
                self.states.set(lane, &H::IV);
            }
        }
    }
}
