//! The compression function itself, for custom kernels. **Sharp**: no padding, no lengths, and no
//! check that a state is valid.
//!
//! A kernel is a [`LaneJob`](hash_lanes::engine::LaneJob) with everything in it
//! `#[inline(always)]`. A [`LaneKernel`](hash_lanes::engine::LaneKernel) of some backend runs it.
//! These traits are part of the engine, which semantic versioning does not cover. The words of
//! RIPEMD-160 are little-endian, those of SHA-256 big-endian, so HASH160 swaps the bytes of each
//! word between the two hashes. This kernel continues where a SHA-256 kernel ended:
//!
//! ```
//! use hash_lanes::Backend;
//! use hash_lanes::engine::{LaneJob, Lanes, MAX_LANES, Words};
//! use ripemd_multi::hazmat::compress_32_bytes;
//!
//! /// The first word of the HASH160 whose SHA-256 state is `0`, the same in every lane.
//! struct FirstWord([u32; 8]);
//!
//! impl LaneJob for FirstWord {
//!     type Word = u32;
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run<V: Lanes<Word = u32>>(self, token: V::Token) -> u32 {
//!         let mut digest = [V::splat(token, 0); 8];
//!         for i in 0..8 {
//!             digest[i] = V::splat(token, self.0[i]).swap_bytes();
//!         }
//!         let mut words = [0; MAX_LANES];
//!         compress_32_bytes(token, digest)[0].to_words(&mut words);
//!         words[0]
//!     }
//! }
//!
//! let sha256_of_nothing = [
//!     0xe3b0_c442, 0x98fc_1c14, 0x9afb_f4c8, 0x996f_b924,
//!     0x27ae_41e4, 0x649b_934c, 0xa495_991b, 0x7852_b855,
//! ];
//! let first = Backend::detect().widest().run(FirstWord(sha256_of_nothing));
//! assert_eq!(first.to_le_bytes(), ripemd_multi::hash160(b"")[..4]);
//! ```

pub use crate::constants::IV;
pub use crate::rounds::{State, compress, compress_32_bytes, initial_state};
