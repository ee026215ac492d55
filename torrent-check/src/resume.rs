//! Saves the results of a check for the next one.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::Torrent;
use crate::stamp::Stamp;

/// The value of the first field. It ends with the version of the format.
const FORMAT: &str = "torrent-check resume 2";

/// The pieces that an earlier check found good, and the state of their files at that time.
///
/// A piece is not read again as long as the device, inode, length, modification time and change
/// time (Unix) of all its files are the same. A program that writes to a file cannot restore its
/// change time. Renaming a file or changing its permissions also changes that time, so the file is
/// read again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
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

/// Why a resume file is not usable for a torrent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// It is not JSON, or does not have the right fields.
    #[error("not a resume file: {0}")]
    Malformed(
        /// The fault and its position.
        String,
    ),
    /// It was written by another program, or by another version of this one.
    #[error("the format is {0:?}, not {FORMAT:?}")]
    Format(
        /// The format that it states.
        String,
    ),
    /// Its info hashes are not those of the torrent.
    #[error("it belongs to another torrent")]
    OtherTorrent,
    /// Its numbers of pieces and files are not those of the torrent.
    #[error("it is damaged: its numbers of pieces and files are {pieces} and {files}")]
    Damaged {
        /// The number of pieces it has room for.
        pieces: usize,
        /// The number of files it lists.
        files: usize,
    },
}

impl Resume {
    pub(crate) fn new(
        torrent: &Torrent,
        good: impl Iterator<Item = bool>,
        stamps: impl Iterator<Item = Option<Stamp>>,
        examined_at: SystemTime,
        oldest: SystemTime,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            info_hash_v1: torrent.info_hash_v1().map(hex::encode),
            info_hash_v2: torrent.info_hash_v2().map(hex::encode),
            oldest: oldest.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            good_pieces: bitfield(good),
            files: stamps
                .map(|stamp| stamp.filter(|stamp| stamp.is_settled(examined_at)))
                .collect(),
        }
    }

    /// Reads a resume file of a torrent.
    ///
    /// # Errors
    ///
    /// Returns [`ResumeError`] if `bytes` is not a resume file, is damaged, or belongs to another
    /// torrent or format.
    pub fn read(torrent: &Torrent, bytes: &[u8]) -> Result<Self, ResumeError> {
        let resume: Self = serde_json::from_slice(bytes)
            .map_err(|error| ResumeError::Malformed(error.to_string()))?;
        if resume.format != FORMAT {
            return Err(ResumeError::Format(resume.format));
        }
        let (pieces, files) = (std::iter::empty(), std::iter::empty());
        let expected = Self::new(torrent, pieces, files, UNIX_EPOCH, UNIX_EPOCH);
        if (&resume.info_hash_v1, &resume.info_hash_v2)
            != (&expected.info_hash_v1, &expected.info_hash_v2)
        {
            return Err(ResumeError::OtherTorrent);
        }
        let pieces = crate::pieces::Pieces::new(torrent).len();
        if resume.good_pieces.len() as u64 != pieces.div_ceil(8)
            || resume.files.len() != torrent.files().len()
        {
            let (pieces, files) = (8 * resume.good_pieces.len(), resume.files.len());
            return Err(ResumeError::Damaged { pieces, files });
        }
        Ok(resume)
    }

    /// The content of the resume file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("strings, numbers and lists always serialize")
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
