//! A bencode reader that is safe for hostile input.
//!
//! [`read`] makes one pass over the bytes, without recursion or copies. A [`Document`] stores where
//! each value begins and ends, so the `info` dictionary can be hashed as it is encoded. It takes 16
//! bytes of memory per value present, whatever lengths the input claims.
//!
//! Malformed or ambiguous input is a [`Fault`]. Input that is valid but not canonical is accepted,
//! and [`Document::deviations`] lists what is not canonical. Whitespace after the value is ignored:
//! editors append a newline. [BEP 3] defines the format.
//!
//! [BEP 3]: https://www.bittorrent.org/beps/bep_0003.html

use std::cmp::Ordering;
use std::ops::Range;
use std::{iter, mem};

/// The maximum length of the input in bytes: 64 MiB.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// The maximum number of values, including keys.
pub(crate) const MAX_VALUES: usize = 3_000_000;

/// The maximum nesting depth of lists and dictionaries.
pub(crate) const MAX_DEPTH: usize = 100;

/// The maximum number of digits in a length. Ten would do, but a few leading zeros are accepted.
const MAX_LENGTH_DIGITS: usize = 20;

/// The maximum number of deviations kept.
const MAX_DEVIATIONS: usize = 100;

/// An error in bencode or a deviation from the canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Byte offset of the first unexpected byte, or of the wrong value.
    pub(crate) offset: usize,
    /// What is wrong.
    pub(crate) message: String,
}

impl Fault {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }
}

/// A parsed value, with all values in it.
#[derive(Clone, Debug)]
pub(crate) struct Document<'a> {
    bytes: &'a [u8],
    /// In the order of the bytes. Keys and values of a dictionary alternate.
    tokens: Vec<Token>,
    deviations: Vec<Fault>,
}

/// The position of a value. There may be millions of tokens, so they are small.
#[derive(Clone, Copy, Debug)]
struct Token {
    start: u32,
    end: u32,
    /// The index of the first token after the value and its children.
    next: u32,
    /// The number of bytes before the content: the digits and the colon of a string, or one letter.
    head: u8,
    kind: Kind,
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    String,
    List,
    Dictionary,
}

/// A value of a [`Document`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'d> {
    document: &'d Document<'d>,
    index: u32,
}

impl<'a> Document<'a> {
    /// The outermost value.
    pub(crate) fn root(&self) -> Value<'_> {
        Value { document: self, index: 0 }
    }

    /// The first 100 deviations from the canonical form, in the order of reading. Unsorted keys
    /// count once per dictionary.
    pub(crate) fn deviations(&self) -> &[Fault] {
        &self.deviations
    }
}

impl<'d> Value<'d> {
    pub(crate) fn kind(&self) -> Kind {
        self.token().kind
    }

    /// The range of its encoding in the input.
    pub(crate) fn span(&self) -> Range<usize> {
        self.token().start as usize..self.token().end as usize
    }

    /// The encoded bytes.
    pub(crate) fn raw(&self) -> &'d [u8] {
        &self.document.bytes[self.span()]
    }

    /// The number, if it is an integer.
    pub(crate) fn integer(&self) -> Option<i64> {
        let digits = self.raw().strip_prefix(b"i")?.strip_suffix(b"e")?;
        str::from_utf8(digits).ok()?.parse().ok()
    }

    /// The content, if it is a string.
    pub(crate) fn bytes(&self) -> Option<&'d [u8]> {
        (self.kind() == Kind::String).then(|| &self.raw()[usize::from(self.token().head)..])
    }

    /// The values, if it is a list.
    pub(crate) fn items(&self) -> Option<impl Iterator<Item = Value<'d>> + use<'d>> {
        (self.kind() == Kind::List).then(|| self.children())
    }

    /// The keys and values in their order of encoding, if it is a dictionary.
    pub(crate) fn entries(&self) -> Option<impl Iterator<Item = (Value<'d>, Value<'d>)> + use<'d>> {
        let mut items = self.children();
        let entries = iter::from_fn(move || Some((items.next()?, items.next()?)));
        (self.kind() == Kind::Dictionary).then_some(entries)
    }

    /// The value of a key, if it is a dictionary that has the key. This is a linear search.
    pub(crate) fn get(&self, key: &[u8]) -> Option<Value<'d>> {
        self.entries()?.find(|(found, _)| found.bytes() == Some(key)).map(|(_, value)| value)
    }

    fn token(&self) -> &'d Token {
        &self.document.tokens[self.index as usize]
    }

    fn children(&self) -> impl Iterator<Item = Value<'d>> + use<'d> {
        let (document, end) = (self.document, self.token().next);
        let at = move |index| (index < end).then_some(Value { document, index });
        iter::successors(at(self.index + 1), move |value| at(value.token().next))
    }
}

