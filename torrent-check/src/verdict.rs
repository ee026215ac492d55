//! What can be said of pieces and of files.

use std::path::PathBuf;

/// What is said of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PieceVerdict {
    /// Its hash is right; in a hybrid torrent both are.
    Good,
    /// An earlier check has found it good, and its files have not changed since.
    Trusted,
    /// It is all there, but a hash is wrong.
    Bad(WrongHash),
    /// None of its bytes are there: its files are missing or too short.
    Missing,
    /// Some of its bytes cannot be had, so nothing can be said of the others.
    Unverifiable,
    /// It is of no file that was asked for.
    Skipped,
    /// The check was cancelled before it.
    Unchecked,
}

/// Which hash of a piece is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongHash {
    /// Every one that the torrent has.
    All,
    /// The SHA-1 alone, while v2's is right: the torrent contradicts itself.
    OnlyV1,
    /// The one of v2 alone, while the SHA-1 is right: somebody has made other data with the same
    /// SHA-1, or the torrent contradicts itself.
    OnlyV2,
}

/// What is said of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileVerdict {
    /// It is there, has the right length, and all its pieces are good.
    Good,
    /// It has the right length, but a piece is bad.
    Bad,
    /// It is not there.
    Missing,
    /// It is too short. Its other pieces are checked.
    TooShort {
        /// How many bytes are lacking.
        by: u64,
    },
    /// It is too long. Its pieces are checked; they may all be good.
    TooLong {
        /// How many bytes too many it has.
        by: u64,
    },
    /// It could not be read, or not all of it.
    Unreadable(
        /// What the system says.
        String,
    ),
    /// Somebody wrote to it while it was read, or put another in its place. What was read is not
    /// trusted.
    Changed,
    /// Something else has its name.
    NotAFile(
        /// What.
        &'static str,
    ),
    /// It should be a link, and is something else.
    NotALink(
        /// What.
        &'static str,
    ),
    /// A link leads out of the folder. It is not followed.
    EscapesRoot,
    /// It should be a link to one place and is one to another.
    WrongLink(
        /// What the link says.
        PathBuf,
    ),
    /// It has the right length and no piece is bad, but some could not be verified: they have bytes
    /// in common with files that are not there.
    Unverifiable,
    /// The check was cancelled before all of it was read.
    Unchecked,
    /// Nobody asked.
    Skipped,
    /// It is padding, which need not be there.
    Pad,
}

/// How many pieces are what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Good, those included that are trusted.
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
    /// Whether the piece is what it should be.
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

    /// How many pieces there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.good + self.bad + self.missing + self.unverifiable + self.skipped + self.unchecked
    }
}
