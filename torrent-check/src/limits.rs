//! What is more than any honest torrent has, so that the others take little time and memory.

/// The largest length of a piece, in bytes: 1 GiB.
pub const MAX_PIECE_LENGTH: u64 = 1 << 30;

/// How many pieces the files of a v2 torrent may have together: 2^24.
///
/// A verdict on each is kept. In v1 every piece has a hash of its own, of which
/// [`Limits`](crate::bencode::Limits) allow fewer; in v2 files of the same content share theirs, so
/// that a small torrent could have any number of pieces.
pub const MAX_PIECES: u64 = 1 << 24;

/// How many bytes the paths of all files may have together: 64 MiB.
///
/// A file tree could have far longer ones than itself: it says the name of a folder once, and the
/// path of each file in it has it.
pub const MAX_PATH_BYTES: usize = 64 << 20;
