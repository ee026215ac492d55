//! Hashes whole messages into digests.

use core::iter;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::hash::{LaneHash, Row};
use crate::message::{GROUP, Hashing, InitialState};

/// Hashes the `i`-th message, starting from `initial`, into `digests[i]`.
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, if `messages` yields more or fewer messages than
/// its `len()`, or if `hashing` is [`Hashing::Double`] and [`LaneHash::OFFERS_DOUBLE`] is `false`.
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
    let message = |message: &'m M| initial.message(message.as_ref());
    let mut digests = Digests { digests, stored: 0 };
    if digests.digests.len() == 1 {
        for only in messages {
            let row = H::hash_one(backend, hashing, message(only));
            digests.store::<WORDS>(digests.stored, &[row]);
        }
        return digests.check_all_stored();
    }
    let mut other = None;
    if initial.is_iv() && hashing == Hashing::Single {
        other = hash_first_32_bytes::<H, WORDS, _, _, _>(backend, &mut messages, &mut digests);
    }
    let first = digests.stored;
    if first == 0 || other.is_some() {
        H::hash_messages(
            backend,
            hashing,
            &mut other.into_iter().chain(messages).map(message),
            &mut |index, rows| digests.store::<WORDS>(first + index, rows),
        );
    }
    digests.check_all_stored();
}

/// Hashes messages up to the first that is not 32 bytes long, and returns that one.
fn hash_first_32_bytes<'m, H, const WORDS: usize, I, M, D>(
    backend: Backend,
    messages: &mut I,
    digests: &mut Digests<'_, D>,
) -> Option<&'m M>
where
    H: LaneHash<WORDS>,
    I: Iterator<Item = &'m M>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
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
            digests.store::<WORDS>(digests.stored, &rows);
        }
        if !group.is_full() {
            return other;
        }
    }
}

/// The digests of all messages, each stored once.
struct Digests<'d, D> {
    digests: &'d mut [D],
    stored: usize,
}

impl<D: AsMut<[u8]>> Digests<'_, D> {
    /// Copies the digests of the messages from number `first` on out of rows.
    #[inline]
    fn store<const WORDS: usize>(&mut self, first: usize, rows: &[Row]) {
        let len = self.digests.len();
        self.stored += rows.len();
        let Some(digests) = self.digests.get_mut(first..first + rows.len()) else {
            yielded_too_many(len);
        };
        for (digest, row) in digests.iter_mut().zip(rows) {
            digest.as_mut().copy_from_slice(&row[..4 * WORDS]);
        }
    }

    fn check_all_stored(&self) {
        check_yielded(self.stored, self.digests.len());
    }
}

/// The messages of an iterator whose `len()` is `len`.
///
/// # Panics
///
/// Panics if `messages` yields fewer than `len` messages, or more. This is noticed at the last
/// message.
#[inline]
pub fn exactly<I: Iterator>(mut messages: I, len: usize) -> impl Iterator<Item = I::Item> {
    let mut yielded = 0;
    if len == 0 {
        check_end(&mut messages, len);
    }
    iter::from_fn(move || {
        if yielded == len {
            return None;
        }
        let message = messages.next();
        if message.is_none() {
            check_yielded(yielded, len);
        }
        yielded += 1;
        if yielded == len {
            check_end(&mut messages, len);
        }
        message
    })
}

/// Panics if an iterator of length `len` yielded fewer messages.
#[track_caller]
pub fn check_yielded(yielded: usize, len: usize) {
    assert!(
        yielded >= len,
        "the iterator yielded {yielded} messages, fewer than its length of {len}"
    );
}

/// Panics if an iterator of length `len`, which has yielded as many messages, has more.
#[track_caller]
pub fn check_end(messages: &mut impl Iterator, len: usize) {
    if messages.next().is_some() {
        yielded_too_many(len);
    }
}

#[cold]
#[track_caller]
fn yielded_too_many(len: usize) -> ! {
    panic!(
        "the iterator yielded {} messages or more, more than its length of {len}",
        len.saturating_add(1)
    );
}

/// Panics if `messages != digests`.
#[track_caller]
#[inline]
pub fn check_counts(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages cannot be hashed into {digests} digests");
}
