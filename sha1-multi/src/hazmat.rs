//! The compression function itself, for custom kernels. **Sharp**: no padding, no lengths, and no
//! check that a state is valid.
//!
//! A kernel is a [`LaneJob`](hash_lanes::engine::LaneJob) with everything in it
//! `#[inline(always)]`. A [`LaneKernel`](hash_lanes::engine::LaneKernel) of some backend runs it.
//! These traits are part of the engine, which semantic versioning does not cover. This kernel
//! computes the first word of the SHA-1 of the 4-byte messages 0, 1, 2, …, whose single block never
//! leaves the registers:
//!
//! ```
//! use hash_lanes::Backend;
//! use hash_lanes::engine::{ByteOrder, LaneJob, Lanes, MAX_LANES, padding_words};
//! use sha1_multi::hazmat::{compress, initial_state};
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
//! assert_eq!(words[0].to_be_bytes(), sha1_multi::hash(&[0; 4])[..4]);
//! ```

pub use crate::rounds::{IV, K, State, compress, initial_state};

/// The unavoidable bit conditions of collision attacks, which say where
/// [`checked`](crate::checked) looks closer.
#[cfg(feature = "collision-detection")]
pub mod conditions {
    pub use crate::checked::hash::{conditions_met, vector_of_bit};
    pub use crate::checked::vectors::DisturbanceVector;
}
