//! The compression function itself, with every kernel.

use std::marker::PhantomData;

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_WORDS, Block, ByteOrder, KernelSet, LaneHash, LaneJob, LaneKernel, Lanes, MAX_LANES, Pass,
};

use crate::{Subject, backends, painted};

/// A state of each lane.
pub type States<const WORDS: usize> = [[u32; WORDS]; MAX_LANES];

/// A message of 119 bytes for each lane, which with its padding is two blocks.
pub type Padded = [[Block; 2]; MAX_LANES];

/// Every lane kernel of this machine, except two interleaved groups, which take long to compile.
/// The tests of whole messages run those.
#[must_use]
pub fn kernels() -> Vec<LaneKernel> {
    let of_backend = |backend: Backend| backend.kernels().map(move |kernel| backend.pass(kernel));
    let mut unique: Vec<LaneKernel> = Vec::new();
    for pass in backends().into_iter().flat_map(of_backend) {
        if let Pass::Lanes(lanes) = pass
            && KernelSet::SINGLE_GROUPS.contains(lanes.kernel())
            && unique.iter().all(|other| other.kernel() != lanes.kernel())
        {
            unique.push(lanes);
        }
    }
    unique
}

/// The state of each lane, in memory.
#[inline(always)]
pub fn stored<V: Lanes, const WORDS: usize>(state: [V; WORDS]) -> States<WORDS> {
    let mut states = [[0; WORDS]; MAX_LANES];
    for i in 0..WORDS {
        let mut words = [0; MAX_LANES];
        state[i].to_words(&mut words);
        for lane in 0..V::COUNT {
            states[lane][i] = words[lane];
        }
    }
    states
}

/// Block `i` of each lane's message.
#[inline(always)]
pub fn loaded<V: Lanes>(
    token: V::Token,
    order: ByteOrder,
    messages: &Padded,
    i: usize,
) -> [V; BLOCK_WORDS] {
    V::load_blocks(
        token,
        order,
        #[inline(always)]
        |lane| &messages[lane][i],
    )
}

/// A message for each lane, the first with `seed`.
#[must_use]
pub fn messages(seed: usize, length: usize) -> [Vec<u8>; MAX_LANES] {
    std::array::from_fn(|lane| painted(seed + lane, length))
}

/// Pads messages of 119 bytes by the standard's words.
///
/// # Panics
///
/// Panics if a message has another length.
#[must_use]
pub fn padded(order: ByteOrder, messages: &[Vec<u8>; MAX_LANES]) -> Padded {
    let bits = 119_u64 * 8;
    messages.each_ref().map(|message| {
        let mut bytes = message.clone();
        bytes.push(0x80);
        bytes.extend(match order {
            ByteOrder::Big => bits.to_be_bytes(),
            ByteOrder::Little => bits.to_le_bytes(),
        });
        assert_eq!(bytes.len(), 128);
        bytes.as_chunks().0.try_into().unwrap()
    })
}

/// Asserts that the state of each lane is the digest of its message.
///
/// # Panics
///
/// Panics if one is not.
pub fn assert_digests<S: Subject<WORDS>, const WORDS: usize>(
    kernel: LaneKernel,
    states: &States<WORDS>,
    messages: &[Vec<u8>; MAX_LANES],
    reference: impl Fn(&[u8]) -> S::Digest,
) {
    for lane in 0..kernel.lanes() {
        let bytes: Vec<u8> =
            states[lane].iter().flat_map(|word| to_bytes::<S, WORDS>(*word)).collect();
        assert_eq!(bytes, reference(&messages[lane]).as_ref(), "{kernel:?}, lane {lane}");
    }
}

fn to_bytes<S: Subject<WORDS>, const WORDS: usize>(word: u32) -> [u8; 4] {
    match S::Hash::ORDER {
        ByteOrder::Big => word.to_be_bytes(),
        ByteOrder::Little => word.to_le_bytes(),
    }
}

struct TwoBlocks<'a, S, const WORDS: usize>(&'a Padded, PhantomData<S>);

impl<S: Subject<WORDS>, const WORDS: usize> LaneJob for TwoBlocks<'_, S, WORDS> {
    type Output = States<WORDS>;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> States<WORDS> {
        let mut state = S::initial_state::<V>(token);
        for i in 0..2 {
            S::compress(token, &mut state, loaded(token, S::Hash::ORDER, self.0, i));
        }
        stored(state)
    }
}

struct InitialState<S, const WORDS: usize>(PhantomData<S>);

impl<S: Subject<WORDS>, const WORDS: usize> LaneJob for InitialState<S, WORDS> {
    type Output = States<WORDS>;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> States<WORDS> {
        stored(S::initial_state::<V>(token))
    }
}

pub fn block_after_block<S: Subject<WORDS>, const WORDS: usize>() {
    let messages = messages(0, 119);
    let blocks = padded(S::Hash::ORDER, &messages);
    for kernel in kernels() {
        let states = kernel.run(TwoBlocks::<S, WORDS>(&blocks, PhantomData));
        assert_digests::<S, WORDS>(kernel, &states, &messages, S::reference);
    }
}

pub fn initial_hash_value_in_every_lane<S: Subject<WORDS>, const WORDS: usize>() {
    for kernel in kernels() {
        let states = kernel.run(InitialState::<S, WORDS>(PhantomData));
        assert!(states[..kernel.lanes()].iter().all(|state| *state == S::IV), "{kernel:?}");
    }
}
