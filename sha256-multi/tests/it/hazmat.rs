//! The compression function itself, with every kernel.

use hash_lanes::{Backend, Block, ByteOrder, LaneJob, LaneKernel, Lanes, MAX_LANES, Two};
use sha256_multi::hazmat::{
    IV, State, compress, compress_constant, compress_folding, double_hash_blocks, hash_digest, initial_state,
    k_plus_w,
};

use crate::{double_sha256, painted, sha256};

type Digests = [[u8; 32]; MAX_LANES];

/// What is computed of messages that are two blocks with their padding.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Block after block.
    Compressed,
    /// Block after block, of which the last has a constant at its end.
    Folding,
    /// The last block is the same in every lane and known beforehand.
    LastConstant,
    /// Two vectors side by side, the last block known beforehand.
    Two,
    /// The digest of the digest.
    Twice,
}

struct TwoBlocks<'a> {
    way: Way,
    messages: &'a [[Block; 2]; MAX_LANES],
}

#[inline(always)]
fn load<V: Lanes>(token: V::Token, messages: &[[Block; 2]; MAX_LANES], i: usize) -> [V; 16] {
    V::load_blocks(
        token,
        ByteOrder::Big,
        #[inline(always)]
        |lane| &messages[lane][i],
    )
}

#[inline(always)]
fn digests<V: Lanes>(state: State<V>) -> Digests {
    let mut digests = [[0; 32]; MAX_LANES];
    for i in 0..8 {
        let mut words = [0; MAX_LANES];
        state[i].to_words(&mut words);
        for lane in 0..V::COUNT {
            digests[lane][4 * i..][..4].copy_from_slice(&words[lane].to_be_bytes());
        }
    }
    digests
}

impl LaneJob for TwoBlocks<'_> {
    type Output = Digests;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Digests {
        let mut state: State<V> = initial_state(token);
        let first = load(token, self.messages, 0);
        match self.way {
            Way::Compressed | Way::Twice => {
                compress(token, &mut state, first);
                compress(token, &mut state, load(token, self.messages, 1));
            }
            Way::Folding => {
                compress_folding(token, &mut state, first);
                let mut last = load(token, self.messages, 1);
                last[14] = V::splat(token, 0);
                last[15] = V::splat(token, 119 * 8);
                compress_folding(token, &mut state, last);
            }
            Way::LastConstant => {
                compress(token, &mut state, first);
                compress_constant(token, &mut state, &last_block(self.messages));
            }
            Way::Two => {
                // The second of the two begins with another block, so that mixing them up shows.
                let mut two: State<Two<V>> = initial_state(token);
                let second = load(token, self.messages, 1);
                compress(token, &mut two, Two::join(first, second));
                compress_constant(token, &mut two, &last_block(self.messages));
                (state, _) = Two::part(two);
            }
        }
        if matches!(self.way, Way::Twice) {
            state = hash_digest(token, state);
        }
        digests(state)
    }
}

fn last_block(messages: &[[Block; 2]; MAX_LANES]) -> [u32; 64] {
    let (words, _) = messages[0][1].as_chunks();
    k_plus_w(core::array::from_fn(|i| u32::from_be_bytes(words[i])))
}

/// Pads a message of 119 bytes, by hand.
fn padded(message: &[u8]) -> [Block; 2] {
    let mut bytes = message.to_vec();
    bytes.push(0x80);
    bytes.extend((119_u64 * 8).to_be_bytes());
    bytes.as_chunks().0.try_into().unwrap()
}

fn kernels() -> Vec<LaneKernel> {
    let of_backend = |backend: Backend| [backend.x16(), backend.x8(), backend.x4()].into_iter().flatten();
    Backend::available().into_iter().flat_map(of_backend).chain([LaneKernel::PORTABLE]).collect()
}

fn assert_hashed(way: Way, messages: &[Vec<u8>; MAX_LANES]) {
    let blocks = messages.each_ref().map(|message| padded(message));
    for kernel in kernels() {
        let digests = kernel.run(TwoBlocks { way, messages: &blocks });
        for lane in 0..kernel.lanes() {
            let message = &messages[lane];
            let expected = if let Way::Twice = way { double_sha256(message) } else { sha256(message) };
            assert_eq!(digests[lane], expected, "{way:?}, {kernel:?}, lane {lane}");
        }
    }
}

#[test]
fn block_after_block() {
    let messages = core::array::from_fn(|lane| painted(lane, 119));
    assert_hashed(Way::Compressed, &messages);
}

#[test]
fn words_known_beforehand() {
    let messages = core::array::from_fn(|lane| painted(lane, 119));
    assert_hashed(Way::Folding, &messages);
}

#[test]
fn digest_of_the_digest() {
    let messages = core::array::from_fn(|lane| painted(lane, 119));
    assert_hashed(Way::Twice, &messages);
}

#[test]
fn block_known_beforehand() {
    let messages = core::array::from_fn(|lane| [painted(lane, 64), painted(99, 55)].concat());
    assert_hashed(Way::LastConstant, &messages);
    assert_hashed(Way::Two, &messages);
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

#[test]
fn blocks_hashed_twice_by_the_sha_instructions() {
    let Some(sha) = hash_lanes::ShaExtensions::detect() else { return };
    for count in 0..=9 {
        let messages: Vec<Vec<u8>> = (0..count).map(|i| painted(i, 21 + i)).collect();
        let block = |message: &Vec<u8>| {
            let mut bytes = [0; 64];
            bytes[..message.len()].copy_from_slice(message);
            bytes[message.len()] = 0x80;
            bytes[56..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
            let (words, _) = bytes.as_chunks();
            core::array::from_fn(|i| u32::from_be_bytes(words[i]))
        };
        let blocks: Vec<[u32; 16]> = messages.iter().map(block).collect();
        let mut first_words = vec![0; count];
        double_hash_blocks(sha, &blocks, &mut first_words);
        for (message, word) in messages.iter().zip(first_words) {
            assert_eq!(word.to_be_bytes(), double_sha256(message)[..4], "{} bytes", message.len());
        }
    }
}

#[test]
#[should_panic(expected = "2")]
fn as_many_first_words_as_blocks_are_needed() {
    if let Some(sha) = hash_lanes::ShaExtensions::detect() {
        double_hash_blocks(sha, &[[0; 16]; 2], &mut [0; 3]);
    } else {
        panic!("2: no SHA instructions");
    }
}
