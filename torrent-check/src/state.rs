//! Keeps the results of a check for the next one.

pub(crate) mod stamp;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::Torrent;
use crate::state::stamp::Stamp;

/// The value of the first field. It ends with the version of the format.
const FORMAT: &str = "torrent-check state 3";

/// The pieces that a check found good, and the state of their files at that time.
///
/// The [next check](crate::Check::state) does not read such a piece again as long as the device,
/// inode, length, modification time and change time (Unix) of all its files are the same. A program
/// that writes to a file cannot restore its change time. Renaming a file or changing its
/// permissions also changes that time, so the file is read again.
///
/// Stores through a memory map change these times, too, because a check writes back the dirty pages
/// of each file before it reads it. Where that does not suffice, on tmpfs and where other computers
/// or programs write (network, FUSE), Linux says so and nothing is kept. Exceptions are Windows,
/// and systems where a file cannot be written back because it was opened for reading. Whoever
/// writes to the disk itself, or sets back the system's clock, also goes unnoticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    format: String,
    info_hash_v1: Option<String>,
    info_hash_v2: Option<String>,
    /// The start of the check that found the oldest result, in seconds since 1970.
    oldest: u64,
    /// The bitfield: piece 0 is the most significant bit of the first byte.
    #[serde(with = "hex::serde")]
    good_pieces: Vec<u8>,
    /// A stamp for each file that can be trusted, in the torrent's order.
    files: Vec<Option<Stamp>>,
}

/// Why a saved state is not usable for a torrent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// It is not JSON with the fields of a state.
    #[error("not the state of a torrent: {0}")]
    NotAState(#[from] serde_json::Error),
    /// It has another format, such as that of an earlier version.
    #[error("the format is {0:?}, not {FORMAT:?}")]
    Format(
        /// Its format.
        String,
    ),
    /// Its checksum is wrong.
    #[error("it is damaged")]
    Damaged,
    /// It belongs to another torrent.
    #[error("it belongs to another torrent")]
    OtherTorrent,
    /// Its numbers of pieces or files are not those of the torrent.
    #[error("its numbers of pieces or files are not those of the torrent")]
    OtherCounts,
}

impl State {
    /// The state with these results, the oldest of a check that began at `oldest`.
    pub(crate) fn new(
        torrent: &Torrent,
        oldest: SystemTime,
        good_pieces: Vec<u8>,
        files: Vec<Option<Stamp>>,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            info_hash_v1: torrent.info_hash_v1().map(hex::encode),
            info_hash_v2: torrent.info_hash_v2().map(hex::encode),
            oldest: oldest.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            good_pieces,
            files,
        }
    }

    /// Reads the saved state of a torrent.
    ///
    /// # Errors
    ///
    /// Returns [`StateError`] if `bytes` is not a saved state, is damaged, or belongs to another
    /// torrent or format.
    pub fn read(torrent: &Torrent, bytes: &[u8]) -> Result<Self, StateError> {
        let state: Self = serde_json::from_slice(bytes)?;
        if state.format != FORMAT {
            return Err(StateError::Format(state.format));
        }
        // With the checksum, which is not a field.
        if bytes != state.to_bytes() {
            return Err(StateError::Damaged);
        }
        if state.info_hash_v1 != torrent.info_hash_v1().map(hex::encode)
            || state.info_hash_v2 != torrent.info_hash_v2().map(hex::encode)
        {
            return Err(StateError::OtherTorrent);
        }
        let pieces = torrent.pieces().count();
        if state.good_pieces.len() as u64 != pieces.div_ceil(8)
            || state.files.len() != torrent.files().len()
        {
            return Err(StateError::OtherCounts);
        }
        Ok(state)
    }

    /// The bytes to save.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let checksum = hex::encode(sha256_multi::hash(to_json(self)));
        to_json(&Checked { state: self, checksum })
    }

    /// The start of the check that found the oldest of the results, to the second.
    ///
    /// A disk can lose bits of a file without a trace in its metadata. Drop results that are too
    /// old to read all pieces again.
    #[must_use]
    pub fn oldest(&self) -> SystemTime {
        UNIX_EPOCH.checked_add(Duration::from_secs(self.oldest)).unwrap_or(UNIX_EPOCH)
    }

    pub(crate) fn was_good(&self, piece: u64) -> bool {
        let byte = usize::try_from(piece / 8).ok().and_then(|place| self.good_pieces.get(place));
        byte.is_some_and(|byte| byte & (0x80 >> (piece % 8)) != 0)
    }

    pub(crate) fn stamp(&self, file: usize) -> Option<&Stamp> {
        self.files.get(file)?.as_ref()
    }
}

/// What is saved: the state with its SHA-256. A disk that loses bits must not make a bad piece
/// good.
#[derive(Serialize)]
struct Checked<'s> {
    #[serde(flatten)]
    state: &'s State,
    checksum: String,
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("strings, numbers and lists always serialize")
}

/// One bit per piece, as in the BitTorrent `bitfield` message: most significant bit first.
pub(crate) fn bitfield(pieces: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, is_set) in pieces.enumerate() {
        if index % 8 == 0 {
            bytes.push(0);
        }
        if let Some(byte) = bytes.last_mut() {
            *byte |= u8::from(is_set) << (7 - index % 8);
        }
    }
    bytes
}
