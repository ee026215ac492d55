//! The messages that a candidate hashes in one call.

use crate::shape::Messages;

/// Bytes painted with a period of 251: a prime, so that no two of the first 251 blocks are alike and
/// swapped messages cannot pass for right ones.
#[must_use]
pub fn painted(len: usize) -> Vec<u8> {
    (0..=250).cycle().take(len).collect()
}

/// Messages end to end in one buffer, as those rivals want them that take no slices.
#[derive(Debug)]
pub struct Input {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

impl Input {
    /// Paints the messages of a shape.
    #[must_use]
    pub fn new(messages: Messages) -> Self {
        let lengths = messages.lengths();
        Self { bytes: painted(lengths.iter().sum()), lengths }
    }

    /// The messages in each of the forms that the candidates take.
    #[must_use]
    pub fn batch(&self) -> Batch<'_> {
        let mut rest = self.bytes.as_slice();
        let messages =
            self.lengths.iter().map(|&len| rest.split_off(..len).expect("the buffer is their sum"));
        Batch { bytes: &self.bytes, messages: messages.collect() }
    }
}

/// Messages in each of the forms that the candidates take, so that none of them pays for a conversion.
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
        assert!(rest.is_empty() && arrays.len() == self.messages.len(), "messages of other than {N} bytes");
        arrays
    }
}