/// Reads a single value.
///
/// # Errors
///
/// Returns [`Fault`] if `bytes` is not valid bencode, if a dictionary has a duplicate key, or if a
/// limit is exceeded. Time and memory are proportional to the input, so the limits bound both.
pub(crate) fn read(bytes: &[u8]) -> Result<Document<'_>, Fault> {
    if bytes.len() > MAX_BYTES {
        return Err(Fault::new(MAX_BYTES, format!("more than {MAX_BYTES} bytes")));
    }
    let document = Document { bytes, tokens: Vec::new(), deviations: Vec::new() };
    let mut reader = Reader { document, at: 0, open: Vec::new() };
    reader.step()?;
    while !reader.open.is_empty() {
        reader.step()?;
    }
    let rest = &bytes[reader.at..];
    match rest.iter().position(|byte| !byte.is_ascii_whitespace()) {
        Some(data) => Err(Fault::new(reader.at + data, "data after the end of the value")),
        None => Ok(reader.document),
    }
}

struct Reader<'a> {
    document: Document<'a>,
    /// The offset of the next byte.
    at: usize,
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

impl<'a> Reader<'a> {
    /// Reads a string, an integer, or the beginning or the end of a list or a dictionary.
    fn step(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let first = self.peek()?;
        let expects = self.open.last().map(|open| open.expects);
        if let (b'e', Some(expects)) = (first, expects) {
            return self.close(expects);
        }
        if self.document.tokens.len() >= MAX_VALUES {
            return Err(Fault::new(start, format!("more than {MAX_VALUES} values")));
        }
        if expects == Some(Expects::Key) && matches!(first, b'i' | b'l' | b'd') {
            return Err(Fault::new(start, "dictionary key is not a string"));
        }
        match first {
            b'0'..=b'9' => self.string()?,
            b'i' => self.integer()?,
            b'l' => return self.begin(Kind::List),
            b'd' => return self.begin(Kind::Dictionary),
            other => {
                return Err(Fault::new(start, format!("byte 0x{other:02x} cannot begin a value")));
            }
        }
        if expects == Some(Expects::Key) {
            return self.key();
        }
        self.value_ended();
        Ok(())
    }

    fn peek(&self) -> Result<u8, Fault> {
        let bytes = self.document.bytes;
        let cut =
            || Fault::new(bytes.len(), "unexpected end of data; the file seems to be cut off");
        bytes.get(self.at).copied().ok_or_else(cut)
    }

    fn begin(&mut self, kind: Kind) -> Result<(), Fault> {
        if self.open.len() >= MAX_DEPTH {
            let message = format!("lists and dictionaries nested more than {MAX_DEPTH} deep");
            return Err(Fault::new(self.at, message));
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
            return Err(Fault::new(self.at, "dictionary key without a value"));
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
        let key = |index| Value { document: &self.document, index };
        let offset = key(index).span().start;
        match key(index).bytes().cmp(&key(last).bytes()) {
            Ordering::Greater => {}
            Ordering::Equal => return Err(duplicate(offset)),
            Ordering::Less => {
                if mem::replace(&mut open.is_sorted, false) {
                    self.deviate(offset, "unsorted dictionary keys");
                }
            }
        }
        Ok(())
    }

    /// Checks an unsorted dictionary for duplicate keys, which need not be adjacent.
    fn check_unsorted(&self, index: u32) -> Result<(), Fault> {
        let entries = Value { document: &self.document, index }.entries();
        let mut keys: Vec<_> =
            entries.into_iter().flatten().map(|(key, _)| (key.bytes(), key.span().start)).collect();
        keys.sort_unstable();
        let twice = keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1);
        twice.min().map_or(Ok(()), |offset| Err(duplicate(offset)))
    }

    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let digits = self.digits(b':')?;
        if digits.len() > 1 && digits[0] == b'0' {
            self.deviate(start, LEADING_ZERO);
        }
        let left = self.document.bytes.len() - self.at;
        let length = decimal(digits).and_then(|length| usize::try_from(length).ok());
        let is_possible = |length: &usize| *length <= left && digits.len() <= MAX_LENGTH_DIGITS;
        let Some(length) = length.filter(is_possible) else {
            let message = "string longer than the rest of the data; the file seems to be cut off";
            return Err(Fault::new(start, message));
        };
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
            return Err(Fault::new(start, "integer does not fit into 64 bits"));
        }
        if digits.len() > 1 && digits[0] == b'0' {
            self.deviate(start, LEADING_ZERO);
        } else if is_negative && digits == b"0" {
            self.deviate(start, "negative zero");
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
            return Err(Fault::new(self.at, format!("byte 0x{found:02x} in a number")));
        }
        if count == 0 {
            return Err(Fault::new(start, "number without digits"));
        }
        self.at += 1;
        Ok(&rest[..count])
    }

    /// Adds a token for a value that ends before the next byte.
    fn push(&mut self, start: usize, head: u8, kind: Kind) {
        let next = self.document.tokens.len() as u32 + 1;
        let (start, end) = (start as u32, self.at as u32);
        self.document.tokens.push(Token { start, end, next, head, kind });
    }

    fn deviate(&mut self, offset: usize, message: &str) {
        if self.document.deviations.len() < MAX_DEVIATIONS {
            self.document.deviations.push(Fault::new(offset, message));
        }
    }
}

const LEADING_ZERO: &str = "number with a leading zero";

fn duplicate(offset: usize) -> Fault {
    Fault::new(offset, "duplicate dictionary key")
}

/// The value of decimal digits, if it fits.
fn decimal(digits: &[u8]) -> Option<u64> {
    str::from_utf8(digits).ok()?.parse().ok()
}
