// The examples in the README need the feature `sha1`.
#![cfg_attr(any(not(doctest), feature = "sha1"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

mod costs;
pub mod hazmat;
mod hmac;
mod hw;
mod many;
mod rounds;
mod sha1;

pub use hash_lanes::{Backend, BackendError};
pub use hmac::{hmac_many, hmac_many_with, pbkdf2_many, pbkdf2_many_with};
pub use many::{DigestMany, hash, hash_many, hash_many_with, hash_with};
pub use sha1::Sha1Lanes;

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
pub type ManyHasher = hash_lanes::ManyHasher<Sha1Lanes, 5>;
