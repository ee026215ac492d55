//! The input of the scheduler: messages, and whether each digest is hashed again.

use arrayvec::ArrayVec;

/// The number of messages that the scheduler looks at together: a multiple of every lane count.
pub(crate) const GROUP: usize = 64;

/// A message or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m, const WORDS: usize> {
    /// The state to resume from, where an earlier part ended. `None`: the initial state of the
    /// hash.
    pub state: Option<&'m [u32; WORDS]>,
    /// The bytes to hash.
    pub bytes: &'m [u8],
    /// `Some(n)`: the message ends with these bytes, after `n` earlier bytes, and is padded.
    /// `None`: the message continues; trailing bytes that do not fill a block are ignored.
    pub ends_after: Option<u64>,
}

impl<'m, const WORDS: usize> Message<'m, WORDS> {
    /// A complete message.
    #[must_use]
    pub const fn whole(bytes: &'m [u8]) -> Self {
        Self { state: None, bytes, ends_after: Some(0) }
    }
}

/// Whether the digest is hashed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashing {
    /// The digest of the message.
    Single,
    /// The digest of the digest, as in Bitcoin.
    Double,
}

/// The messages that the scheduler looks at together.
#[derive(Debug, Default)]
pub struct MessageGroup<'m, const WORDS: usize>(pub(crate) ArrayVec<Message<'m, WORDS>, GROUP>);

/// A source of messages, in order.
pub trait Messages<'m, const WORDS: usize> {
    /// Appends the next messages to `group` until it is full or no messages are left.
    fn fill(&mut self, group: &mut MessageGroup<'m, WORDS>);
}

impl<'m, const WORDS: usize, I: Iterator<Item = Message<'m, WORDS>>> Messages<'m, WORDS> for I {
    #[inline]
    fn fill(&mut self, group: &mut MessageGroup<'m, WORDS>) {
        let room = group.0.remaining_capacity();
        group.0.extend(self.take(room));
    }
}
