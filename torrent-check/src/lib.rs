//! Verifies downloads of BitTorrent v1, v2 and hybrid torrents, hashing many pieces at once, and
//! says which files and bytes are damaged.
//!
//! ```no_run
//! use std::path::Path;
//! use torrent_check::{Check, FileVerdict, Torrent};
//!
//! let torrent = Torrent::parse(&std::fs::read("album.torrent")?)?;
//! let report = Check::new(&torrent, Path::new("downloads")).run()?;
//! for (file, found) in torrent.files().iter().zip(&report.files) {
//!     match &found.verdict {
//!         FileVerdict::Good => {}
//!         FileVerdict::Missing => println!("{} is missing", file.path()),
//!         verdict => println!("{}: {verdict:?}", file.path()),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The fields of [`Check`] are the options of the command-line tool, for example
//! `Check { fail_fast: true, ..Check::new(&torrent, folder) }`. [`Torrent`] documents what it
//! accepts, and the limits: torrents and folders are treated as hostile. The README introduces the
//! tool; the folder `docs` has the verdicts, the options and how fast the check is. Library users
//! disable the feature `cli` (default), which only the tool needs.
#![forbid(unsafe_code)]

mod check;
mod clients;
mod content;
mod folders;
mod locate;
mod report;
mod state;
mod torrent;
mod verdict;

pub use check::{Check, Order, Place, Progress};
pub use clients::{Client, DatabaseError, Saved, SavedError, Session};
pub use content::Folders;
pub use content::finding::{Finding, PartialCopy, Unproven};
pub use content::root::Content;
pub use locate::{Locate, Located, Unused, WherePlaced, Whereabouts};

pub use folders::error::CheckError;
pub use folders::listing::{SearchLimit, SearchLimitKind};
pub use hash_lanes::Backend;
pub use report::layout::{LaidOut, LayOut, Layout, LayoutError, Link, Outcome};
pub use report::{Damage, FileReport, Report};
pub use state::{State, StateError};
pub use torrent::error::{TorrentError, Warning};
pub use torrent::file::{File, FileKind};
pub use torrent::path::{Escaped, PathError, TorrentPath};
pub use torrent::pieces::{PieceMap, Segment};
pub use torrent::{
    About, MAX_PATH_BYTES, MAX_PIECE_LENGTH, MAX_PIECES, MAX_TORRENT_BYTES, Torrent, Version,
};
pub use verdict::{Counts, FileVerdict, PieceVerdict, WrongHash};
