//! What runs in lanes: whole messages of equal length, and blocks that continue states.

use core::hint::black_box;

use hash_lanes::Backend;
use hash_lanes::engine::{Kernel, KernelSet, LaneJob, Lanes};

use crate::hw;
use crate::rounds::{self, permute, permute_to_first_row};

/// The kernels: 8, 4 or 2 lanes and one message. Two interleaved groups would not fit into the
/// registers.
pub(crate) const KERNELS: KernelSet = KernelSet::SINGLE_GROUPS.with(Kernel::Bmix1);

/// The most messages in a pass: a 512-bit vector holds eight words.
pub(crate) const MAX_MESSAGES: usize = 8;

/// The state of one message, between permutations.
pub(crate) type State = rounds::State<u64>;

/// A state before the first byte.
pub(crate) const EMPTY: State = [0; 25];

/// A digest of at most 32 bytes, followed by more of the state.
pub(crate) type ShortRow = [u8; 32];

/// A digest of at most 64 bytes, followed by more of the state.
pub(crate) type LongRow = [u8; 64];

/// The parameters of a sponge. They are values, not types, so that one copy of each kernel serves
/// all functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sponge {
    /// The number of bytes in a block, a multiple of 8: 72 to 168.
    pub(crate) rate: usize,
    /// What follows the message: the bits that separate the domains, then the first bit of the
    /// padding (FIPS 202 §B.2).
    pub(crate) suffix: u8,
    /// The number of rounds of the permutation: 24 or 12.
    pub(crate) rounds: usize,
}

/// A function on a backend. The state before the first byte is separate, because few have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) backend: Backend,
    pub(crate) sponge: Sponge,
}

/// A pass of these kernels, or of SHA3 instructions.
pub(crate) type Pass = hash_lanes::engine::Pass<hw::Sha3Instructions>;

/// Runs a job in the lanes of a pass.
#[inline]
pub(crate) fn run<J: LaneJob<Word = u64>>(pass: Pass, job: J) -> J::Output {
    match pass {
        Pass::Lanes(kernel) => kernel.run(job),
        Pass::Sha(sha, _) => hw::run(sha, job),
    }
}

/// The last bit of the padding, in the last byte of the block.
const LAST_BIT: u64 = 1 << 63;

/// Messages of equal length, from the first byte to the digest.
pub(crate) struct Alike<'a> {
    pub(crate) sponge: Sponge,
    /// The state before the first byte; `None`: [`EMPTY`].
    pub(crate) initial: Option<&'a State>,
    /// Of equal length. If there are `tails`, they only have as many whole blocks.
    pub(crate) messages: &'a [&'a [u8]],
    /// The last block of each message, padded in memory. Empty: messages are padded in the lanes.
    pub(crate) tails: &'a [Block],
    pub(crate) results: Results<'a>,
}

/// The longest block. Shorter ones leave the end unused.
pub(crate) type Block = [u8; MAX_RATE];

/// The rate of SHAKE128.
pub(crate) const MAX_RATE: usize = 168;

