//! Finds torrent files.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use torrent_check::Escaped;

use super::failure::Failure;
use super::input;

/// The maximum size of a list, in bytes.
const MAX_LIST: u64 = 1 << 28;

/// The torrent files: each path itself, or in its place the regular files in that folder and the
/// folders in it whose names end in `.torrent`. A folder that cannot be read is listed itself, so
/// that it is reported with the torrents.
pub(super) fn torrents(paths: &[PathBuf], list: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
    let mut all = paths.to_vec();
    if let Some(list) = list {
        all.extend(listed(list)?);
    }
    let mut files = Vec::new();
    for path in all {
        if path.is_dir() {
            files.extend(in_folder(path));
        } else {
            files.push(path);
        }
    }
    if files.is_empty() {
        let message = "there are no *.torrent files in the given folders and list";
        return Err(Failure::Refused(message.to_owned()));
    }
    Ok(files)
}

/// The torrents of a client's session, in its folder or else in its database, with those that it
/// lacks.
pub(super) fn in_session(
    folder: &Path,
    stored: Option<Vec<PathBuf>>,
    lacking: Vec<PathBuf>,
) -> Result<Vec<PathBuf>, Failure> {
    match stored.map_or_else(|| torrents(&[folder.to_owned()], None), Ok) {
        Ok(none) if none.is_empty() && lacking.is_empty() => {
            Err(Failure::Refused(format!("there are no torrents in {}", Escaped(folder))))
        }
        Err(_) if !lacking.is_empty() => Ok(lacking),
        files => Ok(files?.into_iter().chain(lacking).collect()),
    }
}

/// The torrent files in a folder and the folders in it, sorted. Links to folders are not followed.
fn in_folder(folder: PathBuf) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).and_then(|entries| entries.collect());
        let Ok(entries): io::Result<Vec<fs::DirEntry>> = entries else {
            files.push(folder);
            continue;
        };
        for entry in entries {
            let path = entry.path();
            let is_torrent =
                path.extension().is_some_and(|end| end.eq_ignore_ascii_case("torrent"));
            if entry.file_type().is_ok_and(|file_type| file_type.is_dir()) {
                folders.push(path);
            // A pipe in a folder is not meant. A broken link is reported as an error.
            } else if is_torrent && fs::metadata(&path).map_or(true, |metadata| metadata.is_file())
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The paths in a list, one per line. Lines may end as on Windows, and a byte order mark is
/// ignored.
fn listed(list: &Path) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |why: &dyn Display| Failure::file("read", list, why.to_string());
    let bytes = input::read(list, MAX_LIST).map_err(|error| wrong(&error))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(|line| path(line).ok_or_else(|| wrong(&"a path is not UTF-8"))).collect()
}

/// The path that these bytes name.
#[cfg(unix)]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    Some(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into())
}

/// The path that these bytes name, if they are UTF-8.
#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    str::from_utf8(bytes).ok().map(PathBuf::from)
}
