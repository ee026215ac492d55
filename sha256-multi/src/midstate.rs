//! Hashes the common prefix of many messages only once.

use hash_lanes::engine::{Hashing, InitialState, LaneHash, Message, hash_many};
use hash_lanes::{Backend, PrefixLengthError};

use crate::{ManyHasher, Sha256Lanes};

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
/// let mut challenges = [[0; 32]; 2];
/// midstate.hash_many(&[&b"first"[..], b"second"], &mut challenges);
/// assert_eq!(challenges[0], *Sha256::digest([&tag[..], &tag, b"first"].concat()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Midstate(InitialState<8>);

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
        let whole = Message { state: None, bytes: prefix, ends_after: None };
        let row = Sha256Lanes::hash_one(Backend::detect(), Hashing::Single, whole);
        Self::try_from_words(Sha256Lanes::state(&row), prefix.len() as u64)
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
        InitialState::after_prefix(words, prefix_len).map(Self)
    }

    /// The eight words H(i) after the prefix.
    #[must_use]
    pub const fn words(&self) -> [u32; 8] {
        *self.0.words()
    }

    /// The length of the prefix in bytes.
    #[must_use]
    pub const fn prefix_len(&self) -> u64 {
        self.0.prefix_len()
    }

    /// Hashes the prefix followed by the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
    #[track_caller]
    pub fn hash_many<'m, I, M>(&self, messages: I, digests: &mut [[u8; 32]])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        self.hash_many_with(Backend::detect(), messages, digests);
    }

    /// [`Self::hash_many`] with a custom backend.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
    #[track_caller]
    pub fn hash_many_with<'m, I, M>(&self, backend: Backend, messages: I, digests: &mut [[u8; 32]])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        hash_many::<Sha256Lanes, 8, _, _, _>(backend, self.0, Hashing::Single, messages, digests);
    }

    /// Creates a hasher of `count` messages that arrive in parts, each after the prefix.
    ///
    /// # Panics
    ///
    /// Panics if [`ManyHasher::new`] does.
    #[must_use]
    pub fn many_hasher(&self, count: usize) -> ManyHasher {
        self.many_hasher_with(Backend::detect(), count)
    }

    /// [`Self::many_hasher`] with a custom backend.
    ///
    /// # Panics
    ///
    /// Panics if [`ManyHasher::new`] does.
    #[must_use]
    pub fn many_hasher_with(&self, backend: Backend, count: usize) -> ManyHasher {
        ManyHasher::with_initial_state(backend, self.0, count)
    }
}
