//! What an earlier check has found good, for the next one.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::Torrent;
use crate::stamp::Stamp;

/// What the first field says. Another form of this file would have another number.
const FORMAT: &str = "torrent-check resume 1";

/// Which pieces an earlier check has found good, and of which files.
///
/// A piece is not read again while each of its files has the same device, inode, length, time of
/// modification and time of change (Unix), which a program that writes to a file cannot put back. A
/// file with a new name or other permissions is read again, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    format: String,
    info_hash_v1: Option<String>,
    info_hash_v2: Option<String>,
    /// In hexadecimal digits; the first bit of the first byte stands for piece 0.
    good_pieces: String,
    /// A stamp of each file that can be trusted, in the torrent's order.
    files: Vec<Option<Stamp>>,
}

/// Why bytes are no resume file of a torrent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// It is no JSON, or not of that form.
    #[error("not a resume file: {0}")]
    Malformed(#[from] serde_json::Error),
    /// Another program has written it, or another version of this one.
    #[error("of format {0:?}, and not {FORMAT:?}")]
    Format(
        /// What it says of itself.
        String,
    ),
    /// Its info hashes are not those of the torrent.
    #[error("of another torrent")]
    OtherTorrent,
    /// There are not as many pieces or files as the torrent has.
    #[error("damaged: it speaks of {pieces} pieces and {files} files")]
    Damaged {
        /// How many pieces it has room for.
        pieces: usize,
        /// How many files it lists.
        files: usize,
    },
}

impl Resume {
    pub(crate) fn new(
        torrent: &Torrent,
        good: impl Iterator<Item = bool>,
        stamps: impl Iterator<Item = Option<Stamp>>,
        looked: SystemTime,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            info_hash_v1: torrent.info_hash_v1().map(|hash| hex(&hash)),
            info_hash_v2: torrent.info_hash_v2().map(|hash| hex(&hash)),
            good_pieces: hex(&bitfield(good)),
            files: stamps.map(|stamp| stamp.filter(|stamp| stamp.is_settled(looked))).collect(),
        }
    }

    /// Reads a resume file of a torrent.
    ///
    /// # Errors
    ///
    /// If it is not one, or one of another torrent.
    pub fn read(torrent: &Torrent, bytes: &[u8]) -> Result<Self, ResumeError> {
        let resume: Self = serde_json::from_slice(bytes)?;
        if resume.format != FORMAT {
            return Err(ResumeError::Format(resume.format));
        }
        let expected =
            Self::new(torrent, std::iter::empty(), std::iter::empty(), SystemTime::UNIX_EPOCH);
        if (&resume.info_hash_v1, &resume.info_hash_v2)
            != (&expected.info_hash_v1, &expected.info_hash_v2)
        {
            return Err(ResumeError::OtherTorrent);
        }
        let pieces = crate::pieces::Pieces::new(torrent).len();
        if resume.good_pieces.len() as u64 != 2 * pieces.div_ceil(8)
            || resume.files.len() != torrent.files().len()
        {
            let (pieces, files) = (4 * resume.good_pieces.len(), resume.files.len());
            return Err(ResumeError::Damaged { pieces, files });
        }
        Ok(resume)
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("text, numbers and lists can be written")
    }

    pub(crate) fn was_good(&self, piece: u64) -> bool {
        let digit = usize::try_from(piece / 4)
            .ok()
            .and_then(|place| self.good_pieces.as_bytes().get(place));
        let digit = digit.and_then(|&digit| char::from(digit).to_digit(16)).unwrap_or(0);
        digit & (8 >> (piece % 4)) != 0
    }

    pub(crate) fn stamp(&self, file: usize) -> Option<&Stamp> {
        self.files.get(file)?.as_ref()
    }
}

/// A bit for each piece, the first one the highest of the first byte, as peers send it.
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

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
