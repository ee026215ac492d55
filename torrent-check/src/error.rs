//! Why a torrent cannot be checked.

use merkle_lanes::bep52::LayerError;

use crate::bencode::{DeviationKind, Fault, FaultKind};
use crate::limits::{MAX_PATH_BYTES, MAX_PIECE_LENGTH, MAX_PIECES};
use crate::path::PathError;

/// Why a file is no torrent that can be checked, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct TorrentError {
    /// Where the value is that is wrong, or the dictionary that lacks one, in bytes from the
    /// beginning of the torrent's file.
    pub offset: usize,
    /// What is wrong.
    pub kind: TorrentErrorKind,
}

/// Why a file is no torrent that can be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TorrentErrorKind {
    /// It is not bencode.
    #[error("{0}")]
    Bencode(FaultKind),
    /// It has v2, and is not in the canonical form.
    #[error("{0}, which torrents of version 2 must not have")]
    NotCanonical(DeviationKind),
    /// A value of another type than the key has, or that all torrents are.
    #[error("{what}: {expected} was expected")]
    WrongType {
        /// The key or the name of the value.
        what: &'static str,
        /// The type that it should have, with an article.
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
    /// Both `length` and `files`, so that it is not known what the torrent consists of.
    #[error("both `length` and `files` are there")]
    LengthAndFiles,
    /// A path that does not stay in its folder, or that names no file.
    #[error("the component \"{component}\" of a path is not allowed: {error}")]
    Path {
        /// The component with escapes, cut short when it is long.
        component: String,
        /// What is wrong with it.
        error: PathError,
    },
    /// Paths that are too long together.
    #[error("all paths together have more than {MAX_PATH_BYTES} bytes")]
    Paths,
    /// A piece length that is not positive, or that is larger than the limit.
    #[error("a piece length of {0} bytes is not between 1 and {MAX_PIECE_LENGTH}")]
    PieceLength(i64),
    /// In v2, a piece length that is no power of two, or too small.
    #[error("a piece length of {0} bytes is no power of two from 16 KiB on, as version 2 needs")]
    PieceLengthOfV2(u64),
    /// A file of less than no bytes.
    #[error("a file's length is {0}")]
    NegativeLength(i64),
    /// The lengths of files add up to more than 2^63 - 1.
    #[error("with this file, the lengths add up to more than 2^63 - 1 bytes")]
    LengthOverflow,
    /// Files that have more pieces than the limit. In v2, files of the same content share their
    /// hashes, so that a small torrent can have any number of pieces.
    #[error("with this file, there are more than {MAX_PIECES} pieces")]
    TooManyPieces,
    /// `pieces` is no sequence of hashes.
    #[error("`pieces` has {bytes} bytes, which is no multiple of 20")]
    PiecesLength {
        /// How many bytes it has.
        bytes: usize,
    },
    /// The lengths of the files need another number of pieces than there are hashes.
    #[error("the files have {expected} pieces, and `pieces` has {got} hashes")]
    PieceCount {
        /// How many pieces the files have.
        expected: u64,
        /// How many hashes there are.
        got: u64,
    },
    /// There is not one byte of content.
    #[error("no file has any byte, so there is nothing to check")]
    NoContent,
    /// A symbolic link that has a length or a root, as if it had content.
    #[error("a symbolic link has content of its own")]
    SymlinkWithContent,
    /// In the file tree, a padding file: it is for v1 alone.
    #[error("a padding file stands in the `file tree`")]
    PadInFileTree,
    /// The file tree itself is a file, without a name.
    #[error("the `file tree` is a file without a name")]
    TreeIsFile,
    /// An entry of the file tree is a file, and a folder with other entries.
    #[error("an entry of the `file tree` is a file and a folder at once")]
    FileIsFolder,
    /// A `pieces root` that has not 32 bytes.
    #[error("a `pieces root` has {bytes} bytes, not 32")]
    RootLength {
        /// How many bytes it has.
        bytes: usize,
    },
    /// A `pieces root` of zeros, which stand for what is not there.
    #[error("a `pieces root` is all zeros")]
    ZeroRoot,
    /// The same `pieces root` for files of different lengths, which no content has.
    #[error("the `pieces root` was that of a file of {other} bytes, and this one has {length}")]
    RootOfOtherLength {
        /// The length of this file, in bytes.
        length: u64,
        /// The length of the file that had the root before.
        other: u64,
    },
    /// A key of `piece layers` that is no root.
    #[error("a key of `piece layers` has {bytes} bytes, not 32")]
    LayerKey {
        /// How many bytes it has.
        bytes: usize,
    },
    /// A file of more than one piece has no piece layer.
    #[error("`piece layers` has no entry for this file of more than one piece")]
    MissingLayer,
    /// Root, length and piece layer of a file do not fit.
    #[error("{0}")]
    Layer(LayerError),
    /// A hybrid torrent in which one list has more files than the other.
    #[error("the list of version 1 has {v1} files without padding, and the `file tree` has {v2}")]
    HybridCount {
        /// How many files version 1 has, padding not counted.
        v1: usize,
        /// How many files version 2 has.
        v2: usize,
    },
    /// A hybrid torrent whose two lists differ.
    #[error("version 1 has \"{v1}\" where the `file tree` has \"{v2}\"")]
    HybridPath {
        /// The path in the list of version 1, with escapes.
        v1: String,
        /// The path in the file tree, with escapes.
        v2: String,
    },
    /// A hybrid torrent in which a file has two lengths.
    #[error("the file has {v1} bytes in version 1, and {v2} in the `file tree`")]
    HybridLength {
        /// Its length in the list of version 1.
        v1: u64,
        /// Its length in the file tree.
        v2: u64,
    },
    /// A hybrid torrent in which a file is a symbolic link in one list alone, or has two targets.
    #[error(
        "the file is another symbolic link in version 1 than in the `file tree`, or only in one of them"
    )]
    HybridSymlink,
    /// A hybrid torrent in which a file does not begin where a piece does.
    #[error(
        "the file begins at byte {start} of the content, which is no beginning of a piece, as hybrids need"
    )]
    HybridAlignment {
        /// Where it begins in version 1.
        start: u64,
    },
}

impl From<Fault> for TorrentError {
    fn from(Fault { offset, kind }: Fault) -> Self {
        Self { offset, kind: TorrentErrorKind::Bencode(kind) }
    }
}
