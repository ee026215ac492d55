//! Verdicts on pieces and files.

use std::path::PathBuf;

/// The verdict on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PieceVerdict {
    /// Its hash is right; in a hybrid torrent both hashes are.
    Good,
    /// An earlier check found it good, and its files have not changed since.
    Trusted,
    /// It is complete, but a hash is wrong.
    Bad(WrongHash),
    /// None of its bytes exist: its files are missing or too short. Or it is not good because it is
    /// not downloaded: it has a hole that was never written, or aria2 has not finished it.
    Missing,
    /// Some of its bytes cannot be read, so the others cannot be verified.
    Unverifiable,
    /// It has no bytes of the requested files.
    Skipped,
    /// The check was cancelled or ended by other damage first, or covers only lengths.
    Unchecked,
}

/// Which hash of a piece is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongHash {
    /// Every hash that the torrent has.
    All,
    /// Only the SHA-1; the v2 hash is right. The torrent contradicts itself.
    OnlyV1,
    /// Only the v2 hash; the SHA-1 is right. The data are a SHA-1 collision, or the torrent
    /// contradicts itself.
    OnlyV2,
}

/// The verdict on a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileVerdict {
    /// It has the right length, and all its pieces are good.
    Good,
    /// It has the right length, but a piece is bad. Others may not be downloaded.
    Bad,
    /// It has the right length and no piece is bad, but pieces are missing: they have holes that
    /// were never written, or aria2 has not downloaded them.
    Unfinished,
    /// It does not exist. Or its path is not valid in the torrent, and the one that clients give it
    /// instead is that of another file of the torrent.
    Missing,
    /// It is too short. The pieces that it still has are checked.
    TooShort {
        /// The number of missing bytes.
        by: u64,
    },
    /// It is too long. Its pieces are checked; all of them may be good.
    TooLong {
        /// The number of excess bytes.
        by: u64,
    },
    /// It could not be read completely.
    Unreadable(
        /// The error message of the operating system.
        String,
    ),
    /// It was modified or replaced while being read. What was read is discarded.
    Changed,
    /// There is something other than a file at its path.
    NotAFile(
        /// What was found, with an article.
        &'static str,
    ),
    /// It should be a symbolic link, but is something else.
    NotALink(
        /// What was found, with an article.
        &'static str,
    ),
    /// A link leads out of the folder. It is not followed.
    EscapesRoot,
    /// It is a symbolic link with the wrong target.
    WrongLink(
        /// The target of the link on disk.
        PathBuf,
    ),
    /// It has the right length and no piece is bad, but some pieces need bytes of other files that
    /// cannot be read.
    Unverifiable,
    /// The check was cancelled or ended by other damage before all of it was read, or covers only
    /// lengths.
    Unchecked,
    /// It was not requested.
    Skipped,
    /// It is padding, which need not exist.
    Pad,
}

/// Piece counts by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Good, including the trusted ones.
    pub good: u64,
    /// Trusted from an earlier check.
    pub trusted: u64,
    /// Bad.
    pub bad: u64,
    /// Missing.
    pub missing: u64,
    /// Unverifiable.
    pub unverifiable: u64,
    /// Skipped.
    pub skipped: u64,
    /// Not checked, because the check was cancelled.
    pub unchecked: u64,
}

impl PieceVerdict {
    /// Whether the piece is good or trusted.
    #[must_use]
    pub fn is_good(self) -> bool {
        matches!(self, Self::Good | Self::Trusted)
    }

    pub(crate) fn is_damage(self) -> bool {
        matches!(self, Self::Bad(_) | Self::Missing | Self::Unverifiable)
    }
}

impl Counts {
    pub(crate) fn of(verdicts: &[PieceVerdict]) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            *match verdict {
                PieceVerdict::Good => &mut counts.good,
                PieceVerdict::Trusted => &mut counts.trusted,
                PieceVerdict::Bad(_) => &mut counts.bad,
                PieceVerdict::Missing => &mut counts.missing,
                PieceVerdict::Unverifiable => &mut counts.unverifiable,
                PieceVerdict::Skipped => &mut counts.skipped,
                PieceVerdict::Unchecked => &mut counts.unchecked,
            } += 1;
        }
        counts.good += counts.trusted;
        counts
    }

    /// The number of pieces.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.good + self.bad + self.missing + self.unverifiable + self.skipped + self.unchecked
    }
}
