//! Finds torrent files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use torrent_check::Escaped;

use super::Failure;

/// The torrent files: each path itself, or in its place the regular files in that folder whose
/// names end in `.torrent`. A folder that cannot be read is listed itself, so that it is reported
/// with the torrents.
pub(super) fn torrents(paths: &[PathBuf], list: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
    let mut all = paths.to_vec();
    if let Some(list) = list {
        all.extend(listed(list)?);
    }
    let mut files = Vec::new();
    for path in all {
        match in_folder(&path) {
            Ok(more) => files.extend(more),
            Err(_) => files.push(path),
        }
    }
    if files.is_empty() {
        return Err(Failure("there are no torrents in the given folders and list".to_owned()));
    }
    Ok(files)
}

/// The torrent files in a folder, sorted.
fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_torrent = path.extension().is_some_and(|extension| extension == "torrent");
        // Reading a pipe could wait for ever. A broken link is an error of its own.
        if is_torrent && fs::metadata(&path).map_or(true, |metadata| metadata.is_file()) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The paths in a list, one per line.
fn listed(list: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure(format!("cannot read {}: {error}", Escaped(list)));
    let bytes = fs::read(list).map_err(|error| failed(&error))?;
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines
        .filter(|line| !line.is_empty())
        .map(|line| path(line).ok_or_else(|| failed(&"a path is not UTF-8")))
        .collect()
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    Some(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    str::from_utf8(bytes).ok().map(PathBuf::from)
}
