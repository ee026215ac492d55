//! The folder that holds the content, and opening files beneath it.
//!
//! Names come from a stranger's torrent, and links from whatever wrote the folder. Every file is opened beneath the
//! folder: neither `..` nor a link leads out of it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, Metadata, OpenOptions};

use crate::check::CheckError;
use crate::{Torrent, TorrentPath};

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
}

impl Content {
    /// The file or folder; where it should be, if it is absent.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::InFolder(path) | Self::FolderItself(path) | Self::Given(path) | Self::Absent(path) => path,
        }
    }
}

/// The folder beneath which files are opened.
pub(crate) struct Root {
    pub(crate) content: Content,
    /// None when there is no content.
    pub(crate) dir: Option<Dir>,
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
            let content =
                if dir.symlink_metadata(&name).is_ok() { Content::InFolder } else { Content::Absent };
            return Ok(Self { content: content(path), dir: Some(dir), file_name: Some(name) });
        }
        let downloads = open_folder(folder)?;
        match downloads.open_dir(&name) {
            Ok(dir) => Ok(Self { content: Content::InFolder(path), dir: Some(dir), file_name: None }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // `.` has a name, too.
                let is_named_so = folder
                    .canonicalize()
                    .is_ok_and(|folder| folder.file_name().is_some_and(|last| last == name.as_os_str()));
                Ok(if is_named_so {
                    Self {
                        content: Content::FolderItself(folder.to_owned()),
                        dir: Some(downloads),
                        file_name: None,
                    }
                } else {
                    Self { content: Content::Absent(path), dir: None, file_name: None }
                })
            }
            Err(error) if is_escape(&error) => Err(CheckError::ContentEscapes(path)),
            Err(error) => Err(CheckError::Folder { path, error }),
        }
    }

    /// Takes a file or folder of any name for the content.
    pub(crate) fn given(torrent: &Torrent, path: &Path) -> Result<Self, CheckError> {
        let content = Content::Given(path.to_owned());
        if !torrent.is_single_file() {
            return Ok(Self { content, dir: Some(open_folder(path)?), file_name: None });
        }
        let unnamed = || CheckError::Folder {
            path: path.to_owned(),
            error: io::Error::new(io::ErrorKind::IsADirectory, "the torrent is a single file"),
        };
        let name = path.file_name().ok_or_else(unnamed)?;
        if path.is_dir() {
            return Err(unnamed());
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let dir = open_folder(parent.unwrap_or(Path::new(".")))?;
        Ok(Self { content, dir: Some(dir), file_name: Some(name.into()) })
    }

    /// A file's path beneath the root.
    pub(crate) fn relative(&self, path: &TorrentPath) -> PathBuf {
        self.file_name.clone().unwrap_or_else(|| path.to_path_buf())
    }

    /// Opens a regular file.
    pub(crate) fn open(&self, path: &Path) -> Result<(File, Metadata), Absence> {
        let dir = self.dir.as_ref().ok_or(Absence::Missing)?;
        // Looked at first, because opening a device may do something.
        check_type(&dir.metadata(path).map_err(|error| absence(&error))?)?;
        let file = dir.open_with(path, &to_read()).map_err(|error| absence(&error))?;
        let metadata = file.metadata().map_err(|error| absence(&error))?;
        check_type(&metadata)?;
        Ok((file.into_std(), metadata))
    }

    /// What is there now, without opening it.
    pub(crate) fn metadata(&self, path: &Path) -> Result<Metadata, Absence> {
        let dir = self.dir.as_ref().ok_or(Absence::Missing)?;
        dir.metadata(path).map_err(|error| absence(&error))
    }

    /// The target of a link, as it is written there.
    pub(crate) fn read_link(&self, path: &Path) -> Result<PathBuf, Absence> {
        let dir = self.dir.as_ref().ok_or(Absence::Missing)?;
        let metadata = dir.symlink_metadata(path).map_err(|error| absence(&error))?;
        if !metadata.is_symlink() {
            return Err(Absence::NotALink(name_of(metadata.file_type())));
        }
        dir.read_link_contents(path).map_err(|error| absence(&error))
    }
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
