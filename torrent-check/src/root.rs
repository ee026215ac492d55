//! The folder that holds the content, and opening files beneath it.
//!
//! Names come from a stranger's torrent, and links from whatever wrote the folder. Every file is
//! opened beneath the folder: neither `..` nor a link leads out of it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, Metadata, OpenOptions};

use crate::{Escaped, FileKind, Torrent, TorrentPath};

/// Why nothing could be checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The folder of downloads, or the content, cannot be opened as what it has to be.
    #[error("cannot open {}: {error}", Escaped(path))]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The content is a link to another place, which was not named.
    #[error("{} leads out of the download folder (name the content itself to have it checked)", Escaped(.0))]
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
    /// In the folder that was given, which has the torrent's name itself.
    FolderItself(PathBuf),
    /// Where [`Check::content`](crate::Check::content) said.
    Given(PathBuf),
    /// Nowhere: the download folder has nothing of the torrent's name.
    Absent(PathBuf),
    /// Nowhere: what has the torrent's name is no folder, or one that cannot be opened.
    Unusable {
        /// What has the name.
        path: PathBuf,
        /// What the system says.
        error: String,
    },
}

impl Content {
    /// The file or folder; where it should be, if it is absent.
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
    /// Or what is to be said of every file.
    pub(crate) dir: Result<Dir, Absence>,
    /// What the torrent's only file is called in that folder, if it is a single file.
    file_name: Option<PathBuf>,
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    Missing,
    /// Something else has its name: a folder, a pipe.
    NotAFile(&'static str),
    /// Something else is where a link should be.
    NotALink(&'static str),
    EscapesRoot,
    Unreadable(String),
}

impl Root {
    /// Finds the content in the folder of downloads.
    pub(crate) fn below(torrent: &Torrent, folder: &Path) -> Result<Self, CheckError> {
        let name = torrent.name().to_path_buf();
        let path = folder.join(&name);
        if torrent.is_single_file() {
            let dir = open_folder(folder)?;
            let content = if dir.symlink_metadata(&name).is_ok() {
                Content::InFolder
            } else {
                Content::Absent
            };
            return Ok(Self { content: content(path), dir: Ok(dir), file_name: Some(name) });
        }
        let downloads = open_folder(folder)?;
        // `.` has a name, too.
        let is_named_so = folder
            .canonicalize()
            .is_ok_and(|folder| folder.file_name().is_some_and(|last| last == name.as_os_str()));
        let inner = downloads.open_dir(&name);
        let (content, dir) = match inner {
            // A folder may hold one of its own name, which is the content, or a part of it.
            Ok(inner)
                if is_named_so
                    && count_files(torrent, &downloads) > count_files(torrent, &inner) =>
            {
                (Content::FolderItself(folder.to_owned()), Ok(downloads))
            }
            Ok(inner) => (Content::InFolder(path), Ok(inner)),
            Err(error) if is_escape(&error) => return Err(CheckError::ContentEscapes(path)),
            Err(error) => match absence(&error) {
                Absence::Missing if is_named_so => {
                    (Content::FolderItself(folder.to_owned()), Ok(downloads))
                }
                Absence::Missing if error.kind() == io::ErrorKind::NotFound => {
                    (Content::Absent(path), Err(Absence::Missing))
                }
                absence => (Content::Unusable { path, error: error.to_string() }, Err(absence)),
            },
        };
        Ok(Self { content, dir, file_name: None })
    }

    /// Takes a file or folder of any name for the content.
    pub(crate) fn given(torrent: &Torrent, path: &Path) -> Result<Self, CheckError> {
        let content = Content::Given(path.to_owned());
        if !torrent.is_single_file() {
            return Ok(Self { content, dir: Ok(open_folder(path)?), file_name: None });
        }
        let unnamed = || CheckError::Folder {
            path: path.to_owned(),
            error: io::Error::new(io::ErrorKind::IsADirectory, "the torrent is a single file"),
        };
        if path.is_dir() {
            return Err(unnamed());
        }
        // Where a link that was named leads to is what is meant. It may be that there is nothing.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().ok_or_else(unnamed)?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let dir = open_folder(parent.unwrap_or(Path::new(".")))?;
        Ok(Self { content, dir: Ok(dir), file_name: Some(name.into()) })
    }

    /// A file's path beneath the root.
    pub(crate) fn relative(&self, path: &TorrentPath) -> PathBuf {
        self.file_name.clone().unwrap_or_else(|| path.to_path_buf())
    }

    /// Opens a regular file.
    pub(crate) fn open(&self, path: &Path) -> Result<(File, Metadata), Absence> {
        let dir = self.dir.as_ref().map_err(Clone::clone)?;
        // Looked at first, because opening a device may do something.
        check_type(&dir.metadata(path).map_err(|error| absence(&error))?)?;
        let file = dir.open_with(path, &to_read()).map_err(|error| absence(&error))?;
        let metadata = file.metadata().map_err(|error| absence(&error))?;
        check_type(&metadata)?;
        Ok((file.into_std(), metadata))
    }

    /// What is there now, without opening it.
    pub(crate) fn metadata(&self, path: &Path) -> Result<Metadata, Absence> {
        let dir = self.dir.as_ref().map_err(Clone::clone)?;
        dir.metadata(path).map_err(|error| absence(&error))
    }

    /// The target of a link, as it is written there.
    pub(crate) fn read_link(&self, path: &Path) -> Result<PathBuf, Absence> {
        let dir = self.dir.as_ref().map_err(Clone::clone)?;
        let metadata = dir.symlink_metadata(path).map_err(|error| absence(&error))?;
        if !metadata.is_symlink() {
            return Err(Absence::NotALink(name_of(metadata.file_type())));
        }
        dir.read_link_contents(path).map_err(|error| absence(&error))
    }
}

/// How many of the torrent's files have something at their places in a folder.
fn count_files(torrent: &Torrent, dir: &Dir) -> usize {
    let files = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad);
    files.filter(|file| dir.symlink_metadata(file.path().to_path_buf()).is_ok()).count()
}

/// Opens a folder that the user has named.
fn open_folder(path: &Path) -> Result<Dir, CheckError> {
    Dir::open_ambient_dir(path, ambient_authority())
        .map_err(|error| CheckError::Folder { path: path.to_owned(), error })
}

fn to_read() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    // A file that has become a pipe in the meantime would wait for somebody who writes to it.
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options
}

fn check_type(metadata: &Metadata) -> Result<(), Absence> {
    if metadata.is_file() { Ok(()) } else { Err(Absence::NotAFile(name_of(metadata.file_type()))) }
}

fn name_of(file_type: FileType) -> &'static str {
    match file_type {
        _ if file_type.is_dir() => "a folder",
        _ if file_type.is_symlink() => "a link",
        _ if file_type.is_file() => "a file",
        _ => "neither a file nor a folder",
    }
}

fn absence(error: &io::Error) -> Absence {
    match error.kind() {
        // With a file where a folder should be, there is no file below it.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Absence::Missing,
        _ if is_escape(error) => Absence::EscapesRoot,
        _ => Absence::Unreadable(error.to_string()),
    }
}

/// The refusal to leave the root is no error of the system, so it has no number.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
