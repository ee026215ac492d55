//! Landmarks: sizes of a log whose subtrees relying parties know in advance.

use alloc::vec::Vec;
use core::fmt;

use super::{MAX_ENTRIES, Subtree};

/// A landmark of a log (section 6.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Landmark {
    /// The number, counted from zero.
    pub number: u64,
    /// The number of entries of the log.
    pub tree_size: u64,
    /// When all certificates in the log have expired, in seconds since 1970.
    pub expiration: u64,
}

impl Landmark {
    /// Whether certificates relative to this landmark may still be valid at a time, in seconds
    /// since 1970.
    #[must_use]
    pub fn is_active(&self, now: u64) -> bool {
        self.number > 0 && self.expiration >= now
    }
}

/// The latest landmarks of a log, as a certification authority publishes them (section 6.4.3).
///
/// ```
/// use merkle_lanes::rfc6962::mtc::Landmarks;
///
/// let text = "3\n200 1790003600\n150 1790000000\n90 1789000000\n";
/// let landmarks = Landmarks::parse(text, 1_789_999_999)?;
/// // Entry 120 is in the log since landmark 2, and the certificate relative to it has a proof in
/// // one of its subtrees.
/// let (landmark, subtree) = landmarks.subtree_of(120).expect("there is a landmark");
/// assert_eq!((landmark.number, subtree.start(), subtree.end()), (2, 64, 128));
/// assert_eq!(landmarks.to_string(), text);
/// # Ok::<(), merkle_lanes::rfc6962::mtc::LandmarksError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Landmarks {
    /// In ascending order of their numbers, which are consecutive. Never empty.
    landmarks: Vec<Landmark>,
}

/// The error for a text that is not a list of landmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LandmarksError {
    /// A line is not what it must be: a number, or two with a space between, and a line feed.
    Malformed {
        /// The number of the line, counted from one.
        line: usize,
    },
    /// A tree size is not less than the one before it, or an expiration is greater.
    Unordered {
        /// The number of the line, counted from one.
        line: usize,
    },
    /// There are more lines than landmarks, or landmark zero is not empty.
    BeforeZero {
        /// The number of the line, counted from one.
        line: usize,
    },
    /// No landmark has expired, so there may be active ones that are missing.
    NoneExpired,
}

error_messages!(LandmarksError {
    Self::Malformed { line } => "line {line} is malformed: numbers without leading zeros";
    Self::Unordered { line } =>
        "line {line} does not have a smaller tree size and an expiration that is not later";
    Self::BeforeZero { line } => "line {line} contradicts landmark zero, of size and expiration 0";
    Self::NoneExpired => "no landmark has expired, so active ones may be missing";
});

impl Landmarks {
    /// Reads a list of landmarks.
    ///
    /// # Errors
    ///
    /// Returns [`LandmarksError`] if a line does not strictly conform to the draft, or no landmark
    /// has expired before `now`, in seconds since 1970.
    pub fn parse(text: &str, now: u64) -> Result<Self, LandmarksError> {
        let mut lines = (1..).zip(text.split_inclusive('\n'));
        let malformed = |line| LandmarksError::Malformed { line };
        let header = lines.next().and_then(|(_, line)| decimal(line.strip_suffix('\n')?));
        let latest = header.filter(|&number| number <= MAX_ENTRIES).ok_or(malformed(1))?;
        let mut number = Some(latest);
        let mut landmarks: Vec<Landmark> = Vec::new();
        for (line, text) in lines {
            let values = text.strip_suffix('\n').and_then(|text| text.split_once(' '));
            let values = values.and_then(|(size, time)| Some((decimal(size)?, decimal(time)?)));
            let (tree_size, expiration) =
                values.filter(|&(size, _)| size <= MAX_ENTRIES).ok_or(malformed(line))?;
            let number_here = number.ok_or(LandmarksError::BeforeZero { line })?;
            if (number_here == 0) != (tree_size == 0) || number_here == 0 && expiration != 0 {
                return Err(LandmarksError::BeforeZero { line });
            }
            if landmarks
                .last()
                .is_some_and(|after| tree_size >= after.tree_size || expiration > after.expiration)
            {
                return Err(LandmarksError::Unordered { line });
            }
            landmarks.push(Landmark { number: number_here, tree_size, expiration });
            number = number_here.checked_sub(1);
        }
        if landmarks.last().is_none_or(|first| first.expiration >= now) {
            return Err(LandmarksError::NoneExpired);
        }
        landmarks.reverse();
        Ok(Self { landmarks })
    }

    /// The landmarks, in ascending order.
    #[must_use]
    pub fn all(&self) -> &[Landmark] {
        &self.landmarks
    }

    /// The landmarks that are active at a time, in seconds since 1970, with the subtrees that a
    /// relying party must know the roots of.
    pub fn active(&self, now: u64) -> impl Iterator<Item = (Landmark, [Subtree; 2])> {
        self.landmarks
            .windows(2)
            .filter(move |pair| pair[1].is_active(now))
            .map(|pair| (pair[1], subtrees(&pair[0], &pair[1])))
    }

    /// The landmark and the subtree that the certificate of an entry is relative to: of the first
    /// landmark that has the entry. `None` if there is none yet, or it is before those listed.
    #[must_use]
    pub fn subtree_of(&self, index: u64) -> Option<(Landmark, Subtree)> {
        let after = self.landmarks.partition_point(|landmark| landmark.tree_size <= index);
        let (before, landmark) =
            (self.landmarks.get(after.checked_sub(1)?)?, self.landmarks.get(after)?);
        let has_entry = |subtree: &Subtree| (subtree.start()..subtree.end()).contains(&index);
        let subtree = subtrees(before, landmark).into_iter().find(has_entry)?;
        Some((*landmark, subtree))
    }
}

/// The landmark subtrees: those that cover what the log gained since the landmark before.
fn subtrees(before: &Landmark, landmark: &Landmark) -> [Subtree; 2] {
    let (left, right) =
        Subtree::covering(before.tree_size, landmark.tree_size).expect("sizes are ascending");
    [left, right]
}

/// A number without a sign and leading zeros.
fn decimal(text: &str) -> Option<u64> {
    let is_shortest = text == "0" || !text.starts_with(['0', '+']);
    if is_shortest { text.parse().ok() } else { None }
}

/// The text that [`parse`](Landmarks::parse) reads.
impl fmt::Display for Landmarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, landmark) in self.landmarks.iter().rev().enumerate() {
            if i == 0 {
                writeln!(f, "{}", landmark.number)?;
            }
            writeln!(f, "{} {}", landmark.tree_size, landmark.expiration)?;
        }
        Ok(())
    }
}
