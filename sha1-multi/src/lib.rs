// The examples in the README need the feature `sha1`.
#![cfg_attr(any(not(doctest), feature = "sha1"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

#[cfg(feature = "collision-detection")]
pub mod checked;
mod costs;
pub mod hazmat;
mod hw;
mod many;
mod rounds;
mod sha1;

#[cfg(feature = "files")]
pub use hash_lanes::FileError;
#[cfg(feature = "rayon")]
pub use hash_lanes::Parallel;
pub use hash_lanes::{Backend, BackendError, DigestMany, HashMany, Parts, Rounds, WrongMacs};
#[cfg(feature = "std")]
pub use hash_lanes::{MessageWriter, ReadProgress};
pub use many::{
    Sha1Lanes, hash, hash_many, hash_many_into, hmac_many, hmac_many_into, pbkdf2_many,
    pbkdf2_many_into, try_hash_many, verify_hmac_many,
};

/// Hashes a fixed number of messages that arrive in parts.
///
/// ```
/// use sha1_multi::{ManyHasher, hash};
///
/// let mut hasher = ManyHasher::new(2);
/// hasher.update(0, b"first part, ");
/// hasher.update(1, b"another message");
/// hasher.update(0, b"second part");
/// assert_eq!(hasher.finalize()[0], hash(b"first part, second part"));
/// ```
pub type ManyHasher = hash_lanes::ManyHasher<sha1::Sha1>;

/// The common prefix of many messages, hashed once; the messages are in parts.
///
/// ```
/// use sha1_multi::{Prefix, hash};
///
/// let digests = Prefix::new(b"prefix").hash_many([("one", [1, 2]), ("two", [3, 4])]);
/// assert_eq!(digests[1], hash(b"prefixtwo\x03\x04"));
/// ```
pub type Prefix = hash_lanes::Prefix<sha1::Sha1>;

/// An HMAC-SHA-1 key for many messages, hashed once.
///
/// ```
/// use sha1_multi::{HmacKey, hmac_many};
///
/// let key = HmacKey::new("key");
/// let mut macs = key.hmac_many(["one", "two"]);
/// assert_eq!(macs, hmac_many(["key"; 2], ["one", "two"]));
///
/// macs[1][0] ^= 1;
/// assert_eq!(key.verify_many(["one", "two"], &macs).unwrap_err().messages(), [1]);
/// ```
pub type HmacKey = hash_lanes::HmacKey<sha1::Sha1>;

/// SHA-1 as the engine sees it, for the crates of this workspace.
#[doc(hidden)]
pub mod engine {
    #[cfg(feature = "collision-detection")]
    pub use crate::checked::{CheckedSha1, SafeSha1};
    pub use crate::sha1::Sha1;
}

/// The crates of the types that `DigestMany` is implemented for, for `hashlanes`.
#[doc(hidden)]
pub mod rustcrypto {
    #[cfg(feature = "sha1")]
    pub use sha1;
    #[cfg(feature = "sha1-0_10")]
    pub use sha1_0_10;
    #[cfg(feature = "sha1-checked-0_10")]
    pub use sha1_checked_0_10;
}
