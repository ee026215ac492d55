//! The tests that every hash built on `hash-lanes` must pass, generic over the hash.
//!
//! A hash crate implements [`Subject`] in its test target `conformance` and calls the macros of
//! this crate. Each macro generates one `#[test]` function per test, so a failure names the hash,
//! the module and the test:
//!
//! - [`lane_hash_tests!`] for the functions of every hash;
//! - [`hmac_tests!`] if the crate has HMAC and PBKDF2;
//! - [`law_tests!`] for the laws that every function keeps that takes messages: it names them all,
//!   and a public one without a name fails;
//! - [`digest_many_tests!`] for `DigestMany` and one generation of RustCrypto's digest traits.
//!
//! [`watch_freed_memory!`] makes a test program look for secrets in the memory that it frees.
//!
//! This crate is not published. A dependency on it has no version, so `cargo package` drops it, and
//! the package must exclude the test target that needs it.

#![deny(unsafe_code)]
#![allow(missing_docs, reason = "the name of a test describes it")]

pub mod digest_many;
pub mod extremes;
pub mod freed;
pub mod hmac;
pub mod laws;
pub mod lengths;
pub mod many_hasher;
pub mod messages;
pub mod parts;
pub mod readers;
pub mod stack;
pub mod threads;

use std::fmt::Debug;

use hash_lanes::engine::{BLOCK_WORDS, Bytes, CompiledHash, LaneHash, RowOf, Word};
use hash_lanes::{Backend, HashMany};

pub use messages::Batch;
pub use proptest;

/// A hash under test, with its reference implementation.
pub trait Subject: Sized + 'static {
    /// The digest.
    type Digest: Bytes;

    /// The hash as described to the engine.
    type Hash: CompiledHash<Digest = Self::Digest>;

    /// The value that hashes, on some backend.
    type Lanes: HashMany<Output = Self::Digest> + Copy + Debug + Default + Send + Sync;

    /// The digest computed by another implementation.
    fn reference(message: &[u8]) -> Self::Digest;

    /// The value that hashes on `backend`.
    fn on(backend: Backend) -> Self::Lanes;

    /// The digest of `message` after `before` bytes, which led to `state`.
    #[must_use]
    fn resumed(state: &RowOf<Self::Hash>, before: u64, message: &[u8]) -> Self::Digest {
        lengths::resumed_with_length::<Self>(state, before, message)
    }

    /// Every way of hashing; the first is the hash itself.
    fn ways() -> Vec<Way<Self::Digest>>;
}

/// A way of hashing messages of any length: once, twice, after a prefix.
#[derive(Clone, Copy, Debug)]
pub struct Way<D> {
    /// The name in failure messages.
    pub name: &'static str,
    /// The digest of one message, computed by another implementation.
    pub reference: fn(&[u8]) -> D,
    /// Returns the digests.
    pub hash_many: fn(Backend, &[Vec<u8>]) -> Vec<D>,
    /// Writes the digests.
    pub hash_many_into: fn(Backend, &[Vec<u8>], &mut [D]),
    /// Hashes a single message without the scheduler, if there is a function for it.
    pub hash: Option<fn(Backend, &[u8]) -> D>,
}

/// A backend for each single kernel of this machine, and some with many kernels.
#[must_use]
pub fn backends() -> Vec<Backend> {
    let several = ["avx2+sha", "portable"].into_iter().filter_map(|name| name.parse().ok());
    std::iter::once(Backend::detect()).chain(several).chain(Backend::single_kernels()).fold(
        Vec::new(),
        |mut unique, backend| {
            if !unique.contains(&backend) {
                unique.push(backend);
            }
            unique
        },
    )
}

/// Bytes with a period of 251, so that no two blocks are equal; another `seed` gives other bytes.
#[must_use]
pub fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}

/// A digest that no test expects, to fill memory before a function writes to it.
#[must_use]
pub fn unwritten<D: Bytes>() -> D {
    D::filled(0xee)
}

/// The bytes of a block.
#[must_use]
pub const fn block_bytes<S: Subject>() -> usize {
    BLOCK_WORDS * word_bytes::<S>()
}

/// The bytes of a word.
#[must_use]
pub const fn word_bytes<S: Subject>() -> usize {
    <<S::Hash as LaneHash>::Word as Word>::BYTES
}

/// Compiles only for types that are `Send` and `Sync`.
pub const fn assert_shared_between_threads<T: Send + Sync>() {}

/// Generates a `#[test]` function for each test that every hash must pass.
///
/// `$subject` implements [`Subject`]. Give it as an absolute path: `crate::subject::Sha1`.
#[macro_export]
macro_rules! lane_hash_tests {
    ($subject:ty) => {
        $crate::tests! { [$subject];
            mod extremes {
                endless_iterators;
                errors;
                hashers;
                hints_that_lie;
                messages;
                mismatched_counts;
            }
            mod lengths {
                high_words;
            }
            mod many_hasher {
                clones_are_independent;
                parts_around_the_buffer_size;
                parts_of_equal_lengths_from_different_states;
                random_parts_in_random_order;
                reset_while_blocks_wait;
            }
            mod messages {
                arrays_larger_than_the_stack;
                borrowed;
                ending_in_every_order;
                every_count_around_later_block_boundaries;
                every_count_of_more_messages;
                every_count_of_up_to_three_blocks;
                every_length_alone;
                filtered;
                many_more_messages_than_lanes;
                owned;
                random_messages;
                random_runs_of_equal_lengths;
                short_messages_beside_longer_neighbours;
                two_lengths_across_groups;
            }
            mod parts {
                every_length;
                joined_to_the_last_byte;
                mismatched_counts;
                random_parts;
            }
            mod readers {
                hashed_side_by_side;
                stopped;
                written;
            }
            mod stack {
                messages;
            }
            mod threads {
                files;
                messages;
            }
        }
    };
}

/// Generates the `#[test]` functions for HMAC and PBKDF2 of `$subject`, which implements
/// [`hmac::Keyed`].
#[macro_export]
macro_rules! hmac_tests {
    ($subject:ty) => {
        $crate::tests! { [$subject, _];
            mod hmac {
                macs_of_mixed_lengths;
                repeated_keys;
                one_key;
                wrong_macs;
                passwords_of_mixed_lengths;
                rounds_for_each_password;
                outputs_of_mixed_lengths;
                nothing_to_hash;
                mismatched_counts;
                counts_unknown_beforehand;
                no_rounds;
                panics_name_the_caller;
                small_stack;
                tags;
                derived_keys;
            }
        }
    };
}

/// Generates one function per test, in a module named like that of the test. `$generics` are the
/// generic arguments of the tests, in brackets.
#[doc(hidden)]
#[macro_export]
macro_rules! tests {
    ($generics:tt; $(mod $module:ident { $($(#[$attribute:meta])* $test:ident;)+ })+) => {
        $(
            mod $module {
                $(
                    #[test]
                    $(#[$attribute])*
                    fn $test() {
                        $crate::call!($module::$test $generics);
                    }
                )+
            }
        )+
    };
}

/// Calls a test of this crate with generic arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! call {
    ($module:ident::$test:ident [$($generics:tt)+]) => {
        $crate::$module::$test::<$($generics)+>()
    };
}
