//! Checks that the two lists of a hybrid torrent describe the same files.

use super::listed::Listed;
use crate::error::TorrentError;
use crate::file::FileKind;

/// Compares the lists, which must have the same files in the same order. In the v1 list, padding
/// aligns the files to piece boundaries.
pub(super) fn check(
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
