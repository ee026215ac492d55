//! The compression function itself, for custom kernels. **Sharp**: no padding, no lengths, and no
//! check that a state is valid.
//!
//! A kernel is a [`LaneJob`](hash_lanes::engine::LaneJob) with everything in it
//! `#[inline(always)]`. A [`LaneKernel`](hash_lanes::engine::LaneKernel) of some backend runs it.
//! These traits are part of the engine, which semantic versioning does not cover. This kernel
//! computes the first word of the SHA-512 of the 8-byte messages 0, 1, 2, …, whose single block
//! never leaves the registers:
//!
//! ```
//! use hash_lanes::Backend;
//! use hash_lanes::engine::{ByteOrder, LaneJob, Lanes, MAX_LANES, padding_words_of_u64};
//! use sha512_multi::hazmat::{compress, initial_state};
//!
//! struct FirstWords;
//!
//! impl LaneJob for FirstWords {
//!     type Word = u64;
//!     type Output = [u64; MAX_LANES];
//!
//!     #[inline(always)]
//!     fn run<V: Lanes<Word = u64>>(self, token: V::Token) -> [u64; MAX_LANES] {
//!         let mut messages = [0; MAX_LANES];
//!         for lane in 0..V::COUNT {
//!             messages[lane] = lane as u64;
//!         }
//!         let padding = padding_words_of_u64(ByteOrder::Big, 64);
//!         let mut block = [V::from_words(token, &messages); 16];
//!         for i in 1..16 {
//!             block[i] = V::splat(token, padding[i]);
//!         }
//!         let mut state = initial_state(token);
//!         compress(token, &mut state, block);
//!         let mut words = [0; MAX_LANES];
//!         state[0].to_words(&mut words);
//!         words
//!     }
//! }
//!
//! let words = Backend::detect().widest().run(FirstWords);
//! assert_eq!(words[0].to_be_bytes(), sha512_multi::hash(&[0; 8])[..8]);
//! ```

use hash_lanes::engine::{BLOCK_WORDS, Words, sha2};

use crate::sha512::Sha512;

pub use crate::constants::{IV, IV_384, IV_512_224, IV_512_256, K};

/// The working variables a to h, or a hash value.
pub type State<V> = [V; 8];

/// The initial hash value of SHA-512 in every lane.
#[inline(always)]
pub fn initial_state<V: Words<Word = u64>>(token: V::Token) -> State<V> {
    sha2::initial_state::<Sha512, V>(token)
}

/// Hashes one block of each lane into `state`; `block` holds its words W(0) to W(15).
#[inline(always)]
pub fn compress<V: Words<Word = u64>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    V::outline(
        token,
        #[inline(always)]
        || sha2::compress::<Sha512, V>(token, state, block),
    );
}

/// [`compress`] for a block with constant words, such as padding.
#[inline(always)]
pub fn compress_const_tail<V: Words<Word = u64>>(
    token: V::Token,
    state: &mut State<V>,
    block: [V; BLOCK_WORDS],
) {
    sha2::compress_const_tail::<Sha512, V>(token, state, block);
}
