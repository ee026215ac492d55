//! Finds files under other names.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use hash_lanes::Backend;
use merkle_lanes::bep52::{Bep52, FileHasher, Hash};
use sha1_multi::ManyHasher;

use crate::pieces::Pieces;
use crate::report::Report;
use crate::root::Root;
use crate::verdict::FileVerdict;
use crate::{FileKind, Torrent, walk};

/// The size of a read, in bytes.
const PORTION: usize = 1 << 20;

/// Searches the root for the content of files that are not good in their places, and records where
/// it is.
///
/// Only files of a matching length are read: once for a root, and in v1 once for each different
/// first piece. Files that are good in their own places have known roots. Links are not followed.
/// v1 has no hash of a whole file, so its first whole piece stands in for it.
///
/// `goes_on` gets the number of bytes read since its last call, and returns `false` if the check is
/// cancelled.
pub(crate) fn find(
    report: &mut Report<'_>,
    root: &Root,
    backend: Backend,
    goes_on: &dyn Fn(u64) -> bool,
) {
    // The roots to find, by file length. Identical files share a root.
    let mut wanted: HashMap<u64, HashMap<Hash, Vec<usize>>> = HashMap::new();
    // The paths of good files, with their roots.
    let mut settled: HashMap<PathBuf, Option<Hash>> = HashMap::new();
    let mut samples: HashMap<u64, Samples> = HashMap::new();
    let mut unsearchable = Vec::new();
    let torrent = report.torrent();
    let pieces = Pieces::new(torrent);
    for (index, (file, found)) in torrent.files().iter().zip(report.files()).enumerate() {
        let pieces_root = file.pieces_root();
        match (&found.verdict, pieces_root) {
            (FileVerdict::Good, _) => {
                let place = found.saved_as.clone();
                settled.insert(place.unwrap_or_else(|| root.relative(file.path())), pieces_root);
            }
            (FileVerdict::Skipped | FileVerdict::Pad, _) => {}
            (_, None) => match sample(torrent, &pieces, index) {
                Some((sample, hash)) => {
                    let samples = samples.entry(file.length()).or_default();
                    samples.entry(sample).or_default().push((hash, index));
                }
                // Nothing distinguishes an empty file.
                None if file.length() > 0 => unsearchable.push(index),
                None => {}
            },
            (_, Some(pieces_root)) => {
                wanted
                    .entry(file.length())
                    .or_default()
                    .entry(pieces_root)
                    .or_default()
                    .push(index);
            }
        }
    }
    let mut places: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
    let is_sought = !wanted.is_empty() || !samples.is_empty();
    let paths = if is_sought { walk::entries(root, |found| found.is_file()) } else { Vec::new() };
    for path in paths {
        if !goes_on(0) {
            break;
        }
        let Ok(length) = root.metadata(&path).map(|metadata| metadata.len()) else { continue };
        for (sample, files) in samples.get(&length).into_iter().flatten() {
            let hash = hash_of_sample(root, &path, sample, backend, goes_on);
            let Some(hash) = hash else { continue };
            for &(expected, file) in files {
                let saved = report.files()[file].saved_as.as_ref();
                let own = root.relative(torrent.files()[file].path());
                // A damaged file may have this piece, too.
                if hash == expected && path != *saved.unwrap_or(&own) {
                    places.entry(file).or_default().push(path.clone());
                }
            }
        }
        let Some(roots) = wanted.get(&length) else { continue };
        let hash = match settled.get(&path) {
            Some(known) => *known,
            None => pieces_root(torrent, root, &path, backend, goes_on),
        };
        for &file in hash.and_then(|hash| roots.get(&hash)).into_iter().flatten() {
            places.entry(file).or_default().push(path.clone());
        }
    }
    for (file, places) in places {
        report.set_found_as(file, places);
    }
    for file in unsearchable {
        report.set_unsearchable(file);
    }
}

/// The part of a file in its first piece that has no bytes of other files, and the length of the
/// padding after it.
#[derive(PartialEq, Eq, Hash)]
struct Sample {
    offset: u64,
    length: u64,
    padding: u64,
}

/// The expected hashes of the samples of v1 files, with the indices of the files.
type Samples = HashMap<Sample, Vec<([u8; 20], usize)>>;

/// A sample of a v1 file, and the hash of its piece. Small files may have no such piece.
fn sample(torrent: &Torrent, pieces: &Pieces<'_>, file: usize) -> Option<(Sample, [u8; 20])> {
    pieces.of_file(file).find_map(|piece| {
        let hash = pieces.v1_hash(piece)?;
        let mut segments = pieces.segments(piece);
        let own = segments.next().filter(|segment| segment.file == file)?;
        let padding = segments.try_fold(0, |padding, segment| {
            let is_pad = *torrent.files()[segment.file].kind() == FileKind::Pad;
            is_pad.then_some(padding + segment.length)
        })?;
        Some((Sample { offset: own.offset, length: own.length, padding }, hash))
    })
}

/// The hash of the piece that the sample of a file would have, if the file can be read.
fn hash_of_sample(
    root: &Root,
    path: &Path,
    sample: &Sample,
    backend: Backend,
    goes_on: &dyn Fn(u64) -> bool,
) -> Option<[u8; 20]> {
    let mut file = root.open(path).ok()?;
    file.seek(SeekFrom::Start(sample.offset)).ok()?;
    let mut hasher = ManyHasher::with_backend(backend, 1);
    let padding = std::io::repeat(0).take(sample.padding);
    let mut bytes = file.take(sample.length).chain(padding);
    let mut portion = Vec::new();
    let (mut total, mut bytes_read) = (0, 0);
    while goes_on(bytes_read) {
        let left = bytes.get_ref().0.limit();
        portion.clear();
        bytes.by_ref().take(PORTION as u64).read_to_end(&mut portion).ok()?;
        // Without the padding.
        bytes_read = left - bytes.get_ref().0.limit();
        if portion.is_empty() {
            let is_complete = total == sample.length + sample.padding;
            return is_complete.then(|| hasher.finalize_one(0));
        }
        total += portion.len() as u64;
        hasher.update(0, &portion);
    }
    None
}

/// The pieces root of a file, if it can be read.
fn pieces_root(
    torrent: &Torrent,
    root: &Root,
    path: &Path,
    backend: Backend,
    goes_on: &dyn Fn(u64) -> bool,
) -> Option<Hash> {
    let piece_length = torrent.piece_length().try_into().ok()?;
    let mut file = root.open(path).ok()?;
    let mut hasher = FileHasher::new(Bep52::new().with_backend(backend), piece_length);
    let mut portion = Vec::new();
    while goes_on(portion.len() as u64) {
        portion.clear();
        file.by_ref().take(PORTION as u64).read_to_end(&mut portion).ok()?;
        if portion.is_empty() {
            return hasher.finish().pieces_root();
        }
        hasher.update(&portion);
    }
    None
}
