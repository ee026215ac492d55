//! Keeps the results of torrents in a folder.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;
use torrent_check::{Escaped, Report, State, Torrent};

use super::{Failure, input, log};

/// The prefix of every saved state, whatever its version and torrent.
const BEGINNING: &[u8] = br#"{"format":"torrent-check "#;

/// The maximum size of a saved state, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// A temporary file has a name of `PREFIX`, `RANDOM_LEN` letters and digits, and `SUFFIX`.
const PREFIX: &str = ".torrent-check-";
const RANDOM_LEN: usize = 6;
const SUFFIX: &str = ".tmp";

/// A temporary file of this age was left by a killed run.
const STALE_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The file with the results of a torrent.
pub(super) struct StateFile {
    path: PathBuf,
    /// The results of earlier checks, if they are usable.
    pub(super) before: Option<State>,
}

impl StateFile {
    /// Reads the file of a torrent, if it exists. Results `max_days` old are dropped.
    ///
    /// An unusable state causes a warning. [`finish`](Self::finish) replaces it, but keeps it if
    /// the check reads nothing. Any other file is an error, so that it is not overwritten.
    pub(super) fn read(
        folder: &Path,
        torrent: &Torrent,
        max_days: Option<u32>,
    ) -> Result<Self, Failure> {
        // A hybrid has two hashes; v2's is stronger.
        let hash = torrent.info_hash_v2().map(hex::encode);
        let hash = hash.or_else(|| torrent.info_hash_v1().map(hex::encode));
        let path = folder.join(format!("{}.json", hash.unwrap_or_default()));
        let bytes = match input::read(&path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self { path, before: None });
            }
            Err(error) => return Err(Failure(format!("cannot read {}: {error}", Escaped(&path)))),
        };
        let is_recent = |state: &State| {
            let age = SystemTime::now().duration_since(state.oldest()).unwrap_or_default();
            max_days.is_none_or(|days| age < Duration::from_secs(u64::from(days) * 24 * 60 * 60))
        };
        match State::read(torrent, &bytes) {
            Ok(state) => Ok(Self { path, before: Some(state).filter(is_recent) }),
            // A prefix of `BEGINNING` is a state whose writing ended early.
            Err(error) if bytes.starts_with(BEGINNING) || BEGINNING.starts_with(&bytes) => {
                let what = "ignored, and replaced if this check reads anything";
                log(&format!("warning: {}: {error}; {what}", Escaped(&path)));
                Ok(Self { path, before: None })
            }
            Err(_) => Err(Failure(format!(
                "{} is not a saved state and is not overwritten; choose another folder",
                Escaped(&path)
            ))),
        }
    }

    /// Writes the results at the end of a check. If nothing was read, an existing file is kept: the
    /// content may just not be mounted.
    pub(super) fn finish(&self, report: &Report<'_>) -> Result<(), Failure> {
        if report.bytes_checked() == 0 && self.path.exists() {
            return Ok(());
        }
        self.save(report.state())
    }

    /// Writes results atomically.
    pub(super) fn save(&self, state: &State) -> Result<(), Failure> {
        let write = || {
            let mut temporary = temporary_in(self.path.parent().unwrap_or(Path::new(".")))?;
            // Errors of `temporary` itself name the temporary file.
            temporary.as_file_mut().write_all(&state.to_bytes())?;
            // Otherwise, after a crash of the system, the name could belong to an empty file.
            temporary.as_file().sync_all()?;
            temporary.persist(&self.path)?;
            Ok(())
        };
        write().map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Creates the folder, if it does not exist, and tests whether files can be written there, to fail
/// before a long check. Removes the temporary files of killed runs.
pub(super) fn prepare_folder(folder: &Path) -> Result<(), Failure> {
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

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("cannot write {}: {error}", Escaped(path)))
}

/// Creates a file in a folder, under a name that no other file has. It is removed when dropped.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM_LEN);
    // Unlike those of `tempfile_in`, its errors do not name the temporary file, and its files have
    // the permissions of other new files.
    builder.make_in(folder, |path| File::create_new(path))
}
