//! Chains of hashes: messages that are hashed again and again, with the digest in the place of what
//! was hashed before, as in hash-based signatures.
//!
//! A chain stays in its lane until it ends, and then the next one takes the lane.

use alloc::vec::Vec;
use core::ops::Range;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::cpu::ShaExtensions;
use crate::hash::{LaneHash, Start};
use crate::kernel::{KernelSet, LaneJob, Pass};
use crate::lanes::{Lanes, MAX_LANES, splat_all};
use crate::padding::block_bytes;
use crate::pbkdf2::plan_of_chains;
use crate::stream::RowOf;
use crate::word::{Array, BLOCK_WORDS, Block, ByteOrder, ROW_WORDS, Word};

/// Where the messages of some chains have what changes from step to step.
///
/// A step hashes the message, writes the first bytes of the digest in the place of the *value*, and
/// adds one to the *counter*, if there is one.
///
/// ```
/// use hash_lanes::ChainLayout;
///
/// // A digest that is hashed again and again.
/// let plain = ChainLayout::new(32, 0..32);
/// // WOTS+ of SLH-DSA-SHA2-128s: an address of 22 bytes whose last four count, and 16 bytes.
/// let wots = ChainLayout::new(38, 22..38).with_counter(18..22);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLayout {
    message_len: usize,
    value: Range<usize>,
    counter: Range<usize>,
}

impl ChainLayout {
    /// Messages of `message_len` bytes, with the value in the bytes `value`.
    ///
    /// # Panics
    ///
    /// Panics if `value` is empty or ends after the message.
    #[track_caller]
    #[must_use]
    pub fn new(message_len: usize, value: Range<usize>) -> Self {
        assert!(
            value.start < value.end && value.end <= message_len,
            "the value is in the bytes {value:?} of {message_len}"
        );
        Self { message_len, value, counter: 0..0 }
    }

    /// With a counter in the bytes `counter`, at most four, the most significant first. It wraps.
    ///
    /// # Panics
    ///
    /// Panics if `counter` is empty, ends after the message, has more than four bytes, or has a
    /// byte of the value.
    #[track_caller]
    #[must_use]
    pub fn with_counter(self, counter: Range<usize>) -> Self {
        let Self { message_len, value, .. } = &self;
        assert!(
            counter.start < counter.end && counter.end <= *message_len,
            "the counter is in the bytes {counter:?} of {message_len}"
        );
        assert!(counter.len() <= 4, "a counter of {} bytes: at most 4", counter.len());
        assert!(
            counter.end <= value.start || value.end <= counter.start,
            "the counter, bytes {counter:?}, overlaps the value, bytes {value:?}"
        );
        Self { counter, ..self }
    }

    /// The bytes of a message.
    #[must_use]
    pub const fn message_len(&self) -> usize {
        self.message_len
    }

    /// The place of the value.
    #[must_use]
    pub fn value(&self) -> Range<usize> {
        self.value.clone()
    }

    /// Advances a message by one step, by its digest.
    ///
    /// # Panics
    ///
    /// Panics if `message` or `digest` is shorter than the layout needs.
    pub fn advance(&self, message: &mut [u8], digest: &[u8]) {
        message[self.value.clone()].copy_from_slice(&digest[..self.value.len()]);
        for byte in message[self.counter.clone()].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                return;
            }
        }
    }
}

/// Advances the `i`-th message by `steps[i]` steps; `messages` are end to end.
///
/// `start` has the state after what precedes each message, and its length.
///
/// # Panics
///
/// Panics if there are not as many messages as `steps`, if a value is longer than a digest, or if a
/// message does not fit into one block with its padding.
#[track_caller]
pub fn hash_chains<H: LaneHash<Word: From<u32>>>(
    backend: Backend,
    start: Start<'_, RowOf<H>>,
    layout: &ChainLayout,
    messages: &mut [u8],
    steps: &[u32],
) {
    let len = layout.message_len;
    let (bytes, count) = (messages.len(), steps.len());
    assert!(
        Some(bytes) == count.checked_mul(len),
        "{count} chains have messages of {len} bytes each, not {bytes} bytes together"
    );
    assert!(
        layout.value.len() <= H::DIGEST_BYTES,
        "a value of {} bytes is longer than a digest, {} bytes",
        layout.value.len(),
        H::DIGEST_BYTES
    );
    let max = block_bytes::<H::Word>() - 2 * H::Word::BYTES - 1;
    assert!(len <= max, "a message of a chain has at most {max} bytes, not {len}");
    // The longest first, so that lanes are idle only while the last ones end.
    let mut queue: Vec<usize> = (0..count).filter(|&i| steps[i] > 0).collect();
    queue.sort_by_key(|&i| core::cmp::Reverse(steps[i]));
    let chains = Chains::<H>::new(start, layout);
    // Chains cost what those of PBKDF2 do: messages that are loaded for each hash cost more.
    let plan = plan_of_chains::<H>(backend, queue.len());
    for (pass, range) in plan.passes(backend, queue.len()) {
        chains.run(pass, &queue[range], messages, steps);
    }
}

