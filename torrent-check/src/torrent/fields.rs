//! Typed access to the fields of a torrent.

use crate::torrent::bencode::Value;
use crate::torrent::error::TorrentError;

/// A dictionary in a torrent.
#[derive(Clone, Copy)]
pub(super) struct Fields<'d>(Value<'d>);

/// The value of a key, with its name for messages.
#[derive(Clone, Copy)]
pub(super) struct Field<'d> {
    value: Value<'d>,
    what: &'static str,
}

impl<'d> Fields<'d> {
    /// The byte offset of the dictionary.
    pub(super) fn offset(self) -> usize {
        self.0.span().start
    }

    /// The encoded bytes.
    pub(super) fn raw(self) -> &'d [u8] {
        self.0.raw()
    }

    pub(super) fn entries(self) -> impl Iterator<Item = (Value<'d>, Value<'d>)> + use<'d> {
        self.0.entries().expect("`Fields` is always a dictionary")
    }

    /// The value of a key, if it exists.
    pub(super) fn get(self, key: &'static str) -> Option<Field<'d>> {
        self.0.get(key.as_bytes()).map(|value| Field::new(value, key))
    }

    /// The value of a required key.
    pub(super) fn require(self, key: &'static str) -> Result<Field<'d>, TorrentError> {
        let missing = || TorrentError::new(self.offset(), format!("`{key}` is missing"));
        self.get(key).ok_or_else(missing)
    }

    /// The `length` of a file.
    pub(super) fn length(self) -> Result<u64, TorrentError> {
        let field = self.require("length")?;
        let length = field.integer()?;
        u64::try_from(length).map_err(|_| field.error(format!("negative file length {length}")))
    }

    /// Whether `attr` contains a letter (BEP 47).
    pub(super) fn has_attribute(self, letter: u8) -> Result<bool, TorrentError> {
        self.get("attr").map_or(Ok(false), |attributes| Ok(attributes.bytes()?.contains(&letter)))
    }
}

impl<'d> Field<'d> {
    pub(super) fn new(value: Value<'d>, what: &'static str) -> Self {
        Self { value, what }
    }

    /// The same value under another name.
    pub(super) fn named(self, what: &'static str) -> Self {
        Self { what, ..self }
    }

    pub(super) fn value(self) -> Value<'d> {
        self.value
    }

    /// The byte offset of the value.
    pub(super) fn offset(self) -> usize {
        self.value.span().start
    }

    /// An error at the position of the value.
    pub(super) fn error(self, message: impl Into<String>) -> TorrentError {
        TorrentError::new(self.offset(), message)
    }

    pub(super) fn integer(self) -> Result<i64, TorrentError> {
        self.value.integer().ok_or_else(|| self.wrong_type("an integer"))
    }

    pub(super) fn bytes(self) -> Result<&'d [u8], TorrentError> {
        self.value.bytes().ok_or_else(|| self.wrong_type("a string"))
    }

    pub(super) fn items(self) -> Result<impl Iterator<Item = Value<'d>> + use<'d>, TorrentError> {
        self.value.items().ok_or_else(|| self.wrong_type("a list"))
    }

    pub(super) fn dictionary(self) -> Result<Fields<'d>, TorrentError> {
        let is_dictionary = self.value.entries().is_some();
        is_dictionary.then_some(Fields(self.value)).ok_or_else(|| self.wrong_type("a dictionary"))
    }

    fn wrong_type(self, expected: &'static str) -> TorrentError {
        self.error(format!("{} is not {expected}", self.what))
    }
}
