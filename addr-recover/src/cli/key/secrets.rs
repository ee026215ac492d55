//! The private keys that a search for the owner of an address tries.

use std::sync::LazyLock;
use std::time::Instant;

use addr_recover::{Damage, Estimate, KeyFinder, KeyHash, KeyRange, ParseError, SecretRange};
use ethnum::U256;
use k256::Scalar;
use rayon::prelude::*;
use zeroize::{Zeroize, Zeroizing};

use super::owner::Owner;
use crate::cli::shard::Shard;

/// The number of private keys per task: some milliseconds.
const TASK: u64 = 1 << 14;

/// How often a task is measured.
const SAMPLES: u32 = 4;

/// A private key takes about as long as this many hashes of a search for checksums.
pub(crate) const HASHES_PER_SECRET: u64 = 4;

/// The number of hexadecimal digits of a private key.
const DIGITS: usize = 64;

/// The maximum number of digits that are missing or extra.
const MAX_LENGTH_DIFFERENCE: usize = 4;

/// The maximum number of characters of a text that are no digits.
const MAX_FOREIGN: usize = 4;

/// The maximum number of ranges of hexadecimal digits, and of texts with them.
const MAX_RANGES: usize = 1 << 20;

/// The place of an unreadable digit.
const UNKNOWN: u8 = 16;

/// The texts that one more edit makes of a text.
type Edit = fn(&[u8]) -> Edited<'_>;

type Edited<'a> = Box<dyn ExactSizeIterator<Item = Digits> + 'a>;

/// The digits of a private key, some of them unknown.
pub(crate) type Digits = Zeroizing<Vec<u8>>;

/// The greatest private key: the order of secp256k1 less one.
static MAX: LazyLock<U256> =
    LazyLock::new(|| U256::from_be_bytes((-Scalar::ONE).to_bytes().into()));

/// Private keys at the same distances, a power of two: the first and the last one, and the exponent
/// of the distance.
type Sequence = (SecretRange, u32);

/// Private keys to search.
#[derive(Clone, Debug)]
pub(crate) struct Secrets(Zeroizing<Vec<Sequence>>);

impl Secrets {
    pub(crate) fn new(mut ranges: Zeroizing<Vec<SecretRange>>) -> Self {
        ranges.sort_unstable();
        ranges.dedup_by(|[first, last], [_, end]| {
            let overlaps = *first <= *end;
            if overlaps {
                *end = (*last).max(*end);
            }
            overlaps
        });
        Self(Zeroizing::new(ranges.iter().map(|&range| (range, 0)).collect()))
    }

    /// The private keys that some hexadecimal digits may be.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::TooComplex`] if they are too many ranges.
    pub(crate) fn of_digits(digits: &Digits, damage: &Damage) -> Result<Self, ParseError> {
        let edits: [(u8, Edit); 5] = [
            (damage.surplus, |text| all(0..text.len(), move |at| spliced(text, at, 1, &[]))),
            (damage.swapped, |text| {
                all(1..text.len(), move |at| spliced(text, at - 1, 2, &[text[at], text[at - 1]]))
            }),
            (damage.typos, |text| all(0..text.len(), move |at| spliced(text, at, 1, &[UNKNOWN]))),
            (damage.missing, |text| {
                all(0..text.len() + 1, move |at| spliced(text, at, 0, &[UNKNOWN]))
            }),
            (damage.cut, |text| all([0, text.len()], move |at| spliced(text, at, 0, &[UNKNOWN]))),
        ];
        let mut texts = vec![digits.clone()];
        for (count, edit) in edits {
            for _ in 0..count {
                let count: usize = texts.iter().map(|text| edit(text).len()).sum();
                if texts.len() + count > MAX_RANGES {
                    return Err(ParseError::TooComplex);
                }
                let edited: Vec<Digits> = texts.iter().flat_map(|text| edit(text)).collect();
                texts.extend(edited);
            }
        }
        texts.retain(|text| text.len() == DIGITS);
        texts.sort_unstable_by(|a, b| a[..].cmp(&b[..]));
        texts.dedup();
        let mut sequences = Zeroizing::new(Vec::new());
        for text in &texts {
            append(text, &mut sequences).ok_or(ParseError::TooComplex)?;
        }
        Ok(Self(sequences))
    }

