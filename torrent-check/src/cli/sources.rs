//! Finds torrent files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use torrent_check::Escaped;

use super::Failure;

/// The maximum size of a list, in bytes.
const MAX_LIST: u64 = 1 << 28;

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
        let message = "there are no *.torrent files in the given folders and list";
        return Err(Failure(message.to_owned()));
    }
    Ok(files)
}

/// The torrent files in a folder, sorted.
fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_torrent = path.extension().is_some_and(|extension| extension == "torrent");
        // Reading a pipe could block for ever. A broken link is reported as an error.
        if is_torrent && fs::metadata(&path).map_or(true, |metadata| metadata.is_file()) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The paths in a list, one per line.
fn listed(list: &Path) -> Result<Vec<PathBuf>, Failure> {
    let bytes = read_list(list)?;
    let path = |(_, line)| path(line).ok_or_else(|| cannot_read(list, &"a path is not UTF-8"));
    lines(&bytes).map(path).collect()
}

/// The content of a list.
pub(super) fn read_list(list: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let file = File::open(list).map_err(|error| cannot_read(list, &error))?;
    file.take(MAX_LIST + 1).read_to_end(&mut bytes).map_err(|error| cannot_read(list, &error))?;
    if bytes.len() as u64 > MAX_LIST {
        return Err(cannot_read(list, &format!("it has more than {MAX_LIST} bytes; split it")));
    }
    Ok(bytes)
}

/// The lines that are not empty, numbered from 1, without their ends and a byte order mark.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    (1..).zip(lines).filter(|(_, line)| !line.is_empty())
}

fn cannot_read(list: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure(format!("cannot read {}: {error}", Escaped(list)))
}

/// The path that these bytes name.
#[cfg(unix)]
pub(super) fn path(bytes: &[u8]) -> Option<PathBuf> {
    Some(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into())
}

/// The path that these bytes name, if they are UTF-8.
#[cfg(not(unix))]
pub(super) fn path(bytes: &[u8]) -> Option<PathBuf> {
    str::from_utf8(bytes).ok().map(PathBuf::from)
}
