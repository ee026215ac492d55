//! A torrent, read and checked.

use crate::bencode::{Limits, read};
use crate::error::TorrentError;
use crate::file::File;
use crate::layout::PieceMap;
use crate::path::TorrentPath;
use crate::warning::Warning;

/// The largest length of a piece, in bytes: 1 GiB.
pub const MAX_PIECE_LENGTH: u64 = 1 << 30;

/// How many bytes the paths of all files may have together: 256 MiB.
///
/// The folders of a file tree are written once, and stand in the path of each file in them.
pub const MAX_PATH_BYTES: usize = 256 << 20;

/// What a torrent says of its content, checked: what is here fits together, and no path leads out of the torrent's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torrent {
    name: TorrentPath,
    is_single_file: bool,
    info_hash_v1: Option<[u8; 20]>,
    info_hash_v2: Option<[u8; 32]>,
    piece_length: u64,
    files: Vec<File>,
    v1: Option<PieceMap>,
    warnings: Vec<Warning>,
}

/// Which versions of the protocol a torrent is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// [BEP 3](https://www.bittorrent.org/beps/bep_0003.html): the SHA-1 of each piece, all files one after another.
    V1,
    /// [BEP 52](https://www.bittorrent.org/beps/bep_0052.html): a tree of SHA-256 for each file.
    V2,
    /// Both, for the same files.
    Hybrid,
}

impl Torrent {
    /// Reads a torrent's file, of which `bytes` is the content, with the usual [`Limits`].
    ///
    /// # Errors
    ///
    /// If it is no torrent, or one that contradicts itself.
    pub fn parse(bytes: &[u8]) -> Result<Self, TorrentError> {
        Self::parse_with(bytes, &Limits::default())
    }

    /// [`parse`](Self::parse) with limits of one's choice.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse).
    pub fn parse_with(bytes: &[u8], limits: &Limits) -> Result<Self, TorrentError> {
        let _document = read(bytes, limits)?;
        Err(TorrentError { offset: 0, kind: crate::TorrentErrorKind::NoContent })
    }

    /// The name of the file or the folder that holds all files: a path of one component.
    #[must_use]
    pub fn name(&self) -> &TorrentPath {
        &self.name
    }

    /// Whether the torrent is one file, which is not in a folder of the torrent's.
    #[must_use]
    pub fn is_single_file(&self) -> bool {
        self.is_single_file
    }

    /// Which versions of the protocol it is for.
    #[must_use]
    pub fn version(&self) -> Version {
        match (self.info_hash_v1, self.info_hash_v2) {
            (Some(_), Some(_)) => Version::Hybrid,
            (None, Some(_)) => Version::V2,
            (_, None) => Version::V1,
        }
    }

    /// The info hash of version 1: the SHA-1 of the `info` dictionary as it is written.
    #[must_use]
    pub fn info_hash_v1(&self) -> Option<[u8; 20]> {
        self.info_hash_v1
    }

    /// The info hash of version 2: the SHA-256 of the `info` dictionary as it is written.
    #[must_use]
    pub fn info_hash_v2(&self) -> Option<[u8; 32]> {
        self.info_hash_v2
    }

    /// How long a piece is, in bytes: 1 to [`MAX_PIECE_LENGTH`].
    #[must_use]
    pub fn piece_length(&self) -> u64 {
        self.piece_length
    }

    /// All files, padding and symbolic links among them, in the torrent's order, which is that of version 1 if it has both.
    #[must_use]
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The pieces of version 1, if it has them.
    #[must_use]
    pub fn v1(&self) -> Option<&PieceMap> {
        self.v1.as_ref()
    }

    /// What is odd about it.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
