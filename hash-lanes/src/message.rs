//! What the scheduler is given: messages, and how often each is to be hashed.

/// A message, or a part of one, to be hashed.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m, const WORDS: usize> {
    /// The state to go on from: the hash's IV, or where an earlier part ended.
    pub state: &'m [u32; WORDS],
    /// The bytes to hash.
    pub bytes: &'m [u8],
    /// `Some(n)`: the message ends with these bytes and `n` bytes came before them; it is padded.
    /// `None`: it goes on; the bytes that do not fill a block are left out.
    pub ends_after: Option<u64>,
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
    /// Puts the next messages into `places`, one after another, and says how many: fewer than there
    /// are places when there are no more.
    ///
    /// Many at once, because a message that is handed over one by one is written and read back with
    /// accesses of different widths, for which the CPU waits.
    fn take(&mut self, places: &mut [Message<'m, WORDS>]) -> usize;

    /// How many are left.
    fn left(&self) -> usize;
}

impl<'m, const WORDS: usize, I: ExactSizeIterator<Item = Message<'m, WORDS>>> Messages<'m, WORDS> for I {
    #[inline]
    fn take(&mut self, places: &mut [Message<'m, WORDS>]) -> usize {
        let mut count = 0;
        for (place, message) in places.iter_mut().zip(self) {
            *place = message;
            count += 1;
        }
        count
    }

    #[inline]
    fn left(&self) -> usize {
        self.len()
    }
}
