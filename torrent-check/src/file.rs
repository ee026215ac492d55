//! A file as a torrent describes it.

use std::sync::Arc;

use merkle_lanes::bep52::FileHashes;

use crate::path::TorrentPath;

/// What a torrent says of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    path: TorrentPath,
    length: u64,
    kind: FileKind,
    /// Files with the same root share what is known of it.
    hashes: Option<Arc<FileHashes>>,
}

/// What stands at a file's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Content.
    Data,
    /// Zeros, so that the next file begins where a piece does. It need not be on disk: BEP 47.
    Pad,
    /// A symbolic link, of length 0, to a path that begins in the torrent's folder: BEP 47.
    Symlink(TorrentPath),
}

impl File {
    pub(crate) fn new(
        path: TorrentPath,
        length: u64,
        kind: FileKind,
        hashes: Option<Arc<FileHashes>>,
    ) -> Self {
        Self { path, length, kind, hashes }
    }

    /// Where the file is, below the torrent's folder; if the torrent is a single file, its name.
    #[must_use]
    pub fn path(&self) -> &TorrentPath {
        &self.path
    }

    /// How long it is, in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// What stands at its place.
    #[must_use]
    pub fn kind(&self) -> &FileKind {
        &self.kind
    }

    /// Its pieces root and piece layer, of which the second leads to the first. Files of content
    /// have them in v2 and hybrid torrents.
    #[must_use]
    pub fn hashes(&self) -> Option<&FileHashes> {
        self.hashes.as_deref()
    }
}
