//! Whole messages in, digests out.

use core::iter;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::hash::{LaneHash, Row};
use crate::lanes::BLOCK_BYTES;
use crate::message::{GROUP, Message, Times};

/// Where the hashing of a message begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start<const WORDS: usize> {
    state: [u32; WORDS],
    bytes: u64,
    is_initial: bool,
}

impl<const WORDS: usize> Start<WORDS> {
    /// The start of a message of hash `H`.
    #[must_use]
    pub const fn of<H: LaneHash<WORDS>>() -> Self {
        Self { state: H::IV, bytes: 0, is_initial: true }
    }

    /// The state after a prefix of `bytes` bytes.
    ///
    /// # Panics
    ///
    /// Panics if `bytes` is not a multiple of 64.
    #[track_caller]
    #[must_use]
    pub fn after_prefix(state: [u32; WORDS], bytes: u64) -> Self {
        assert!(
            bytes.is_multiple_of(BLOCK_BYTES as u64),
            "a prefix of {bytes} bytes is no whole number of 64-byte blocks"
        );
        Self { state, bytes, is_initial: false }
    }

    /// The state: the hash's IV, or the state after a prefix.
    #[must_use]
    pub const fn state(&self) -> &[u32; WORDS] {
        &self.state
    }

    /// How many bytes of the message are in that state already; a multiple of 64.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Hashes each message, all beginning at `start`, into the digest at its own place.
///
/// # Panics
///
/// Panics if there are not as many digests as messages.
#[track_caller]
pub fn hash_many<'m, H, const WORDS: usize, I, M, D>(
    backend: Backend,
    start: Start<WORDS>,
    times: Times,
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
    let state = if start.is_initial { None } else { Some(&start.state) };
    let message = |message: &'m M| Message { state, bytes: message.as_ref(), ends_after: Some(start.bytes) };
    if let [_] = digests
        && let Some(only) = messages.next()
    {
        return store::<WORDS, D>(&[H::hash_one(backend, times, message(only))], digests);
    }
    let (mut first, mut other) = (0, None);
    if start.is_initial && times == Times::Once {
        (first, other) = hash_first_32_bytes::<H, WORDS, _, _, _>(backend, &mut messages, digests);
    }
    if first > 0 && first == digests.len() {
        return;
    }
    H::hash_messages(
        backend,
        times,
        &mut other.into_iter().chain(messages).map(message),
        &mut |index, rows| store::<WORDS, D>(rows, &mut digests[first + index..]),
    );
}

/// Hashes the messages before the first that does not have 32 bytes. Returns how many there were, and that message.
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

/// Copies the digests out of rows.
#[inline]
fn store<const WORDS: usize, D: AsMut<[u8]>>(rows: &[Row], digests: &mut [D]) {
    for (digest, row) in digests.iter_mut().zip(rows) {
        digest.as_mut().copy_from_slice(&row[..4 * WORDS]);
    }
}

/// Panics unless there is a digest for each message.
#[track_caller]
#[inline]
pub fn check_counts(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages cannot be hashed into {digests} digests");
}
