//! Holds the messages that a candidate hashes in one call.

use crate::shape::Messages;

/// Bytes with a period of 251. It is prime, so no two of the first 251 blocks are equal, and the
/// checks detect swapped messages.
#[must_use]
pub fn painted(len: usize) -> Vec<u8> {
    (0..=250).cycle().take(len).collect()
}

/// Length of a cache line in bytes.
const LINE: usize = 64;

/// Messages end to end in one buffer, for the rivals that do not take slices.
///
/// The buffer is aligned to a cache line, as pages and files in memory are. Otherwise its alignment
/// decides how many lines a block spans, which changes the time by up to a sixth.
#[derive(Debug)]
pub struct Input {
    buffer: Vec<u8>,
    begin: usize,
    lengths: Vec<usize>,
}

impl Input {
    /// Generates the messages of a shape.
    #[must_use]
    pub fn new(messages: Messages) -> Self {
        let lengths = messages.lengths();
        let mut buffer: Vec<u8> = Vec::with_capacity(lengths.iter().sum::<usize>() + LINE);
        let begin = buffer.as_ptr().align_offset(LINE);
        buffer.resize(begin, 0);
        buffer.extend(painted(lengths.iter().sum()));
        Self { buffer, begin, lengths }
    }

    /// The messages in every representation that the candidates take.
    #[must_use]
    pub fn batch(&self) -> Batch<'_> {
        let bytes = &self.buffer[self.begin..];
        let mut rest = bytes;
        let messages =
            self.lengths.iter().map(|&len| rest.split_off(..len).expect("the buffer holds them"));
        Batch { bytes, messages: messages.collect() }
    }
}

/// Messages in every representation that the candidates take, so that none of them pays for a
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
    /// Panics unless every message is `N` bytes long.
    #[must_use]
    pub fn arrays<const N: usize>(&self) -> &'a [[u8; N]] {
        let (arrays, rest) = self.bytes.as_chunks();
        assert!(
            rest.is_empty() && arrays.len() == self.messages.len(),
            "the messages are not {N} bytes long each"
        );
        arrays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_aligned_and_contiguous() {
        let input = Input::new(Messages::Equal { count: 3, len: 100 });
        let batch = input.batch();
        assert!(batch.bytes.as_ptr().addr().is_multiple_of(LINE));
        assert_eq!(batch.messages.concat(), painted(300));
    }
}
