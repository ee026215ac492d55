//! Parses bencode into a [`Document`].

use super::Limits;
use super::document::{Document, Kind, Token, Value};
use super::fault::{Fault, FaultKind};

/// The maximum number of digits in a length. Ten would do, but a few leading zeros are accepted.
const MAX_LENGTH_DIGITS: usize = 20;

/// The maximum number of deviations kept.
pub(super) const MAX_DEVIATIONS: usize = 100;

/// Reads a single value, which only whitespace may follow.
///
/// # Errors
///
/// Returns [`Fault`] if `bytes` is not valid bencode, if a dictionary has a duplicate key, or if a
/// limit is exceeded.
pub fn read<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Document<'a>, Fault> {
    let max = limits.bytes.min(u32::MAX as usize);
    if bytes.len() > max {
        return Err(Fault { offset: max, kind: FaultKind::Bytes(max) });
    }
    let document = Document { bytes, tokens: Vec::new(), deviations: Vec::new() };
    let mut reader = Reader { document, at: 0, limits, open: Vec::new() };
    reader.step()?;
    while !reader.open.is_empty() {
        reader.step()?;
    }
    reader.trailing()?;
    Ok(reader.document)
}

struct Reader<'a, 'l> {
    document: Document<'a>,
    /// The offset of the next byte.
    at: usize,
    limits: &'l Limits,
    /// The open lists and dictionaries, the outermost first.
    open: Vec<Open>,
}

/// A list or a dictionary that has not ended yet.
struct Open {
    token: usize,
    expects: Expects,
    /// In a dictionary, the token of the last key.
    last_key: Option<u32>,
    is_sorted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expects {
    /// An item of a list, or its end.
    Item,
    /// A key, or the end of a dictionary.
    Key,
    /// The value of the last key.
    KeyedValue,
}

impl<'a> Reader<'a, '_> {
    /// Reads a string, an integer, or the beginning or the end of a list or a dictionary.
    fn step(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let first = self.peek()?;
        let expects = self.open.last().map(|open| open.expects);
        if let (b'e', Some(expects)) = (first, expects) {
            return self.close(expects);
        }
        if self.document.tokens.len() >= self.limits.values {
            return Err(Fault { offset: start, kind: FaultKind::Values(self.limits.values) });
        }
        if expects == Some(Expects::Key) && matches!(first, b'i' | b'l' | b'd') {
            return Err(Fault { offset: start, kind: FaultKind::KeyNotAString });
        }
        match first {
            b'0'..=b'9' => self.string()?,
            b'i' => self.integer()?,
            b'l' => return self.begin(Kind::List),
            b'd' => return self.begin(Kind::Dictionary),
            other => return Err(Fault { offset: start, kind: FaultKind::NoValue(other) }),
        }
        if expects == Some(Expects::Key) {
            return self.key();
        }
        self.value_ended();
        Ok(())
    }

    fn peek(&self) -> Result<u8, Fault> {
        let end = Fault { offset: self.document.bytes.len(), kind: FaultKind::End };
        self.document.bytes.get(self.at).copied().ok_or(end)
    }

    fn begin(&mut self, kind: Kind) -> Result<(), Fault> {
        if self.open.len() >= self.limits.depth {
            return Err(Fault { offset: self.at, kind: FaultKind::Depth(self.limits.depth) });
        }
        let expects = if kind == Kind::List { Expects::Item } else { Expects::Key };
        let token = self.document.tokens.len();
        self.open.push(Open { token, expects, last_key: None, is_sorted: true });
        self.at += 1;
        // `close` sets the end.
        self.push(self.at - 1, 1, kind);
        Ok(())
    }

    fn close(&mut self, expects: Expects) -> Result<(), Fault> {
        if expects == Expects::KeyedValue {
            return Err(Fault { offset: self.at, kind: FaultKind::KeyWithoutValue });
        }
        self.at += 1;
        let Some(open) = self.open.pop() else { return Ok(()) };
        let next = self.document.tokens.len() as u32;
        let token = &mut self.document.tokens[open.token];
        (token.end, token.next) = (self.at as u32, next);
        if !open.is_sorted {
            self.check_unsorted(open.token as u32)?;
        }
        self.value_ended();
        Ok(())
    }

    /// Expects a key next if the value was in a dictionary.
    fn value_ended(&mut self) {
        if let Some(open) = self.open.last_mut()
            && open.expects == Expects::KeyedValue
        {
            open.expects = Expects::Key;
        }
    }

