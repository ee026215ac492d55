//! Reads and writes the resume file.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;
use torrent_check::{Escaped, Report, Resume, Torrent};

use super::{Failure, log};

/// The prefix of every resume file, whatever its version and torrent.
const BEGINNING: &[u8] = br#"{"format":"torrent-check resume "#;

/// A temporary file has a name of `PREFIX`, `RANDOM_LEN` letters and digits, and `SUFFIX`.
const PREFIX: &str = ".torrent-check-";
const RANDOM_LEN: usize = 6;
const SUFFIX: &str = ".tmp";

/// A temporary file of this age was left by a killed run.
const STALE_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads the resume file, if it exists.
///
/// An unusable resume file causes a warning. [`write`] replaces it, but keeps it if the check reads
/// nothing. Any other file is an error, so that it is not overwritten.
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
            log(&format!(
                "warning: {path}: {error}; ignored, and replaced if this check reads anything"
            ));
            Ok(None)
        }
        Err(_) => Err(Failure(format!(
            "{} is not a resume file and is not overwritten; choose another file",
            Escaped(path)
        ))),
    }
}

/// Creates the folder for resume files, if it does not exist, and tests whether files can be
/// written there, to fail before a long check. Removes the temporary files of killed runs.
pub(crate) fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    let created = fs::create_dir_all(folder);
    created.map_err(|error| cannot_write(folder, &error))?;
    temporary_in(folder).map_err(|error| cannot_write(folder, &error))?;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name()) && is_stale(&entry) {
            // A failure is harmless.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

fn is_temporary(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM_LEN && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn is_stale(entry: &DirEntry) -> bool {
    // Links are not followed.
    let Ok(metadata) = entry.metadata() else { return false };
    let age = metadata.modified().ok().and_then(|modified| modified.elapsed().ok());
    metadata.is_file() && age.is_some_and(|age| age >= STALE_AFTER)
}

/// Tests whether the resume file can be written, to fail before a long check.
pub(crate) fn try_to_write(path: &Path) -> Result<(), Failure> {
    temporary_beside(path).map(drop).map_err(|error| cannot_write(path, &error))
}

/// Writes the resume file at the end of a check. If nothing was read, an existing file is kept: the
/// content may just not be mounted.
pub(crate) fn write(report: &Report<'_>, path: &Path) -> Result<(), Failure> {
    if report.bytes_checked() == 0 && path.exists() {
        return Ok(());
    }
    save(&report.resume(), path)
}

/// Writes the resume file atomically.
pub(crate) fn save(resume: &Resume, path: &Path) -> Result<(), Failure> {
    let write = || {
        let mut temporary = temporary_beside(path)?;
        // Errors of `temporary` itself name the temporary file.
        temporary.as_file_mut().write_all(&resume.to_bytes())?;
        // Otherwise, after a crash of the system, the name could belong to an empty file.
        temporary.as_file().sync_all()?;
        temporary.persist(path)?;
        Ok(())
    };
    write().map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("cannot write {}: {error}", Escaped(path)))
}

/// Creates a file in the folder of the resume file.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    temporary_in(folder.unwrap_or(Path::new(".")))
}

/// Creates a file in a folder, under a name that no other file has. It is removed when dropped.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM_LEN);
    // Unlike those of `tempfile_in`, its errors do not name the temporary file, and its files have
    // the permissions of other new files.
    builder.make_in(folder, |path| File::create_new(path))
}
