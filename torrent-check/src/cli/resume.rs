//! The resume file.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use torrent_check::{Escaped, Report, Resume, Torrent};

use super::Failure;

/// Reads it, if there is one.
pub(crate) fn read(torrent: &Torrent, path: &Path) -> Result<Option<Resume>, Failure> {
    let wrong = |error: &dyn std::error::Error| Failure(format!("{}: {error}", Escaped(path)));
    match fs::read(path) {
        Ok(bytes) => Ok(Some(Resume::read(torrent, &bytes).map_err(|error| wrong(&error))?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(&error)),
    }
}

/// Writes it, whole or not at all.
pub(crate) fn write(report: &Report<'_>, path: &Path) -> Result<(), Failure> {
    let mut beside = path.to_owned().into_os_string();
    beside.push(".part");
    fs::write(&beside, report.resume().to_bytes())
        .and_then(|()| fs::rename(&beside, path))
        .map_err(|error| Failure(format!("cannot write {}: {error}", Escaped(path))))
}
