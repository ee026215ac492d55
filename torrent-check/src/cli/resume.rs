//! The resume file.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use torrent_check::{Escaped, Report, Resume, Torrent};

use super::{Failure, say};

/// What a resume file begins with, of whatever version and torrent.
const BEGINNING: &[u8] = br#"{"format":"torrent-check resume "#;

/// Reads it, if there is one. One that is of no use is warned of, and will be replaced; but nothing
/// that is no resume file at all.
pub(crate) fn read(torrent: &Torrent, path: &Path) -> Result<Option<Resume>, Failure> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure(format!("{}: {error}", Escaped(path)))),
    };
    match Resume::read(torrent, &bytes) {
        Ok(resume) => Ok(Some(resume)),
        // Writing may have ended early.
        Err(error) if bytes.starts_with(BEGINNING) || BEGINNING.starts_with(&bytes) => {
            say(&format!("warning: {}: {error}; everything is checked", Escaped(path)));
            Ok(None)
        }
        Err(error) => Err(Failure(format!("{}: {error}; it is not overwritten", Escaped(path)))),
    }
}

/// Tries whether it could be written, so that it is known before a long check.
pub(crate) fn try_to_write(path: &Path) -> Result<(), Failure> {
    let beside = beside(path);
    fs::write(&beside, [])
        .and_then(|()| fs::remove_file(&beside))
        .map_err(|error| cannot(path, &error))
}

/// Writes it, whole or not at all.
pub(crate) fn write(report: &Report<'_>, path: &Path) -> Result<(), Failure> {
    let beside = beside(path);
    let written =
        fs::write(&beside, report.resume().to_bytes()).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| {
        // It has a part of the file, or could not be made.
        let _ = fs::remove_file(&beside);
        cannot(path, &error)
    })
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("cannot write {}: {error}", Escaped(path)))
}

fn beside(path: &Path) -> OsString {
    let mut beside = path.to_owned().into_os_string();
    beside.push(".part");
    beside
}
