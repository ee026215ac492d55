//! Parsed values, as ranges of the encoded bytes.

use std::iter;
use std::ops::Range;

use super::fault::Fault;

/// A parsed value, with all values in it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) bytes: &'a [u8],
    /// In the order of the bytes. Keys and values of a dictionary alternate.
    pub(super) tokens: Vec<Token>,
    pub(super) deviations: Vec<Fault>,
}

/// The position of a value. There may be millions of tokens, so they are small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The index of the first token after the value and its children.
    pub(super) next: u32,
    /// The number of bytes before the content: the digits and the colon of a string, or one letter.
    pub(super) head: u8,
    pub(super) kind: Kind,
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer.
    Integer,
    /// A byte string.
    String,
    /// A list of values.
    List,
    /// Keys with values.
    Dictionary,
}

/// A value of a [`Document`].
#[derive(Clone, Copy, Debug)]
pub struct Value<'d> {
    document: &'d Document<'d>,
    index: u32,
}

impl<'a> Document<'a> {
    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value::new(self, 0)
    }

    /// The first 100 deviations from the canonical form, in the order of reading. Unsorted keys
    /// count once per dictionary.
    #[must_use]
    pub fn deviations(&self) -> &[Fault] {
        &self.deviations
    }
}

impl<'d> Value<'d> {
    pub(super) fn new(document: &'d Document<'d>, index: u32) -> Self {
        Self { document, index }
    }

    pub(super) fn index(&self) -> u32 {
        self.index
    }

    /// The kind of the value.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.token().kind
    }

    /// The range of its encoding in the input.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.token().start as usize..self.token().end as usize
    }

    /// The encoded bytes.
    #[must_use]
    pub fn raw(&self) -> &'d [u8] {
        &self.document.bytes[self.span()]
    }

    /// The number, if it is an integer.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        let digits = self.raw().strip_prefix(b"i")?.strip_suffix(b"e")?;
        str::from_utf8(digits).ok()?.parse().ok()
    }

    /// The content, if it is a string.
    #[must_use]
    pub fn bytes(&self) -> Option<&'d [u8]> {
        (self.kind() == Kind::String).then(|| &self.raw()[usize::from(self.token().head)..])
    }

    /// The values, if it is a list.
    #[must_use]
    pub fn items(&self) -> Option<impl Iterator<Item = Value<'d>> + use<'d>> {
        (self.kind() == Kind::List).then(|| self.children())
    }

    /// The keys and values in their order of encoding, if it is a dictionary.
    #[must_use]
    pub fn entries(&self) -> Option<impl Iterator<Item = (Value<'d>, Value<'d>)> + use<'d>> {
        let mut items = self.children();
        let entries = iter::from_fn(move || Some((items.next()?, items.next()?)));
        (self.kind() == Kind::Dictionary).then_some(entries)
    }

    /// The value of a key, if it is a dictionary that has the key.
    ///
    /// This is a linear search.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<Value<'d>> {
        self.entries()?.find(|(found, _)| found.bytes() == Some(key)).map(|(_, value)| value)
    }

    fn token(&self) -> &'d Token {
        &self.document.tokens[self.index as usize]
    }

    fn children(&self) -> impl Iterator<Item = Value<'d>> + use<'d> {
        let (document, end) = (self.document, self.token().next);
        let at = move |index| (index < end).then(|| Value::new(document, index));
        iter::successors(at(self.index + 1), move |value| at(value.token().next))
    }
}
