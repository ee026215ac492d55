//! The compression function itself, with every kernel.

use hash_lanes::{Backend, Block, ByteOrder, LaneJob, LaneKernel, Lanes, MAX_LANES, Two};
use ripemd_multi::hazmat::{IV, State, compress, hash_digest, initial_state};

use crate::{painted, ripemd160};

type Digests = [[u8; 20]; MAX_LANES];

#[inline(always)]
fn digests<V: Lanes>(state: State<V>) -> Digests {
    let mut digests = [[0; 20]; MAX_LANES];
    for i in 0..5 {
        let mut words = [0; MAX_LANES];
        state[i].to_words(&mut words);
        for lane in 0..V::COUNT {
            digests[lane][4 * i..][..4].copy_from_slice(&words[lane].to_le_bytes());
        }
    }
    digests
}

/// Messages that are two blocks with their padding.
struct TwoBlocks<'a>(&'a [[Block; 2]; MAX_LANES]);

impl LaneJob for TwoBlocks<'_> {
    type Output = Digests;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Digests {
        let mut state: State<V> = initial_state(token);
        for i in 0..2 {
            let block = V::load_blocks(
                token,
                ByteOrder::Little,
                #[inline(always)]
                |lane| &self.0[lane][i],
            );
            compress(token, &mut state, block);
        }
        digests(state)
    }
}

type Rows = [[u8; 32]; MAX_LANES];

#[inline(always)]
fn load<V: Lanes>(token: V::Token, rows: &Rows) -> [V; 8] {
    V::load_rows(
        token,
        ByteOrder::Little,
        #[inline(always)]
        |lane| &rows[lane],
    )
}

/// Messages of 32 bytes.
struct OfDigests<'a>(&'a Rows);

impl LaneJob for OfDigests<'_> {
    type Output = Digests;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Digests {
        digests(hash_digest(token, load::<V>(token, self.0)))
    }
}

/// The same, two groups of lanes side by side.
struct OfDigestsOnTwo<'a>([&'a Rows; 2]);

impl LaneJob for OfDigestsOnTwo<'_> {
    type Output = [Digests; 2];

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> [Digests; 2] {
        let both = Two::join(load::<V>(token, self.0[0]), load::<V>(token, self.0[1]));
        let (first, second) = Two::part(hash_digest(token, both));
        [digests(first), digests(second)]
    }
}

fn kernels() -> Vec<LaneKernel> {
    let of_backend = |backend: Backend| [backend.x16(), backend.x8(), backend.x4()].into_iter().flatten();
    Backend::available().into_iter().flat_map(of_backend).chain([LaneKernel::PORTABLE]).collect()
}

fn assert_digests<const BYTES: usize>(
    digests: &Digests,
    messages: &[[u8; BYTES]; MAX_LANES],
    kernel: LaneKernel,
) {
    for lane in 0..kernel.lanes() {
        assert_eq!(digests[lane], ripemd160(messages[lane]), "{kernel:?}, lane {lane}");
    }
}

/// A message for each lane, beginning with that of `seed`.
fn messages<const BYTES: usize>(seed: usize) -> [[u8; BYTES]; MAX_LANES] {
    core::array::from_fn(|lane| painted(seed + lane, BYTES).try_into().unwrap())
}

/// Pads a message of 119 bytes, by hand.
fn padded(message: &[u8; 119]) -> [Block; 2] {
    let mut bytes = message.to_vec();
    bytes.push(0x80);
    bytes.extend((119_u64 * 8).to_le_bytes());
    bytes.as_chunks().0.try_into().unwrap()
}

#[test]
fn block_after_block() {
    let messages = messages(0);
    let blocks = messages.each_ref().map(padded);
    for kernel in kernels() {
        assert_digests(&kernel.run(TwoBlocks(&blocks)), &messages, kernel);
    }
}

#[test]
fn messages_of_32_bytes() {
    let messages = [messages(0), messages(MAX_LANES)];
    for kernel in kernels() {
        assert_digests(&kernel.run(OfDigests(&messages[0])), &messages[0], kernel);
        let digests = kernel.run(OfDigestsOnTwo(messages.each_ref()));
        for group in 0..2 {
            assert_digests(&digests[group], &messages[group], kernel);
        }
    }
}

#[test]
fn initial_value_in_every_lane() {
    struct InitialState;

    impl LaneJob for InitialState {
        type Output = Digests;

        #[inline(always)]
        fn run<V: Lanes>(self, token: V::Token) -> Digests {
            digests::<V>(initial_state(token))
        }
    }

    let expected: Vec<u8> = IV.iter().flat_map(|word| word.to_le_bytes()).collect();
    for kernel in kernels() {
        for digest in &kernel.run(InitialState)[..kernel.lanes()] {
            assert_eq!(digest[..], expected, "{kernel:?}");
        }
    }
}
