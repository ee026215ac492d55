//! Hashes whole messages into digests.

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
    mut digests: &mut [D],
) where
    H: LaneHash<WORDS>,
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    let messages = messages.into_iter();
    check_counts(messages.len(), digests.len());
    check_hashing::<H, WORDS>(hashing);
    let mut messages = exactly(messages, digests.len()).map(AsRef::as_ref);
    let mut scratch = Scratch::default();
    let mut rows = [[0; 32]; GROUP];
    // Messages of equal length.
    let mut group: ArrayVec<&[u8], GROUP> = ArrayVec::new();
    loop {
        let other = fill(&mut group, &mut messages);
        if group.len() < MIN_EQUAL && other.is_some() {
            let mut rest = group.into_iter().chain(other).chain(messages);
            H::hash_messages(
                backend,
                hashing,
                &mut rest.by_ref().map(|bytes| initial.message(bytes)),
                &mut |index, rows| store::<WORDS, D>(rows, &mut digests[index..]),
            );
            return;
        }
        match *group {
            [] => return,
            [bytes] => rows[0] = H::hash_one(backend, hashing, initial.message(bytes)),
            _ => {
                let rows = &mut rows[..group.len()];
                H::hash_equal_lengths(backend, hashing, &initial, &group, rows, &mut scratch);
            }
        }
        let (first, rest) = digests.split_at_mut(group.len());
        store::<WORDS, D>(&rows, first);
        digests = rest;
        group.clear();
        group.extend(other);
    }
}

/// Takes messages that are as long as the first until the group is full. Returns the first message
/// of another length.
#[inline]
fn fill<'m>(
    group: &mut ArrayVec<&'m [u8], GROUP>,
    messages: &mut impl Iterator<Item = &'m [u8]>,
) -> Option<&'m [u8]> {
    while !group.is_full()
        && let Some(bytes) = messages.next()
    {
        if group.first().is_some_and(|first| first.len() != bytes.len()) {
            return Some(bytes);
        }
        group.push(bytes);
    }
    None
}

/// Copies digests out of rows.
#[inline]
fn store<const WORDS: usize, D: AsMut<[u8]>>(rows: &[Row], digests: &mut [D]) {
    for (digest, row) in digests.iter_mut().zip(rows) {
        digest.as_mut().copy_from_slice(&row[..4 * WORDS]);
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
        assert!(
            message.is_some(),
            "the iterator yielded {yielded} messages, fewer than its length of {len}"
        );
        yielded += 1;
        if yielded == len {
            check_end(&mut messages, len);
        }
        message
    })
}

/// Panics if there are messages after the first `len`.
fn check_end(messages: &mut impl Iterator, len: usize) {
    assert!(
        messages.next().is_none(),
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