    /// The number of private keys, some of which may be the same.
    pub(crate) fn count(&self) -> U256 {
        self.legal().fold(U256::ZERO, |sum, (first, last, shift)| {
            sum + ((last - first) >> shift) + U256::ONE
        })
    }

    /// The work of a search, in hashes of a search for checksums.
    pub(crate) fn hashes(&self) -> f64 {
        self.count().as_f64() * HASHES_PER_SECRET as f64
    }

    /// What comparing them with an address costs, which has 160 bits of a hash, if so many texts
    /// have them.
    pub(crate) fn estimate(&self, candidates: f64) -> Estimate {
        let expected_by_chance = self.count().as_f64() * 2_f64.powi(-160);
        Estimate { candidates, hashes: self.hashes(), expected_by_chance }
    }

    /// Passes each private key of the owner in one part to a function, on any thread. Calls `add`
    /// with the number of private keys tried, which returns whether to continue. Returns whether it
    /// did.
    pub(crate) fn search(
        &self,
        owner: &Owner,
        Shard { index, count }: Shard,
        found: &(dyn Fn(&[u8; 32]) + Sync),
        add: &(dyn Fn(u64) -> bool + Sync),
    ) -> bool {
        let finder = self.finder(&owner.hash, &owner.hashes);
        self.tasks().skip(index - 1).step_by(count).par_bridge().all(|task| {
            finder.find(&task, &mut |secret| found(secret));
            add(task.iter().map(KeyRange::len).sum())
        })
    }

    /// How many seconds a search for an owner takes on one thread, from searching a part of it.
    pub(crate) fn seconds(&self, owner: &Owner) -> f64 {
        let Some(task) = self.tasks().next() else { return 0.0 };
        // That of nobody.
        let finder = self.finder(&[0; 20], &owner.hashes);
        let search = || finder.find(&task, &mut |_| ());
        // The first search makes lists that all share.
        search();
        let begin = Instant::now();
        (0..SAMPLES).for_each(|_| search());
        let tried = task.iter().map(KeyRange::len).sum::<u64>() * u64::from(SAMPLES);
        begin.elapsed().as_secs_f64() / tried as f64 * self.count().as_f64()
    }

    fn finder(&self, hash: &[u8; 20], hashes: &[KeyHash]) -> KeyFinder {
        // The longest part of a sequence in a task, for each distance.
        let longest = self.legal().filter_map(|sequence| range(sequence, TASK));
        KeyFinder::new(hash, hashes, longest)
    }

    /// The first and the last legal private key of each sequence, and the exponent of the distance.
    fn legal(&self) -> impl Iterator<Item = (U256, U256, u32)> + Send {
        self.0.iter().filter_map(|(range, shift)| {
            let (shift, step) = (*shift, U256::ONE << *shift);
            let [first, last] = range.map(U256::from_be_bytes);
            let first = if first == U256::ZERO { step } else { first };
            // One step less may be enough, or it is too few.
            let last = last.min(*MAX);
            let steps = last.checked_sub(first)? >> shift;
            Some((first, first + (steps << shift), shift))
        })
    }

    /// The private keys in parts of [`TASK`].
    fn tasks(&self) -> impl Iterator<Item = Vec<KeyRange>> + Send {
        let mut sequences = self.legal();
        let mut rest = None;
        std::iter::from_fn(move || {
            // A task that grew would leave copies behind.
            let (mut task, mut len) = (Vec::with_capacity(TASK as usize), 0);
            while len < TASK {
                let Some(sequence) = rest.take().or_else(|| sequences.next()) else { break };
                let part = range(sequence, TASK - len)?;
                len += part.len();
                rest = after(sequence, part.len());
                task.push(part);
            }
            (!task.is_empty()).then_some(task)
        })
    }
}

/// The first private keys of a sequence, at most this many.
fn range((first, last, shift): (U256, U256, u32), max: u64) -> Option<KeyRange> {
    let len = ((last - first) >> shift) + U256::ONE;
    let len = len.min(U256::from(max)).as_u64();
    let mut first = first.to_be_bytes();
    let range = KeyRange::new(&first, &(U256::ONE << shift).to_be_bytes(), len).ok();
    first.zeroize();
    range
}

