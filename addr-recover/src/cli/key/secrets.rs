//! Finds the private keys of an address among many, by adding points of the curve.
//!
//! The point of the next private key is that of the last one plus a point that mostly is the
//! generator. So a private key takes an addition instead of a multiplication.

use std::collections::HashMap;
use std::hint::black_box;
use std::iter::successors;
use std::sync::LazyLock;
use std::time::Instant;

use addr_recover::{Damage, Estimate, ParseError, SecretRange};
use ethnum::U256;
use k256::elliptic_curve::sec1::ToEncodedPoint;
use k256::elliptic_curve::{BatchNormalize, PrimeField};
use k256::{AffinePoint, EncodedPoint, ProjectivePoint, Scalar};
use rayon::prelude::*;
use zeroize::Zeroizing;

use super::owner::{Hash160, Owner};
use crate::cli::shard::Shard;

/// The number of points that are normalised and hashed together.
const BATCH: usize = 256;

/// The number of private keys per task: some milliseconds.
const TASK: usize = 1 << 14;

/// A private key takes about as long as this many hashes of a search for checksums.
pub(crate) const HASHES_PER_SECRET: u64 = 8;

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

/// Private keys, which are wiped from memory.
type Wiped = Zeroizing<Vec<[u8; 32]>>;

/// The greatest private key: the order of secp256k1 less one.
static MAX: LazyLock<U256> =
    LazyLock::new(|| U256::from_be_bytes((-Scalar::ONE).to_bytes().into()));

/// Private keys to search.
#[derive(Clone, Debug)]
pub(crate) struct Secrets(Zeroizing<Vec<SecretRange>>);

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
        Self(ranges)
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
        let mut ranges = Zeroizing::new(Vec::new());
        for text in texts.iter().filter(|text| text.len() == DIGITS) {
            let free = text.iter().rev().take_while(|&&digit| digit == UNKNOWN).count();
            append(&text[..DIGITS - free], U256::ZERO, 4 * free as u32, &mut ranges)
                .ok_or(ParseError::TooComplex)?;
        }
        Ok(Self::new(ranges))
    }

    /// The number of private keys.
    pub(crate) fn count(&self) -> U256 {
        self.ranges().fold(U256::ZERO, |sum, (first, last)| sum + (last - first) + U256::ONE)
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

    /// Passes each private key of the owner in one part to a function, on any thread. Calls `add` with the
    /// number of private keys tried, which returns whether to continue. Returns whether it did.
    pub(crate) fn search(
        &self,
        owner: &Owner,
        Shard { index, count }: Shard,
        found: &(dyn Fn(&[u8; 32]) + Sync),
        add: &(dyn Fn(u64) -> bool + Sync),
    ) -> bool {
        self.tasks().skip(index - 1).step_by(count).par_bridge().all(|task| {
            owned(&task, owner).iter().for_each(found);
            add(task.len() as u64)
        })
    }

    /// How many seconds a search takes on one thread, from searching a part of it.
    pub(crate) fn seconds(&self) -> f64 {
        let Some(task) = self.tasks().next() else { return 0.0 };
        let nobody = Owner::default();
        let begin = Instant::now();
        black_box(owned(&task, &nobody));
        let of_each = begin.elapsed().as_secs_f64() / task.len() as f64;
        of_each * self.count().as_f64()
    }

    /// The first and the last private keys of the ranges that are legal.
    fn ranges(&self) -> impl Iterator<Item = (U256, U256)> + Send {
        let numbers = |range: &SecretRange| range.map(U256::from_be_bytes).into();
        let ranges = self.0.iter().map(numbers);
        let legal = ranges.map(|(first, last)| (first.max(U256::ONE), last.min(*MAX)));
        legal.filter(|(first, last)| first <= last)
    }

    /// The private keys in parts of [`TASK`].
    fn tasks(&self) -> impl Iterator<Item = Wiped> + Send {
        let next = |at: &U256| Some(*at + U256::ONE);
        let mut secrets = self.ranges().flat_map(move |(first, last)| {
            successors(Some(first), next).take_while(move |secret| *secret <= last)
        });
        std::iter::from_fn(move || {
            // A task that grew would leave copies behind.
            let mut task = Zeroizing::new(Vec::with_capacity(TASK));
            task.extend(secrets.by_ref().take(TASK).map(U256::to_be_bytes));
            (!task.is_empty()).then_some(task)
        })
    }
}

/// The private keys of an owner, among some in ascending order.
pub(crate) fn owned(secrets: &[[u8; 32]], owner: &Owner) -> Wiped {
    let of = |secret: U256| ProjectivePoint::GENERATOR * scalar(secret);
    // There is one, so that this does not grow, either.
    let (mut found, mut steps) = (Zeroizing::new(Vec::new()), HashMap::new());
    let mut last: Option<(U256, ProjectivePoint)> = None;
    for secrets in secrets.chunks(BATCH) {
        let mut points = Vec::with_capacity(secrets.len());
        for secret in secrets.iter().copied().map(U256::from_be_bytes) {
            let point = match last {
                None => of(secret),
                Some((before, point)) if secret - before == U256::ONE => {
                    point + AffinePoint::GENERATOR
                }
                Some((before, point)) => {
                    let step = secret - before;
                    point + *steps.entry(step).or_insert_with(|| of(step).to_affine())
                }
            };
            last = Some((secret, point));
            points.push(point);
        }
        let are_owned = are_owned(&points, owner);
        let owned = secrets.iter().zip(are_owned).filter(|(_, is_owned)| *is_owned);
        found.extend(owned.map(|(secret, _)| *secret));
    }
    found
}

/// Whether points are those of an owner.
fn are_owned(points: &[ProjectivePoint], owner: &Owner) -> Vec<bool> {
    let points = ProjectivePoint::batch_normalize(points);
    let points: Vec<_> = points.iter().map(|point| point.to_encoded_point(false)).collect();
    let hashes = ripemd_multi::hash160_many(points.iter().map(EncodedPoint::compress));
    let mut all = vec![hashes.clone()];
    if !owner.is_segwit {
        // The script of P2WPKH within P2SH: version 0, and a push of 20 bytes (BIP 141).
        let script = |hash: &Hash160| -> [u8; 22] {
            std::array::from_fn(|at| if at < 2 { [0, 20][at] } else { hash[at - 2] })
        };
        all.push(ripemd_multi::hash160_many(hashes.iter().map(script)));
        all.push(ripemd_multi::hash160_many(&points));
    }
    (0..points.len()).map(|at| all.iter().any(|hashes| hashes[at] == owner.hash)).collect()
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

/// Appends the ranges of private keys that begin with some digits and end in `free` bits. Returns
/// `None` if there are too many.
fn append(digits: &[u8], begin: U256, free: u32, ranges: &mut Vec<SecretRange>) -> Option<()> {
    let Some((&digit, rest)) = digits.split_first() else {
        let shifted = |number: U256| number.checked_shl(free).unwrap_or(U256::ZERO);
        let first = shifted(begin);
        let last = first + shifted(U256::ONE).wrapping_sub(U256::ONE);
        ranges.push([first, last].map(U256::to_be_bytes));
        return (ranges.len() <= MAX_RANGES).then_some(());
    };
    let mut digits = if digit == UNKNOWN { 0..UNKNOWN } else { digit..digit + 1 };
    digits.try_for_each(|digit| append(rest, begin << 4_u32 | U256::from(digit), free, ranges))
}

/// The scalar of a number that is less than the order of the curve.
fn scalar(number: U256) -> Scalar {
    Option::from(Scalar::from_repr(number.to_be_bytes().into())).unwrap_or(Scalar::ZERO)
}