/// What all chains have in common.
struct Chains<'l, H: LaneHash<Word: From<u32>>> {
    /// The state before each message.
    state: H::State<H::Word>,
    layout: &'l ChainLayout,
    /// A block with the padding of a message.
    padded: Block<H::Word>,
}

impl<'l, H: LaneHash<Word: From<u32>>> Chains<'l, H> {
    fn new(start: Start<'_, RowOf<H>>, layout: &'l ChainLayout) -> Self {
        let mut padded = *H::Word::zero_block();
        padded.elements_mut()[layout.message_len] = 0x80;
        let before = start.ends_after.unwrap_or(0);
        H::Word::write_length(&mut padded, H::ORDER, before + layout.message_len as u64);
        Self { state: start.state.map_or(H::IV, H::state), layout, padded }
    }

    /// Runs the chains whose numbers are in `queue`, as many at once as the pass has messages.
    fn run(&self, pass: Pass, queue: &[usize], messages: &mut [u8], steps: &[u32]) {
        let len = self.layout.message_len;
        let lanes = pass.messages::<H::Word>();
        let mut blocks = [self.padded; MAX_LANES];
        // The chain in each lane, and the steps that it has left.
        let mut places = [(0, 0); MAX_LANES];
        let mut queue = queue.iter();
        loop {
            for (place, block) in places[..lanes].iter_mut().zip(&mut blocks) {
                if place.1 == 0 {
                    let Some(&next) = queue.next() else { continue };
                    *place = (next, steps[next]);
                    let message = &messages[next * len..][..len];
                    block.elements_mut()[..len].copy_from_slice(message);
                }
            }
            let busy = places[..lanes].iter().filter(|place| place.1 > 0);
            let Some(count) = busy.map(|place| place.1).min() else { return };
            match pass {
                Pass::Lanes(kernel) => {
                    kernel.run(Steps { chains: self, blocks: &mut blocks[..lanes], count });
                }
                Pass::Sha(sha, _) => self.run_streams(sha, &mut blocks, &places[..lanes], count),
            }
            for (place, block) in places[..lanes].iter_mut().zip(&blocks) {
                if place.1 > 0 {
                    place.1 -= count;
                    if place.1 == 0 {
                        messages[place.0 * len..][..len].copy_from_slice(&block.elements()[..len]);
                    }
                }
            }
        }
    }

    /// Advances the chains that are not at their end by `count` steps, with SHA instructions.
    fn run_streams(
        &self,
        sha: ShaExtensions,
        blocks: &mut [Block<H::Word>],
        places: &[(usize, u32)],
        count: u32,
    ) {
        let state = H::row(&self.state);
        for _ in 0..count {
            let mut rows: ArrayVec<RowOf<H>, MAX_LANES> = ArrayVec::new();
            let mut inputs: ArrayVec<&[Block<H::Word>], MAX_LANES> = ArrayVec::new();
            for (_, block) in busy(places, blocks.iter()) {
                rows.push(state);
                inputs.push(core::slice::from_ref(block));
            }
            H::compress_streams(sha, &mut rows, &inputs);
            drop(inputs);
            for (row, (_, block)) in rows.iter().zip(busy(places, blocks.iter_mut())) {
                self.layout.advance(block.elements_mut(), row.elements());
            }
        }
    }
}

/// The blocks of the chains that are not at their end.
fn busy<'p, B>(
    places: &'p [(usize, u32)],
    blocks: impl Iterator<Item = B> + 'p,
) -> impl Iterator<Item = (&'p (usize, u32), B)> {
    places.iter().zip(blocks).filter(|(place, _)| place.1 > 0)
}

/// Some steps of the chain in each lane.
struct Steps<'c, 'l, H: LaneHash<Word: From<u32>>> {
    chains: &'c Chains<'l, H>,
    /// The messages, padded.
    blocks: &'c mut [Block<H::Word>],
    count: u32,
}

impl<H: LaneHash<Word: From<u32>>> LaneJob for Steps<'_, '_, H> {
    const KERNELS: KernelSet = H::KERNELS;

