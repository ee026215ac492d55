//! Keeps the results of torrents in a folder.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;
use torrent_check::{Escaped, Report, State, Torrent};

use super::failure::Failure;
use super::input;
use super::terminal::output::log;

/// What every saved state has, whatever its version and torrent. Damage of a few bytes leaves one.
const MARKS: [&[u8]; 2] = [b"torrent-check state", b"\"good_pieces\":"];

/// The prefix and the suffix of the names of files until they are complete, and how long a killed
/// program may leave one there.
const TEMPORARY: (&str, &str) = (".torrent-check-", ".tmp");
const MAX_TEMPORARY_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The maximum size of a saved state, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The file with the results of a torrent.
pub(super) struct StateFile {
    path: PathBuf,
    /// The results of earlier checks, if they are usable.
    pub(super) before: Option<State>,
}

impl StateFile {
    /// Reads the file of a torrent, if it exists. Results `max_days` old are dropped.
    ///
    /// An unusable state causes a warning, also one that the disk destroyed or cannot read.
    /// [`finish`](Self::finish) replaces it, but keeps it if the check reads nothing. The JSON of
    /// another program is an error, so that it is not overwritten.
    pub(super) fn read(
        folder: &Path,
        torrent: &Torrent,
        max_days: Option<u32>,
    ) -> Result<Self, Failure> {
        // A hybrid has two hashes; v2's is stronger.
        let hash = torrent.info_hash_v2().map(hex::encode);
        let hash = hash.or_else(|| torrent.info_hash_v1().map(hex::encode));
        let path = folder.join(format!("{}.json", hash.unwrap_or_default()));
        // Anything else than a file there is an error that does not go away by itself.
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            let error = "it is not a regular file";
            return Err(Failure::file("read", &path, error));
        }
        let ignore = |error: &dyn std::fmt::Display| {
            let what = "ignored, and replaced if this check reads anything";
            log(&format!("warning: {}: {error}; {what}", Escaped(&path)));
        };
        let bytes = match input::read(&path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self { path, before: None });
            }
            // The disk may have lost it.
            Err(error) => {
                ignore(&error);
                return Ok(Self { path, before: None });
            }
        };
        let is_recent = |state: &State| {
            let age = SystemTime::now().duration_since(state.oldest()).unwrap_or_default();
            max_days.is_none_or(|days| age < Duration::from_secs(u64::from(days) * 24 * 60 * 60))
        };
        match State::read(torrent, &bytes) {
            Ok(state) => Ok(Self { path, before: Some(state).filter(is_recent) }),
            Err(error) if !is_of_others(&bytes) => {
                ignore(&error);
                Ok(Self { path, before: None })
            }
            Err(_) => Err(Failure::Refused(format!(
                "{} is not a saved state and is not overwritten; choose another folder",
                Escaped(&path)
            ))),
        }
    }

    /// Writes the results at the end of a check. If nothing was read, an existing file is kept: the
    /// content may just not be mounted.
    pub(super) fn finish(&self, report: &Report<'_>) -> Result<(), Failure> {
        if report.bytes_checked == 0 && self.path.exists() {
            return Ok(());
        }
        self.save(&report.state)
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

/// Whether a file belongs to another program: it is JSON, and has nothing of a state. Anything else
/// in its place is a state that was destroyed, also one of zeros or of the bytes of another file.
fn is_of_others(bytes: &[u8]) -> bool {
    let has = |mark: &[u8]| bytes.windows(mark.len()).any(|part| part == mark);
    serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok() && !MARKS.iter().any(|m| has(m))
}

/// Removes the temporary files that killed programs left. Failures do no harm.
fn remove_old_temporaries(folder: &Path) {
    let (prefix, suffix) = TEMPORARY;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_temporary = name.starts_with(prefix.as_bytes()) && name.ends_with(suffix.as_bytes());
        let age =
            || entry.metadata().ok().filter(|it| it.is_file())?.modified().ok()?.elapsed().ok();
        if is_temporary && age().is_some_and(|age| age > MAX_TEMPORARY_AGE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates the folder, if it does not exist, and tests whether files can be written there, to fail
/// before a long check.
pub(super) fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    let created = match fs::create_dir_all(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(ErrorKind::NotADirectory.into())
        }
        created => created,
    };
    let usable = created.and_then(|()| temporary_in(folder).map(drop));
    remove_old_temporaries(folder);
    usable.map_err(|error| cannot_write(folder, &error))
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::file("write", path, error.to_string())
}

/// Creates a file in a folder, under a name that no other file has. It is removed when dropped.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    // Unlike those of `tempfile_in`, its errors do not name the temporary file, and its files have
    // the permissions of other new files.
    builder.make_in(folder, |path| File::create_new(path))
}
