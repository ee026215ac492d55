//! Reads DER and the presentation language of TLS.

/// The error for bytes that are not a certificate, or not a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MtcDecodeError {
    /// What was expected.
    pub expected: &'static str,
    /// The offset, in bytes, of what was found instead.
    pub offset: usize,
}

error_messages!(MtcDecodeError {
    Self { expected, offset } => "expected {expected} at byte {offset}";
});

pub(super) type Result<T> = core::result::Result<T, MtcDecodeError>;

/// The bytes of an item, and where they begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0 }
    }

    pub(super) fn error(&self, expected: &'static str) -> MtcDecodeError {
        MtcDecodeError { expected, offset: self.offset }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn end(&self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { Err(self.error("the end")) }
    }

    /// Takes some bytes, as a part of its own.
    pub(super) fn take(&mut self, len: usize, expected: &'static str) -> Result<Reader<'a>> {
        let (bytes, rest) = self.rest.split_at_checked(len).ok_or(self.error(expected))?;
        let part = Reader { rest: bytes, offset: self.offset };
        (self.rest, self.offset) = (rest, self.offset + len);
        Ok(part)
    }

    /// A big-endian integer of a few bytes.
    pub(super) fn integer(&mut self, bytes: usize, expected: &'static str) -> Result<u64> {
        let part = self.take(bytes, expected)?;
        Ok(part.rest.iter().fold(0, |integer, &byte| integer << 8 | u64::from(byte)))
    }

    /// A vector of TLS: its length in a few bytes, and its bytes.
    pub(super) fn vector(
        &mut self,
        length_bytes: usize,
        expected: &'static str,
    ) -> Result<Reader<'a>> {
        let mut after = *self;
        let len = after.integer(length_bytes, expected)?;
        let part = after.take(len as usize, expected).map_err(|_| self.error(expected))?;
        *self = after;
        Ok(part)
    }

    /// An element of DER with this tag: its contents, and the whole of it.
    pub(super) fn element(
        &mut self,
        tag: u8,
        expected: &'static str,
    ) -> Result<(Reader<'a>, &'a [u8])> {
        let (start, wrong) = (*self, self.error(expected));
        let mut after = *self;
        if after.integer(1, expected)? != u64::from(tag) {
            return Err(wrong);
        }
        let mut len = after.integer(1, expected).map_err(|_| wrong)?;
        if len >= 0x80 {
            let bytes = len as usize - 0x80;
            // The shortest form: no indefinite length, and no leading zeros.
            let is_shortest = |len: u64| len >= 0x80 && len >> (8 * (bytes - 1)) != 0;
            if !(1..=4).contains(&bytes) {
                return Err(wrong);
            }
            len = after.integer(bytes, expected).map_err(|_| wrong)?;
            if !is_shortest(len) {
                return Err(wrong);
            }
        }
        let contents = after.take(len as usize, expected).map_err(|_| wrong)?;
        let whole = &start.rest[..after.offset - start.offset];
        *self = after;
        Ok((contents, whole))
    }

    /// Whether an element with this tag is next.
    pub(super) fn is_next(&self, tag: u8) -> bool {
        self.rest.first() == Some(&tag)
    }
}
