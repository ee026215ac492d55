//! The compression function itself, for custom kernels. **Sharp**: no padding, no lengths, and no
//! check that a state is valid.
//!
//! A kernel is a [`LaneJob`](hash_lanes::engine::LaneJob) with everything in it
//! `#[inline(always)]`. A [`LaneKernel`](hash_lanes::engine::LaneKernel) of some backend runs it.
//! These traits are part of the engine, which semantic versioning does not cover. This kernel
//! computes the first word of the BLAKE2s-256 of the 4-byte messages 0, 1, 2, …, whose single block
//! never leaves the registers:
//!
//! ```
//! use blake2_multi::engine::Blake2s256;
//! use blake2_multi::hazmat::{Counter, compress};
//! use hash_lanes::Backend;
//! use hash_lanes::engine::{LaneHash, LaneJob, Lanes, MAX_LANES};
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
//!         let zero = V::splat(token, 0);
//!         let mut block = [zero; 16];
//!         block[0] = V::from_words(token, &messages);
//!         let mut state = [zero; 8];
//!         for i in 0..8 {
//!             state[i] = V::splat(token, Blake2s256::IV[i]);
//!         }
//!         // Four bytes, in the last block.
//!         let counter = Counter { t: [V::splat(token, 4), zero], f: !zero };
//!         compress::<Blake2s256, V>(token, &mut state, block, counter);
//!         let mut words = [0; MAX_LANES];
//!         state[0].to_words(&mut words);
//!         words
//!     }
//! }
//!
//! let words = Backend::detect().widest().run(FirstWords);
//! assert_eq!(words[0].to_le_bytes(), blake2_multi::blake2s256::hash(&[0; 4])[..4]);
//! ```

pub use hash_lanes::engine::Counter;

pub use crate::rounds::compress;
