//! The compression function itself, with every kernel.

use hash_lanes::{Backend, Block, ByteOrder, LaneJob, LaneKernel, Lanes, MAX_LANES, Two};
use sha1_multi::hazmat::{IV, K, State, compress, initial_state};

use crate::{painted, sha1};

type Digests = [[u8; 20]; MAX_LANES];

#[inline(always)]
fn digests<V: Lanes>(state: State<V>) -> Digests {
    let mut digests = [[0; 20]; MAX_LANES];
    for i in 0..5 {
        let mut words = [0; MAX_LANES];
        state[i].to_words(&mut words);
        for lane in 0..V::COUNT {
            digests[lane][4 * i..][..4].copy_from_slice(&words[lane].to_be_bytes());
        }
    }
    digests
}

/// Messages that are two blocks with their padding.
type Padded = [[Block; 2]; MAX_LANES];

#[inline(always)]
fn load<V: Lanes>(token: V::Token, messages: &Padded, i: usize) -> [V; 16] {
    V::load_blocks(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| &messages[lane][i],
    )
}

struct TwoBlocks<'a>(&'a Padded);

impl LaneJob for TwoBlocks<'_> {
    type Output = Digests;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Digests {
        let mut state: State<V> = initial_state(token);
        for i in 0..2 {
            compress(token, &mut state, load(token, self.0, i));
        }
        digests(state)
    }
}

/// The same, two groups of lanes side by side.
struct TwoBlocksOnTwo<'a>([&'a Padded; 2]);

impl LaneJob for TwoBlocksOnTwo<'_> {
    type Output = [Digests; 2];

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> [Digests; 2] {
        let mut state: State<Two<V>> = initial_state(token);
        for i in 0..2 {
            let both = Two::join(load::<V>(token, self.0[0], i), load::<V>(token, self.0[1], i));
            compress(token, &mut state, both);
        }
        let (first, second) = Two::part(state);
        [digests(first), digests(second)]
    }
}

fn kernels() -> Vec<LaneKernel> {
    let of_backend = |backend: Backend| [backend.x16(), backend.x8(), backend.x4()].into_iter().flatten();
    Backend::available().into_iter().flat_map(of_backend).chain([LaneKernel::PORTABLE]).collect()
}

/// A message of 119 bytes for each lane, beginning with that of `seed`.
fn messages(seed: usize) -> [[u8; 119]; MAX_LANES] {
    core::array::from_fn(|lane| painted(seed + lane, 119).try_into().unwrap())
}

/// Pads a message of 119 bytes, by hand.
fn padded(message: &[u8; 119]) -> [Block; 2] {
    let mut bytes = message.to_vec();
    bytes.push(0x80);
    bytes.extend((119_u64 * 8).to_be_bytes());
    bytes.as_chunks().0.try_into().unwrap()
}

fn assert_digests(digests: &Digests, messages: &[[u8; 119]; MAX_LANES], kernel: LaneKernel) {
    for lane in 0..kernel.lanes() {
        assert_eq!(digests[lane], sha1(messages[lane]), "{kernel:?}, lane {lane}");
    }
}

#[test]
fn block_after_block() {
    let messages = [messages(0), messages(MAX_LANES)];
    let blocks = messages.each_ref().map(|messages| messages.each_ref().map(padded));
    for kernel in kernels() {
        assert_digests(&kernel.run(TwoBlocks(&blocks[0])), &messages[0], kernel);
        let digests = kernel.run(TwoBlocksOnTwo(blocks.each_ref()));
        for group in 0..2 {
            assert_digests(&digests[group], &messages[group], kernel);
        }
    }
}

#[test]
fn initial_hash_value_in_every_lane() {
    struct InitialState;

    impl LaneJob for InitialState {
        type Output = Digests;

        #[inline(always)]
        fn run<V: Lanes>(self, token: V::Token) -> Digests {
            digests::<V>(initial_state(token))
        }
    }

    let expected: Vec<u8> = IV.iter().flat_map(|word| word.to_be_bytes()).collect();
    for kernel in kernels() {
        for digest in &kernel.run(InitialState)[..kernel.lanes()] {
            assert_eq!(digest[..], expected, "{kernel:?}");
        }
    }
}

/// The constants are the square roots of 2, 3, 5 and 10, of which 30 bits are behind the point.
#[test]
fn constants_are_square_roots() {
    for (k, square) in K.iter().zip([2, 3, 5, 10_u64]) {
        let k = u64::from(*k);
        assert!(k * k <= square << 60 && square << 60 < (k + 1) * (k + 1), "{k:08x}");
    }
}
