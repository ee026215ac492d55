//! Hashes whole messages into digests.

use alloc::vec::Vec;
use core::iter;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::hash::{LaneHash, Row};
use crate::message::{GROUP, Hashing, InitialState};
use crate::schedule::{MIN_EQUAL, check_hashing};
use crate::scratch::Scratch;

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
    let messages = messages.into_iter();
    check_counts(messages.len(), digests.len());
    check_hashing::<H, WORDS>(hashing);
    let mut digests = Digests { digests, stored: 0 };
    if digests.digests.len() == 1 {
        for only in messages {
            let row = H::hash_one(backend, hashing, initial.message(only.as_ref()));
            digests.store::<WORDS>(digests.stored, &[row]);
        }
        return digests.check_all_stored();
    }
    let mut messages = messages.map(|message| -> &[u8] { message.as_ref() });
    let other =
        hash_first_equal::<H, WORDS, _>(backend, hashing, &initial, &mut messages, &mut digests);
    if !other.is_empty() {
        let first = digests.stored;
        H::hash_messages(
            backend,
            hashing,
            &mut other.into_iter().chain(messages).map(|bytes| initial.message(bytes)),
            &mut |index, rows| digests.store::<WORDS>(first + index, rows),
        );
    }
    digests.check_all_stored();
}

/// Hashes groups of messages of equal length until a length differs. Returns the messages taken but
/// not hashed: the one that differs, after those of its group if they are fewer than [`MIN_EQUAL`].
// Inlined, its arrays would take up stack while the scheduler hashes the other messages.
#[inline(never)]
fn hash_first_equal<'m, H: LaneHash<WORDS>, const WORDS: usize, D: AsMut<[u8]>>(
    backend: Backend,
    hashing: Hashing,
    initial: &'m InitialState<WORDS>,
    messages: &mut impl Iterator<Item = &'m [u8]>,
    digests: &mut Digests<'_, D>,
) -> ArrayVec<&'m [u8], GROUP> {
    let mut scratch = Scratch::new();
    // Only as many as are used: zeroing all of them would slow down small batches.
    let mut rows: ArrayVec<Row, GROUP> = ArrayVec::new();
    loop {
        let mut group: ArrayVec<&[u8], GROUP> = ArrayVec::new();
        let mut other = None;
        for message in messages.by_ref() {
            if group.first().is_some_and(|first| first.len() != message.len()) {
                other = Some(message);
                break;
            }
            group.push(message);
            if group.is_full() {
                break;
            }
        }
        if other.is_some() && group.len() < MIN_EQUAL {
            group.extend(other);
            return group;
        }
        if !group.is_empty() {
            rows.extend(iter::repeat_n([0; 32], group.len().saturating_sub(rows.len())));
            let rows = &mut rows[..group.len()];
            H::hash_equal(backend, hashing, initial, &group, rows, &mut scratch);
            digests.store::<WORDS>(digests.stored, rows);
        }
        if !group.is_full() {
            return other.into_iter().collect();
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

/// One `value` for each of `messages`. Panics if they do not fit into memory, where `vec!` ends the
/// process.
#[track_caller]
pub(crate) fn one_per_message<T: Clone>(messages: usize, value: T, name: &str) -> Vec<T> {
    let mut values = Vec::new();
    if values.try_reserve_exact(messages).is_err() {
        panic!("the {name} of {messages} messages do not fit into memory");
    }
    values.resize(messages, value);
    values
}

/// Panics if `messages != digests`.
#[track_caller]
#[inline]
pub fn check_counts(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages cannot be hashed into {digests} digests");
}
