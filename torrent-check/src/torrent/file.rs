//! The description of a file in a torrent.

use std::sync::Arc;

use merkle_lanes::bep52::{FileHashes, Hash};

use crate::torrent::path::TorrentPath;

/// A file of a torrent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub(crate) path: TorrentPath,
    /// The path that clients use that ignore `path.utf-8`, if it is another.
    pub(crate) raw_path: Option<TorrentPath>,
    pub(crate) length: u64,
    pub(crate) kind: FileKind,
    pub(crate) pieces_root: Option<Hash>,
    /// Shared by files with the same root.
    pub(crate) hashes: Option<Arc<FileHashes>>,
}

/// The kind of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    Data,
    /// Zeros that align the next file to a piece boundary. They need not be on disk (BEP 47).
    Pad,
    /// A symbolic link of length 0 (BEP 47). The target is relative to the torrent's folder.
    Symlink(TorrentPath),
}

impl File {
    /// The path relative to the torrent's folder, or the name if the torrent is a single file.
    ///
    /// A name that is not valid in a path is replaced by the one under which libtorrent saves the
    /// file on Unix. Names that would make the path too long are left out.
    #[must_use]
    pub fn path(&self) -> &TorrentPath {
        &self.path
    }

    /// The length in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The kind of the file.
    #[must_use]
    pub fn kind(&self) -> &FileKind {
        &self.kind
    }

    /// The root of the v2 Merkle tree of the file, if it is not empty.
    #[must_use]
    pub fn pieces_root(&self) -> Option<Hash> {
        self.pieces_root
    }

    /// The other paths under which clients save the file when it is complete.
    pub(crate) fn saved_as(&self) -> Vec<TorrentPath> {
        let raw = self.raw_path.iter();
        let raw = raw.flat_map(|raw| std::iter::once(raw.clone()).chain(raw.saved_as()));
        self.path.saved_as().into_iter().chain(raw).collect()
    }

    /// All other paths that clients give the file, also until it is complete or while it is not
    /// wanted.
    pub(crate) fn alternatives(&self) -> Vec<TorrentPath> {
        let raw = self.raw_path.iter();
        let raw = raw.flat_map(|raw| std::iter::once(raw.clone()).chain(raw.alternatives()));
        self.path.alternatives().into_iter().chain(raw).collect()
    }

    /// Whether it has a pieces root, but no piece layer: only all its pieces together match.
    pub(crate) fn lacks_layer(&self) -> bool {
        self.pieces_root.is_some() && self.hashes.is_none()
    }

    /// The pieces root and the piece layer, which has been verified against the root.
    ///
    /// In v2 and hybrid torrents, every [data](FileKind::Data) file has them, unless it is longer
    /// than a piece and the torrent lacks its piece layer.
    #[must_use]
    pub fn hashes(&self) -> Option<&FileHashes> {
        self.hashes.as_deref()
    }
}
