//! Keeps the results of a check for the next one.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::stamp::Stamp;
use crate::survey::Survey;
use crate::verdict::PieceVerdict;
use crate::{Segment, Torrent};

/// The value of the first field. It ends with the version of the format.
const FORMAT: &str = "torrent-check state 3";

/// The pieces that a check found good, and the state of their files at that time.
///
/// The [next check](crate::Check::state) does not read such a piece again as long as the device,
/// inode, length, modification time and change time (Unix) of all its files are the same. A program
/// that writes to a file cannot restore its change time. Renaming a file or changing its
/// permissions also changes that time, so the file is read again.
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
#[error("{0}")]
pub struct StateError(String);

impl State {
    /// The results of a check so far. Pieces without a verdict keep the result of the earlier
    /// check, unless one of their files is known to have changed.
    pub(crate) fn new(survey: &Survey<'_>, verdicts: &[PieceVerdict]) -> Self {
        let (torrent, before, began) = (survey.torrent, survey.before, survey.began);
        // The stamp of a file from this check, or from the earlier one if it was not examined.
        let stamp = |file: usize| match survey.was_examined(file) {
            false => before?.stamp(file),
            true if survey.failure(file).is_some() => None,
            true => survey.stamp(file),
        };
        let was_good = |before: &Self, piece: u64| {
            let is_same = |part: Segment| {
                let earlier = before.stamp(part.file);
                earlier.is_some() && earlier == stamp(part.file)
            };
            before.was_good(piece) && torrent.parts(piece).all(is_same)
        };
        // Whether results of the earlier check are kept.
        let mut keeps = false;
        let mut is_good = |(piece, verdict): (u64, &PieceVerdict)| match verdict {
            PieceVerdict::Skipped | PieceVerdict::Unchecked => {
                let is_kept = before.is_some_and(|before| was_good(before, piece));
                keeps |= is_kept;
                is_kept
            }
            verdict => {
                keeps |= *verdict == PieceVerdict::Trusted;
                verdict.is_good()
            }
        };
        let good_pieces = bitfield((0..).zip(verdicts).map(&mut is_good));
        let oldest = before.filter(|_| keeps).map_or(began, |before| before.oldest().min(began));
        let settled = |file| stamp(file).filter(|stamp| stamp.is_settled(began)).copied();
        Self {
            format: FORMAT.to_owned(),
            info_hash_v1: torrent.info_hash_v1().map(hex::encode),
            info_hash_v2: torrent.info_hash_v2().map(hex::encode),
            oldest: oldest.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            good_pieces,
            files: (0..torrent.files().len()).map(settled).collect(),
        }
    }

    /// Reads the saved state of a torrent.
    ///
    /// # Errors
    ///
    /// Returns [`StateError`] if `bytes` is not a saved state, is damaged, or belongs to another
    /// torrent or format.
    pub fn read(torrent: &Torrent, bytes: &[u8]) -> Result<Self, StateError> {
        let refuse = |why: &str| Err(StateError(why.to_owned()));
        let state: Self = serde_json::from_slice(bytes)
            .map_err(|error| StateError(format!("not the state of a torrent: {error}")))?;
        if state.format != FORMAT {
            return refuse(&format!("the format is {:?}, not {FORMAT:?}", state.format));
        }
        // With the checksum, which is not a field.
        if bytes != state.to_bytes() {
            return refuse("it is damaged");
        }
        if state.info_hash_v1 != torrent.info_hash_v1().map(hex::encode)
            || state.info_hash_v2 != torrent.info_hash_v2().map(hex::encode)
        {
            return refuse("it belongs to another torrent");
        }
        let pieces = torrent.pieces().count();
        if state.good_pieces.len() as u64 != pieces.div_ceil(8)
            || state.files.len() != torrent.files().len()
        {
            return refuse("its numbers of pieces or files are not those of the torrent");
        }
        Ok(state)
    }

    /// The bytes to save.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let checksum = hex::encode(sha256_multi::hash(&to_json(self)));
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

/// Gets the results so far.
pub(crate) type Save<'a> = &'a (dyn Fn(&State) + Sync);

/// Passes on the results of all threads at intervals.
pub(crate) struct Saver<'a> {
    interval: Duration,
    save: Save<'a>,
    survey: &'a Survey<'a>,
    /// The results so far, and when they were last passed on.
    results: Mutex<(Vec<PieceVerdict>, Instant)>,
}

impl<'a> Saver<'a> {
    pub(crate) fn new(
        interval: Duration,
        save: Save<'a>,
        survey: &'a Survey<'a>,
        verdicts: Vec<PieceVerdict>,
    ) -> Self {
        Self { interval, save, survey, results: Mutex::new((verdicts, Instant::now())) }
    }

    /// Adds verdicts on pieces, and passes on all results if it is time.
    pub(crate) fn add(&self, verdicts: &[(u64, PieceVerdict)]) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, saved_at) = &mut *results;
        for &(piece, verdict) in verdicts {
            all[piece as usize] = verdict;
        }
        if saved_at.elapsed() >= self.interval {
            (self.save)(&State::new(self.survey, all));
            *saved_at = Instant::now();
        }
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
