#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod bencode;
mod error;
mod file;
mod layout;
mod path;
mod torrent;
mod warning;

pub use error::{TorrentError, TorrentErrorKind};
pub use file::{File, FileKind};
pub use layout::{PieceMap, Segment};
pub use path::{PathError, TorrentPath};
pub use torrent::{MAX_PATH_BYTES, MAX_PIECE_LENGTH, Torrent, Version};
pub use warning::{Warning, WarningKind};
