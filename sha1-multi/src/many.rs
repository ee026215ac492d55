//! Messages of any lengths.

use hash_lanes::{Backend, Start, Times};

use crate::{Sha1Lanes, hash_with};

/// Hashes each message into the digest at its own place. The messages may have different lengths.
///
/// ```
/// let messages = ["one", "two", "three"];
/// let mut digests = [[0; 20]; 3];
/// sha1_multi::hash_many(&messages, &mut digests);
///
/// // The pieces of one buffer, without a table of slices.
/// let file = vec![0; 100_000];
/// let pieces = file.chunks(16 * 1024);
/// let mut digests = vec![[0; 20]; pieces.len()];
/// sha1_multi::hash_many(pieces, &mut digests);
/// ```
///
/// # Panics
///
/// If there are not as many digests as messages.
#[track_caller]
pub fn hash_many<'m, I, M>(messages: I, digests: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash_many_with(Backend::detect(), messages, digests);
}

/// [`hash_many`] with a backend of one's choice.
///
/// # Panics
///
/// If there are not as many digests as messages.
#[track_caller]
pub fn hash_many_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [[u8; 20]])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    let mut messages = messages.into_iter();
    if let (1, [digest]) = (messages.len(), &mut *digests) {
        // The scheduler is for many: with SHA-NI a message of 64 bytes takes 68 ns alone, and 104 through it (Zen 4).
        *digest = hash_with(backend, messages.next().expect("one message").as_ref());
        return;
    }
    let start = Start::of::<Sha1Lanes>();
    hash_lanes::hash_many::<Sha1Lanes, 5, _, _, _>(backend, start, Times::Once, messages, digests);
}
