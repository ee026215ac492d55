//! Errors in bencode, and deviations from the canonical form.

/// An error in bencode or a deviation from the canonical form, and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct Fault {
    /// Byte offset of the first unexpected byte, or of the wrong value.
    pub offset: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

/// Why bytes are not valid or not canonical bencode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The input ends within a value.
    #[error("unexpected end of data")]
    End,
    /// A byte that cannot begin a value.
    #[error("byte 0x{0:02x} cannot begin a value")]
    NoValue(u8),
    /// A number without digits.
    #[error("number without digits")]
    NoDigits,
    /// A byte in a number that is not a digit.
    #[error("byte 0x{0:02x} in a number")]
    NotADigit(u8),
    /// An integer beyond 64 bits.
    #[error("integer does not fit into 64 bits")]
    IntegerRange,
    /// A string longer than the rest of the input.
    #[error("string longer than the rest of the data")]
    StringLength,
    /// A key that is not a string.
    #[error("dictionary key is not a string")]
    KeyNotAString,
    /// A key without a value.
    #[error("dictionary key without a value")]
    KeyWithoutValue,
    /// A key that occurs twice in its dictionary.
    #[error("duplicate dictionary key")]
    DuplicateKey,
    /// Data other than whitespace after the value.
    #[error("data after the end of the value")]
    Trailing,
    /// Deeper nesting than the limit.
    #[error("lists and dictionaries nested more than {0} deep")]
    Depth(usize),
    /// More values than the limit.
    #[error("more than {0} values")]
    Values(usize),
    /// More bytes than the limit.
    #[error("more than {0} bytes")]
    Bytes(usize),
    /// Not canonical: a key that sorts before the previous one.
    #[error("unsorted dictionary keys")]
    UnsortedKeys,
    /// Not canonical: an integer or a length with a leading zero.
    #[error("number with a leading zero")]
    LeadingZero,
    /// Not canonical: negative zero.
    #[error("negative zero")]
    NegativeZero,
    /// Not canonical: whitespace after the value.
    #[error("trailing whitespace")]
    TrailingSpace,
}
