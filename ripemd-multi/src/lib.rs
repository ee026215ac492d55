// The examples in the README need the feature `ripemd`.
#![cfg_attr(any(not(doctest), feature = "ripemd"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

mod constants;
mod costs;
mod hash160;
pub mod hazmat;
mod many;
mod ripemd160;
mod rounds;

pub use hash_lanes::{Backend, BackendError};
pub use hash160::{hash160, hash160_many, hash160_many_with, hash160_with};
pub use many::{DigestMany, hash, hash_many, hash_many_with};
pub use ripemd160::Ripemd160Lanes;

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
pub type ManyHasher = hash_lanes::ManyHasher<Ripemd160Lanes, 5>;
