//! Errors in torrents, with their byte offsets.

use merkle_lanes::bep52::LayerError;

use crate::bencode::{DeviationKind, Fault, FaultKind};
use crate::path::PathError;
use crate::torrent::{MAX_PATH_BYTES, MAX_PIECE_LENGTH, MAX_PIECES};

/// An error in a torrent, and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct TorrentError {
    /// Byte offset, in the torrent file, of the wrong value or of the dictionary that lacks a key.
    pub offset: usize,
    /// What is wrong.
    pub kind: TorrentErrorKind,
}

/// Why a torrent cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TorrentErrorKind {
    /// Malformed bencode.
    #[error("{0}")]
    Bencode(FaultKind),
    /// A v2 or hybrid torrent that is not canonical bencode.
    #[error("{0}; v2 torrents must be canonical bencode")]
    NotCanonical(DeviationKind),
    /// A value of the wrong type.
    #[error("{what} is not {expected}")]
    WrongType {
        /// The key or the name of the value.
        what: &'static str,
        /// The expected type, with an article.
        expected: &'static str,
    },
    /// A dictionary lacks a key.
    #[error("`{key}` is missing")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A `meta version` other than 2.
    #[error("`meta version` is {0}, not 2")]
    MetaVersion(i64),
    /// Both `length` and `files`: the torrent is a single file or a folder, not both.
    #[error("`info` has both `length` and `files`")]
    LengthAndFiles,
    /// A path that leads out of its folder, or does not name a file.
    #[error("invalid path component \"{component}\": {error}")]
    Path {
        /// The component, escaped, and truncated if it is long.
        component: String,
        /// What is wrong with it.
        error: PathError,
    },
    /// The paths are too long in total.
    #[error("the paths have more than {MAX_PATH_BYTES} bytes in total")]
    Paths,
    /// A piece length that is not positive, or exceeds the limit.
    #[error("the piece length is {0} bytes, not between 1 and {MAX_PIECE_LENGTH}")]
    PieceLength(i64),
    /// In v2, a piece length that is not a power of two, or too small.
    #[error("the piece length in bytes is {0}; v2 requires a power of two of at least 16 KiB")]
    PieceLengthOfV2(u64),
    /// Negative file length.
    #[error("negative file length {0}")]
    NegativeLength(i64),
    /// The file lengths add up to more than 2^63 - 1.
    #[error("the lengths up to this file add up to more than 2^63 - 1 bytes")]
    LengthOverflow,
    /// The files have more pieces than the limit. v2 files with the same content share their
    /// hashes, or lack them, so a small torrent can have any number of pieces.
    #[error("the files up to this one have more than {MAX_PIECES} pieces")]
    TooManyPieces,
    /// `pieces` is not a sequence of hashes.
    #[error("the length of `pieces` in bytes is {bytes}, which is not a multiple of 20")]
    PiecesLength {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The number of hashes is not the number of pieces.
    #[error("`pieces` must have one hash per piece: {expected}, not {got}")]
    PieceCount {
        /// The number of pieces of the files.
        expected: u64,
        /// The number of hashes.
        got: u64,
    },
    /// All files are empty.
    #[error("all files are empty, so there is nothing to check")]
    NoContent,
    /// A padding file in the file tree: padding is for v1 only.
    #[error("the `file tree` has a padding file")]
    PadInFileTree,
    /// The root of the file tree is a file, which has no name.
    #[error("the `file tree` itself is a file, without a name")]
    TreeIsFile,
    /// An entry of the file tree is both a file and a folder with other entries.
    #[error("an entry of the `file tree` is both a file and a folder")]
    FileIsFolder,
    /// A `pieces root` that is not 32 bytes long.
    #[error("the length of a `pieces root` in bytes is {bytes}, not 32")]
    RootLength {
        /// Its length in bytes.
        bytes: usize,
    },
    /// A `pieces root` of zeros, which BEP 52 uses for absent hashes.
    #[error("a `pieces root` is all zeros")]
    ZeroRoot,
    /// The same `pieces root` for files of different lengths, which is impossible.
    #[error(
        "this file has the same `pieces root` as an earlier file, but its length in bytes is \
         {length}, not {other}"
    )]
    RootOfOtherLength {
        /// The length of this file, in bytes.
        length: u64,
        /// The length of the earlier file with the same root, in bytes.
        other: u64,
    },
    /// A key of `piece layers` that is not a root.
    #[error("the length of a key of `piece layers` in bytes is {bytes}, not 32")]
    LayerKey {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The root, length and piece layer of a file do not match.
    #[error("{0}")]
    Layer(LayerError),
    /// A hybrid torrent whose two lists differ in length.
    #[error("the number of files is {v1} in the v1 list (no padding), but {v2} in the `file tree`")]
    HybridCount {
        /// The number of v1 files, without padding.
        v1: usize,
        /// The number of v2 files.
        v2: usize,
    },
    /// A hybrid torrent whose two lists differ in a path.
    #[error("the v1 list has \"{v1}\" where the `file tree` has \"{v2}\"")]
    HybridPath {
        /// The path in the v1 list, escaped.
        v1: String,
        /// The path in the file tree, escaped.
        v2: String,
    },
    /// A hybrid torrent whose two lists differ in a file's length.
    #[error("the length of the file in bytes is {v1} in the v1 list, but {v2} in the `file tree`")]
    HybridLength {
        /// Its length in the v1 list.
        v1: u64,
        /// Its length in the file tree.
        v2: u64,
    },
    /// A hybrid torrent in which a file is a symbolic link in only one list, or has two targets.
    #[error("the file is a symbolic link in only one of the lists, or the targets differ")]
    HybridSymlink,
    /// A hybrid torrent in which a file does not start at a piece boundary.
    #[error(
        "the file starts at byte {start} of the content; hybrids require a piece boundary there"
    )]
    HybridAlignment {
        /// Byte offset of the file in the v1 content.
        start: u64,
    },
}

impl From<Fault> for TorrentError {
    fn from(Fault { offset, kind }: Fault) -> Self {
        Self { offset, kind: TorrentErrorKind::Bencode(kind) }
    }
}
