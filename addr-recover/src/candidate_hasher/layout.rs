//! Lays a number out as the words of the block to hash.

use crate::kind::Version;
use crate::number::{Natural, Number};

/// Words of a number in the layout of its block.
pub(crate) const LIMBS: usize = 7;

/// Words that hold the message.
pub(crate) const MESSAGE_WORDS: usize = 6;

/// Where version and payload end in the single block of the message.
///
/// A number is shifted left until its first byte is the first of the block. Words 0 to 4 are then
/// the big-endian words of SHA-256. Word 5 holds the end of the payload and the beginning of the
/// checksum, and word 6 the rest of the checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// 24 for messages of 21 bytes, 16 for 22.
    shift: u32,
}

impl Layout {
    pub(crate) fn of(version: Version) -> Self {
        Self { shift: 8 * (4 * MESSAGE_WORDS - version.message_bytes()) as u32 }
    }

    /// The words of a number.
    #[inline]
    pub(crate) fn limbs(self, number: Number) -> [u32; LIMBS] {
        let shifted = number.times(1 << self.shift);
        [6, 5, 4, 3, 2, 1, 0].map(|after| shifted.word(after))
    }

    /// The message words of a prefix, followed by the first bit of the padding.
    #[inline]
    pub(crate) fn message(self, prefix: [u32; MESSAGE_WORDS]) -> [u32; MESSAGE_WORDS] {
        let (left, right) = self.message_shifts();
        let mut message = prefix.map(|word| word << left);
        for i in 1..MESSAGE_WORDS {
            message[i - 1] |= prefix[i] >> right;
        }
        message[MESSAGE_WORDS - 1] |= self.padding_bit();
        message
    }

    /// The shifts `(left, right)` that make a message word of a word of the prefix and the next
    /// one.
    #[inline]
    pub(crate) fn message_shifts(self) -> (u32, u32) {
        (self.shift, u32::BITS - self.shift)
    }

    /// The bits of word 5 that belong to the message.
    pub(crate) fn message_bits(self) -> u32 {
        u32::MAX << self.shift
    }

    /// The 1 bit that begins the padding, in word 5.
    pub(crate) fn padding_bit(self) -> u32 {
        1 << (self.shift - 1)
    }

    /// Word 15: the length of the message in bits.
    pub(crate) fn length(self) -> u32 {
        32 * MESSAGE_WORDS as u32 - self.shift
    }

    /// The shifts `(left, right)` that extract the checksum: `limb5 << left | limb6 >> right`.
    pub(crate) fn checksum_shifts(self) -> (u32, u32) {
        (32 - self.shift, self.shift)
    }
}

/// The words of a number's prefix, the most significant first.
#[inline]
pub(crate) fn prefix_words(number: Number) -> [u32; MESSAGE_WORDS] {
    [6, 5, 4, 3, 2, 1].map(|after| number.word(after))
}
