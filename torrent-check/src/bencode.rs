//! Bencode: [BEP 3](https://www.bittorrent.org/beps/bep_0003.html).
//!
//! [`read`] goes over the bytes once, without recursion, and copies none of them: a [`Document`]
//! keeps where each value begins and ends, so that the bytes of the `info` dictionary can be hashed
//! as they are. What it allocates is 16 bytes for each value that there is, never what a length
//! claims.
//!
//! What cannot be read, or could be read in two ways, is a [`Fault`]. What can be read, but would
//! not have been written so, is a [`Deviation`] from the canonical form, which is noted.
//!
//! ```
//! use torrent_check::bencode::{Limits, read};
//!
//! let document = read(b"d6:lengthi42e4:name5:a.bine", &Limits::default())?;
//! assert_eq!(document.root().get(b"name").and_then(|name| name.bytes()), Some(&b"a.bin"[..]));
//! assert!(document.deviations().is_empty());
//! # Ok::<(), torrent_check::bencode::Fault>(())
//! ```

mod document;
mod fault;
mod reader;

pub use document::{Document, Entries, Items, Kind, Value};
pub use fault::{Deviation, DeviationKind, Fault, FaultKind};
pub use reader::read;

/// How much is read at most. Time and memory are in proportion to what is read, so these limits
/// bound both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many lists and dictionaries may be within one another.
    pub depth: usize,
    /// How many values there may be, keys counted, too.
    pub values: usize,
    /// How many bytes there may be; never more than 2^32 - 1.
    pub bytes: usize,
}

impl Default for Limits {
    /// 100 levels, three million values, 64 MiB.
    fn default() -> Self {
        Self { depth: 100, values: 3_000_000, bytes: 64 << 20 }
    }
}
