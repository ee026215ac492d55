//! Why the tool cannot do what was asked for.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use torrent_check::{CheckError, Escaped, LayoutError, SavedError, TorrentError};

/// An error for the user. Its text says what happened, where, and what to do next.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The arguments cannot be followed, for this reason.
    #[error("{0}")]
    Refused(String),
    /// A file or folder cannot be read, written or created.
    #[error("cannot {doing} {}: {cause}", Escaped(path))]
    File { doing: &'static str, path: PathBuf, cause: Box<dyn Error> },
    /// A file is not a torrent. `why` follows its path.
    #[error("{}{why}", Escaped(path))]
    NotATorrent { path: PathBuf, why: String, source: TorrentError },
    /// A torrent of a client cannot be checked.
    #[error("{}: {source}", Escaped(torrent))]
    InClient { torrent: PathBuf, source: Box<Failure> },
    #[error("cannot write the result: stdout is closed")]
    OutputClosed,
    #[error("cannot write the result: {0}")]
    Output(#[source] io::Error),
    #[error("{}", check_text(.0))]
    Check(#[from] CheckError),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Saved(#[from] SavedError),
    #[error(transparent)]
    Glob(#[from] glob::PatternError),
    #[error(transparent)]
    Backend(#[from] hash_lanes::DefaultBackendError),
}

impl Failure {
    /// A file or folder that cannot be used as it has to be.
    pub(super) fn file(doing: &'static str, path: &Path, cause: impl Into<Box<dyn Error>>) -> Self {
        Self::File { doing, path: path.to_owned(), cause: cause.into() }
    }
}

fn check_text(error: &CheckError) -> String {
    match error {
        CheckError::ContentEscapes(_) => format!("{error}; --follow-links follows it"),
        error => error.to_string(),
    }
}
