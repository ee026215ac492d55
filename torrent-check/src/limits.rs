//! Limits on the time and memory that hostile torrents can take. No honest torrent reaches them.

/// The maximum length of a piece, in bytes: 1 GiB.
pub const MAX_PIECE_LENGTH: u64 = 1 << 30;

/// The maximum number of pieces of all files of a v2 torrent: 2^24.
///
/// A check keeps a verdict per piece. In v1 every piece has its own hash, and
/// [`Limits`](crate::bencode::Limits) allow fewer hashes than this. In v2 files with the same
/// content share their hashes, or lack them, so a small torrent could have any number of pieces.
pub const MAX_PIECES: u64 = 1 << 24;

/// The maximum total length of the paths of all files, in bytes: 64 MiB.
///
/// The paths of a file tree can be far longer than the tree: it stores the name of a folder once,
/// but the path of every file in the folder contains it.
pub const MAX_PATH_BYTES: usize = 64 << 20;
