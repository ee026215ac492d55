//! What is wrong with bytes that should be bencode.

/// Why bytes are not bencode, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct Fault {
    /// Where the first byte is that does not belong there, or the value that is wrong.
    pub offset: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

/// Why bytes are not bencode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The bytes end before the value does.
    #[error("the data ends within a value")]
    End,
    /// No value begins with this byte.
    #[error("no value begins with byte 0x{0:02x}")]
    NoValue(u8),
    /// A number without digits.
    #[error("a number without digits")]
    NoDigits,
    /// A byte within a number that is no digit.
    #[error("byte 0x{0:02x} within a number")]
    NotADigit(u8),
    /// An integer beyond 64 bits.
    #[error("an integer that does not fit into 64 bits")]
    IntegerRange,
    /// A string that would end behind the last byte.
    #[error("a string longer than what is left of the data")]
    StringLength,
    /// A key that is no string.
    #[error("a key of a dictionary that is no string")]
    KeyNotAString,
    /// A key without a value.
    #[error("a key of a dictionary without a value")]
    KeyWithoutValue,
    /// A key that its dictionary had before.
    #[error("a key that the dictionary had before")]
    DuplicateKey,
    /// Something behind the value that is not white space.
    #[error("data behind the end of the value")]
    Trailing,
    /// More levels than the limit.
    #[error("more than {0} lists and dictionaries within one another")]
    Depth(usize),
    /// More values than the limit.
    #[error("more than {0} values")]
    Values(usize),
    /// More bytes than the limit.
    #[error("more than {0} bytes")]
    Bytes(usize),
}

/// Something that is not written in the canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct Deviation {
    /// Where it is.
    pub offset: usize,
    /// What it is.
    pub kind: DeviationKind,
}

/// In what something is not of the canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviationKind {
    /// A key that should stand before the key before it.
    #[error("the keys of a dictionary are not sorted")]
    UnsortedKeys,
    /// An integer or a length that begins with a zero without need.
    #[error("a number with a leading zero")]
    LeadingZero,
    /// Zero with a minus.
    #[error("a zero with a minus")]
    NegativeZero,
    /// White space behind the value.
    #[error("white space behind the end")]
    TrailingSpace,
}
