//! Why a check could not start.

use std::io;
use std::path::PathBuf;

use crate::torrent::path::Escaped;

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
    /// [`Place::Content`](crate::Place::Content) follows it.
    #[error("{} is a link out of the download folder", Escaped(.0))]
    ContentEscapes(
        /// The link.
        PathBuf,
    ),
}
