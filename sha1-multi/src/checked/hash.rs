//! Describes SHA-1 with collision detection to the engine, and looks into suspicions.

use core::convert::Infallible;
use core::ops::Range;
use core::slice;

use hash_lanes::engine::{
    BLOCK_WORDS, Block, ByteOrder, KernelSet, LaneHash, LaneJob, LaneKernel, Lanes, Length,
    MAX_LANES, Plans, Portable, Row, ShaExtensions, Shape, Suspicion, Suspicions, Vectors, Words,
    compile_kernels, row_of_words,
};

use super::Checked;
use super::conditions::Conditions;
use super::vectors::{DIFFERENCES, DisturbanceVector, EARLY_STEP, LATE_STEP, VECTORS, of_bit};
use crate::rounds::{self, IV, K, State, Watch};
use crate::sha1::Sha1;
use crate::{costs, hw};

/// SHA-1 with collision detection, as the engine sees it.
///
/// The state has a sixth word, the marks of a message, so states carry them wherever they
/// go: through the parts of a message, prefixes and midstates. The digest is that of SHA-1 and then
/// the marks.
///
/// HMAC would hash the marks, so it does not compile:
///
/// ```compile_fail,E0080
/// let macs = sha1_multi::checked::CheckedLanes::default().hmac_many(["key"], ["message"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum CheckedSha1 {}

/// The marks of a message: a collision was found in it.
pub(super) const FOUND: u32 = 1;

/// The marks of a message: a collision that is found changes its digest.
pub(super) const SAFE: u32 = 2;

/// The initial state of a message that asks for a safe digest.
pub(super) static SAFE_ROW: Row =
    row_of_words(ByteOrder::Big, [IV[0], IV[1], IV[2], IV[3], IV[4], SAFE, 0, 0]);

impl LaneHash for CheckedSha1 {
    type Word = u32;
    type State<V: Copy> = [V; 6];
    type Digest = Checked;
    type Ending = Length;
    type Sha = Infallible;
    type Suspicions = Collisions;
    const KERNELS: KernelSet = costs::CHECKED_KERNELS;
    const ORDER: ByteOrder = ByteOrder::Big;
    const IV: [u32; 6] = [IV[0], IV[1], IV[2], IV[3], IV[4], 0];

    #[inline(always)]
    fn compress<V: Lanes<Word = u32>>(
        token: V::Token,
        [a, b, c, d, e, _]: &mut [V; 6],
        block: [V; BLOCK_WORDS],
        (): (),
    ) {
        let mut state = [*a, *b, *c, *d, *e];
        rounds::compress(token, &mut state, block);
        [*a, *b, *c, *d, *e] = state;
    }

    fn plans(shape: Shape) -> &'static Plans {
        costs::checked_plans(shape)
    }
}

compile_kernels!(CheckedSha1);

/// Blocks are suspected of a collision.
#[derive(Clone, Copy, Debug)]
pub struct Collisions;

impl Suspicions<CheckedSha1> for Collisions {
    const RAISED: Option<Self> = Some(Self);

    #[inline(always)]
    fn compress<V: Lanes<Word = u32>>(
        self,
        token: V::Token,
        [a, b, c, d, e, _]: &mut [V; 6],
        block: [V; BLOCK_WORDS],
        (): (),
    ) -> V {
        let mut state = [*a, *b, *c, *d, *e];
        let met = compress_and_evaluate(token, &mut state, block);
        [*a, *b, *c, *d, *e] = state;
        met
    }

    #[inline(always)]
    fn confirm<V: Lanes<Word = u32>>(self, token: V::Token, suspicions: &[Suspicion<u32>]) -> u32 {
        confirm::<V>(token, suspicions)
    }

    fn compress_alone(
        self,
        lanes: LaneKernel,
        sha: Option<ShaExtensions>,
        row: &mut Row,
        blocks: &[Block],
    ) {
        for blocks in blocks.chunks(lanes.lanes::<u32>()) {
            let met = lanes.run(Met { blocks });
            for (block, met) in blocks.iter().zip(met) {
                let before = *row;
                compress_one(sha, row, block);
                let is_right = |bit| {
                    let suspicion = Suspicion::new(*block, before, *row, bit);
                    confirm::<Scalar>(Portable, &[suspicion]) > 0
                };
                if met > 0 && (0..u32::BITS).any(|bit| met >> bit & 1 > 0 && is_right(bit)) {
                    mark_found(sha, row, block);
                }
            }
        }
    }
}

