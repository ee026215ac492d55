//! Checks that the two lists of a hybrid torrent describe the same files.

use super::listed::Listed;
use crate::error::{TorrentError, TorrentErrorKind};
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
                return Err(file.error(TorrentErrorKind::HybridAlignment { start }));
            }
        }
        start += file.length;
    }
    let count = v1.iter().filter(|file| file.kind != FileKind::Pad).count();
    match v1.first() {
        Some(first) if count != v2.len() => {
            Err(first.error(TorrentErrorKind::HybridCount { v1: count, v2: v2.len() }))
        }
        _ => Ok(()),
    }
}

fn compare(v1: &Listed<'_>, v2: &Listed<'_>) -> Result<(), TorrentError> {
    if v1.path != v2.path {
        let (v1_path, v2_path) = (v1.path.to_string(), v2.path.to_string());
        return Err(v1.error(TorrentErrorKind::HybridPath { v1: v1_path, v2: v2_path }));
    }
    if v1.kind != v2.kind {
        return Err(v1.error(TorrentErrorKind::HybridSymlink));
    }
    if v1.length != v2.length {
        return Err(v1.error(TorrentErrorKind::HybridLength { v1: v1.length, v2: v2.length }));
    }
    Ok(())
}
