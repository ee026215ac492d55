//! Hashes the common prefix of many messages only once.

use alloc::vec::Vec;
use core::fmt;

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_BYTES, CompiledHash, LaneHash, Row, Start, hash_into, into_slice, into_vec,
};

use crate::ManyHasher;
use crate::sha256::Sha256;

/// The state after a common prefix of many messages.
///
/// The length of the prefix is a multiple of 64 bytes, as in the tagged hashes of BIP 340.
///
/// ```
/// use sha2::{Digest, Sha256};
/// use sha256_multi::Midstate;
///
/// let tag = Sha256::digest(b"BIP0340/challenge");
/// let midstate = Midstate::new(&[tag, tag].concat());
///
/// let challenges = midstate.hash_many(["first", "second"]);
/// assert_eq!(challenges[0], *Sha256::digest([&tag[..], &tag, b"first"].concat()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Midstate {
    state: Row,
    prefix_len: u64,
}

impl Midstate {
    /// The state after `prefix`.
    ///
    /// # Panics
    ///
    /// Panics if `prefix.len()` is not a multiple of 64.
    #[track_caller]
    #[must_use]
    pub fn new(prefix: &[u8]) -> Self {
        match Self::try_new(prefix) {
            Ok(midstate) => midstate,
            Err(error) => panic!("{error}"),
        }
    }

    /// [`Self::new`] for a prefix of any length.
    ///
    /// # Errors
    ///
    /// Returns [`PrefixLengthError`] if `prefix.len()` is not a multiple of 64.
    pub fn try_new(prefix: &[u8]) -> Result<Self, PrefixLengthError> {
        let start = Start::continuing(None, 0);
        let row = Sha256::hash_one(Backend::detect(), start, prefix);
        Self::try_from_state(row, prefix.len() as u64)
    }

    /// The state that another implementation reached: its eight words H(i) after `prefix_len`
    /// bytes.
    ///
    /// # Panics
    ///
    /// Panics if `prefix_len` is not a multiple of 64.
    #[track_caller]
    #[must_use]
    pub fn from_words(words: [u32; 8], prefix_len: u64) -> Self {
        match Self::try_from_words(words, prefix_len) {
            Ok(midstate) => midstate,
            Err(error) => panic!("{error}"),
        }
    }

    /// [`Self::from_words`] for a length that another program states.
    ///
    /// # Errors
    ///
    /// Returns [`PrefixLengthError`] if `prefix_len` is not a multiple of 64.
    pub fn try_from_words(words: [u32; 8], prefix_len: u64) -> Result<Self, PrefixLengthError> {
        Self::try_from_state(Sha256::row(&words), prefix_len)
    }

    fn try_from_state(state: Row, prefix_len: u64) -> Result<Self, PrefixLengthError> {
        if !prefix_len.is_multiple_of(BLOCK_BYTES as u64) {
            return Err(PrefixLengthError { prefix_len });
        }
        Ok(Self { state, prefix_len })
    }

    /// The eight words H(i) after the prefix.
    #[must_use]
    pub fn words(&self) -> [u32; 8] {
        Sha256::state(&self.state)
    }

    /// The length of the prefix in bytes.
    #[must_use]
    pub const fn prefix_len(&self) -> u64 {
        self.prefix_len
    }

    pub(crate) const fn start(&self) -> Start<'_> {
        Start::ending(Some(&self.state), self.prefix_len)
    }

    /// Returns the digest of the prefix followed by each message.
    #[must_use]
    pub fn hash_many(&self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; 32]> {
        self.hash_many_with(Backend::detect(), messages)
    }

    /// [`Self::hash_many`] with the given backend.
    #[must_use]
    pub fn hash_many_with(
        &self,
        backend: Backend,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Vec<[u8; 32]> {
        into_vec(messages, &[0; 32], |messages, digests| {
            hash_into::<Sha256>(backend, self.start(), messages, digests);
        })
    }

    /// Hashes the prefix followed by the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_many_into(
        &self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        digests: &mut [[u8; 32]],
    ) {
        self.hash_many_into_with(Backend::detect(), messages, digests);
    }

    /// [`Self::hash_many_into`] with the given backend.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_many_into_with(
        &self,
        backend: Backend,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        digests: &mut [[u8; 32]],
    ) {
        into_slice(messages, digests, |messages, digests| {
            hash_into::<Sha256>(backend, self.start(), messages, digests);
        });
    }

    /// Creates a hasher of `count` messages that arrive in parts, each after the prefix.
    ///
    /// # Panics
    ///
    /// Panics if [`ManyHasher::new`] does.
    #[track_caller]
    #[must_use]
    pub fn many_hasher(&self, count: usize) -> ManyHasher {
        self.many_hasher_with(Backend::detect(), count)
    }

    /// [`Self::many_hasher`] with the given backend.
    ///
    /// # Panics
    ///
    /// Panics if [`ManyHasher::new`] does.
    #[track_caller]
    #[must_use]
    pub fn many_hasher_with(&self, backend: Backend, count: usize) -> ManyHasher {
        ManyHasher::after_prefix(backend, self.state, self.prefix_len, count)
    }
}

/// A prefix whose length is not a multiple of the block size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrefixLengthError {
    /// The length in bytes.
    pub prefix_len: u64,
}

impl fmt::Display for PrefixLengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { prefix_len } = self;
        write!(f, "the length of a prefix must be a multiple of 64 bytes, not {prefix_len}")
    }
}

impl core::error::Error for PrefixLengthError {}