/// What becomes of each message.
pub(crate) enum Results<'a> {
    /// The first 32 bytes of its digest.
    Short(&'a mut [ShortRow]),
    /// The first 64 bytes.
    Long(&'a mut [LongRow]),
    /// Its state.
    States(&'a mut [State]),
}

impl LaneJob for Alike<'_> {
    const KERNELS: KernelSet = KERNELS;

    type Word = u64;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<Word = u64>>(self, token: V::Token) {
        let Self { sponge, initial, messages, tails, mut results } = self;
        let mut first = 0;
        while first < messages.len() {
            let lanes = fill_lanes::<V>(&messages[first..]);
            let len = lanes[0].len();
            let (mut state, mut at) = if tails.is_empty() {
                (absorb_first::<V>(token, sponge, initial, &lanes), sponge.rate)
            } else {
                (initial_state(token, initial), 0)
            };
            let mut is_absorbed = at > 0;
            while at <= len {
                if is_absorbed {
                    permute(token, &mut state, sponge.rounds);
                }
                is_absorbed = true;
                if tails.is_empty() || at + sponge.rate <= len {
                    absorb::<V>(token, &mut state, sponge, &lanes, at);
                } else {
                    let mut blocks = [&tails[first][..]; MAX_MESSAGES];
                    for lane in 1..V::COUNT {
                        blocks[lane] = tails.get(first + lane).unwrap_or(&tails[first]);
                    }
                    absorb_whole::<V>(token, &mut state, sponge.rate / 8, &blocks, 0);
                }
                at += sponge.rate;
            }
            match &mut results {
                Results::Short(rows) => {
                    let words = permute_to_first_row(token, &mut state, sponge.rounds);
                    store_digests::<V, 32>(&words, &mut rows[first..]);
                }
                Results::Long(rows) => {
                    permute(token, &mut state, sponge.rounds);
                    store_digests::<V, 64>(&state, &mut rows[first..]);
                }
                Results::States(states) => {
                    permute(token, &mut state, sponge.rounds);
                    store_states(&state, &mut states[first..]);
                }
            }
            first += V::COUNT;
        }
    }
}

/// Zeros that are hidden from the compiler: filling a state with known ones would be a call of
/// `memset`.
#[inline(always)]
fn zero<V: Lanes<Word = u64>>(token: V::Token) -> V {
    V::splat(token, black_box(0))
}

/// The state before the first byte, in every lane.
#[inline(always)]
fn initial_state<V: Lanes<Word = u64>>(token: V::Token, state: Option<&State>) -> rounds::State<V> {
    match state {
        Some(state) => splat_state(token, state),
        None => [zero(token); 25],
    }
}

/// The same state in every lane.
#[inline(always)]
pub(crate) fn splat_state<V: Lanes<Word = u64>>(
    token: V::Token,
    state: &State,
) -> rounds::State<V> {
    let mut lanes = [zero(token); 25];
    for i in 0..25 {
        lanes[i] = V::splat(token, state[i]);
    }
    lanes
}

/// The messages of the lanes; idle lanes repeat the first one.
#[inline(always)]
fn fill_lanes<'m, V: Lanes>(messages: &[&'m [u8]]) -> [&'m [u8]; MAX_MESSAGES] {
    let mut lanes = [messages[0]; MAX_MESSAGES];
    for lane in 1..V::COUNT {
        lanes[lane] = messages.get(lane).copied().unwrap_or(messages[0]);
    }
    lanes
}

/// The state after absorbing the first block of messages of equal length, padded if they end in it.
///
/// The lengths that trees, addresses and slot keys have stay in registers: a number of words that
/// is only known here needs the state in memory.
#[inline(always)]
fn absorb_first<V: Lanes<Word = u64>>(
    token: V::Token,
    sponge: Sponge,
    initial: Option<&State>,
    lanes: &[&[u8]; MAX_MESSAGES],
) -> rounds::State<V> {
    match (sponge.rate, lanes[0].len(), initial) {
        (136, 32, None) => absorb_words::<V, 4, 17>(token, sponge, lanes),
        (136, 64, None) => absorb_words::<V, 8, 17>(token, sponge, lanes),
        (136, 136.., None) => absorb_words::<V, 17, 17>(token, sponge, lanes),
        (_, _, initial) => {
            let mut state = initial_state(token, initial);
            absorb::<V>(token, &mut state, sponge, lanes, 0);
            state
        }
    }
}

/// The state after absorbing the first `WORDS` words of each message, and the padding if they do
/// not fill the block.
#[inline(always)]
fn absorb_words<V: Lanes<Word = u64>, const WORDS: usize, const RATE_WORDS: usize>(
    token: V::Token,
    sponge: Sponge,
    lanes: &[&[u8]; MAX_MESSAGES],
) -> rounds::State<V> {
    let mut state = [zero(token); 25];
    for quad in 0..WORDS / 4 {
        let words = load_quads::<V>(token, lanes, 32 * quad);
        state[4 * quad..][..4].copy_from_slice(&words);
    }
    for i in WORDS - WORDS % 4..WORDS {
        state[i] = load_word::<V>(token, lanes, 8 * i);
    }
    if WORDS < RATE_WORDS {
        state[WORDS] = V::splat(token, sponge.suffix.into());
        state[RATE_WORDS - 1] = V::splat(token, LAST_BIT);
    }
    state
}

