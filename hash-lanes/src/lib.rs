#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod backend;
mod batch;
mod cpu;
mod hash;
mod hash_many;
mod hmac;
mod kernel;
mod lanes;
mod many;
mod many_hasher;
mod message;
mod padding;
mod pbkdf2;
mod plan;
mod schedule;
mod scratch;

#[cfg(feature = "std")]
pub use backend::DefaultBackendError;
pub use backend::{Backend, BackendError};
pub use hash_many::HashMany;
#[cfg(feature = "digest")]
pub use hash_many::OneByOne;
#[cfg(feature = "digest-0_10")]
pub use hash_many::OneByOne0_10;
pub use kernel::{Kernel, KernelSet, LaneJob, LaneKernel};
pub use lanes::{
    BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, Interleaved, Lanes, MAX_LANES, Portable, Words,
};
pub use many_hasher::ManyHasher;
pub use message::PrefixLengthError;

/// The parts for authors of hashes. Not covered by semantic versioning.
pub mod engine {
    #[doc(hidden)]
    pub extern crate alloc;

    pub use crate::batch::{BatchHash, hash_batch};
    pub use crate::compile_hmac;
    pub use crate::compile_kernels;
    pub use crate::cpu::{Microarch, ShaExtensions};
    pub use crate::hash::{LaneHash, Row, Shape};
    pub use crate::hash_many::{collect_digests, hash_many_into_with};
    pub use crate::hmac::{HmacHash, hmac, hmac_many};
    pub use crate::kernel::Pass;
    pub use crate::many::{check_counts, check_end, check_yielded, exactly, hash_many};
    pub use crate::message::{Hashing, InitialState, Message, MessageGroup, Messages};
    pub use crate::pbkdf2::{pbkdf2, pbkdf2_many};
    pub use crate::plan::{Costs, Plan, Plans};
    pub use crate::schedule::{hash_equal, hash_messages, hash_one};
    pub use crate::scratch::Scratch;
}