/// Hashes a block of each lane, and evaluates the conditions that it meets.
#[inline(always)]
fn compress_and_evaluate<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) -> V {
    V::outline(
        token,
        #[inline(always)]
        || {
            let mut conditions = Conditions::new(token);
            rounds::eighty_rounds(token, state, block, &mut conditions);
            conditions.met()
        },
    )
}

/// One word at a time.
type Scalar = <u32 as Vectors>::Portable;

/// Hashes a block of one message, whose marks stay as they are.
fn compress_one(sha: Option<ShaExtensions>, row: &mut Row, block: &Block) {
    let mut state = *row;
    if let Some(sha) = sha {
        hw::compress_streams(sha, slice::from_mut(&mut state), &[slice::from_ref(block)]);
    } else {
        let mut words = [Scalar::splat(Portable, 0); 5];
        for (word, value) in words.iter_mut().zip(Sha1::state(row)) {
            *word = Scalar::splat(Portable, value);
        }
        let block = Scalar::load_blocks(Portable, ByteOrder::Big, |_| block);
        rounds::compress(Portable, &mut words, block);
        let mut values = [0; 5];
        for (value, word) in values.iter_mut().zip(words) {
            word.to_words(slice::from_mut(value));
        }
        state = Sha1::row(&values);
    }
    row[..Sha1::DIGEST_BYTES].copy_from_slice(&state[..Sha1::DIGEST_BYTES]);
}

/// Marks a message in whose last block a collision was found. If it asked for a safe digest, the
/// block is hashed twice more, as Stevens' and Shumow's library does: 240 steps are out of reach of
/// the attacks, and the digest is no longer that of the other message.
fn mark_found(sha: Option<ShaExtensions>, row: &mut Row, block: &Block) {
    let mut state = CheckedSha1::state(row);
    state[5] |= FOUND;
    *row = CheckedSha1::row(&state);
    if state[5] & SAFE > 0 {
        compress_one(sha, row, block);
        compress_one(sha, row, block);
    }
}

/// Writes to `met[i]` which disturbance vectors have all unavoidable conditions met by block `i`: a
/// set of bits, of which [`vector_of_bit`] says which vector each is. Constant-time.
///
/// # Panics
///
/// Panics if `met.len() != blocks.len()`.
pub fn conditions_met(lanes: LaneKernel, blocks: &[Block], met: &mut [u32]) {
    assert_eq!(blocks.len(), met.len(), "each block needs a word");
    let count = lanes.lanes::<u32>();
    for (blocks, met) in blocks.chunks(count).zip(met.chunks_mut(count)) {
        met.copy_from_slice(&lanes.run(Met { blocks })[..blocks.len()]);
    }
}

/// The disturbance vector of a bit, below 32, of [`conditions_met`].
#[must_use]
pub const fn vector_of_bit(bit: u32) -> DisturbanceVector {
    VECTORS[of_bit(bit)]
}

/// The vectors whose conditions each of some blocks meets, of which there are at least one and at
/// most as many as lanes. They do not depend on states, so blocks of one message fill the lanes.
struct Met<'b> {
    blocks: &'b [Block],
}

impl LaneJob for Met<'_> {
    const KERNELS: KernelSet = KernelSet::LANES;

    type Word = u32;

    type Output = [u32; MAX_LANES];

    #[inline(always)]
    fn run<V: Lanes<Word = u32>>(self, token: V::Token) -> [u32; MAX_LANES] {
        let last = self.blocks.len() - 1;
        let mut w = V::load_blocks(
            token,
            ByteOrder::Big,
            #[inline(always)]
            |lane| &self.blocks[lane.min(last)],
        );
        let mut conditions = Conditions::new(token);
        macro_rules! words {
            ($($t:literal)+) => {$(
                for t in 0..5 {
                    rounds::schedule(&mut w, $t + t);
                }
                conditions.after_rounds($t + 5, &w);
            )+};
        }
        words!(0 5 10 15 20 25 30 35 40 45);
        conditions.after_rounds(55, &w);
        conditions.after_rounds(65, &w);
        let mut met = [0; MAX_LANES];
        conditions.met().to_words(&mut met);
        met
    }
}

