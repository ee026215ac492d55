#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod any_hash;
mod backend;
mod blocks;
mod buffers;
mod chains;
mod cpu;
mod digest_many;
mod doors;
mod ending;
mod erase;
#[cfg(feature = "files")]
mod files;
mod fixed;
mod functions;
mod hash;
mod hmac;
mod hmac_key;
mod kernel;
mod lane_hashes;
mod lanes;
mod many;
mod many_hasher;
mod measure;
mod nodes;
mod padding;
#[cfg(feature = "rayon")]
mod parallel;
mod parts;
mod pbkdf2;
mod plan;
mod plans;
mod prefix;
#[cfg(feature = "std")]
mod readers;
mod rows;
mod sha2;
mod stream;
mod word;

#[cfg(feature = "std")]
pub use backend::DefaultBackendError;
pub use backend::{Backend, BackendError};
pub use chains::{ChainError, ChainLayout};
pub use digest_many::DigestMany;
pub use doors::Lanes;
#[cfg(feature = "files")]
pub use files::FileError;
pub use hmac_key::{HmacKey, WrongMacs};
pub use many::HashMany;
pub use many_hasher::ManyHasher;
pub use nodes::AsNodes;
#[cfg(feature = "rayon")]
pub use parallel::Parallel;
pub use parts::Parts;
pub use pbkdf2::Rounds;
pub use prefix::Prefix;
#[cfg(feature = "std")]
pub use readers::{MessageWriter, ReadProgress};

/// The parts for authors of hashes and of custom kernels. Not covered by semantic versioning.
pub mod engine {
    /// The rounds of SHA-2.
    pub mod sha2 {
        pub use crate::sha2::{
            State, compress, compress_const_tail, compress_constant, initial_state,
        };
    }

    #[doc(hidden)]
    pub extern crate alloc;
    #[cfg(feature = "files")]
    #[doc(hidden)]
    pub extern crate std;

    pub use crate::any_hash::{AnyHash, Begun};
    pub use crate::blocks::padded_blocks;
    pub use crate::buffers::{Absorb, Buffers};
    pub use crate::chains::{ChainHash, ChainWords, Chains, Place, try_hash_chains};
    pub use crate::compile_kernels;
    pub use crate::cpu::ShaExtensions;
    pub use crate::ending::{Counter, CounterAndFlag, Ending, Length};
    pub use crate::erase::{Blank, Erased, erase, extend_outputs, outputs_of_hint};
    #[cfg(feature = "files")]
    pub use crate::files::hash_files;
    pub use crate::fixed::{BatchHash, Rows, hash_batch, lanes_of_batch, plan_of_batch};
    pub use crate::hash::{
        GROUP, Group, LaneHash, ParamsOf, Shape, Sink, Start, Starts, Suspicion, hash_streams,
    };
    pub use crate::hmac::{UnequalPairs, check_pairs, hmac_many, pairs};
    pub use crate::hmac_key::verify_hmac_many;
    pub use crate::kernel::{Kernel, KernelSet, LaneJob, LaneKernel, Pass};
    pub use crate::lanes::{Lanes, MAX_LANES, Portable, Scalar, Vectors, Words};
    // For tests on CPUs whose kernels do not have them.
    #[doc(hidden)]
    pub use crate::lanes::Interleaved;
    pub use crate::many::{
        Digests, HashAll, RowsOf, check_counted, check_counts, check_hint, counted, hash_again,
        hash_into, hash_stream, in_groups, into_slice, into_vec, try_into_slice,
    };
    pub use crate::measure::least_times;
    pub use crate::nodes::NodeHash;
    pub use crate::padding::{padded_quad, short_quad};
    #[cfg(feature = "rayon")]
    pub use crate::parallel::{items_per_task, messages_per_task};
    pub use crate::pbkdf2::{Chain, Pbkdf2Hash, pbkdf2_many, run_rounds};
    pub use crate::plan::{Costs, Plan};
    pub use crate::plans::Plans;
    #[cfg(feature = "std")]
    pub use crate::readers::{PiecesHasher, UpdateMany, hash_readers};
    pub use crate::rows::{first_rows, store_rows};
    pub use crate::sha2::Sha2;
    pub use crate::stream::{
        CompiledHash, HashFunction, RowOf, Stream, cost, digest_of, hash_group, hash_message,
        hash_one, hash_rows,
    };
    pub use crate::word::{
        Array, BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, Bytes, ROW_WORDS, Row, Word,
        padding_words, padding_words_of_u64, row_of_words, row_of_words_of_u64,
    };
}