/// What follows the first private keys of a sequence.
fn after((first, last, shift): (U256, U256, u32), len: u64) -> Option<(U256, U256, u32)> {
    let first = first.checked_add(U256::from(len) << shift)?;
    (first <= last).then_some((first, last, shift))
}

/// The digits of a text in which hardly anything else is but white space, dashes and `0x` before
/// them.
pub(crate) fn digits_in(text: &str) -> Option<Digits> {
    let text = text.trim().trim_matches(['"', '\'', '`']);
    let text = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let mut digits = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut foreign = 0;
    for character in text.chars().filter(|c| !(c.is_whitespace() || matches!(c, '-' | ':'))) {
        let digit = match character {
            // What looks like a digit.
            'o' | 'O' => 0,
            'l' | 'I' | 'i' => 1,
            _ => character.to_digit(16).map_or(UNKNOWN, |digit| digit as u8),
        };
        foreign += usize::from(digit == UNKNOWN && !matches!(character, '?' | '_' | '*'));
        digits.push(digit);
    }
    let unreadable = digits.iter().filter(|&&digit| digit == UNKNOWN).count();
    let is_long = digits.len().abs_diff(DIGITS) <= MAX_LENGTH_DIFFERENCE;
    (is_long && unreadable <= DIGITS / 2 && foreign <= MAX_FOREIGN).then_some(digits)
}

/// The digits of the 32 bytes that a text in Base58 without a checksum has.
pub(crate) fn digits_of_bytes(text: &str) -> Option<Digits> {
    let mut bytes = Zeroizing::new([0; DIGITS / 2]);
    let length = bs58::decode(text.trim()).onto(&mut *bytes).ok()?;
    let digits = || bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    (length == bytes.len()).then(|| Zeroizing::new(digits().collect()))
}

fn all<'a>(
    places: impl IntoIterator<Item = usize, IntoIter: ExactSizeIterator + 'a>,
    edit: impl Fn(usize) -> Digits + 'a,
) -> Edited<'a> {
    Box::new(places.into_iter().map(edit))
}

/// The text with others in the place of some digits.
fn spliced(text: &[u8], at: usize, count: usize, with: &[u8]) -> Digits {
    Zeroizing::new([&text[..at], with, &text[at + count..]].concat())
}

/// Appends the sequences of private keys that some digits may be: each has the last unknown digits
/// in a row. Returns `None` if there are too many.
fn append(digits: &[u8], sequences: &mut Vec<Sequence>) -> Option<()> {
    let is_unknown = |digit: &u8| *digit == UNKNOWN;
    let end = digits.iter().rposition(is_unknown).map_or(DIGITS, |last| last + 1);
    let known_before = digits[..end].iter().rposition(|digit| !is_unknown(digit));
    let begin = known_before.map_or(0, |last| last + 1);
    // Without any, there is one private key.
    let begin = if begin == end { DIGITS } else { begin };
    let number = |digits: &[u8], unknown: u8| {
        let digit = |&digit: &u8| if digit == UNKNOWN { unknown } else { digit };
        digits.iter().map(digit).fold(U256::ZERO, |sum, digit| sum << 4_u32 | U256::from(digit))
    };
    let ends = [number(&digits[begin..], 0), number(&digits[begin..], 15)];
    let (after, free) = (4 * (DIGITS - end) as u32, 4 * (DIGITS - begin) as u32);
    let mut append = |begin: U256| {
        let begin = begin.checked_shl(free).unwrap_or(U256::ZERO);
        sequences.push((ends.map(|end| (begin + end).to_be_bytes()), after));
        (sequences.len() <= MAX_RANGES).then_some(())
    };
    for_each_number(&digits[..begin], U256::ZERO, &mut append)
}

/// Calls a function with each number that some digits may be.
fn for_each_number(
    digits: &[u8],
    begin: U256,
    visit: &mut impl FnMut(U256) -> Option<()>,
) -> Option<()> {
    let Some((&digit, rest)) = digits.split_first() else { return visit(begin) };
    let mut digits = if digit == UNKNOWN { 0..UNKNOWN } else { digit..digit + 1 };
    digits.try_for_each(|digit| for_each_number(rest, begin << 4_u32 | U256::from(digit), visit))
}