/// Whether the message of each suspicion is one of two that collide after the block: suspicion `i`
/// as bit `i`.
///
/// The working variables of both are equal before the test step of the vector. From there, the
/// block with the difference is followed to both ends. The messages collide if the state that this
/// needs before the block is the one that leads there.
#[inline(always)]
fn confirm<V: Lanes<Word = u32>>(token: V::Token, suspicions: &[Suspicion<u32>]) -> u32 {
    let last = suspicions.len() - 1;
    // Idle lanes repeat the last suspicion.
    let mut early = [0; MAX_LANES];
    for lane in 0..V::COUNT {
        if VECTORS[of_bit(suspicions[lane.min(last)].bit)].test_step() == EARLY_STEP {
            early[lane] = u32::MAX;
        }
    }
    let early = V::from_words(token, &early);
    let block = V::load_blocks(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| &suspicions[lane.min(last)].block,
    );
    let difference = V::load_blocks(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| &DIFFERENCES[of_bit(suspicions[lane.min(last)].bit)],
    );
    let before = V::load_rows(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| &suspicions[lane.min(last)].before,
    );
    let after = V::load_rows(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| &suspicions[lane.min(last)].after,
    );

    let mut w = [block[0]; 80];
    expand(&mut w, &block);
    let mut state = [after[0]; 5];
    for i in 0..5 {
        state[i] = after[i] - before[i];
    }
    undo(token, &mut state, &w, LATE_STEP..80);
    let late_state = state;
    undo(token, &mut state, &w, EARLY_STEP..LATE_STEP);
    let early_state = state;

    let mut other = block;
    for i in 0..BLOCK_WORDS {
        other[i] = block[i] ^ difference[i];
    }
    expand(&mut w, &other);
    advance(token, &mut state, &w, EARLY_STEP..LATE_STEP);
    for i in 0..5 {
        state[i] = early.choose(state[i], late_state[i]);
    }
    advance(token, &mut state, &w, LATE_STEP..80);
    let mut first = late_state;
    undo(token, &mut first, &w, EARLY_STEP..LATE_STEP);
    for i in 0..5 {
        first[i] = early.choose(early_state[i], first[i]);
    }
    undo(token, &mut first, &w, 0..EARLY_STEP);

    let mut differences = V::splat(token, 0);
    for i in 0..5 {
        differences = differences | ((first[i] + state[i]) ^ after[i]);
    }
    differences.zeros() & (u32::MAX >> (u32::BITS as usize - suspicions.len()))
}

/// The message schedule of a block (FIPS 180-4 §6.1.2, step 1).
#[inline(always)]
fn expand<V: Words<Word = u32>>(w: &mut [V; 80], block: &[V; BLOCK_WORDS]) {
    let mut next = *block;
    let (words, _) = w.as_chunks_mut::<BLOCK_WORDS>();
    words[0] = next;
    for words in &mut words[1..] {
        // Not a loop, which would keep the words in memory, in the middle of a dependency chain.
        macro_rules! schedule {
            ($($t:literal)+) => {$(
                rounds::schedule(&mut next, $t);
            )+};
        }
        schedule!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        *words = next;
    }
}

/// The function of round `t` of the working variables b, c and d.
#[inline(always)]
fn function<V: Words<Word = u32>>(t: usize, [b, c, d]: [V; 3]) -> V {
    match t / 20 {
        0 => b.choose(c, d),
        2 => b.majority(c, d),
        _ => b.xor3(c, d),
    }
}

/// Some rounds (step 3).
#[inline(always)]
fn advance<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    w: &[V; 80],
    rounds: Range<usize>,
) {
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for t in rounds {
        let rest = w[t] + V::splat(token, K[t / 20]) + e;
        let next = function(t, [b, c, d]) + rest + a.rotate_left(5);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    *state = [a, b, c, d, e];
}

/// The state before some rounds, from the one after them.
#[inline(always)]
fn undo<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    w: &[V; 80],
    rounds: Range<usize>,
) {
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for t in rounds.rev() {
        let next = a;
        (a, b, c, d) = (b, c.rotate_left(2), d, e);
        // The function last, because it is on the critical path.
        let rest = w[t] + V::splat(token, K[t / 20]) + a.rotate_left(5);
        e = next - rest - function(t, [b, c, d]);
    }
    *state = [a, b, c, d, e];
}