    /// Checks the order of the key that was just read.
    fn key(&mut self) -> Result<(), Fault> {
        let index = self.document.tokens.len() as u32 - 1;
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        open.expects = Expects::KeyedValue;
        let Some(last) = open.last_key.replace(index) else { return Ok(()) };
        let key = |index| Value::new(&self.document, index).bytes();
        match key(index).cmp(&key(last)) {
            std::cmp::Ordering::Greater => {}
            std::cmp::Ordering::Equal => return Err(self.duplicate(index)),
            std::cmp::Ordering::Less => {
                if std::mem::replace(&mut open.is_sorted, false) {
                    let offset = self.document.tokens[index as usize].start as usize;
                    self.deviate(offset, FaultKind::UnsortedKeys);
                }
            }
        }
        Ok(())
    }

    /// Checks an unsorted dictionary for duplicate keys, which need not be adjacent.
    fn check_unsorted(&self, dictionary: u32) -> Result<(), Fault> {
        let entries = Value::new(&self.document, dictionary).entries();
        let mut keys: Vec<_> =
            entries.into_iter().flatten().map(|(key, _)| (key.bytes(), key.index())).collect();
        keys.sort_unstable();
        let twice =
            keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).min();
        twice.map_or(Ok(()), |key| Err(self.duplicate(key)))
    }

    fn duplicate(&self, key: u32) -> Fault {
        Fault {
            offset: self.document.tokens[key as usize].start as usize,
            kind: FaultKind::DuplicateKey,
        }
    }

    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let digits = self.digits(b':')?;
        let too_long = Fault { offset: start, kind: FaultKind::StringLength };
        if digits.len() > MAX_LENGTH_DIGITS {
            return Err(too_long);
        }
        if digits.len() > 1 && digits[0] == b'0' {
            self.deviate(start, FaultKind::LeadingZero);
        }
        let left = self.document.bytes.len() - self.at;
        let length = decimal(digits).and_then(|length| usize::try_from(length).ok());
        let length = length.filter(|&length| length <= left).ok_or(too_long)?;
        self.at += length;
        self.push(start, digits.len() as u8 + 1, Kind::String);
        Ok(())
    }

    fn integer(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        let is_negative = self.peek()? == b'-';
        self.at += usize::from(is_negative);
        let digits = self.digits(b'e')?;
        let bound = i64::MAX as u64 + 1 + u64::from(is_negative);
        if decimal(digits).is_none_or(|value| value >= bound) {
            return Err(Fault { offset: start, kind: FaultKind::IntegerRange });
        }
        if digits.len() > 1 && digits[0] == b'0' {
            self.deviate(start, FaultKind::LeadingZero);
        } else if is_negative && digits == b"0" {
            self.deviate(start, FaultKind::NegativeZero);
        }
        self.push(start, 1, Kind::Integer);
        Ok(())
    }

    /// Reads digits up to the byte `end`, which is consumed.
    fn digits(&mut self, end: u8) -> Result<&'a [u8], Fault> {
        let rest = &self.document.bytes[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let start = self.at;
        self.at += count;
        let found = self.peek()?;
        if found != end {
            return Err(Fault { offset: self.at, kind: FaultKind::NotADigit(found) });
        }
        if count == 0 {
            return Err(Fault { offset: start, kind: FaultKind::NoDigits });
        }
        self.at += 1;
        Ok(&rest[..count])
    }

    /// Adds a token for a value that ends before the next byte.
    fn push(&mut self, start: usize, head: u8, kind: Kind) {
        let next = self.document.tokens.len() as u32 + 1;
        self.document.tokens.push(Token {
            start: start as u32,
            end: self.at as u32,
            next,
            head,
            kind,
        });
    }

    fn deviate(&mut self, offset: usize, kind: FaultKind) {
        if self.document.deviations.len() < MAX_DEVIATIONS {
            self.document.deviations.push(Fault { offset, kind });
        }
    }

    /// Accepts whitespace after the value, because editors append a newline, but no other data.
    fn trailing(&mut self) -> Result<(), Fault> {
        let rest = &self.document.bytes[self.at..];
        match rest.iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(data) => Err(Fault { offset: self.at + data, kind: FaultKind::Trailing }),
            None if rest.is_empty() => Ok(()),
            None => {
                self.deviate(self.at, FaultKind::TrailingSpace);
                Ok(())
            }
        }
    }
}

/// The value of decimal digits, if it fits.
fn decimal(digits: &[u8]) -> Option<u64> {
    str::from_utf8(digits).ok()?.parse().ok()
}
