//! Chains of hashes: messages that are hashed again and again, with the digest in the place of what
//! was hashed before, as in hash-based signatures.
//!
//! A chain stays in its lane until it ends, and then the next one takes the lane.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;
use core::slice;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::cpu::ShaExtensions;
use crate::hash::{LaneHash, Start};
use crate::kernel::{KernelSet, LaneJob, Pass};
use crate::lanes::{Lanes, MAX_LANES, splat_all};
use crate::padding::block_bytes;
use crate::pbkdf2::plan_of_chains;
use crate::stream::RowOf;
use crate::word::{Array, Block, ByteOrder, ROW_WORDS, Word};

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
    let max_len = block_bytes::<H::Word>() - 2 * H::Word::BYTES - 1;
    let mut chains = Chains::new(layout, messages, steps, max_len, H::DIGEST_BYTES);
    let mut padded = *H::Word::zero_block();
    padded.elements_mut()[layout.message_len] = 0x80;
    let before = start.ends_after.unwrap_or(0);
    H::Word::write_length(&mut padded, H::ORDER, before + layout.message_len as u64);
    let state = start.state.map_or(H::IV, H::state);
    // Chains cost what those of PBKDF2 do: messages that are loaded for each hash cost more.
    let plan = plan_of_chains::<H>(backend, chains.count());
    for (pass, range) in plan.passes(backend, chains.count()) {
        let lanes = pass.messages::<H::Word>();
        chains.run(range, lanes, padded, |blocks, places, count| match pass {
            Pass::Lanes(kernel) => kernel.run(Steps::<H> { state: &state, layout, blocks, count }),
            Pass::Sha(sha, _) => run_streams::<H>(sha, &state, layout, blocks, places, count),
        });
    }
}

/// Chains on their way through the lanes of any hash.
#[derive(Debug)]
pub struct Chains<'c> {
    layout: &'c ChainLayout,
    messages: &'c mut [u8],
    steps: &'c [u32],
    /// The chains that have steps, the longest first, so that lanes are idle only while the last
    /// ones end.
    queue: Vec<usize>,
}

/// What is in a lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    chain: usize,
    /// The steps that the chain has left; 0 if there is none.
    pub left: u32,
}

impl<'c> Chains<'c> {
    /// The chains of `messages`, end to end, for a hash with messages of at most `max_len` bytes
    /// and digests of `max_value`.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many messages as `steps`, or if messages or values are too long.
    #[track_caller]
    #[must_use]
    pub fn new(
        layout: &'c ChainLayout,
        messages: &'c mut [u8],
        steps: &'c [u32],
        max_len: usize,
        max_value: usize,
    ) -> Self {
        let (len, value_len) = (layout.message_len, layout.value.len());
        let (bytes, count) = (messages.len(), steps.len());
        assert!(
            Some(bytes) == count.checked_mul(len),
            "{count} chains have messages of {len} bytes each, not {bytes} bytes together"
        );
        assert!(
            value_len <= max_value,
            "a value of {value_len} bytes is longer than a digest, {max_value} bytes"
        );
        assert!(len <= max_len, "a message of a chain has at most {max_len} bytes, not {len}");
        let mut queue: Vec<usize> = (0..count).filter(|&i| steps[i] > 0).collect();
        queue.sort_by_key(|&i| Reverse(steps[i]));
        Self { layout, messages, steps, queue }
    }

    /// The number of chains that have steps.
    #[must_use]
    pub fn count(&self) -> usize {
        self.queue.len()
    }

    /// Runs these chains to their ends, in this number of lanes. `padded` is a block with the
    /// padding of a message.
    ///
    /// `advance` takes the message in each lane by some steps further; what it does to those of
    /// lanes without a chain does not matter.
    pub fn run<B: Array<u8>>(
        &mut self,
        chains: Range<usize>,
        lanes: usize,
        padded: B,
        mut advance: impl FnMut(&mut [B], &[Place], u32),
    ) {
        let Self { layout, messages, steps, queue } = self;
        let len = layout.message_len;
        let mut queue = queue[chains].iter();
        let mut all_blocks = [padded; MAX_LANES];
        let mut all_places = [Place::default(); MAX_LANES];
        let (blocks, places) = (&mut all_blocks[..lanes], &mut all_places[..lanes]);
        loop {
            for (place, block) in places.iter_mut().zip(&mut *blocks) {
                if place.left == 0 {
                    let Some(&chain) = queue.next() else { continue };
                    *place = Place { chain, left: steps[chain] };
                    let message = &messages[chain * len..][..len];
                    block.elements_mut()[..len].copy_from_slice(message);
                }
            }
            let lefts = places.iter().map(|place| place.left).filter(|&left| left > 0);
            let Some(count) = lefts.min() else { return };
            advance(blocks, places, count);
            for (place, block) in places.iter_mut().zip(&*blocks) {
                if place.left > 0 {
                    place.left -= count;
                    if place.left == 0 {
                        messages[place.chain * len..][..len]
                            .copy_from_slice(&block.elements()[..len]);
                    }
                }
            }
        }
    }
}

