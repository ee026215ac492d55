//! Reads the control file that aria2 keeps beside a download until it is finished.
//!
//! aria2 gives files their full length at once, so only its control file tells a piece that was
//! never downloaded from a bad one. Its [technical notes] describe the format.
//!
//! [technical notes]: https://aria2.github.io/manual/en/html/technical-notes.html

use std::fs::File;
use std::io::Read;
use std::ops::Range;

use crate::content::root::Root;
use crate::content::survey::Survey;
use crate::torrent::MAX_PIECES;
use crate::verdict::{PieceVerdict, WrongHash};
use crate::{FileKind, Torrent, Version};

/// What aria2 appends to the name of a file, or of the content's folder.
pub(crate) const SUFFIX: &str = ".aria2";

/// The maximum length of a control file up to the end of its bitfield: the other fields, and a bit
/// per piece.
const MAX_BYTES: u64 = 54 + MAX_PIECES / 8;

/// The progress of a download that is not finished.
enum Progress {
    /// Its control file cannot be read.
    Unknown,
    /// The pieces of aria2 that were downloaded.
    Known { piece_length: u64, total: u64, bitfield: Vec<u8> },
}

/// Finds the control file beside content that is not good, and returns the files that it calls
/// unfinished. Bad pieces that aria2 has not downloaded become missing.
pub(crate) fn apply(survey: &Survey<'_>, root: &Root, verdicts: &mut [PieceVerdict]) -> Vec<usize> {
    let (torrent, pieces) = (survey.torrent, survey.torrent.pieces());
    let is_fine = |verdict: &PieceVerdict| verdict.is_good() || *verdict == PieceVerdict::Skipped;
    if verdicts.iter().all(is_fine) {
        return Vec::new();
    }
    let total = match (torrent.version(), torrent.files()) {
        (Version::V1 | Version::Hybrid, _) => Some(pieces.total()),
        // aria2 does not know v2, but may have downloaded the file from elsewhere.
        (Version::V2, [file]) => Some(file.length()),
        (Version::V2, _) => None,
    };
    let progress = root.open_beside(SUFFIX).and_then(|file| read(file, torrent, total));
    let Some(progress) = progress else { return Vec::new() };
    // Computed once per piece: many files may share one.
    let lacks: Vec<bool> = (0..verdicts.len() as u64)
        .map(|piece| {
            let start = piece * torrent.piece_length();
            progress.lacks(start..start.saturating_add(torrent.piece_length()))
        })
        .collect();
    let is_unknown = matches!(progress, Progress::Unknown);
    let mut unfinished = Vec::new();
    for (index, file) in torrent.files().iter().enumerate() {
        let own = pieces.of_file(index);
        let own = own.start as usize..own.end as usize;
        let is_due = *file.kind() == FileKind::Data && !verdicts[own.clone()].iter().all(is_fine);
        if !is_due || !survey.was_examined(index) {
            continue;
        }
        if is_unknown || lacks[own.clone()].contains(&true) {
            unfinished.push(index);
        }
        // Without a piece layer, the other pieces would still be called bad.
        for piece in own.filter(|_| !file.lacks_layer()) {
            if lacks[piece] && verdicts[piece] == PieceVerdict::Bad(WrongHash::All) {
                verdicts[piece] = PieceVerdict::Missing;
            }
        }
    }
    unfinished
}

impl Progress {
    /// Whether a byte in this range is known not to be downloaded.
    fn lacks(&self, bytes: Range<u64>) -> bool {
        let Self::Known { piece_length, total, bitfield } = self else { return false };
        let pieces = bytes.start / piece_length..bytes.end.min(*total).div_ceil(*piece_length);
        let is_set = |piece: u64| {
            let byte = usize::try_from(piece / 8).ok().and_then(|at| bitfield.get(at));
            byte.is_some_and(|byte| byte & (0x80 >> (piece % 8)) != 0)
        };
        !pieces.into_iter().all(is_set)
    }
}

/// Reads the control file of a download of `total` bytes, unless it is something else, or belongs
/// to another torrent.
fn read(file: File, torrent: &Torrent, total: Option<u64>) -> Option<Progress> {
    let mut bytes = Vec::new();
    if file.take(MAX_BYTES).read_to_end(&mut bytes).is_err() {
        return Some(Progress::Unknown);
    }
    let mut rest = bytes.as_slice();
    let known = match beginning(&mut rest, torrent)? {
        1 => progress(&mut rest, total),
        // The other fields have the byte order of the computer that wrote them.
        _ => None,
    };
    Some(known.unwrap_or(Progress::Unknown))
}

/// Splits off the version, 0 or 1, the extension and the info hash, if they are those of a control
/// file of this torrent. Downloads from elsewhere have no info hash.
fn beginning(rest: &mut &[u8], torrent: &Torrent) -> Option<u16> {
    let version = u16::from_be_bytes(take(rest)?);
    let [0, 0, 0, _] = take(rest)? else { return None };
    let length: [u8; 4] = take(rest)?;
    let length = u32::from_be_bytes(length).min(u32::from_le_bytes(length));
    let is_own = match length {
        // A file of nothing but zeros is something else.
        0 => version == 1,
        20 => torrent.info_hash_v1() == Some(take(rest)?),
        _ => false,
    };
    (version <= 1 && is_own).then_some(version)
}

/// The fields after the info hash, if they fit a download of this length.
fn progress(rest: &mut &[u8], expected_total: Option<u64>) -> Option<Progress> {
    let piece_length = u64::from(u32::from_be_bytes(take(rest)?));
    let total = u64::from_be_bytes(take(rest)?);
    let _uploaded: [u8; 8] = take(rest)?;
    let length = u64::from(u32::from_be_bytes(take(rest)?));
    if piece_length == 0
        || Some(total) != expected_total
        || length != total.div_ceil(piece_length).div_ceil(8)
    {
        return None;
    }
    let bitfield = rest.split_off(..usize::try_from(length).ok()?)?.to_vec();
    Some(Progress::Known { piece_length, total, bitfield })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    rest.split_off(..N)?.try_into().ok()
}
