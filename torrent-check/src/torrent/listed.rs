//! The files of the v1 list and of the v2 file tree, in a common form.

use super::fields::{Field, Fields};
use super::paths::Paths;
use crate::torrent::error::{TorrentError, Warnings};
use crate::torrent::file::FileKind;
use crate::torrent::path::TorrentPath;

/// A file, and the byte offset of its entry.
pub(super) struct Listed<'d> {
    pub(super) path: TorrentPath,
    /// In v1, the path in `path` if `path.utf-8` has another one.
    pub(super) raw_path: Option<TorrentPath>,
    pub(super) length: u64,
    pub(super) kind: FileKind,
    /// In v2, the `pieces root`.
    pub(super) root: Option<Field<'d>>,
    pub(super) offset: usize,
}

impl<'d> Listed<'d> {
    /// A file without a root. `symlink` is the target of a link.
    pub(super) fn new(
        path: TorrentPath,
        symlink: Option<TorrentPath>,
        is_pad: bool,
        length: u64,
        offset: usize,
    ) -> Self {
        let kind = match symlink {
            Some(target) => FileKind::Symlink(target),
            None if is_pad => FileKind::Pad,
            None => FileKind::Data,
        };
        Self { path, raw_path: None, length, kind, root: None, offset }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> TorrentError {
        TorrentError::new(self.offset, message)
    }
}

/// The target of a file that is a symbolic link (BEP 47).
///
/// A link has no content. A length other than 0 causes a warning.
pub(super) fn symlink<'d>(
    file: Fields<'d>,
    paths: &mut Paths<'d, '_>,
) -> Result<Option<TorrentPath>, TorrentError> {
    if !file.has_attribute(b'l')? {
        return Ok(None);
    }
    let length = if file.get("length").is_some() { file.length()? } else { 0 };
    if length > 0 || file.get("pieces root").is_some() {
        let message = "the length or `pieces root` of a symbolic link is ignored";
        paths.warn(file.offset(), message);
    }
    paths.list(file.require("symlink path")?).map(Some)
}

/// Checks that the lengths add up to less than 2^63, and that not all files are empty.
pub(super) fn check_lengths(files: &[Listed<'_>], list: Field<'_>) -> Result<(), TorrentError> {
    let (mut total, mut content) = (0_i64, 0);
    for file in files {
        let sum = i64::try_from(file.length).ok().and_then(|length| total.checked_add(length));
        total = sum.ok_or_else(|| {
            file.error("the lengths up to this file add up to more than 2^63 - 1 bytes")
        })?;
        if file.kind == FileKind::Data {
            content += file.length;
        }
    }
    if content > 0 {
        return Ok(());
    }
    Err(list.error("all files are empty, so there is nothing to check"))
}

/// Checks that the lists of a hybrid have the same files in the same order. In the v1 list, padding
/// aligns the files to piece boundaries.
pub(super) fn check_hybrid(
    v1: &[Listed<'_>],
    v2: &[Listed<'_>],
    piece_length: u64,
) -> Result<(), TorrentError> {
    let mut start = 0_u64;
    let mut others = v2.iter();
    for file in v1 {
        if file.kind != FileKind::Pad {
            // Different counts are reported only if all files in both lists agree.
            let Some(other) = others.next() else { break };
            compare(file, other)?;
            if file.length > 0 && !start.is_multiple_of(piece_length) {
                let rule = "hybrids require a piece boundary there";
                let message = format!("the file starts at byte {start} of the content; {rule}");
                return Err(file.error(message));
            }
        }
        start += file.length;
    }
    let count = v1.iter().filter(|file| file.kind != FileKind::Pad).count();
    match v1.first() {
        Some(first) if count != v2.len() => Err(first.error(format!(
            "the number of files is {count} in the v1 list (no padding), but {} in the `file tree`",
            v2.len()
        ))),
        _ => Ok(()),
    }
}

fn compare(v1: &Listed<'_>, v2: &Listed<'_>) -> Result<(), TorrentError> {
    if v1.path != v2.path {
        let (own, other) = (&v1.path, &v2.path);
        let message = format!("the v1 list has \"{own}\" where the `file tree` has \"{other}\"");
        return Err(v1.error(message));
    }
    if v1.kind != v2.kind {
        let message = "the file is a symbolic link in only one of the lists, or the targets differ";
        return Err(v1.error(message));
    }
    if v1.length != v2.length {
        return Err(v1.error(format!(
            "the length of the file in bytes is {} in the v1 list, but {} in the `file tree`",
            v1.length, v2.length
        )));
    }
    Ok(())
}

/// Warns of files that cannot coexist on disk, and returns whether there are any.
pub(super) fn check_paths(files: &[Listed<'_>], warnings: &mut Warnings) -> bool {
    let mut is_any = false;
    let mut files: Vec<_> = files.iter().filter(|file| file.kind != FileKind::Pad).collect();
    // Files in a folder sort directly after the folder's own name: no name has a NUL.
    let sorted = |byte: &u8| if *byte == b'/' { 0 } else { *byte };
    files.sort_by_cached_key(|file| {
        (file.path.as_bytes().iter().map(sorted).collect::<Vec<u8>>(), file.offset)
    });
    for pair in files.windows(2) {
        let (path, next) = (pair[0].path.as_bytes(), pair[1].path.as_bytes());
        let shown = &pair[0].path;
        let message = match next.strip_prefix(path) {
            Some([]) => format!("the file \"{shown}\" is listed twice"),
            Some([b'/', ..]) => {
                format!("\"{shown}\" is listed both as a file and as a folder with files in it")
            }
            _ => continue,
        };
        warnings.add(pair[1].offset, message);
        is_any = true;
    }
    is_any
}
