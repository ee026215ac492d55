//! Finds v2 files under other names.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use hash_lanes::Backend;
use merkle_lanes::bep52::{Bep52, FileHasher, Hash};

use crate::Torrent;
use crate::report::Report;
use crate::root::Root;
use crate::verdict::FileVerdict;

/// The size of a read, in bytes.
const PORTION: usize = 1 << 20;

/// Searches the root for the content of files that are not good in their places, and records where
/// it is.
///
/// Only files of a matching length are hashed, each once. Files that are good in their own places
/// have known roots. Links are not followed.
pub(crate) fn find(
    report: &mut Report<'_>,
    root: &Root,
    backend: Backend,
    is_cancelled: &dyn Fn() -> bool,
) {
    // The roots to find, by file length. Identical files share a root.
    let mut wanted: HashMap<u64, HashMap<Hash, Vec<usize>>> = HashMap::new();
    // The paths of good files, with their roots.
    let mut settled: HashMap<PathBuf, Option<Hash>> = HashMap::new();
    let torrent = report.torrent();
    for (index, (file, found)) in torrent.files().iter().zip(report.files()).enumerate() {
        let pieces_root = file.hashes().and_then(|hashes| hashes.pieces_root());
        match (&found.verdict, pieces_root) {
            (FileVerdict::Good, _) => {
                let place = found.saved_as.clone();
                settled.insert(place.unwrap_or_else(|| root.relative(file.path())), pieces_root);
            }
            (FileVerdict::Skipped | FileVerdict::Pad, _) | (_, None) => {}
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
    for path in if wanted.is_empty() { Vec::new() } else { regular_files(root) } {
        if is_cancelled() {
            break;
        }
        let Some(roots) =
            root.metadata(&path).ok().and_then(|metadata| wanted.get(&metadata.len()))
        else {
            continue;
        };
        let hash = match settled.get(&path) {
            Some(known) => *known,
            None => pieces_root(torrent, root, &path, backend, is_cancelled),
        };
        for &file in hash.and_then(|hash| roots.get(&hash)).into_iter().flatten() {
            places.entry(file).or_default().push(path.clone());
        }
    }
    for (file, places) in places {
        report.set_found_as(file, places);
    }
}

/// The regular files beneath the root, sorted. Unreadable folders are skipped.
fn regular_files(root: &Root) -> Vec<PathBuf> {
    let Ok(dir) = &root.dir else { return Vec::new() };
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let Ok(entries) = dir.read_dir(here) else { continue };
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            match entry.file_type() {
                Ok(file_type) if file_type.is_dir() => folders.push(path),
                Ok(file_type) if file_type.is_file() => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// The pieces root of a file, if it can be read.
fn pieces_root(
    torrent: &Torrent,
    root: &Root,
    path: &Path,
    backend: Backend,
    is_cancelled: &dyn Fn() -> bool,
) -> Option<Hash> {
    let piece_length = torrent.piece_length().try_into().ok()?;
    let (mut file, _) = root.open(path).ok()?;
    let mut hasher = FileHasher::new(Bep52::new().with_backend(backend), piece_length);
    let mut portion = vec![0; PORTION];
    while !is_cancelled() {
        match file.read(&mut portion) {
            Ok(0) => return hasher.finish().pieces_root(),
            Ok(count) => hasher.update(&portion[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    None
}
