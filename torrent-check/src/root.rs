//! Finds the content's folder, and opens files only beneath it.
//!
//! Neither the names in the torrent nor the links in the folder are trusted. Neither `..` nor a
//! link leads out of the folder.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, Metadata, OpenOptions};

use crate::path::InvalidName;
use crate::{Escaped, FileKind, Torrent, TorrentPath};

/// Why a check could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The download folder or the content cannot be opened, or is not a folder or file as required.
    #[error("cannot open {}: {error}", Escaped(path))]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The content is a symbolic link out of the download folder.
    #[error(
        "{} is a link out of the download folder; to follow it, pass it as the content",
        Escaped(.0)
    )]
    ContentEscapes(
        /// The link.
        PathBuf,
    ),
}

/// Where the content is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// In the download folder, under the torrent's name.
    InFolder(PathBuf),
    /// The download folder itself, which has the torrent's name.
    FolderItself(PathBuf),
    /// At the path given to [`Check::content`](crate::Check::content).
    Given(PathBuf),
    /// Nowhere: the download folder has no entry with the torrent's name.
    Absent(PathBuf),
    /// Nowhere: the entry with the torrent's name is not a folder, or cannot be opened.
    Unusable {
        /// The entry.
        path: PathBuf,
        /// The error message of the operating system.
        error: String,
    },
}

impl Content {
    /// The path of the file or folder, or where it should be if it is absent.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::InFolder(path)
            | Self::FolderItself(path)
            | Self::Given(path)
            | Self::Absent(path)
            | Self::Unusable { path, .. } => path,
        }
    }
}

/// The folder beneath which files are opened.
pub(crate) struct Root {
    pub(crate) content: Content,
    /// The open folder, or why every file is absent.
    pub(crate) dir: Result<Dir, Absence>,
    /// For a single-file torrent, the name of the file in that folder.
    file_name: Option<PathBuf>,
    /// Folders beneath it, the most recently used last. Their files are opened without walking
    /// their paths again.
    folders: Mutex<Vec<(PathBuf, Arc<Dir>)>>,
}

