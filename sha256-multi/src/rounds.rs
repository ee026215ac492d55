//! The compression function of SHA-256 (FIPS 180-4 §6.2.2) over any number of lanes, and the bytes
//! of its digests.

use hash_lanes::engine::{BLOCK_WORDS, Lanes, Words, sha2};

use crate::constants::{K_PLUS_PADDING_OF_64, PADDING_OF_32};
use crate::sha256::Sha256;

/// The working variables a to h, or a hash value.
pub type State<V> = [V; 8];

/// The initial hash value in every lane.
#[inline(always)]
pub fn initial_state<V: Words<Word = u32>>(token: V::Token) -> State<V> {
    sha2::initial_state::<Sha256, V>(token)
}

/// Hashes one block of each lane into `state`; `block` holds its words W(0) to W(15).
#[inline(always)]
pub fn compress<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    V::outline(
        token,
        #[inline(always)]
        || sha2::compress::<Sha256, V>(token, state, block),
    );
}

/// Hashes a constant block, the same in every lane, into `state`;
/// [`k_plus_w`](crate::hazmat::k_plus_w) computes the argument.
#[inline(always)]
pub fn compress_constant<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    k_plus_w: &[u32; 64],
) {
    sha2::compress_constant::<Sha256, V>(token, state, k_plus_w.as_chunks().0);
}

/// Hashes the padding of a 64-byte message into `state`.
#[inline(always)]
pub(crate) fn compress_padding_of_64<V: Words<Word = u32>>(token: V::Token, state: &mut State<V>) {
    V::outline(
        token,
        #[inline(always)]
        || compress_constant(token, state, &K_PLUS_PADDING_OF_64),
    );
}

/// [`compress`] for a block with constant words, such as padding.
///
/// With two groups of AVX-512 or NEON, it is `compress`: a second copy of their rounds would not
/// fit into the instruction cache beside the first, which costs more than constants save.
#[inline(always)]
pub fn compress_const_tail<V: Words<Word = u32>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    if V::SHARES_ROUNDS && V::HAS_32_REGISTERS {
        compress(token, state, block);
    } else {
        sha2::compress_const_tail::<Sha256, V>(token, state, block);
    }
}

/// The state after a 32-byte message, given as words: the outer hash of Bitcoin's double SHA-256.
#[inline(always)]
#[must_use]
pub fn compress_32_bytes<V: Words<Word = u32>>(token: V::Token, message: State<V>) -> State<V> {
    if V::HAS_32_REGISTERS {
        return compress_padded(token, message);
    }
    V::outline(
        token,
        #[inline(always)]
        || compress_padded(token, message),
    )
}

/// [`compress_32_bytes`], inline.
#[inline(always)]
fn compress_padded<V: Words<Word = u32>>(token: V::Token, message: State<V>) -> State<V> {
    let mut block = [V::splat(token, 0); BLOCK_WORDS];
    for i in 0..8 {
        block[i] = message[i];
        block[i + 8] = V::splat(token, PADDING_OF_32[i]);
    }
    let mut state = initial_state(token);
    compress_const_tail(token, &mut state, block);
    state
}

/// The state after a 64-byte message, given as words: a node of a Merkle tree.
#[inline(always)]
#[must_use]
pub fn compress_64_bytes<V: Words<Word = u32>>(
    token: V::Token,
    message: [V; BLOCK_WORDS],
) -> State<V> {
    let mut state = initial_state(token);
    compress(token, &mut state, message);
    compress_padding_of_64(token, &mut state);
    state
}

/// Writes the digest of each lane: the words of its hash value, most significant byte first.
///
/// # Panics
///
/// Panics if `digests.len() < V::COUNT`.
#[inline(always)]
pub fn store_digests<V: Lanes<Word = u32>>(mut state: State<V>, digests: &mut [[u8; 32]]) {
    // Swap the bytes while they are still in vectors.
    for word in &mut state {
        *word = word.swap_bytes();
    }
    let digests = &mut digests[..V::COUNT];
    V::store_rows(
        state,
        #[inline(always)]
        |lane, words| {
            let (bytes, _) = digests[lane].as_chunks_mut::<4>();
            for i in 0..8 {
                bytes[i] = words[i].swap_bytes().to_be_bytes();
            }
        },
    );
}
