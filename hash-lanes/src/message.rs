//! What the scheduler is given: messages, and how often each is to be hashed.

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

impl<const WORDS: usize> Message<'_, WORDS> {
    /// A message without a byte.
    pub(crate) const EMPTY: Self = Self { state: None, bytes: &[], ends_after: None };
}

/// How often a message is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// The usual.
    Once,
    /// The digest is hashed again, as Bitcoin does.
    Twice,
}

/// Where messages come from, in order.
pub trait Messages<'m, const WORDS: usize> {
    /// Puts the next messages into `places`, one after another, and returns how many: fewer than
    /// there are places when there are no more.
    fn take(&mut self, places: &mut [Message<'m, WORDS>]) -> usize;
}

impl<'m, const WORDS: usize, I: Iterator<Item = Message<'m, WORDS>>> Messages<'m, WORDS> for I {
    #[inline]
    fn take(&mut self, places: &mut [Message<'m, WORDS>]) -> usize {
        let mut count = 0;
        for (place, message) in places.iter_mut().zip(self) {
            *place = message;
            count += 1;
        }
        count
    }
}
