//! Oddities of a torrent that do not prevent a check.

use crate::bencode::DeviationKind;

/// An oddity of a torrent, and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct Warning {
    /// Byte offset in the torrent file.
    pub offset: usize,
    /// What is odd.
    pub kind: WarningKind,
}

/// What is odd about a torrent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// Bencode that is not canonical. In v2 and hybrid torrents only trailing whitespace is a
    /// warning; the rest is an error.
    #[error("{0}")]
    NotCanonical(DeviationKind),
    /// A name that is not a valid component of a path; see
    /// [`File::invalid_name`](crate::File::invalid_name).
    #[error("the name \"{component}\" is invalid; looking for the name that libtorrent gives it")]
    InvalidName {
        /// The component of the path, escaped.
        component: String,
    },
    /// A name that is not UTF-8, which operating systems interpret differently.
    #[error("the name \"{component}\" is not UTF-8")]
    NotUtf8 {
        /// The component of the path, escaped.
        component: String,
    },
    /// Two files with the same path.
    #[error("the file \"{path}\" is listed twice")]
    DuplicatePath {
        /// The path, escaped.
        path: String,
    },
    /// A file whose path leads through another file.
    #[error("\"{path}\" is listed both as a file and as a folder with files in it")]
    FileIsFolder {
        /// The path that is both, escaped.
        path: String,
    },
    /// Padding that takes longer to hash than the content. (Pieces of nothing but padding are
    /// hashed only once.)
    #[error("up to {padding} bytes of padding have to be hashed for content of length {content}")]
    MuchPadding {
        /// Upper bound of the padding in pieces with content, in bytes.
        padding: u64,
        /// The length of the content, in bytes.
        content: u64,
    },
    /// A `file tree` without `meta version`: the torrent is read as v1.
    #[error("the `file tree` is ignored because there is no `meta version`")]
    TreeWithoutVersion,
    /// A file of more than one piece without a piece layer: it is good or bad as a whole.
    #[error("`piece layers` has no entry for this file, which can only be checked as a whole")]
    MissingLayer,
    /// An empty file with a `pieces root`, which is ignored.
    #[error("the `pieces root` of an empty file is ignored")]
    RootOfEmptyFile,
    /// A symbolic link with a length or a root, as if it had content. They are ignored.
    #[error("the length or `pieces root` of a symbolic link is ignored")]
    SymlinkWithContent,
    /// A piece layer of no file in the torrent, or of a file that needs none.
    #[error("no file in the torrent needs this piece layer")]
    UnknownLayer,
    /// The number of further warnings, which were dropped.
    #[error("{0} more warning{plural}", plural = if *.0 == 1 { "" } else { "s" })]
    More(usize),
}

/// The maximum number of warnings kept: enough to see what is wrong.
const MAX_WARNINGS: usize = 100;

/// The first warnings, and the number of others.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    kept: Vec<Warning>,
    /// The offset of the first dropped warning, and how many were dropped.
    more: Option<(usize, usize)>,
}

impl Warnings {
    pub(crate) fn add(&mut self, offset: usize, kind: WarningKind) {
        if self.kept.len() < MAX_WARNINGS {
            self.kept.push(Warning { offset, kind });
        } else {
            let (_, count) = self.more.get_or_insert((offset, 0));
            *count += 1;
        }
    }

    /// The warnings. If any were dropped, the last one counts them.
    pub(crate) fn into_vec(mut self) -> Vec<Warning> {
        if let Some((offset, count)) = self.more {
            self.kept.push(Warning { offset, kind: WarningKind::More(count) });
        }
        self.kept
    }
}
