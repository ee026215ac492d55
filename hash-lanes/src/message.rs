//! What the scheduler is given: messages, and how often each is to be hashed.

use arrayvec::ArrayVec;

/// How many messages are looked at together: a multiple of all lanes.
pub(crate) const GROUP: usize = 64;

/// A message, or a part of one, to be hashed.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m, const WORDS: usize> {
    /// The state to go on from, where an earlier part ended. `None`: the hash's initial state.
    pub state: Option<&'m [u32; WORDS]>,
    /// The bytes to hash.
    pub bytes: &'m [u8],
    /// `Some(n)`: the message ends with these bytes and `n` bytes came before them; it is padded.
    /// `None`: it goes on; the bytes that do not fill a block are left out.
    pub ends_after: Option<u64>,
}

impl<'m, const WORDS: usize> Message<'m, WORDS> {
    /// A message that is not a part of one.
    #[must_use]
    pub const fn whole(bytes: &'m [u8]) -> Self {
        Self { state: None, bytes, ends_after: Some(0) }
    }
}

/// Whether a digest is hashed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashing {
    /// The digest of the message.
    Single,
    /// The digest of the digest, as Bitcoin uses it.
    Double,
}

/// Messages that are looked at together.
#[derive(Debug, Default)]
pub struct MessageGroup<'m, const WORDS: usize>(pub(crate) ArrayVec<Message<'m, WORDS>, GROUP>);

/// Where messages come from, in order.
pub trait Messages<'m, const WORDS: usize> {
    /// Appends the next messages to `group` until it is full or there are no more.
    fn fill(&mut self, group: &mut MessageGroup<'m, WORDS>);
}

impl<'m, const WORDS: usize, I: Iterator<Item = Message<'m, WORDS>>> Messages<'m, WORDS> for I {
    #[inline]
    fn fill(&mut self, group: &mut MessageGroup<'m, WORDS>) {
        let room = group.0.remaining_capacity();
        group.0.extend(self.take(room));
    }
}
