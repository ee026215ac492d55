//! The compression functions that leave out what is known beforehand, with every kernel.

use hash_lanes::engine::{ByteOrder, LaneJob, Lanes, MAX_LANES};
use hash_lanes_testing::hazmat::{
    Padded, States, assert_digests, kernels, loaded, messages, padded, stored,
};
use hash_lanes_testing::{Subject, painted};
use sha256_multi::hazmat::{
    State, compress, compress_32_bytes, compress_const_tail, compress_constant, initial_state,
    k_plus_w,
};

use crate::subject::{Sha256, double_sha256};

/// What is computed of messages that are two blocks with their padding.
#[derive(Clone, Copy, Debug)]
enum Shortcut {
    /// Block after block, of which the last has a constant at its end.
    Folding,
    /// The last block is the same in every lane and known beforehand.
    LastConstant,
    /// The digest of the digest.
    Double,
}

struct TwoBlocks<'a> {
    shortcut: Shortcut,
    messages: &'a Padded,
}

impl LaneJob for TwoBlocks<'_> {
    type Output = States<8>;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> States<8> {
        let mut state: State<V> = initial_state(token);
        let first = loaded(token, ByteOrder::Big, self.messages, 0);
        let second = loaded(token, ByteOrder::Big, self.messages, 1);
        match self.shortcut {
            Shortcut::Double => {
                compress(token, &mut state, first);
                compress(token, &mut state, second);
                state = compress_32_bytes(token, state);
            }
            Shortcut::Folding => {
                compress_const_tail(token, &mut state, first);
                let mut last = second;
                last[14] = V::splat(token, 0);
                last[15] = V::splat(token, 119 * 8);
                compress_const_tail(token, &mut state, last);
            }
            Shortcut::LastConstant => {
                compress(token, &mut state, first);
                compress_constant(token, &mut state, &last_block(self.messages));
            }
        }
        stored(state)
    }
}

fn last_block(messages: &Padded) -> [u32; 64] {
    let (words, _) = messages[0][1].as_chunks();
    k_plus_w(std::array::from_fn(|i| u32::from_be_bytes(words[i])))
}

fn assert_hashed(shortcut: Shortcut, messages: &[Vec<u8>; MAX_LANES]) {
    let blocks = padded(ByteOrder::Big, messages);
    let reference = if let Shortcut::Double = shortcut { double_sha256 } else { Sha256::reference };
    for kernel in kernels() {
        let states = kernel.run(TwoBlocks { shortcut, messages: &blocks });
        assert_digests::<Sha256, _>(kernel, &states, messages, reference);
    }
}

#[test]
fn words_known_beforehand() {
    assert_hashed(Shortcut::Folding, &messages(0, 119));
}

#[test]
fn digest_of_the_digest() {
    assert_hashed(Shortcut::Double, &messages(0, 119));
}

#[test]
fn block_known_beforehand() {
    let messages = std::array::from_fn(|lane| [painted(lane, 64), painted(99, 55)].concat());
    assert_hashed(Shortcut::LastConstant, &messages);
}
