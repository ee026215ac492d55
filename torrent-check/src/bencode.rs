//! A bencode reader that is safe for hostile input.
//!
//! [`read`] makes one pass over the bytes, without recursion or copies. A [`Document`] stores where
//! each value begins and ends, so the `info` dictionary can be hashed as it is encoded. It takes 16
//! bytes of memory per value present, whatever lengths the input claims.
//!
//! Malformed or ambiguous input is a [`Fault`]. Input that is valid but not canonical is accepted,
//! and [`Document::deviations`] lists what is not canonical. [BEP 3] defines the format.
//!
//! [BEP 3]: https://www.bittorrent.org/beps/bep_0003.html
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

pub use document::{Document, Kind, Value};
pub use fault::{Fault, FaultKind};
pub use reader::read;

/// Limits on the input. Time and memory are proportional to the input, so these limits bound both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum nesting depth of lists and dictionaries.
    pub depth: usize,
    /// The maximum number of values, including keys.
    pub values: usize,
    /// The maximum number of bytes. Values above 2^32 - 1 count as 2^32 - 1.
    pub bytes: usize,
}

impl Default for Limits {
    /// Depth 100, 3 million values, 64 MiB.
    fn default() -> Self {
        Self { depth: 100, values: 3_000_000, bytes: 64 << 20 }
    }
}
