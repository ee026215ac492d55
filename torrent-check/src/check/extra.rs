//! Lists what is in the content's folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use cap_std::fs::FileType;

use crate::content::root::Root;
use crate::content::survey::Survey;
use crate::folders::entries_of;
use crate::{FileKind, TorrentPath};

/// The entries beneath the root that are wanted, sorted. Links are not followed, and unreadable
/// folders are skipped. Returns `None` if that is cancelled.
pub(crate) fn entries(
    root: &Root,
    is_wanted: impl Fn(FileType) -> bool,
    goes_on: &dyn Fn() -> bool,
) -> Option<Vec<PathBuf>> {
    let Ok(dir) = &root.dir else { return Some(Vec::new()) };
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in entries_of(dir, &folder) {
            if !goes_on() {
                return None;
            }
            let path = folder.join(entry.file_name());
            match entry.file_type() {
                Ok(file_type) if file_type.is_dir() => folders.push(path),
                Ok(file_type) if is_wanted(file_type) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Some(found)
}

/// The files beneath the content's folder that do not belong to the torrent, sorted. Returns `None`
/// if the check is cancelled.
pub(crate) fn extra(
    survey: &Survey<'_>,
    root: &Root,
    client_files: &[PathBuf],
    goes_on: &dyn Fn() -> bool,
) -> Option<Vec<PathBuf>> {
    let torrent = survey.torrent;
    if torrent.is_single_file() {
        // The folder is that of all downloads.
        return Some(Vec::new());
    }
    let Ok(dir) = &root.dir else { return Some(Vec::new()) };
    let (mut known, mut folders) = (HashSet::new(), HashSet::new());
    for (index, file) in torrent.files().iter().enumerate() {
        let found = survey.place(index);
        let mut places = vec![file.path().to_path_buf()];
        places.extend(found.map(|found| found.path.clone()));
        if found.is_none() {
            // It may be there under any of its names: only files that the check covers are looked
            // for, and links have no length.
            places.extend(file.alternatives().iter().map(TorrentPath::to_path_buf));
        }
        for place in places {
            // A folder on the way may be a link to another one.
            if *file.kind() == FileKind::Data {
                known.extend(dir.canonicalize(&place));
            }
            folders.extend(place.ancestors().skip(1).map(Path::to_owned));
            known.insert(place);
        }
    }
    let mut found = entries(root, |_| true, goes_on)?;
    // A link may stand in the place of a folder, a file may not.
    let is_folder = |path: &PathBuf| folders.contains(path) && root.regular(path).is_err();
    let is_client_file = |path: &PathBuf| client_files.contains(&root.content.path().join(path));
    found.retain(|path| !known.contains(path) && !is_folder(path) && !is_client_file(path));
    Some(found)
}
