//! What a search found out about a file that is not good in its place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::library::CopyId;
use crate::folders::listing::SearchLimit;

/// The result of a search for the content of a file. It alone decides what a report says about the
/// file, and how [`Report::lay_out`](crate::Report::lay_out) may lay it out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// Every piece that has bytes of the file was verified with these files, or their root is
    /// right.
    Proven {
        /// The first files: relative to the content's folder, or absolute if they are elsewhere.
        /// Identical files of v2 share a list. A search in v1 ends at the first proof.
        paths: Arc<[PathBuf]>,
        /// The number of other files with the same root.
        more: usize,
    },
    /// No piece is known to be wrong, but some cannot be verified.
    Likely {
        /// The file: relative to the content's folder, or absolute if it is elsewhere.
        path: PathBuf,
        /// The number of pieces that were verified.
        good: u64,
        /// The number of pieces that have bytes of the file.
        total: u64,
        /// The other pieces. Each also has bytes of other files.
        unproven: Vec<Unproven>,
    },
    /// A file has good pieces, but others are wrong.
    Disproven {
        /// The file: relative to the content's folder, or absolute if it is elsewhere.
        path: PathBuf,
        /// The number of pieces that were verified.
        good: u64,
        /// The number of pieces that have bytes of the file.
        total: u64,
    },
}

/// A piece that could not be verified with a file that is likely right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unproven {
    /// The piece.
    pub piece: u64,
    /// The files for whose bytes in the piece there is no candidate, as indices in
    /// [`Torrent::files`](crate::Torrent::files). If there are none, all files have candidates, but
    /// no combination of them has the right hash, so one of the files is wrong.
    pub because_of: Vec<usize>,
}

/// A file that is not whole, and pieces of it that are good.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartialCopy {
    /// Its path: relative to the content's folder, or absolute if it is elsewhere.
    pub path: PathBuf,
    /// Runs of pieces that are good in it, and neither in the file's place nor in a copy before it.
    pub pieces: Vec<Range<u64>>,
}

impl Finding {
    /// The files that are proven to have the content.
    #[must_use]
    pub fn proven(&self) -> &[PathBuf] {
        if let Self::Proven { paths, .. } = self { paths } else { &[] }
    }

    /// All files that have content of the file, proven or not.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let own: &[PathBuf] = match self {
            Self::Proven { paths, .. } => paths,
            Self::Likely { path, .. } | Self::Disproven { path, .. } => std::slice::from_ref(path),
        };
        own.iter().map(PathBuf::as_path)
    }
}

/// What a search found out about a torrent.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) findings: BTreeMap<usize, Finding>,
    pub(crate) copies: BTreeMap<usize, Vec<PartialCopy>>,
    /// The files of which no piece has the bytes alone, and that were not found, in ascending
    /// order.
    pub(crate) unsearchable: Vec<usize>,
    /// The number of pieces that are good in files that were found, but not in place.
    pub(crate) pieces: u64,
    pub(crate) limits: Vec<SearchLimit>,
    /// Whether the search was cancelled before its end.
    pub(crate) is_cut: bool,
    /// The files that have content of the torrent.
    pub(crate) used: Vec<CopyId>,
    /// The number of bytes read.
    pub(crate) bytes_read: u64,
}
