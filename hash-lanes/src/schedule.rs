//! Many messages of different lengths over few lanes.
//!
//! Every lane works on one message. When it ends, the lane takes the next; when there is none, the
//! last lane's message moves into its place, so that the messages still at work are always in the
//! first lanes and a narrower kernel can go on with them. All lanes go forward by the same number of
//! blocks in a pass: as many as the first of them to end has left.

use core::marker::PhantomData;

use crate::backend::Backend;
use crate::hash::LaneHash;
use crate::kernel::LaneJob;
use crate::lanes::{BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, Lanes, MAX_LANES};
use crate::padding::Padding;
use crate::passes::{MAX_STREAMS, Pass};

/// A message, or a part of one, to be hashed.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m, const WORDS: usize> {
    /// The state to go on from: the hash's IV, or where an earlier part ended.
    pub state: [u32; WORDS],
    /// The bytes to hash.
    pub bytes: &'m [u8],
    /// `Some(n)`: the message ends with these bytes and `n` bytes came before them; it is padded.
    /// `None`: it goes on; the bytes that do not fill a block are left out.
    pub ends_after: Option<u64>,
}

/// How often a message is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// The usual.
    Once,
    /// The digest is hashed again, as Bitcoin does.
    Twice,
}

/// Hashes messages of any lengths, keeping the lanes full.
///
/// `finished(i, state)` is called once for the `i`-th message, in no particular order.
pub fn hash_messages<'m, H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    times: Times,
    messages: &mut dyn Iterator<Item = Message<'m, WORDS>>,
    finished: &mut dyn FnMut(usize, [u32; WORDS]),
) {
    let crossovers = H::crossovers(backend);
    let mut lanes = Working::<H, WORDS>::new(times);
    let capacity = backend.widest().lanes().max(MAX_STREAMS);
    let mut messages = messages.enumerate().fuse();
    loop {
        while lanes.count < capacity
            && let Some((index, message)) = messages.next()
        {
            lanes.begin(lanes.count, index, &message);
            lanes.count += 1;
        }
        if lanes.count == 0 {
            return;
        }
        let pass = crossovers.next_pass(backend, lanes.count);
        let taken = lanes.count.min(pass.capacity());
        lanes.compress(pass, taken);
        // From the last lane down, because removing one moves the last into its place.
        for lane in (0..taken).rev() {
            if lanes.has_ended(lane) {
                finished(lanes.slots[lane].index, lanes.state(lane));
                match messages.next() {
                    Some((index, message)) => lanes.begin(lane, index, &message),
                    None => lanes.remove(lane),
                }
            }
        }
    }
}

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

    #[inline]
    fn advance(&mut self, blocks: usize) {
        if self.body.is_empty() {
            self.padding_left -= blocks;
        } else {
            self.body = &self.body[blocks..];
        }
    }
}

/// One row per word of the state, one column per lane.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct States<const WORDS: usize>([[u32; MAX_LANES]; WORDS]);

/// The messages at work: those in the first `count` lanes.
struct Working<'m, H, const WORDS: usize> {
    states: States<WORDS>,
    slots: [Slot<'m>; MAX_LANES],
    count: usize,
    times: Times,
    hash: PhantomData<H>,
}

