// The examples in the README need the feature `sha2`.
#![cfg_attr(any(not(doctest), feature = "sha2"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

mod chains;
mod constants;
mod costs;
pub mod hazmat;
mod hw;
mod many;
mod sha512;

pub use chains::{hash_chains, try_hash_chains};
#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{
    Backend, BackendError, ChainError, ChainLayout, DigestMany, HashMany, Parts, Rounds, WrongMacs,
};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
pub use many::{
    Sha384Lanes, Sha512_256Lanes, Sha512Lanes, hash, hash_many, hash_many_into, hmac_many,
    hmac_many_into, pbkdf2_many, pbkdf2_many_into, try_hash_many, verify_hmac_many,
};

/// Hashes a fixed number of messages that arrive in parts, with SHA-512.
///
/// ```
/// use sha512_multi::{ManyHasher, hash};
///
/// let mut hasher = ManyHasher::new(2);
/// hasher.update(0, b"first part, ");
/// hasher.update(1, b"another message");
/// hasher.update(0, b"second part");
/// assert_eq!(hasher.finalize()[0], hash(b"first part, second part"));
/// ```
pub type ManyHasher = hash_lanes::ManyHasher<sha512::Sha512>;

/// The common prefix of many messages, hashed once; the messages are in parts.
///
/// ```
/// use sha512_multi::{Prefix, hash};
///
/// let digests = Prefix::new(b"prefix").hash_many([("one", [1, 2]), ("two", [3, 4])]);
/// assert_eq!(digests[1], hash(b"prefixtwo\x03\x04"));
/// ```
pub type Prefix = hash_lanes::Prefix<sha512::Sha512>;

/// An HMAC-SHA-512 key for many messages, hashed once.
///
/// ```
/// use sha512_multi::{HmacKey, hmac_many};
///
/// let key = HmacKey::new("key");
/// let mut macs = key.hmac_many(["one", "two"]);
/// assert_eq!(macs, hmac_many(["key"; 2], ["one", "two"]));
///
/// macs[1][0] ^= 1;
/// assert_eq!(key.verify_many(["one", "two"], &macs).unwrap_err().messages(), [1]);
/// ```
pub type HmacKey = hash_lanes::HmacKey<sha512::Sha512>;

/// The hashes as the engine sees them, for the crates of this workspace.
#[doc(hidden)]
pub mod engine {
    pub use crate::sha512::{Sha384, Sha512, Sha512_256};
}

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "sha2")]
    pub use sha2;
    #[cfg(feature = "sha2-0_10")]
    pub use sha2_0_10;
}