/// Absorbs the block at `at` of messages of equal length, padded if it is the last one.
#[inline(always)]
fn absorb<V: Lanes<Word = u64>>(
    token: V::Token,
    state: &mut rounds::State<V>,
    sponge: Sponge,
    lanes: &[&[u8]; MAX_MESSAGES],
    at: usize,
) {
    let len = lanes[0].len();
    let left = len - at;
    if left == 0 && sponge.rate == 136 {
        // With the digest lengths of this rate, trees and XOFs often end so.
        state[0] = state[0] ^ V::splat(token, sponge.suffix.into());
        state[16] = state[16] ^ V::splat(token, LAST_BIT);
        return;
    }
    let words = left.min(sponge.rate) / 8;
    absorb_whole::<V>(token, state, words, lanes, at);
    if left < sponge.rate {
        let rest = left % 8;
        let mut word = V::splat(token, u64::from(sponge.suffix) << (8 * rest));
        if rest > 0 {
            let mut tails = [0; MAX_MESSAGES];
            for lane in 0..V::COUNT {
                tails[lane] = last_bytes(lanes[lane], rest);
            }
            word = word ^ V::from_words(token, &tails);
        }
        state[words] = state[words] ^ word;
        let last = sponge.rate / 8 - 1;
        state[last] = state[last] ^ V::splat(token, LAST_BIT);
    }
}

/// Absorbs the `words` words of each message from byte `at` on.
#[inline(always)]
fn absorb_whole<V: Lanes<Word = u64>>(
    token: V::Token,
    state: &mut rounds::State<V>,
    words: usize,
    lanes: &[&[u8]; MAX_MESSAGES],
    at: usize,
) {
    let mut i = 0;
    while i + 4 <= words {
        let quad = load_quads::<V>(token, lanes, at + 8 * i);
        for k in 0..4 {
            state[i + k] = state[i + k] ^ quad[k];
        }
        i += 4;
    }
    while i < words {
        state[i] = state[i] ^ load_word::<V>(token, lanes, at + 8 * i);
        i += 1;
    }
}

/// Four words of each message from byte `at` on.
#[inline(always)]
pub(crate) fn load_quads<V: Lanes<Word = u64>>(
    token: V::Token,
    lanes: &[&[u8]; MAX_MESSAGES],
    at: usize,
) -> [V; 4] {
    V::load_quads(
        token,
        // Falling back to a constant instead of panicking removes the branch.
        #[inline(always)]
        |lane| {
            let bytes = lanes[lane].get(at..at + 32).and_then(|bytes| bytes.first_chunk());
            words_of(bytes.unwrap_or(&[0; 32]))
        },
    )
}

#[inline(always)]
fn words_of(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    [
        u64::from_le_bytes(words[0]),
        u64::from_le_bytes(words[1]),
        u64::from_le_bytes(words[2]),
        u64::from_le_bytes(words[3]),
    ]
}

/// The word of each message at byte `at`.
#[inline(always)]
pub(crate) fn load_word<V: Lanes<Word = u64>>(
    token: V::Token,
    lanes: &[&[u8]; MAX_MESSAGES],
    at: usize,
) -> V {
    let mut words = [0; MAX_MESSAGES];
    for lane in 0..V::COUNT {
        let bytes = lanes[lane].get(at..at + 8).and_then(|bytes| bytes.first_chunk());
        words[lane] = u64::from_le_bytes(*bytes.unwrap_or(&[0; 8]));
    }
    V::from_words(token, &words)
}

