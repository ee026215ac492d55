//! Writes JSON field by field. Nothing is collected, and lists can be bounded: a hostile torrent of
//! 2 MB could have a report of 100 MB.

use std::io::{self, Write};
use std::mem;

use serde::Serialize;

/// The version of the fields. It changes when a field is removed or changes its meaning.
const VERSION: u32 = 1;

/// What is being written.
pub(in crate::cli) struct Json<'w> {
    to: &'w mut dyn Write,
    /// The number of bytes so far.
    written: u64,
    /// Whether the innermost object has no field yet.
    is_empty: bool,
}

/// Writes an object on one line. Its first field is `schema`.
pub(in crate::cli) fn line(
    to: &mut impl Write,
    fields: impl FnOnce(&mut Json<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut json = Json { to, written: 0, is_empty: true };
    json.object(|json| {
        json.field("schema", VERSION)?;
        fields(json)
    })?;
    json.write_all(b"\n")
}

impl Json<'_> {
    /// Writes an object, whose fields `fields` writes.
    pub(in crate::cli) fn object(
        &mut self,
        fields: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.write_all(b"{")?;
        self.is_empty = true;
        fields(self)?;
        self.is_empty = false;
        self.write_all(b"}")
    }

    /// Writes the name of a field. Its value must follow.
    pub(in crate::cli) fn key(&mut self, name: &str) -> io::Result<()> {
        let separator = if mem::take(&mut self.is_empty) { "" } else { "," };
        write!(self, "{separator}\"{name}\":")
    }

    pub(in crate::cli) fn field(&mut self, name: &str, value: impl Serialize) -> io::Result<()> {
        self.key(name)?;
        Ok(serde_json::to_writer(self, &value)?)
    }

    /// Writes a field, or leaves it out.
    pub(in crate::cli) fn optional(
        &mut self,
        name: &str,
        value: Option<impl Serialize>,
    ) -> io::Result<()> {
        value.map_or(Ok(()), |value| self.field(name, value))
    }

    /// Writes a list, whose items `write` writes, up to the one with which it has `max` bytes.
    /// Returns the number of other items.
    pub(in crate::cli) fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        max: u64,
        mut write: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<u64> {
        self.key(name)?;
        self.write_all(b"[")?;
        let (end, mut items) = (self.written.saturating_add(max), items.into_iter());
        let mut separator = "";
        while self.written < end
            && let Some(item) = items.next()
        {
            self.write_all(separator.as_bytes())?;
            write(self, item)?;
            separator = ",";
        }
        self.write_all(b"]")?;
        Ok(items.count() as u64)
    }
}

impl Write for Json<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
