//! Finds files under other names.
//!
//! Only files of a matching length are read: once for a root, and in v1 once for each different
//! first piece. v1 has no hash of a whole file, so its first whole piece stands in for it. A small
//! file may share all its pieces with others. It is looked for under its own name in other folders,
//! and its pieces prove it, together with the places of the others.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use hash_lanes::Backend;
use merkle_lanes::bep52::{Bep52, FileHasher, Hash};
use sha1_multi::ManyHasher;

use crate::find::folded;
use crate::root::Root;
use crate::survey::Survey;
use crate::verdict::FileVerdict;
use crate::{FileKind, Segment, Torrent, walk};

/// The maximum number of places that are tried for a file, and of combinations for a piece.
const MAX_TRIES: usize = 8;

/// The size of a read, in bytes.
const PORTION: usize = 1 << 20;

/// Where the content of files that are not good in their places was found.
#[derive(Default)]
pub(crate) struct Renamed {
    pub(crate) places: BTreeMap<usize, Vec<PathBuf>>,
    /// The files that could not be searched for, in ascending order.
    pub(crate) unsearchable: Vec<usize>,
}

/// Searches the root for the content of files that are not good in their places.
///
/// Files that are good in their own places have known roots. Links are not followed.
///
/// `goes_on` gets the number of bytes read since its last call, and returns `false` if the check is
/// cancelled.
pub(crate) fn find(
    survey: &Survey<'_>,
    root: &Root,
    verdicts: &[FileVerdict],
    backend: Backend,
    goes_on: &dyn Fn(u64) -> bool,
) -> Renamed {
    // The roots to find, by file length. Identical files share a root.
    let mut wanted: HashMap<u64, HashMap<Hash, Vec<usize>>> = HashMap::new();
    // The paths of good files, with their roots.
    let mut settled: HashMap<PathBuf, Option<Hash>> = HashMap::new();
    let mut samples: HashMap<u64, Samples> = HashMap::new();
    let mut renamed = Renamed::default();
    let torrent = survey.torrent;
    let place_of = |file: usize| {
        let place = survey.place(file).map(|place| place.path.clone());
        place.unwrap_or_else(|| root.relative(torrent.files()[file].path()))
    };
    for (index, (file, verdict)) in torrent.files().iter().zip(verdicts).enumerate() {
        let pieces_root = file.pieces_root();
        match (verdict, pieces_root) {
            (FileVerdict::Good, _) => {
                settled.insert(place_of(index), pieces_root);
            }
            (FileVerdict::Skipped | FileVerdict::Pad, _) => {}
            (_, None) => match sample(torrent, index) {
                Some((sample, hash)) => {
                    let samples = samples.entry(file.length()).or_default();
                    samples.entry(sample).or_default().push((hash, index));
                }
                // Nothing distinguishes an empty file.
                None if file.length() > 0 => renamed.unsearchable.push(index),
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
    let is_sought = !wanted.is_empty() || !samples.is_empty() || !renamed.unsearchable.is_empty();
    let mut named: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
    for &file in &renamed.unsearchable {
        let name = folded(torrent.files()[file].path().file_name());
        named.entry(name).or_default().push(file);
    }
    let mut candidates: HashMap<usize, Vec<PathBuf>> = HashMap::new();
    let paths = if is_sought { walk::entries(root, |found| found.is_file()) } else { Vec::new() };
    for path in paths {
        if !goes_on(0) {
            break;
        }
        let Ok(length) = root.metadata(&path).map(|metadata| metadata.len()) else { continue };
        for &file in named.get(&name_of(&path)).into_iter().flatten() {
            if length == torrent.files()[file].length() {
                candidates.entry(file).or_default().push(path.clone());
            }
        }
        for (sample, files) in samples.get(&length).into_iter().flatten() {
            let Sample { offset, length, padding } = *sample;
            let own = (Some(path.as_path()), Segment { file: 0, offset, length });
            let padding = (None, Segment { file: 0, offset: 0, length: padding });
            let hash = hash_of(root, &[own, padding], backend, goes_on);
            let Some(hash) = hash else { continue };
            for &(expected, file) in files {
                // A damaged file may have this piece, too.
                if hash == expected && path != place_of(file) {
                    renamed.places.entry(file).or_default().push(path.clone());
                }
            }
        }
        let Some(roots) = wanted.get(&length) else { continue };
        let hash = match settled.get(&path) {
            Some(known) => *known,
            None => pieces_root(torrent, root, &path, backend, goes_on),
        };
        for &file in hash.and_then(|hash| roots.get(&hash)).into_iter().flatten() {
            renamed.places.entry(file).or_default().push(path.clone());
        }
    }
    if renamed.unsearchable.is_empty() {
        return renamed;
    }
    for file in 0..torrent.files().len() {
        // Neighbours are in their own places, good or not, or where they were found.
        let own = survey.place(file).map(|place| place.path.clone());
        let others = candidates.entry(file).or_default();
        others.extend(renamed.places.get(&file).into_iter().flatten().cloned());
        others.splice(..0, own);
    }
    renamed.unsearchable.retain(|&file| {
        let is_good = |place: &Path, piece: u64| {
            let segments: Vec<Segment> = torrent.pieces().segments(piece).collect();
            let tries = segments.iter().map(|segment| candidates[&segment.file].len()).max();
            // Files that were moved together have candidates in the same folders.
            (0..tries.unwrap_or(0).min(MAX_TRIES)).any(|nth| {
                let parts = segments.iter().map(|segment| {
                    let others = &candidates[&segment.file];
                    let path = match torrent.files()[segment.file].kind() {
                        FileKind::Pad => None,
                        _ if segment.file == file => Some(place),
                        _ => Some(others.get(nth).or(others.last())?.as_path()),
                    };
                    Some((path, *segment))
                });
                let parts: Option<Vec<_>> = parts.collect();
                let hash = parts.and_then(|parts| hash_of(root, &parts, backend, goes_on));
                hash.is_some() && hash == torrent.pieces().hash(piece)
            })
        };
        let is_proven =
            |place: &PathBuf| torrent.pieces().of_file(file).all(|piece| is_good(place, piece));
        let others = &candidates[&file][usize::from(survey.place(file).is_some())..];
        let place = others.iter().take(MAX_TRIES).find(|place| is_proven(place));
        renamed.places.extend(place.map(|place| (file, vec![place.clone()])));
        place.is_none()
    });
    renamed
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
fn sample(torrent: &Torrent, file: usize) -> Option<(Sample, [u8; 20])> {
    let pieces = torrent.pieces();
    pieces.of_file(file).find_map(|piece| {
        let hash = pieces.hash(piece)?;
        let mut segments = pieces.segments(piece);
        let own = segments.next().filter(|segment| segment.file == file)?;
        let padding = segments.try_fold(0, |padding, segment| {
            let is_pad = *torrent.files()[segment.file].kind() == FileKind::Pad;
            is_pad.then_some(padding + segment.length)
        })?;
        Some((Sample { offset: own.offset, length: own.length, padding }, hash))
    })
}

/// The SHA-1 of parts of files, if they can be read. Those without a path are zeros.
fn hash_of(
    root: &Root,
    parts: &[(Option<&Path>, Segment)],
    backend: Backend,
    goes_on: &dyn Fn(u64) -> bool,
) -> Option<[u8; 20]> {
    let mut hasher = ManyHasher::with_backend(backend, 1);
    let mut portion = Vec::new();
    for (path, segment) in parts {
        let mut source: Box<dyn Read> = match path {
            None => Box::new(std::io::repeat(0)),
            Some(path) => {
                let mut file = root.open(path).ok()?;
                file.seek(SeekFrom::Start(segment.offset)).ok()?;
                Box::new(file)
            }
        };
        let mut left = segment.length;
        while left > 0 {
            portion.clear();
            let now = left.min(PORTION as u64);
            source.by_ref().take(now).read_to_end(&mut portion).ok()?;
            let bytes_read = if path.is_some() { portion.len() as u64 } else { 0 };
            if portion.len() as u64 != now || !goes_on(bytes_read) {
                return None;
            }
            hasher.update(0, &portion);
            left -= now;
        }
    }
    Some(hasher.finalize_one(0))
}

/// The name of a file for comparisons.
fn name_of(path: &Path) -> Vec<u8> {
    path.file_name().map(|name| folded(name.as_encoded_bytes())).unwrap_or_default()
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
