//! Wraps functions of one message, or of a whole batch, in one type.

use crate::batch::Batch;

/// Hashes each message of the batch into the digest at the same index. The digests are contiguous.
pub(crate) type Hash = Box<dyn FnMut(&Batch<'_>, &mut [u8])>;

/// Erases the digest length from the type of a hash function.
pub(crate) fn boxed<const N: usize>(
    mut hash: impl FnMut(&Batch<'_>, &mut [[u8; N]]) + 'static,
) -> Hash {
    Box::new(move |batch, digests| hash(batch, digests.as_chunks_mut().0))
}

/// Hashes the messages one after another, without lanes.
pub(crate) fn each<const N: usize>(once: impl Fn(&[u8]) -> [u8; N] + 'static) -> Hash {
    boxed(move |batch, digests| {
        for (message, digest) in batch.messages.iter().zip(digests) {
            *digest = once(message);
        }
    })
}

/// Hashes a message, then its digest.
pub(crate) fn twice<const N: usize>(once: impl Fn(&[u8]) -> [u8; N]) -> impl Fn(&[u8]) -> [u8; N] {
    move |message| once(&once(message))
}

/// The salt of every password.
pub(crate) const SALT: &[u8] = &[7; 16];
