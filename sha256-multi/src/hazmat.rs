//! The compression function itself, for custom kernels. **Sharp**: no padding, no lengths, and no
//! check that a state is valid.
//!
//! A kernel is a [`LaneJob`](hash_lanes::engine::LaneJob) with everything in it
//! `#[inline(always)]`. A [`LaneKernel`](hash_lanes::engine::LaneKernel) of some backend runs it.
//! These traits are part of the engine, which semantic versioning does not cover. This kernel
//! computes the first word of the SHA-256 of the 4-byte messages 0, 1, 2, …, whose single block
//! never leaves the registers:
//!
//! ```
//! use hash_lanes::Backend;
//! use hash_lanes::engine::{ByteOrder, LaneJob, Lanes, MAX_LANES, padding_words};
//! use sha256_multi::hazmat::{compress, initial_state};
//!
//! struct FirstWords;
//!
//! impl LaneJob for FirstWords {
//!     type Word = u32;
//!     type Output = [u32; MAX_LANES];
//!
//!     #[inline(always)]
//!     fn run<V: Lanes<Word = u32>>(self, token: V::Token) -> [u32; MAX_LANES] {
//!         let mut messages = [0; MAX_LANES];
//!         for lane in 0..V::COUNT {
//!             messages[lane] = lane as u32;
//!         }
//!         let padding = padding_words(ByteOrder::Big, 32);
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
//! assert_eq!(words[0], 0xdf3f_6198); // SHA-256 of four zero bytes
//! ```

pub use crate::constants::{IV, IV_224, K, k_plus_w};
pub use crate::hw::{double_hash_blocks, prefetch};
pub use crate::pairs::lanes_of_nodes;
pub use crate::rounds::{
    State, compress, compress_32_bytes, compress_64_bytes, compress_const_tail, compress_constant,
    initial_state, store_digests,
};
