//! Messages of different lengths.
//!
//! Every lane works on one message. When it ends, the lane takes the next; when there is none, the
//! last lane's message moves into its place, so that the messages still at work are always in the
//! first lanes and a narrower kernel can go on with them. All lanes go forward by the same number
//! of blocks in a pass: as many as the first of them to end has left.

use core::marker::PhantomData;

use arrayvec::ArrayVec;

use super::states::States;
use super::{MAX_STREAMS, Waiting};
use crate::backend::Backend;
use crate::hash::{LaneHash, Row, Shape};
use crate::lanes::{BLOCK_BYTES, Block, MAX_LANES};
use crate::message::{Hashing, Message};
use crate::padding::Padding;
use crate::plan::{Pass, Plan};

/// What a lane has left to do of its message.
#[derive(Clone, Debug)]
struct Slot<'m> {
    index: usize,
    /// Whole blocks of the message itself that are left.
    body: &'m [Block],
    /// The message's last blocks.
    padding: Padding,
    /// How many of the padding's blocks are left.
    padding_left: usize,
    /// Whether the digest is to be hashed again.
    again: bool,
}

impl Slot<'_> {
    /// The blocks that can be hashed in one go.
    #[inline]
    fn blocks(&self) -> &[Block] {
        if self.body.is_empty() {
            let blocks = self.padding.blocks();
            &blocks[blocks.len() - self.padding_left..]
        } else {
            self.body
        }
    }

    /// Whether all of it is hashed.
    #[inline]
    fn has_ended(&self) -> bool {
        self.body.is_empty() && self.padding_left == 0
    }

    /// Whether all of it is hashed once, and it is to be hashed again.
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

/// The messages at work: those in the first `count` lanes.
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
    pub(super) fn new(backend: Backend, hashing: Hashing) -> Self {
        let idle =
            || Slot { index: 0, body: &[], padding: Padding::NONE, padding_left: 0, again: false };
        Self {
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
        }
    }

    /// Hashes all messages that wait.
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
            self.compress(pass, taken);
            // From the last lane down, because removing one moves the last into its place.
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

    /// Takes a message out; the last one moves into its lane.
    fn remove(&mut self, lane: usize) {
        self.count -= 1;
        let last = self.states.get(self.count);
        self.states.set(lane, &last);
        self.slots.swap(lane, self.count);
    }

    /// Takes the first `taken` lanes as far as the first of them to end goes.
    fn compress(&mut self, pass: Pass, taken: usize) {
        let run = self.slots[..taken].iter().map(|slot| slot.blocks().len()).min().unwrap_or(0);
        // Idle lanes read what lane 0 reads.
        let slots =
            (0..pass.messages()).map(|lane| &self.slots[if lane < taken { lane } else { 0 }]);
        let blocks: ArrayVec<&[Block], MAX_LANES> =
            slots.map(|slot| &slot.blocks()[..run]).collect();
        match pass {
            Pass::Lanes(kernel) => self.states.compress::<H>(kernel, &blocks),
            Pass::Sha(sha, _) => {
                let mut states = [[0; WORDS]; MAX_STREAMS];
                for lane in 0..taken {
                    states[lane] = self.states.get(lane);
                }
                H::compress_sha(sha, &mut states[..taken], &blocks[..taken]);
                for lane in 0..taken {
                    self.states.set(lane, &states[lane]);
                }
            }
        }
        drop(blocks);
        for slot in &mut self.slots[..taken] {
            slot.advance(run);
        }
        if H::OFFERS_DOUBLE {
            self.begin_again(taken);
        }
    }

    /// The digests that are to be hashed again become messages of one more block.
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
