//! Judges files whose piece layer the torrent lacks: only all pieces together can match the root.

use merkle_lanes::bep52::{Bep52, FileHashes, Hash};

use super::piece_batch::judge;
use crate::Torrent;
use crate::verdict::{PieceVerdict, WrongHash};

/// A piece of such a file.
pub(super) struct Part {
    pub(super) piece: u64,
    /// Whether its SHA-1 is right, in a hybrid torrent.
    pub(super) v1: Option<bool>,
    /// Its v2 hash.
    pub(super) hash: Hash,
    /// Whether it has a hole, unless its SHA-1 is right.
    pub(super) has_hole: bool,
}

/// Sets the verdicts on the pieces of files without a piece layer.
///
/// Without v1 hashes, all pieces of a file have the same verdict, but one that is missing makes the
/// others unverifiable. With v1 hashes, each piece has its own verdict, and a wrong root matters
/// only if every SHA-1 is right.
pub(super) fn judge_files(
    torrent: &Torrent,
    hasher: &Bep52,
    mut parts: Vec<Part>,
    verdicts: &mut [PieceVerdict],
) {
    parts.sort_unstable_by_key(|part| part.piece);
    for (index, file) in torrent.files().iter().enumerate() {
        let Some(root) = file.pieces_root().filter(|_| file.lacks_layer()) else { continue };
        let range = torrent.pieces().of_file(index);
        let begin = parts.partition_point(|part| part.piece < range.start);
        let end = parts.partition_point(|part| part.piece < range.end);
        let parts = &parts[begin..end];
        let own = &mut verdicts[range.start as usize..range.end as usize];
        let is_whole = parts.len() == own.len();
        let is_right = is_whole.then(|| {
            let layer: Vec<u8> = parts.iter().flat_map(|part| part.hash).collect();
            let piece_length = torrent.piece_length().try_into();
            piece_length.is_ok_and(|piece_length| {
                FileHashes::verified(hasher, piece_length, file.length(), Some(root), &layer)
                    .is_ok()
            })
        });
        // A wrong SHA-1 explains a wrong root.
        let has_bad = parts.iter().any(|part| part.v1 == Some(false));
        let has_hole = parts.iter().any(|part| part.has_hole);
        for part in parts {
            let v2 = match (is_right, part.v1) {
                (Some(false), Some(true)) if has_bad => None,
                _ => is_right,
            };
            let verdict = match (part.v1, v2) {
                // Other pieces of the file were not read: because they cannot be, or because the
                // check was cancelled.
                (None, None) => PieceVerdict::Unverifiable,
                (v1, v2) => judge(v1, v2),
            };
            own[(part.piece - range.start) as usize] = match verdict {
                PieceVerdict::Bad(WrongHash::All) if part.has_hole => PieceVerdict::Missing,
                // A hole in another piece explains the wrong root.
                PieceVerdict::Bad(_) if part.v1.is_none() && has_hole => PieceVerdict::Unverifiable,
                verdict => verdict,
            };
        }
        let is_unread = |verdict: &PieceVerdict| *verdict == PieceVerdict::Unchecked;
        if own.iter().any(is_unread) {
            for verdict in own.iter_mut().filter(|v| **v == PieceVerdict::Unverifiable) {
                *verdict = PieceVerdict::Unchecked;
            }
        }
    }
}