/// The maximum number of folders kept open.
pub(crate) const MAX_FOLDERS: usize = 8;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    Missing,
    /// Its path is that of something else, such as a folder or a pipe.
    NotAFile(&'static str),
    /// A link was expected, but something else found.
    NotALink(&'static str),
    EscapesRoot,
    /// No file has the name that replaces an invalid one.
    InvalidName(InvalidName),
    Unreadable(String),
}

impl Root {
    /// Finds the content in the download folder.
    pub(crate) fn below(torrent: &Torrent, folder: &Path) -> Result<Self, CheckError> {
        let downloads = open_folder(folder)?;
        let exists = |name: &PathBuf| downloads.symlink_metadata(name).is_ok();
        let mut name = torrent.name().to_path_buf();
        if !exists(&name) {
            let others = if torrent.is_single_file() {
                torrent.name().alternatives()
            } else {
                torrent.name().saved_as()
            };
            name = others.iter().map(TorrentPath::to_path_buf).find(exists).unwrap_or(name);
        }
        let path = folder.join(&name);
        if torrent.is_single_file() {
            let content = if exists(&name) { Content::InFolder } else { Content::Absent };
            return Ok(Self::new(content(path), Ok(downloads), Some(name)));
        }
        // `.` has a name only after it is resolved.
        let has_name = folder
            .canonicalize()
            .is_ok_and(|folder| folder.file_name().is_some_and(|last| last == name.as_os_str()));
        let inner = downloads.open_dir(&name);
        let (content, dir) = match inner {
            // A folder of the same name inside is either the content or a part of it.
            Ok(inner)
                if has_name && count_files(torrent, &downloads) > count_files(torrent, &inner) =>
            {
                (Content::FolderItself(folder.to_owned()), Ok(downloads))
            }
            Ok(inner) => (Content::InFolder(path), Ok(inner)),
            Err(error) if is_escape(&error) => return Err(CheckError::ContentEscapes(path)),
            Err(error) => match absence(&error) {
                Absence::Missing if has_name => {
                    (Content::FolderItself(folder.to_owned()), Ok(downloads))
                }
                Absence::Missing if error.kind() != io::ErrorKind::NotADirectory => {
                    (Content::Absent(path), Err(Absence::Missing))
                }
                absence => (Content::Unusable { path, error: error.to_string() }, Err(absence)),
            },
        };
        Ok(Self::new(content, dir, None))
    }

    /// Uses a file or folder of any name as the content.
    pub(crate) fn given(torrent: &Torrent, path: &Path) -> Result<Self, CheckError> {
        let content = Content::Given(path.to_owned());
        if !torrent.is_single_file() {
            return Ok(Self::new(content, Ok(open_folder(path)?), None));
        }
        let unnamed = || CheckError::Folder {
            path: path.to_owned(),
            error: io::Error::new(io::ErrorKind::IsADirectory, "the torrent is a single file"),
        };
        if path.is_dir() {
            return Err(unnamed());
        }
        // A link is resolved because the user named it. The file may be missing.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().ok_or_else(unnamed)?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let dir = open_folder(parent.unwrap_or(Path::new(".")))?;
        Ok(Self::new(content, Ok(dir), Some(name.into())))
    }

    fn new(content: Content, dir: Result<Dir, Absence>, file_name: Option<PathBuf>) -> Self {
        Self { content, dir, file_name, folders: Mutex::default() }
    }

    /// The path of a file relative to the root.
    pub(crate) fn relative(&self, path: &TorrentPath) -> PathBuf {
        self.file_name.clone().unwrap_or_else(|| path.to_path_buf())
    }

    /// The metadata of a regular file, without opening it: opening a device may have side effects.
    pub(crate) fn regular(&self, path: &Path) -> Result<Metadata, Absence> {
        let metadata = self.metadata(path)?;
        if metadata.is_file() {
            Ok(metadata)
        } else {
            Err(Absence::NotAFile(name_of(metadata.file_type())))
        }
    }

    /// The metadata of a file or folder. Links beneath the root are followed.
    pub(crate) fn metadata(&self, path: &Path) -> Result<Metadata, Absence> {
        let dir = self.dir.as_ref().map_err(Clone::clone)?;
        match self.folder_of(path, |folder, name| folder.symlink_metadata(name)) {
            Some(Ok(metadata)) if !metadata.is_symlink() => Ok(metadata),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Err(Absence::Missing),
            _ => dir.metadata(path).map_err(|error| absence(&error)),
        }
    }

    /// Opens a file that was found regular.
    pub(crate) fn open(&self, path: &Path) -> Result<File, Absence> {
        let dir = self.dir.as_ref().map_err(Clone::clone)?;
        let file = match self.folder_of(path, |folder, name| folder.open_with(name, &to_read())) {
            Some(Ok(file)) => Ok(file),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Err(error),
            // A link may lead out of its folder, but not out of the root.
            _ => dir.open_with(path, &to_read()),
        };
        file.map(cap_std::fs::File::into_std).map_err(|error| absence(&error))
    }

    /// Opens a regular file, if there is one.
    pub(crate) fn open_regular(&self, path: &Path) -> Option<File> {
        self.regular(path).and_then(|_| self.open(path)).ok()
    }

    /// Opens the regular file beside the content that has its name and this suffix, if there is
    /// one.
    pub(crate) fn open_beside(&self, suffix: &str) -> Option<File> {
        if let Some(name) = &self.file_name {
            return self.open_regular(&with_suffix(name, suffix));
        }
        let mut content = self.content.path().to_owned();
        if content.file_name().is_none() {
            // `.` has a name only after it is resolved.
            content = content.canonicalize().ok()?;
        }
        let parent = content.parent().filter(|parent| !parent.as_os_str().is_empty());
        let dir = open_folder(parent.unwrap_or(Path::new("."))).ok()?;
        let name = with_suffix(Path::new(content.file_name()?), suffix);
        let is_regular = dir.symlink_metadata(&name).is_ok_and(|metadata| metadata.is_file());
        let file = is_regular.then(|| dir.open_with(&name, &to_read()));
        file?.ok().map(cap_std::fs::File::into_std)
    }

    /// Calls `what` with the open folder of a file and the file's name, if the folder can be
    /// opened.
    fn folder_of<T>(&self, path: &Path, what: impl FnOnce(&Dir, &Path) -> T) -> Option<T> {
        let dir = self.dir.as_ref().ok()?;
        let (parent, name) = (path.parent()?, Path::new(path.file_name()?));
        if parent.as_os_str().is_empty() {
            return Some(what(dir, name));
        }
        let folder = {
            let mut open = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = open.iter().rposition(|(path, _)| path == parent) {
                open[place..].rotate_left(1);
            } else {
                let folder = Arc::new(dir.open_dir(parent).ok()?);
                if open.len() == MAX_FOLDERS {
                    open.remove(0);
                }
                open.push((parent.to_owned(), folder));
            }
            Arc::clone(&open.last()?.1)
        };
        Some(what(&folder, name))
    }

    /// The target of a link, unresolved.
    pub(crate) fn read_link(&self, path: &Path) -> Result<PathBuf, Absence> {
        let dir = self.dir.as_ref().map_err(Clone::clone)?;
        let metadata = dir.symlink_metadata(path).map_err(|error| absence(&error))?;
        if !metadata.is_symlink() {
            return Err(Absence::NotALink(name_of(metadata.file_type())));
        }
        dir.read_link_contents(path).map_err(|error| absence(&error))
    }
}

/// The path with a suffix after the last name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Counts the torrent's files whose paths exist in a folder.
fn count_files(torrent: &Torrent, dir: &Dir) -> usize {
    let files = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad);
    files.filter(|file| dir.symlink_metadata(file.path().to_path_buf()).is_ok()).count()
}

/// Opens a folder named by the user.
fn open_folder(path: &Path) -> Result<Dir, CheckError> {
    Dir::open_ambient_dir(path, ambient_authority())
        .map_err(|error| CheckError::Folder { path: path.to_owned(), error })
}

fn to_read() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    // If the file has become a pipe meanwhile, a blocking open would wait for a writer.
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options
}

fn name_of(file_type: FileType) -> &'static str {
    match file_type {
        _ if file_type.is_dir() => "a folder",
        _ if file_type.is_symlink() => "a link",
        _ if file_type.is_file() => "a file",
        _ => "a special file",
    }
}

fn absence(error: &io::Error) -> Absence {
    match error.kind() {
        // If a parent is a file instead of a folder, or a name is too long for the file system, the
        // path does not exist.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
            Absence::Missing
        }
        _ if is_escape(error) => Absence::EscapesRoot,
        _ => Absence::Unreadable(error.to_string()),
    }
}

/// Whether cap-std refused to leave the root. Its error does not come from the operating system, so
/// it has no error code.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
