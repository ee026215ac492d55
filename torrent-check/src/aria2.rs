//! Reads the control files that aria2 keeps beside downloads until they are finished.
//!
//! aria2 gives files their full length at once, so only its control file tells a piece that was
//! never downloaded from a bad one. Its [technical notes] describe the format.
//!
//! [technical notes]: https://aria2.github.io/manual/en/html/technical-notes.html

use std::fs::File;
use std::io::Read;
use std::ops::Range;

use crate::limits::MAX_PIECES;
use crate::pieces::Pieces;
use crate::root::{Root, with_suffix};
use crate::survey::{Found, Survey};
use crate::verdict::{PieceVerdict, WrongHash};
use crate::{FileKind, Torrent};

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

/// Finds the control files beside content that is not good, and returns the files that they call
/// unfinished. Bad pieces that aria2 has not downloaded become missing.
pub(crate) fn apply(
    torrent: &Torrent,
    root: &Root,
    pieces: &Pieces<'_>,
    survey: &Survey,
    verdicts: &mut [PieceVerdict],
) -> Vec<usize> {
    let is_fine = |verdict: &PieceVerdict| verdict.is_good() || *verdict == PieceVerdict::Skipped;
    if verdicts.iter().all(is_fine) {
        return Vec::new();
    }
    let total = match (torrent.v1(), torrent.files()) {
        (Some(v1), _) => Some(v1.total()),
        // aria2 does not know v2, but may have downloaded the file from elsewhere.
        (None, [file]) => Some(file.length()),
        (None, _) => None,
    };
    let of_content = root.open_beside(SUFFIX).and_then(|file| read(file, torrent, total));
    // Computed once per piece: many files may share one.
    let content_lacks: Vec<bool> = (0..verdicts.len() as u64)
        .map(|piece| {
            let start = piece * torrent.piece_length();
            let bytes = start..start.saturating_add(torrent.piece_length());
            of_content.as_ref().is_some_and(|progress| progress.lacks(bytes))
        })
        .collect();
    let mut unfinished = Vec::new();
    for (index, file) in torrent.files().iter().enumerate() {
        let own = pieces.of_file(index);
        let places = own.start as usize..own.end as usize;
        let is_due =
            *file.kind() == FileKind::Data && !verdicts[places.clone()].iter().all(is_fine);
        if !is_due || matches!(survey.found(index), Found::Skipped) {
            continue;
        }
        // A control file beside the folder covers all files, as one beside a file covers that file.
        let is_damaged = verdicts[places.clone()].iter().any(|verdict| verdict.is_damage());
        let of_file = if is_damaged && !torrent.is_single_file() {
            let path = match survey.found(index) {
                Found::There { path, .. } => path,
                _ => &root.relative(file.path()),
            };
            let control = root.open_regular(&with_suffix(path, SUFFIX));
            control.and_then(|control| read(control, torrent, Some(file.length())))
        } else {
            None
        };
        let lacks = |piece: u64| {
            content_lacks[piece as usize]
                || of_file
                    .as_ref()
                    .is_some_and(|progress| progress.lacks(pieces.bytes_of_file(piece, index)))
        };
        let is_unknown = matches!(of_content, Some(Progress::Unknown)) || of_file.is_some();
        if is_unknown || own.clone().any(lacks) {
            unfinished.push(index);
        }
        // Without a piece layer, the other pieces would still be called bad.
        if !pieces.is_whole_only(index) {
            for (piece, verdict) in own.zip(&mut verdicts[places]) {
                if *verdict == PieceVerdict::Bad(WrongHash::All) && lacks(piece) {
                    *verdict = PieceVerdict::Missing;
                }
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

/// Reads the control file of a download of `total` bytes, unless it belongs to another torrent.
fn read(file: File, torrent: &Torrent, total: Option<u64>) -> Option<Progress> {
    let mut bytes = Vec::new();
    if file.take(MAX_BYTES).read_to_end(&mut bytes).is_err() {
        return Some(Progress::Unknown);
    }
    let mut rest = bytes.as_slice();
    let is_foreign =
        |hash: &[u8]| !hash.is_empty() && torrent.info_hash_v1().is_none_or(|own| own[..] != *hash);
    let Some(([0, 1], info_hash)) = header(&mut rest) else { return Some(Progress::Unknown) };
    if is_foreign(info_hash) {
        return None;
    }
    Some(progress(&mut rest, total).unwrap_or(Progress::Unknown))
}

/// Splits off the version and the info hash, which downloads from elsewhere do not have.
fn header<'b>(rest: &mut &'b [u8]) -> Option<([u8; 2], &'b [u8])> {
    let version = take(rest)?;
    let _extension: [u8; 4] = take(rest)?;
    let length = u32::from_be_bytes(take(rest)?);
    Some((version, rest.split_off(..usize::try_from(length).ok()?)?))
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
