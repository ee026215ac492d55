//! Hashes whole messages into digests.

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
    let mut messages = messages.map(AsRef::as_ref);
    let mut digests = Digests::<D> { digests, stored: 0 };
    let mut scratch = Scratch::default();
    let mut rows = [[0; 32]; GROUP];
    // Messages of equal length.
    let mut group: ArrayVec<&[u8], GROUP> = ArrayVec::new();
    loop {
        let other = fill(&mut group, &mut messages);
        if group.len() < MIN_EQUAL && other.is_some() {
            let first = digests.stored;
            let mut rest = group.into_iter().chain(other).chain(messages);
            H::hash_messages(
                backend,
                hashing,
                &mut rest.by_ref().map(|bytes| initial.message(bytes)),
                &mut |index, rows| digests.store::<WORDS>(first + index, rows),
            );
            return digests.check_all_stored();
        }
        match *group {
            [] => return digests.check_all_stored(),
            [bytes] => rows[0] = H::hash_one(backend, hashing, initial.message(bytes)),
            _ => {
                let rows = &mut rows[..group.len()];
                H::hash_equal_lengths(backend, hashing, &initial, &group, rows, &mut scratch);
            }
        }
        digests.store::<WORDS>(digests.stored, &rows[..group.len()]);
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

/// The digests of all messages, each stored once.
struct Digests<'d, D> {
    digests: &'d mut [D],
    stored: usize,
}

impl<D: AsMut<[u8]>> Digests<'_, D> {
    /// Stores the digests of the messages from number `first` on.
    #[track_caller]
    #[inline]
    fn store<const WORDS: usize>(&mut self, first: usize, rows: &[Row]) {
        let expected = self.digests.len();
        let Some(digests) = self.digests.get_mut(first..first + rows.len()) else {
            panic!("the iterator yielded more messages than its length of {expected}");
        };
        for (digest, row) in digests.iter_mut().zip(rows) {
            digest.as_mut().copy_from_slice(&row[..4 * WORDS]);
        }
        self.stored += rows.len();
    }

    #[track_caller]
    fn check_all_stored(&self) {
        let Self { digests, stored } = self;
        assert!(
            *stored == digests.len(),
            "the iterator yielded {stored} messages, fewer than its length of {}",
            digests.len()
        );
    }
}

/// Panics if `messages != digests`.
#[track_caller]
#[inline]
pub fn check_counts(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages cannot be hashed into {digests} digests");
}