/// Advances the chains in the lanes by `count` steps, with SHA instructions.
fn run_streams<H: LaneHash>(
    sha: ShaExtensions,
    state: &H::State<H::Word>,
    layout: &ChainLayout,
    blocks: &mut [Block<H::Word>],
    places: &[Place],
    count: u32,
) {
    let busy: ArrayVec<usize, MAX_LANES> =
        (0..places.len()).filter(|&i| places[i].left > 0).collect();
    let state = H::row(state);
    for _ in 0..count {
        let mut rows: ArrayVec<RowOf<H>, MAX_LANES> = ArrayVec::new();
        let mut inputs: ArrayVec<&[Block<H::Word>], MAX_LANES> = ArrayVec::new();
        for &i in &busy {
            rows.push(state);
            inputs.push(slice::from_ref(&blocks[i]));
        }
        H::compress_streams(sha, &mut rows, &inputs);
        drop(inputs);
        for (row, &i) in rows.iter().zip(&busy) {
            layout.advance(blocks[i].elements_mut(), row.elements());
        }
    }
}

/// Some steps of the chain in each lane.
struct Steps<'c, H: LaneHash> {
    /// The state before each message.
    state: &'c H::State<H::Word>,
    layout: &'c ChainLayout,
    /// The messages, padded.
    blocks: &'c mut [Block<H::Word>],
    count: u32,
}

impl<H: LaneHash<Word: From<u32>>> LaneJob for Steps<'_, H> {
    const KERNELS: KernelSet = H::KERNELS;

    type Word = H::Word;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<Word = H::Word>>(self, token: V::Token) {
        let Self { state: start, layout, blocks, count } = self;
        let blocks = &mut blocks[..V::COUNT];
        let mut block = V::load_blocks(
            token,
            H::ORDER,
            #[inline(always)]
            |lane| &blocks[lane],
        );
        let mut parts = ChainParts::new(token, H::ORDER, layout, blocks, block);
        for _ in 0..count {
            let mut state: H::State<V> = splat_all(token, start.elements());
            H::compress(token, &mut state, block);
            block = parts.next(token, H::ORDER, layout, state.elements());
        }
        let (halves, _) = block.as_chunks::<ROW_WORDS>();
        for half in 0..2 {
            V::store_rows(
                halves[half],
                #[inline(always)]
                |lane, words| {
                    H::Word::rows_of_mut(&mut blocks[lane])[half] =
                        H::Word::row_of(words, H::ORDER);
                },
            );
        }
    }
}

/// The messages in lanes, divided into what stays and what changes from step to step.
pub struct ChainParts<V, A> {
    /// The words without value and counter.
    fixed: A,
    /// Ones in the place of the value.
    value: A,
    /// Ones in the place of the counter.
    counter: A,
    count: V,
}

impl<V: Lanes<Word: From<u32>>, A: Array<V>> ChainParts<V, A> {
    /// The messages whose words in lanes are `words`, and whose bytes are in `blocks`.
    #[inline(always)]
    pub fn new<B: Array<u8>>(
        token: V::Token,
        order: ByteOrder,
        layout: &ChainLayout,
        blocks: &[B],
        words: A,
    ) -> Self {
        let value: A = mask(token, order, &layout.value);
        let counter: A = mask(token, order, &layout.counter);
        let mut fixed: A = words;
        for i in 0..A::LEN {
            let changing = value.elements()[i] | counter.elements()[i];
            fixed.elements_mut()[i] = words.elements()[i] & !changing;
        }
        let mut counts = [V::Word::default(); MAX_LANES];
        for lane in 0..V::COUNT {
            let mut count = 0;
            for &byte in &blocks[lane].elements()[layout.counter.clone()] {
                count = count << 8 | u32::from(byte);
            }
            counts[lane] = count.into();
        }
        Self { fixed, value, counter, count: V::from_words(token, &counts) }
    }

    /// The words of the next messages, after a step with the digest whose first words these are.
    #[inline(always)]
    pub fn next(
        &mut self,
        token: V::Token,
        order: ByteOrder,
        layout: &ChainLayout,
        digest: &[V],
    ) -> A {
        let size = V::Word::BYTES;
        let mut block = self.fixed;
        for i in 0..layout.value.len().div_ceil(size) {
            let at = (layout.value.start + i * size) as isize;
            place(&mut block, order, digest[i], at, &self.value);
        }
        self.count = self.count + V::splat(token, 1.into());
        if !layout.counter.is_empty() {
            let digits = match order {
                ByteOrder::Big => self.count,
                ByteOrder::Little => self.count.swap_bytes(),
            };
            let at = layout.counter.end as isize - size as isize;
            place(&mut block, order, digits, at, &self.counter);
        }
        block
    }
}

/// Ones in the bits of a block that hold these bytes.
#[inline(always)]
fn mask<V: Lanes, A: Array<V>>(token: V::Token, order: ByteOrder, bytes: &Range<usize>) -> A {
    let mut mask = A::filled(V::splat(token, V::Word::default()));
    for i in 0..A::LEN {
        let mut row = *V::Word::zero_row();
        for k in 0..V::Word::BYTES {
            if bytes.contains(&(i * V::Word::BYTES + k)) {
                row.elements_mut()[k] = 0xff;
            }
        }
        mask.elements_mut()[i] = V::splat(token, V::Word::words_of(&row, order)[0]);
    }
    mask
}

/// Puts a word of each lane in the place of the bytes from `at` on, as far as `mask` has them.
#[inline(always)]
fn place<V: Lanes, A: Array<V>>(block: &mut A, order: ByteOrder, word: V, at: isize, mask: &A) {
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
fn put<V: Lanes, A: Array<V>>(block: &mut A, i: isize, part: V, mask: &A) {
    let i = i as usize;
    if i < A::LEN {
        let word = block.elements()[i];
        block.elements_mut()[i] = word | part & mask.elements()[i];
    }
}