impl<'m, H: LaneHash<WORDS>, const WORDS: usize> Working<'m, H, WORDS> {
    fn new(times: Times) -> Self {
        let idle = || Slot {
            index: 0,
            body: &[],
            padding: Padding::new(&[], 0, H::ORDER),
            padding_left: 0,
            again: false,
        };
        Self {
            states: States([[0; MAX_LANES]; WORDS]),
            slots: core::array::from_fn(|_| idle()),
            count: 0,
            times,
            hash: PhantomData,
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
                slot.padding = Padding::new(rest, before.wrapping_add(message.bytes.len() as u64), H::ORDER);
                slot.padding_left = slot.padding.blocks().len();
                slot.again = self.times == Times::Twice;
            }
            None => {
                slot.padding_left = 0;
                slot.again = false;
            }
        }
        self.set_state(lane, &message.state);
    }

    #[inline]
    fn set_state(&mut self, lane: usize, state: &[u32; WORDS]) {
        for (row, &word) in self.states.0.iter_mut().zip(state) {
            row[lane] = word;
        }
    }

    #[inline]
    fn state(&self, lane: usize) -> [u32; WORDS] {
        let mut state = [0; WORDS];
        for (word, row) in state.iter_mut().zip(&self.states.0) {
            *word = row[lane];
        }
        state
    }

    /// Takes a message out; the last one moves into its lane.
    fn remove(&mut self, lane: usize) {
        self.count -= 1;
        let last = self.state(self.count);
        self.set_state(lane, &last);
        self.slots.swap(lane, self.count);
    }

    /// Takes the first `taken` lanes as far as the first of them to end goes.
    fn compress(&mut self, pass: Pass, taken: usize) {
        // Idle lanes read what lane 0 reads.
        let mut blocks = [self.slots[0].blocks(); MAX_LANES];
        for (blocks, slot) in blocks.iter_mut().zip(&self.slots[..taken]) {
            *blocks = slot.blocks();
        }
        let run = blocks.iter().map(|blocks| blocks.len()).min().unwrap_or(0);
        for blocks in &mut blocks {
            *blocks = &blocks[..run];
        }
        match pass {
            Pass::Lanes(kernel) => {
                kernel.run(CompressBlocks::<H, WORDS> {
                    states: &mut self.states,
                    blocks: &blocks,
                    run,
                    hash: PhantomData,
                });
            }
            Pass::Hardware(sha, _) => {
                let mut states = [[0; WORDS]; MAX_STREAMS];
                for lane in 0..taken {
                    states[lane] = self.state(lane);
                }
                H::compress_hardware(sha, &mut states[..taken], &blocks[..taken]);
                for lane in 0..taken {
                    self.set_state(lane, &states[lane]);
                }
            }
        }
        for slot in &mut self.slots[..taken] {
            slot.advance(run);
        }
        self.begin_again(pass, taken);
    }

    /// Whether the lane's message is hashed to its end.
    #[inline]
    fn has_ended(&self, lane: usize) -> bool {
        let slot = &self.slots[lane];
        slot.body.is_empty() && slot.padding_left == 0
    }

    /// Hashes the digests that are to be hashed again: in the lanes where all of the pass have come
    /// to that point, which is what messages of equal length do, else each as one more block.
    fn begin_again(&mut self, pass: Pass, taken: usize) {
        let is_due = |slot: &Slot<'_>| slot.again && slot.body.is_empty() && slot.padding_left == 0;
        if let Pass::Lanes(kernel) = pass
            && self.slots[..taken].iter().all(is_due)
        {
            kernel.run(HashDigests::<H, WORDS> { states: &mut self.states, hash: PhantomData });
            for slot in &mut self.slots[..taken] {
                slot.again = false;
            }
            return;
        }
        for lane in 0..taken {
            if is_due(&self.slots[lane]) {
                let mut digest = H::digest(&self.state(lane));
                let digest = digest.as_mut();
                let slot = &mut self.slots[lane];
                slot.padding = Padding::new(digest, digest.len() as u64, H::ORDER);
                slot.padding_left = slot.padding.blocks().len();
                slot.again = false;
                self.set_state(lane, &H::IV);
            }
        }
    }
}

/// Hashes `run` blocks of each lane.
struct CompressBlocks<'a, H, const WORDS: usize> {
    states: &'a mut States<WORDS>,
    blocks: &'a [&'a [Block]; MAX_LANES],
    run: usize,
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for CompressBlocks<'_, H, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let mut state = load_states(token, self.states);
        for i in 0..self.run {
            let block = V::load_blocks(
                token,
                H::ORDER,
                #[inline(always)]
                |lane| &self.blocks[lane][i],
            );
            H::compress(token, &mut state, block);
        }
        store_states(state, self.states);
    }
}

/// Replaces each state by the state of hashing it as a message.
struct HashDigests<'a, H, const WORDS: usize> {
    states: &'a mut States<WORDS>,
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for HashDigests<'_, H, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let digest: [V; WORDS] = load_states(token, self.states);
        let mut block = [V::splat(token, 0); BLOCK_WORDS];
        block[..WORDS].copy_from_slice(&digest);
        let bits = WORDS as u32 * 32;
        let (one_bit, length_word) = match H::ORDER {
            ByteOrder::Big => (0x8000_0000, 15),
            ByteOrder::Little => (0x80, 14),
        };
        block[WORDS] = V::splat(token, one_bit);
        block[length_word] = V::splat(token, bits);
        let mut state = digest;
        for i in 0..WORDS {
            state[i] = V::splat(token, H::IV[i]);
        }
        H::compress(token, &mut state, block);
        store_states(state, self.states);
    }
}

#[inline(always)]
fn load_states<V: Lanes, const WORDS: usize>(token: V::Token, states: &States<WORDS>) -> [V; WORDS] {
    let mut state = [V::splat(token, 0); WORDS];
    for i in 0..WORDS {
        state[i] = V::from_words(token, &states.0[i]);
    }
    state
}

#[inline(always)]
fn store_states<V: Lanes, const WORDS: usize>(state: [V; WORDS], states: &mut States<WORDS>) {
    for i in 0..WORDS {
        state[i].to_words(&mut states.0[i]);
    }
}
