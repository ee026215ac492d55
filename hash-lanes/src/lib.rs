// The examples in the README need the feature `alloc`.
#![cfg_attr(any(not(doctest), feature = "alloc"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "what schedules messages needs the feature `alloc`")
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "alloc")]
mod any_hash;
mod backend;
#[cfg(feature = "alloc")]
mod blocks;
#[cfg(feature = "alloc")]
mod buffers;
#[cfg(feature = "alloc")]
mod chains;
#[cfg(feature = "alloc")]
mod concat;
mod cpu;
#[cfg(feature = "alloc")]
mod digest_many;
#[cfg(feature = "alloc")]
mod doors;
#[cfg(feature = "alloc")]
mod ending;
mod erase;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "alloc")]
mod fixed;
#[cfg(feature = "alloc")]
mod functions;
#[cfg(feature = "alloc")]
mod hash;
#[cfg(feature = "alloc")]
mod hmac;
#[cfg(feature = "alloc")]
mod hmac_key;
mod kernel;
#[cfg(feature = "alloc")]
mod lane_hashes;
mod lanes;
#[cfg(feature = "alloc")]
mod many;
#[cfg(feature = "alloc")]
mod many_hasher;
#[cfg(feature = "alloc")]
mod measure;
#[cfg(feature = "alloc")]
mod nodes;
#[cfg(feature = "alloc")]
mod padding;
#[cfg(feature = "rayon")]
mod parallel;
mod parts;
#[cfg(feature = "alloc")]
mod pbkdf2;
mod plan;
#[cfg(feature = "alloc")]
mod plans;
#[cfg(feature = "alloc")]
mod prefix;
#[cfg(feature = "std")]
mod readers;
#[cfg(feature = "alloc")]
mod rows;
#[cfg(feature = "alloc")]
mod schedule;
#[cfg(feature = "alloc")]
mod sha2;
#[cfg(feature = "alloc")]
mod stream;
mod word;

#[cfg(feature = "std")]
pub use backend::DefaultBackendError;
pub use backend::{Backend, BackendError};
#[cfg(feature = "alloc")]
pub use chains::{ChainError, ChainLayout};
#[cfg(feature = "alloc")]
pub use digest_many::DigestMany;
#[cfg(feature = "alloc")]
pub use doors::Lanes;
#[cfg(feature = "files")]
pub use files::FileError;
#[cfg(feature = "alloc")]
pub use hmac_key::{HmacKey, WrongMacs};
#[cfg(feature = "alloc")]
pub use many::HashMany;
#[cfg(feature = "alloc")]
pub use many_hasher::ManyHasher;
#[cfg(feature = "alloc")]
pub use nodes::AsNodes;
#[cfg(feature = "rayon")]
pub use parallel::Parallel;
pub use parts::Parts;
#[cfg(feature = "alloc")]
pub use pbkdf2::Rounds;
#[cfg(feature = "alloc")]
pub use prefix::Prefix;
#[cfg(feature = "std")]
pub use readers::{MessageWriter, ReadProgress};

/// The parts for authors of hashes and of custom kernels. Not covered by semantic versioning.
pub mod engine {
    /// The rounds of SHA-2.
    #[cfg(feature = "alloc")]
    pub mod sha2 {
        pub use crate::sha2::{
            State, compress, compress_const_tail, compress_constant, initial_state,
        };
    }

    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    pub extern crate alloc;
    #[cfg(feature = "files")]
    #[doc(hidden)]
    pub extern crate std;

    #[cfg(feature = "alloc")]
    pub use crate::any_hash::{AnyHash, Begun};
    #[cfg(feature = "alloc")]
    pub use crate::blocks::padded_blocks;
    #[cfg(feature = "alloc")]
    pub use crate::buffers::{Absorb, Buffers};
    #[cfg(feature = "alloc")]
    pub use crate::chains::{ChainHash, ChainWords, Chains, Place, try_hash_chains};
    #[cfg(feature = "alloc")]
    pub use crate::compile_kernels;
    #[cfg(feature = "alloc")]
    pub use crate::concat::{End, Ended, Numbered, hash_concat};
    pub use crate::cpu::{ShaExtensions, ShaInstructions};
    #[cfg(feature = "alloc")]
    pub use crate::ending::{Counter, CounterAndFlag, Ending, Length};
    pub use crate::erase::{Blank, erase};
    #[cfg(feature = "alloc")]
    pub use crate::erase::{Erased, extend_outputs, outputs_of_hint};
    #[cfg(feature = "files")]
    pub use crate::files::hash_files;
    #[cfg(feature = "alloc")]
    pub use crate::fixed::{BatchHash, Rows, hash_batch, lanes_of_batch, plan_of_batch};
    #[cfg(feature = "alloc")]
    pub use crate::hash::{
        Group, LaneHash, ParamsOf, ShaKernels, Shape, Sink, Start, Starts, Suspicion, Suspicions,
        hash_streams,
    };
    #[cfg(feature = "alloc")]
    pub use crate::hmac::{UnequalPairs, check_pairs, hmac_many, pairs};
    #[cfg(feature = "alloc")]
    pub use crate::hmac_key::verify_hmac_many;
    pub use crate::kernel::{Kernel, KernelSet, LaneJob, LaneKernel, Pass};
    pub use crate::lanes::{Lanes, MAX_LANES, Portable, Scalar, Vectors, Words};
    // For tests on CPUs whose kernels do not have them.
    #[doc(hidden)]
    pub use crate::lanes::Interleaved;
    #[cfg(feature = "alloc")]
    pub use crate::many::{
        Digests, HashAll, RowsOf, check_counted, check_counts, check_hint, counted, hash_again,
        hash_begun, hash_into, hash_messages, hash_stream, in_groups, into_slice, into_vec,
        try_into_slice,
    };
    #[cfg(feature = "alloc")]
    pub use crate::measure::least_times;
    #[cfg(feature = "alloc")]
    pub use crate::nodes::NodeHash;
    #[cfg(feature = "alloc")]
    pub use crate::padding::{padded_quad, short_quad};
    #[cfg(feature = "rayon")]
    pub use crate::parallel::{items_per_task, messages_per_task};
    #[cfg(feature = "alloc")]
    pub use crate::pbkdf2::{Chain, Pbkdf2Hash, pbkdf2_many, run_rounds};
    pub use crate::plan::{Costs, GROUP, Plan};
    #[cfg(feature = "alloc")]
    pub use crate::plans::Plans;
    #[cfg(feature = "std")]
    pub use crate::readers::{PiecesHasher, UpdateMany, hash_readers};
    #[cfg(feature = "alloc")]
    pub use crate::rows::{first_rows, store_rows};
    #[cfg(feature = "alloc")]
    pub use crate::schedule::{Family, Slot, Stream, Tail};
    #[cfg(feature = "alloc")]
    pub use crate::sha2::Sha2;
    #[cfg(feature = "alloc")]
    pub use crate::stream::{
        BlockHash, CompiledHash, HashFunction, RowOf, cost, digest_of, hash_group, hash_message,
        hash_one, hash_rows,
    };
    pub use crate::word::{
        Array, BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, Bytes, ROW_WORDS, Row, Word,
        padding_words, padding_words_of_u64, row_of_words, row_of_words_of_u64,
    };
}
