// The examples in the README need the feature `ripemd`.
#![cfg_attr(any(not(doctest), feature = "ripemd"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod constants;
mod costs;
mod hash160;
pub mod hazmat;
mod many;
mod ripemd160;
mod rounds;

#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{Backend, BackendError, DigestMany, HashMany, Parts};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
pub use hash160::{hash160, hash160_many, hash160_many_into};
pub use many::{Ripemd160Lanes, hash, hash_many, hash_many_into, try_hash_many};

/// Hashes a fixed number of messages that arrive in parts.
///
/// ```
/// use ripemd_multi::{ManyHasher, hash};
///
/// let mut hasher = ManyHasher::new(2);
/// hasher.update(0, b"first part, ");
/// hasher.update(1, b"another message");
/// hasher.update(0, b"second part");
/// assert_eq!(hasher.finalize()[0], hash(b"first part, second part"));
/// ```
pub type ManyHasher = hash_lanes::ManyHasher<ripemd160::Ripemd160>;

/// The common prefix of many messages, hashed once; the messages are in parts.
///
/// ```
/// use ripemd_multi::{Prefix, hash};
///
/// let digests = Prefix::new(b"prefix").hash_many([("one", [1, 2]), ("two", [3, 4])]);
/// assert_eq!(digests[1], hash(b"prefixtwo\x03\x04"));
/// ```
pub type Prefix = hash_lanes::Prefix<ripemd160::Ripemd160>;

/// RIPEMD-160 as the engine sees it, for the crates of this workspace.
#[doc(hidden)]
pub mod engine {
    pub use crate::ripemd160::Ripemd160;
}

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "ripemd")]
    pub use ripemd;
    #[cfg(feature = "ripemd-0_1")]
    pub use ripemd_0_1;
}
