#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[allow(unreachable_pub, reason = "a public trait that nobody outside can name uses it")]
mod address;
mod encoding;
mod fors;
mod hypertree;
mod keys;
#[cfg(any(feature = "draft-sp800-230", test))]
mod limited;
mod parallel;
mod parameters;
#[cfg(feature = "pkcs8")]
mod pkcs8;
mod prehash;
mod published;
#[cfg(test)]
mod reference;
#[allow(unreachable_pub, reason = "a public trait that nobody outside can name has its types")]
mod suite;
mod trees;
mod verify;
mod watch;
mod wots;

pub use self::encoding::Signature;
pub use self::keys::{KeyError, SigningKey, VerifyingKey};
#[cfg(feature = "draft-sp800-230")]
#[cfg_attr(docsrs, doc(cfg(feature = "draft-sp800-230")))]
pub use self::limited::{CallError, TreeCache};
pub use self::parameters::{
    FIPS_SETS, FipsSet, ParameterSet, Parameters, Sha2_128f, Sha2_128s, Sha2_192f, Sha2_192s,
    Sha2_256f, Sha2_256s, Shake128f, Shake128s, Shake192f, Shake192s, Shake256f, Shake256s,
};
#[cfg(feature = "draft-sp800-230")]
#[cfg_attr(docsrs, doc(cfg(feature = "draft-sp800-230")))]
pub use self::parameters::{
    LimitedSet, Sha2_128_24, Sha2_192_24, Sha2_256_24, Shake128_24, Shake192_24, Shake256_24,
};
pub use self::prehash::{PreHash, PreHashError};
#[cfg(feature = "declassify")]
pub use self::published::declassify_with;
pub use self::verify::WrongSignatures;
#[cfg(feature = "draft-sp800-230")]
#[cfg_attr(docsrs, doc(cfg(feature = "draft-sp800-230")))]
pub use self::watch::{OnProgress, Progress};
pub use ::signature;
pub use hash_lanes::{Backend, BackendError};
