//! The messages that a candidate hashes in one call.

use crate::shape::Messages;

/// Bytes painted with a period of 251: a prime, so that no two of the first 251 blocks are alike
/// and swapped messages cannot pass for right ones.
#[must_use]
pub fn painted(len: usize) -> Vec<u8> {
    (0..=250).cycle().take(len).collect()
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// Messages end to end in one buffer, as those rivals want them that take no slices.
///
/// It begins at the edge of a cache line, as pages and files in memory do. Where the allocator puts
/// it would decide how many lines a block touches, and with that up to a sixth of the time.
#[derive(Debug)]
pub struct Input {
    buffer: Vec<u8>,
    begin: usize,
    lengths: Vec<usize>,
}

impl Input {
    /// Paints the messages of a shape.
    #[must_use]
    pub fn new(messages: Messages) -> Self {
        let lengths = messages.lengths();
        let mut buffer: Vec<u8> = Vec::with_capacity(lengths.iter().sum::<usize>() + LINE);
        let begin = buffer.as_ptr().align_offset(LINE);
        buffer.resize(begin, 0);
        buffer.extend(painted(lengths.iter().sum()));
        Self { buffer, begin, lengths }
    }

    /// The messages in each of the forms that the candidates take.
    #[must_use]
    pub fn batch(&self) -> Batch<'_> {
        let bytes = &self.buffer[self.begin..];
        let mut rest = bytes;
        let messages =
            self.lengths.iter().map(|&len| rest.split_off(..len).expect("the buffer is their sum"));
        Batch { bytes, messages: messages.collect() }
    }
}

/// Messages in each of the forms that the candidates take, so that none of them pays for a
/// conversion.
#[derive(Debug)]
pub struct Batch<'a> {
    /// All messages, end to end.
    pub bytes: &'a [u8],
    /// The messages.
    pub messages: Vec<&'a [u8]>,
}

impl<'a> Batch<'a> {
    /// The messages as arrays, such as nodes of a binary tree.
    ///
    /// # Panics
    ///
    /// If they are not of `N` bytes.
    #[must_use]
    pub fn arrays<const N: usize>(&self) -> &'a [[u8; N]] {
        let (arrays, rest) = self.bytes.as_chunks();
        assert!(
            rest.is_empty() && arrays.len() == self.messages.len(),
            "messages of other than {N} bytes"
        );
        arrays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_begin_at_a_cache_line_and_follow_each_other() {
        let input = Input::new(Messages::Equal { count: 3, len: 100 });
        let batch = input.batch();
        assert!(batch.bytes.as_ptr().addr().is_multiple_of(LINE));
        assert_eq!(batch.messages.concat(), painted(300));
    }
}
