#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod aria2;
pub mod bencode;
mod check;
mod choice;
mod copies;
mod error;
mod file;
mod layout;
mod limits;
mod links;
mod path;
mod pieces;
mod renamed;
mod report;
mod results;
mod resume;
mod root;
mod stamp;
mod survey;
mod torrent;
mod verdict;
mod walk;
mod warning;

pub use check::{Check, Order, Progress};
pub use choice::best_folder;
pub use error::{TorrentError, TorrentErrorKind};
pub use file::{File, FileKind};
pub use hash_lanes::Backend;
pub use layout::{PieceMap, Segment};
pub use limits::{MAX_PATH_BYTES, MAX_PIECE_LENGTH, MAX_PIECES};
pub use path::{Escaped, InvalidName, PathError, TorrentPath};
pub use report::{Damage, FileReport, Report};
pub use resume::{Resume, ResumeError};
pub use root::{CheckError, Content};
pub use torrent::{About, Torrent, Version};
pub use verdict::{Counts, FileVerdict, PieceVerdict, WrongHash};
pub use warning::{Warning, WarningKind};
