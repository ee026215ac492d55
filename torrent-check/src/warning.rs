//! What is odd about a torrent, and does not keep it from being checked.

use crate::bencode::DeviationKind;

/// Something that a torrent should not have, or have in another way; and where it is in its file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct Warning {
    /// Where it is, in bytes from the beginning of the torrent's file.
    pub offset: usize,
    /// What it is.
    pub kind: WarningKind,
}

/// What is odd about a torrent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// Bencode that is not of the canonical form. In v2 and hybrid torrents it is an error, but for
    /// white space behind the end.
    #[error("{0}")]
    NotCanonical(DeviationKind),
    /// Windows has no file of this name.
    #[error("the name \"{component}\" is reserved on Windows")]
    ReservedName {
        /// The component of the path, with escapes.
        component: String,
    },
    /// A name that is not UTF-8, so that systems differ in what it is.
    #[error("the name \"{component}\" is not UTF-8")]
    NotUtf8 {
        /// The component of the path, with escapes.
        component: String,
    },
    /// Two files of the same path.
    #[error("the file \"{path}\" is listed twice")]
    DuplicatePath {
        /// The path, with escapes.
        path: String,
    },
    /// A file whose path leads through another file.
    #[error("\"{path}\" is listed as a file, and as a folder with files in it")]
    FileIsFolder {
        /// The path of what is both, with escapes.
        path: String,
    },
    /// Padding that takes longer to hash than the content. (Where it fills whole pieces, that is
    /// done once.)
    #[error("up to {padding} bytes of padding have to be hashed for {content} bytes of content")]
    MuchPadding {
        /// How many bytes of padding may be in pieces with content.
        padding: u64,
        /// How many bytes of content there are.
        content: u64,
    },
    /// A `file tree`, but no `meta version`: the torrent is taken for v1.
    #[error("a `file tree` without `meta version` is passed over")]
    TreeWithoutVersion,
    /// A piece layer that no file of the torrent has, or that its file does not need.
    #[error("the piece layer belongs to no file that needs one")]
    UnknownLayer,
    /// There are more warnings, which were not kept.
    #[error("there are {0} more warnings")]
    More(usize),
}

/// Warnings that are kept: enough to see what is wrong.
const MAX_WARNINGS: usize = 100;

/// The first warnings, and how many others there were.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    kept: Vec<Warning>,
    /// The place of the first one that was not kept, and how many they are.
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

    /// The warnings; the last one counts those that were not kept.
    pub(crate) fn into_vec(mut self) -> Vec<Warning> {
        if let Some((offset, count)) = self.more {
            self.kept.push(Warning { offset, kind: WarningKind::More(count) });
        }
        self.kept
    }
}
