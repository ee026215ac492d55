//! A hash function of any family, as its doors see it.

use crate::backend::Backend;
use crate::erase::Blank;
use crate::hash::Sink;
use crate::many::Digests;
use crate::word::Bytes;

/// A hash function of any family. [`Lanes`](crate::Lanes), [`Prefix`](crate::Prefix) and
/// [`ManyHasher`](crate::ManyHasher) are made of it, so every hash has them all.
///
/// Every [`HashFunction`](crate::engine::HashFunction) is one. Sponges, whose states are larger,
/// implement it themselves.
pub trait AnyHash: Clone + 'static {
    /// The digest.
    type Digest: Bytes;

    /// The state of a message between blocks.
    type State: Blank + 'static;

    /// The bytes of a block.
    const BLOCK_BYTES: usize;

    /// The state before the first block.
    fn initial_state() -> Self::State;

    /// The number of bytes, out of `len`, that can be hashed: whole blocks. Unless the message
    /// `continues`, some hashes keep the last one, which may be the end of the message.
    #[must_use]
    fn whole_bytes(len: usize, continues: bool) -> usize {
        let _ = continues;
        len / Self::BLOCK_BYTES * Self::BLOCK_BYTES
    }

    /// The digest of one message.
    fn hash_message(backend: Backend, message: &[u8]) -> Self::Digest;

    /// Hashes complete messages, or what follows the same state of each, that after a number of
    /// bytes. Before the first byte it is the initial state.
    fn hash_all(
        backend: Backend,
        after: Option<(&Self::State, u64)>,
        messages: impl Iterator<Item: AsRef<[u8]>>,
        digests: &mut dyn Digests,
    );

    /// Ends messages: hashes the last bytes of each.
    fn end<'m>(
        backend: Backend,
        messages: impl Iterator<Item = Begun<'m, Self::State>>,
        digests: &mut dyn Digests,
    );

    /// Hashes the whole blocks of each part into the state before it, and reports the states that
    /// they reach.
    fn absorb<'m>(
        backend: Backend,
        parts: impl Iterator<Item = Begun<'m, Self::State>>,
        sink: &mut dyn Sink<Self::State>,
    );

    /// The state after the whole blocks of one part.
    fn absorb_one(backend: Backend, part: Begun<'_, Self::State>) -> Self::State;
}

/// A part of a message that has begun: the state between blocks, the number of bytes before it, and
/// the bytes after it.
pub type Begun<'m, S> = (&'m S, u64, &'m [u8]);