/// The last `count` bytes of a message, 1 to 7, as a word.
#[inline(always)]
fn last_bytes(message: &[u8], count: usize) -> u64 {
    match message.last_chunk() {
        Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * count),
        None => message.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Stores the first words of each lane in its row.
#[inline(always)]
fn store_digests<V: Lanes<Word = u64>, const BYTES: usize>(words: &[V], rows: &mut [[u8; BYTES]]) {
    for quad in 0..BYTES / 32 {
        let mut four = [words[0]; 4];
        four.copy_from_slice(&words[4 * quad..][..4]);
        V::store_quads(
            four,
            #[inline(always)]
            |lane, words| {
                if let Some(row) = rows.get_mut(lane) {
                    let (bytes, _) = row[32 * quad..].as_chunks_mut::<8>();
                    for k in 0..4 {
                        bytes[k] = words[k].to_le_bytes();
                    }
                }
            },
        );
    }
}

/// Stores the state of each lane.
#[inline(always)]
fn store_states<V: Lanes<Word = u64>>(state: &rounds::State<V>, states: &mut [State]) {
    for quad in 0..6 {
        let mut four = [state[0]; 4];
        four.copy_from_slice(&state[4 * quad..][..4]);
        V::store_quads(
            four,
            #[inline(always)]
            |lane, words| {
                if let Some(state) = states.get_mut(lane) {
                    state[4 * quad..][..4].copy_from_slice(&words);
                }
            },
        );
    }
    let mut words = [0; MAX_MESSAGES];
    state[24].to_words(&mut words);
    // Hidden from the compiler, which would scatter them with AVX-512.
    let words = black_box(words);
    for (state, word) in states.iter_mut().zip(&words[..V::COUNT]) {
        state[24] = *word;
    }
}

/// Stores the first `words` words of each lane in its output, from byte `at` on.
#[inline(always)]
fn squeeze_whole<V: Lanes<Word = u64>>(
    state: &rounds::State<V>,
    words: usize,
    outputs: &mut [&mut [u8]],
    at: usize,
) {
    let mut i = 0;
    while i + 4 <= words {
        V::store_quads(
            [state[i], state[i + 1], state[i + 2], state[i + 3]],
            #[inline(always)]
            |lane, words| {
                let at = at + 8 * i;
                if let Some(output) = outputs.get_mut(lane)
                    && let Some(bytes) = output.get_mut(at..at + 32)
                {
                    let (bytes, _) = bytes.as_chunks_mut::<8>();
                    for k in 0..4 {
                        bytes[k] = words[k].to_le_bytes();
                    }
                }
            },
        );
        i += 4;
    }
    while i < words {
        let mut lanes = [0; MAX_MESSAGES];
        state[i].to_words(&mut lanes);
        // Hidden from the compiler, which would scatter them with AVX-512.
        let lanes = black_box(lanes);
        let at = at + 8 * i;
        for (output, word) in outputs.iter_mut().zip(&lanes[..V::COUNT]) {
            if let Some(bytes) = output.get_mut(at..at + 8) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
        }
        i += 1;
    }
}

/// The state of each lane; idle lanes repeat the first one.
#[inline(always)]
fn load_states<V: Lanes<Word = u64>>(token: V::Token, states: &[State]) -> rounds::State<V> {
    let mut state = [zero(token); 25];
    for quad in 0..6 {
        let four = V::load_quads(
            token,
            #[inline(always)]
            |lane| {
                let state = states.get(lane).unwrap_or(&states[0]);
                [state[4 * quad], state[4 * quad + 1], state[4 * quad + 2], state[4 * quad + 3]]
            },
        );
        state[4 * quad..][..4].copy_from_slice(&four);
    }
    let mut words = [0; MAX_MESSAGES];
    for lane in 0..V::COUNT {
        words[lane] = states.get(lane).unwrap_or(&states[0])[24];
    }
    state[24] = V::from_words(token, &words);
    state
}

/// States that are permuted `count` times, each time after absorbing a block of their message or
/// before squeezing a block of their output.
pub(crate) struct Advance<'a, 'o> {
    pub(crate) sponge: Sponge,
    pub(crate) states: &'a mut [State],
    /// As many as states, of at least `count` blocks; empty ones to absorb nothing.
    pub(crate) blocks: &'a [&'a [u8]],
    /// As many as states, of at least `count` blocks; none to squeeze nothing.
    pub(crate) outputs: &'a mut [&'o mut [u8]],
    pub(crate) count: usize,
}

impl LaneJob for Advance<'_, '_> {
    const KERNELS: KernelSet = KERNELS;

    type Word = u64;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<Word = u64>>(self, token: V::Token) {
        let Self { sponge, states, blocks, outputs, count } = self;
        let words = sponge.rate / 8;
        let mut first = 0;
        for (states, blocks) in states.chunks_mut(V::COUNT).zip(blocks.chunks(V::COUNT)) {
            let outputs = outputs.get_mut(first..).unwrap_or_default();
            first += V::COUNT;
            let lanes = fill_lanes::<V>(blocks);
            let mut state = load_states::<V>(token, states);
            for block in 0..count {
                if !lanes[0].is_empty() {
                    absorb_whole::<V>(token, &mut state, words, &lanes, block * sponge.rate);
                }
                permute(token, &mut state, sponge.rounds);
                if !outputs.is_empty() {
                    squeeze_whole(&state, words, outputs, block * sponge.rate);
                }
            }
            store_states(&state, states);
        }
    }
}
