//! A file in one of the lists.

use super::fields::{Field, Fields};
use super::paths::Paths;
use crate::error::{TorrentError, TorrentErrorKind};
use crate::file::FileKind;
use crate::path::TorrentPath;

/// A file, and where the torrent speaks of it.
pub(super) struct Listed<'d> {
    pub(super) path: TorrentPath,
    pub(super) length: u64,
    pub(super) kind: FileKind,
    /// In v2, the `pieces root`.
    pub(super) root: Option<Field<'d>>,
    pub(super) offset: usize,
}

impl Listed<'_> {
    pub(super) fn error(&self, kind: TorrentErrorKind) -> TorrentError {
        TorrentError { offset: self.offset, kind }
    }
}

/// The target of a symbolic link, if a file is one: BEP 47.
///
/// It has no content, though it may be said to have a length of 0.
pub(super) fn symlink<'d>(
    file: Fields<'d>,
    paths: &mut Paths<'d, '_>,
) -> Result<Option<TorrentPath>, TorrentError> {
    if !file.has_attribute(b'l')? {
        return Ok(None);
    }
    let length = if file.get("length").is_some() { file.length()? } else { 0 };
    if length > 0 || file.get("pieces root").is_some() {
        return Err(TorrentError {
            offset: file.offset(),
            kind: TorrentErrorKind::SymlinkWithContent,
        });
    }
    paths.list(file.require("symlink path")?).map(Some)
}

/// Checks that the lengths add up to less than 2^63, and that there is something to check.
pub(super) fn check_lengths(files: &[Listed<'_>], list: Field<'_>) -> Result<(), TorrentError> {
    let (mut total, mut content) = (0_i64, 0);
    for file in files {
        let sum = i64::try_from(file.length).ok().and_then(|length| total.checked_add(length));
        total = sum.ok_or_else(|| file.error(TorrentErrorKind::LengthOverflow))?;
        if file.kind == FileKind::Data {
            content += file.length;
        }
    }
    if content == 0 { Err(list.error(TorrentErrorKind::NoContent)) } else { Ok(()) }
}
