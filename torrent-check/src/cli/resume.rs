//! Reads and writes the resume file.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use torrent_check::{Escaped, Report, Resume, Torrent};

use super::{Failure, log};

/// The prefix of every resume file, whatever its version and torrent.
const BEGINNING: &[u8] = br#"{"format":"torrent-check resume "#;

/// Reads the resume file, if it exists.
///
/// An unusable resume file causes a warning and will be replaced. Any other file is an error, so
/// that it is not overwritten.
pub(crate) fn read(torrent: &Torrent, path: &Path) -> Result<Option<Resume>, Failure> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure(format!("cannot read {}: {error}", Escaped(path)))),
    };
    match Resume::read(torrent, &bytes) {
        Ok(resume) => Ok(Some(resume)),
        // A prefix of `BEGINNING` is a resume file whose writing ended early.
        Err(error) if bytes.starts_with(BEGINNING) || BEGINNING.starts_with(&bytes) => {
            let path = Escaped(path);
            log(&format!("warning: {path}: {error}; checking everything and replacing it"));
            Ok(None)
        }
        Err(error) => Err(Failure(format!(
            "{}: {error}; not overwritten, choose another --resume-file",
            Escaped(path)
        ))),
    }
}

/// Tests whether the resume file can be written, to fail before a long check.
pub(crate) fn try_to_write(path: &Path) -> Result<(), Failure> {
    let temporary = temporary_path(path);
    fs::write(&temporary, [])
        .and_then(|()| fs::remove_file(&temporary))
        .map_err(|error| cannot_write(path, &error))
}

/// Writes the resume file atomically.
pub(crate) fn write(report: &Report<'_>, path: &Path) -> Result<(), Failure> {
    let temporary = temporary_path(path);
    let written = fs::write(&temporary, report.resume().to_bytes())
        .and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        // The temporary file may be incomplete, or may not exist.
        let _ = fs::remove_file(&temporary);
        cannot_write(path, &error)
    })
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("cannot write {}: {error}", Escaped(path)))
}

fn temporary_path(path: &Path) -> OsString {
    let mut temporary = path.to_owned().into_os_string();
    temporary.push(".part");
    temporary
}
