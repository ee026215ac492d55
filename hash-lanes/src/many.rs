//! Hashes whole messages into digests.

use core::{fmt, iter};

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::hash::{LaneHash, Row};
use crate::lanes::BLOCK_BYTES;
use crate::message::{GROUP, Hashing, Message};

/// The state that each message starts from: the IV of the hash, or a midstate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitialState<const WORDS: usize> {
    words: [u32; WORDS],
    prefix_len: u64,
    is_iv: bool,
}

impl<const WORDS: usize> InitialState<WORDS> {
    /// The IV of `H`.
    #[must_use]
    pub const fn of<H: LaneHash<WORDS>>() -> Self {
        Self { words: H::IV, prefix_len: 0, is_iv: true }
    }

    /// The state after a prefix of `prefix_len` bytes.
    ///
    /// # Errors
    ///
    /// Returns [`PrefixLengthError`] if `prefix_len` is not a multiple of 64.
    pub const fn after_prefix(
        words: [u32; WORDS],
        prefix_len: u64,
    ) -> Result<Self, PrefixLengthError> {
        if !prefix_len.is_multiple_of(BLOCK_BYTES as u64) {
            return Err(PrefixLengthError { prefix_len });
        }
        Ok(Self { words, prefix_len, is_iv: false })
    }

    /// The state.
    #[must_use]
    pub const fn words(&self) -> &[u32; WORDS] {
        &self.words
    }

    /// The length of the prefix in bytes, a multiple of 64.
    #[must_use]
    pub const fn prefix_len(&self) -> u64 {
        self.prefix_len
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

/// Hashes the `i`-th message, starting from `initial`, into `digests[i]`.
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if `hashing` is [`Hashing::Double`] and
/// [`LaneHash::OFFERS_DOUBLE`] is `false`.
#[track_caller]
pub fn hash_many<'m, H, const WORDS: usize, I, M, D>(
    backend: Backend,
    initial: InitialState<WORDS>,
    hashing: Hashing,
    messages: I,
    digests: &mut [D],
) where
    H: LaneHash<WORDS>,
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    let mut messages = messages.into_iter();
    check_counts(messages.len(), digests.len());
    let state = if initial.is_iv { None } else { Some(&initial.words) };
    let message = |message: &'m M| Message {
        state,
        bytes: message.as_ref(),
        ends_after: Some(initial.prefix_len),
    };
    if let [_] = digests
        && let Some(only) = messages.next()
    {
        return store::<WORDS, D>(&[H::hash_one(backend, hashing, message(only))], digests);
    }
    let (mut first, mut other) = (0, None);
    if initial.is_iv && hashing == Hashing::Single {
        (first, other) = hash_first_32_bytes::<H, WORDS, _, _, _>(backend, &mut messages, digests);
    }
    if first > 0 && first == digests.len() {
        return;
    }
    H::hash_messages(
        backend,
        hashing,
        &mut other.into_iter().chain(messages).map(message),
        &mut |index, rows| store::<WORDS, D>(rows, &mut digests[first + index..]),
    );
}

/// Hashes messages up to the first that is not 32 bytes long. Returns the number of messages
/// hashed, and that message if there is one.
fn hash_first_32_bytes<'m, H, const WORDS: usize, I, M, D>(
    backend: Backend,
    messages: &mut I,
    digests: &mut [D],
) -> (usize, Option<&'m M>)
where
    H: LaneHash<WORDS>,
    I: Iterator<Item = &'m M>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    let mut first = 0;
    loop {
        let mut group: ArrayVec<&[u8; 32], GROUP> = ArrayVec::new();
        let mut other = None;
        for message in messages.by_ref() {
            let Ok(bytes) = message.as_ref().try_into() else {
                other = Some(message);
                break;
            };
            group.push(bytes);
            if group.is_full() {
                break;
            }
        }
        if !group.is_empty() {
            let mut rows: ArrayVec<Row, GROUP> = iter::repeat_n([0; 32], group.len()).collect();
            H::hash_32_bytes(backend, &group, &mut rows);
            store::<WORDS, D>(&rows, &mut digests[first..]);
            first += group.len();
        }
        if !group.is_full() {
            return (first, other);
        }
    }
}

/// Copies digests out of rows.
#[inline]
fn store<const WORDS: usize, D: AsMut<[u8]>>(rows: &[Row], digests: &mut [D]) {
    for (digest, row) in digests.iter_mut().zip(rows) {
        digest.as_mut().copy_from_slice(&row[..4 * WORDS]);
    }
}

/// Panics if `messages != digests`.
#[track_caller]
#[inline]
pub fn check_counts(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages cannot be hashed into {digests} digests");
}