    type Word = H::Word;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<Word = H::Word>>(self, token: V::Token) {
        let Self { chains, blocks, count, .. } = self;
        let layout = chains.layout;
        let blocks = &mut blocks[..V::COUNT];
        let value_mask = mask::<V>(token, H::ORDER, &layout.value);
        let counter_mask = mask::<V>(token, H::ORDER, &layout.counter);
        let mut block = V::load_blocks(
            token,
            H::ORDER,
            #[inline(always)]
            |lane| &blocks[lane],
        );
        let mut fixed = block;
        for i in 0..BLOCK_WORDS {
            fixed[i] = block[i] & !(value_mask[i] | counter_mask[i]);
        }
        let mut counter = counters::<V>(token, &layout.counter, blocks);
        let one = V::splat(token, 1.into());
        let words = layout.value.len().div_ceil(H::Word::BYTES);
        for _ in 0..count {
            let mut state: H::State<V> = splat_all(token, chains.state.elements());
            H::compress(token, &mut state, block);
            block = fixed;
            for i in 0..words {
                let at = (layout.value.start + i * H::Word::BYTES) as isize;
                place(&mut block, H::ORDER, state.elements()[i], at, &value_mask);
            }
            counter = counter + one;
            if !layout.counter.is_empty() {
                let at = layout.counter.end as isize - H::Word::BYTES as isize;
                let digits = match H::ORDER {
                    ByteOrder::Big => counter,
                    ByteOrder::Little => counter.swap_bytes(),
                };
                place(&mut block, H::ORDER, digits, at, &counter_mask);
            }
        }
        let (halves, _) = block.as_chunks::<ROW_WORDS>();
        for half in 0..2 {
            V::store_rows(
                halves[half],
                #[inline(always)]
                |lane, words| {
                    let row = H::Word::row_of(words, H::ORDER);
                    let len = row.elements().len();
                    blocks[lane].elements_mut()[half * len..][..len]
                        .copy_from_slice(row.elements());
                },
            );
        }
    }
}

/// Ones in the bits of a block that hold these bytes.
#[inline(always)]
fn mask<V: Lanes>(token: V::Token, order: ByteOrder, bytes: &Range<usize>) -> [V; BLOCK_WORDS] {
    let mut block = *V::Word::zero_block();
    block.elements_mut()[bytes.clone()].fill(0xff);
    let mut mask = [V::splat(token, V::Word::default()); BLOCK_WORDS];
    for half in 0..2 {
        let words = V::Word::words_of(&V::Word::rows_of(&block)[half], order);
        for i in 0..ROW_WORDS {
            mask[half * ROW_WORDS + i] = V::splat(token, words[i]);
        }
    }
    mask
}

/// The counter of each lane.
#[inline(always)]
fn counters<V: Lanes<Word: From<u32>>>(
    token: V::Token,
    bytes: &Range<usize>,
    blocks: &[Block<V::Word>],
) -> V {
    let mut words = [V::Word::default(); MAX_LANES];
    for lane in 0..V::COUNT {
        let mut counter = 0;
        for &byte in &blocks[lane].elements()[bytes.clone()] {
            counter = counter << 8 | u32::from(byte);
        }
        words[lane] = counter.into();
    }
    V::from_words(token, &words)
}

/// Puts a word of each lane in the place of the bytes from `at` on, as far as `mask` has them.
#[inline(always)]
fn place<V: Lanes>(
    block: &mut [V; BLOCK_WORDS],
    order: ByteOrder,
    word: V,
    at: isize,
    mask: &[V; BLOCK_WORDS],
) {
    let size = V::Word::BYTES as isize;
    let (first, bits) = (at.div_euclid(size), 8 * at.rem_euclid(size) as u32);
    if bits == 0 {
        put(block, first, word, mask);
        return;
    }
    let rest = V::Word::BITS - bits;
    let (head, tail) = match order {
        ByteOrder::Big => (word.shift_right(bits), word.shift_left(rest)),
        ByteOrder::Little => (word.shift_left(bits), word.shift_right(rest)),
    };
    put(block, first, head, mask);
    put(block, first + 1, tail, mask);
}

/// Puts a part of a word into word `i`; before the block and after it there is nothing to replace.
#[inline(always)]
fn put<V: Lanes>(block: &mut [V; BLOCK_WORDS], i: isize, part: V, mask: &[V; BLOCK_WORDS]) {
    let i = i as usize;
    if i < BLOCK_WORDS {
        block[i] = block[i] | part & mask[i];
    }
}
