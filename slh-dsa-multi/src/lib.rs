#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod address;
mod encoding;
mod fors;
mod hypertree;
mod keys;
mod parallel;
mod parameters;
mod published;
mod suite;
mod trees;
mod wots;

pub use self::encoding::Signature;
pub use self::keys::{KeyError, SigningKey, VerifyingKey};
pub use self::parameters::{
    ParameterSet, Parameters, Sha2_128f, Sha2_128s, Sha2_192f, Sha2_192s, Sha2_256f, Sha2_256s,
    Shake128f, Shake128s, Shake192f, Shake192s, Shake256f, Shake256s,
};
#[cfg(feature = "declassify")]
pub use self::published::declassify_with;
pub use ::signature;
pub use hash_lanes::{Backend, BackendError};
