//! Resume files: what they keep, and how.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use addr_recover::{Hit, Outcome};
use same_file::Handle;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use tempfile::{Builder, NamedTempFile};

use super::args::{RunArgs, state_folder};
use super::input::{self, error_of_file};
use super::terminal::Failure;

/// The format of resume files. Units of searches may differ between versions.
const FORMAT: &str = concat!("addr-recover ", env!("CARGO_PKG_VERSION"));

/// What takes the name of such a file.
const NEEDS: &str = "--save takes the name of a file in an existing folder";

/// How [`Outcome`] is saved.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Outcome")]
pub(crate) struct Progress {
    #[serde(serialize_with = "write_texts", deserialize_with = "read_texts")]
    hits: Vec<Hit>,
    hashes: u64,
    done: BTreeSet<usize>,
}

fn write_texts<S: Serializer>(hits: &[Hit], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(hits.iter().map(|hit| hit.text.as_str()))
}

fn read_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Hit>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let hit = |text| Hit::of(text).ok_or(format!("{text:?} is not an address"));
    texts.iter().map(|text| hit(text).map_err(D::Error::custom)).collect()
}

/// The bytes of a resume file for the progress of a session: [`FORMAT`] and the checksum of the
/// content on the first line, and the content.
pub(crate) fn content(session: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let content = serde_json::to_vec(session)?;
    Ok([format!("{FORMAT} {}\n", checksum(&content)).as_bytes(), &content].concat())
}

/// The session in a resume file, once its format and checksum are verified.
pub(crate) fn session<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let invalid = "not a resume file, which an interrupted search leaves";
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(invalid)?;
    let (header, content) = (&bytes[..end], &bytes[end + 1..]);
    let header = str::from_utf8(header).ok().and_then(|header| header.rsplit_once(' '));
    let (format, sum) = header.ok_or(invalid)?;
    if !format.starts_with("addr-recover ") {
        return Err(invalid.to_owned());
    }
    if format != FORMAT {
        return Err(format!("written by {format}, but this is {FORMAT}; resume with the former"));
    }
    if sum != checksum(content) {
        return Err("the resume file is damaged: its checksum is wrong".to_owned());
    }
    serde_json::from_slice(content).map_err(|error| format!("{invalid}: {error}"))
}

/// SHA-256 in hexadecimal, which detects damaged files.
fn checksum(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// A resume file, which is replaced atomically each time progress is saved.
///
/// The file stays locked until this is dropped, so that no other process continues the same search.
pub(crate) struct ProgressFile {
    pub(crate) name: PathBuf,
    /// None until the file is created: an existing file of its name is another one, and is left
    /// alone.
    lock: Option<File>,
}

impl ProgressFile {
    /// The file that a run asks for, or with a number added if the name is taken. It is created
    /// when progress is first written.
    pub(crate) fn of(run: &RunArgs) -> Self {
        let usual = || {
            let folder = state_folder();
            // If that fails, so does writing to it.
            let _ = std::fs::create_dir_all(&folder);
            folder.join("addr-recover.resume")
        };
        Self { name: run.save.clone().unwrap_or_else(usual), lock: None }
    }

    pub(crate) fn open(name: &Path) -> Result<(Self, Vec<u8>), Failure> {
        let needs = "--resume takes the file that an interrupted search has named";
        let failure = |error| error_of_file(name, &error, needs);
        let file = input::open(name).map_err(failure)?;
        // Before the lock, another process may have replaced or removed the file.
        if !try_lock(&file) || !is_at(&file, name) {
            let name = name.display();
            return Err(format!(
                "{name}: another process is continuing this search; wait for it or stop it"
            )
            .into());
        }
        let bytes = input::at_most(&file, input::MAX_FILE).map_err(failure)?;
        Ok((Self { name: name.to_owned(), lock: Some(file) }, bytes))
    }

    /// Replaces the content of the file, and waits until it is on the disk. After an error, the
    /// file is as it was before.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.replace(bytes).map_err(|error| self.failure(&error))
    }

    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.temporary().map(drop).map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        format!("cannot save progress: {}", error_of_file(&self.name, error, NEEDS)).into()
    }

    pub(crate) fn exists(&self) -> bool {
        self.lock.is_some()
    }

    pub(crate) fn remove(self) -> Result<(), Failure> {
        if !self.exists() {
            return Ok(());
        }
        match std::fs::remove_file(&self.name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error_of_file(&self.name, &error, NEEDS))
            }
            _ => Ok(()),
        }
    }

    /// Creates a temporary file, which only its owner can read, in the folder of the file. Dropping
    /// it removes it, unless it has been renamed.
    fn temporary(&self) -> io::Result<NamedTempFile> {
        if self.name.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Errors of `tempfile_in` would name it, but the user knows only the name that it will
        // have.
        Builder::new().prefix(".addr-recover-").make_in(self.folder(), |path| {
            let mut options = File::options();
            options.read(true).write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(path)
        })
    }

    fn folder(&self) -> &Path {
        let folder = self.name.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut temporary = self.temporary()?;
        temporary.as_file_mut().write_all(bytes)?;
        temporary.as_file().sync_all()?;
        // Nobody else knows the file, so this locks it.
        try_lock(temporary.as_file());
        let exists = self.exists();
        if cfg!(windows) {
            // It does not replace open files.
            self.lock = None;
        }
        self.lock = Some(if exists {
            temporary.persist(&self.name)?
        } else {
            self.take_unused_name(temporary)?
        });
        // The new name has to reach the disk, too. Not every system can sync a folder.
        let _ = File::open(self.folder()).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Renames the temporary file to the name, or to the first unused name with a number:
    /// `addr-recover-2.resume` for `addr-recover.resume`.
    fn take_unused_name(&mut self, mut temporary: NamedTempFile) -> io::Result<File> {
        let wanted = self.name.clone();
        for number in 2.. {
            match temporary.persist_noclobber(&self.name) {
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                    temporary = failed.file;
                }
                outcome => return Ok(outcome?),
            }
            let mut numbered = OsString::from(wanted.file_stem().unwrap_or_default());
            numbered.push(format!("-{number}"));
            if let Some(extension) = wanted.extension() {
                numbered.push(".");
                numbered.push(extension);
            }
            self.name = wanted.with_file_name(numbered);
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

fn is_at(file: &File, name: &Path) -> bool {
    let opened = file.try_clone().and_then(Handle::from_file);
    matches!((opened, Handle::from_path(name)), (Ok(opened), Ok(named)) if opened == named)
}

/// Locks a file. Returns whether no other process has locked it. Some file systems have no locks.
fn try_lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}
