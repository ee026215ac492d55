//! The private keys that a search for the owner of an address tries.

use std::iter;
use std::time::Instant;

use ethnum::U256;
use rayon::prelude::*;
use zeroize::{Zeroize, Zeroizing};

use super::digits::{Digits, MAX, Sequence};
use super::owner::KeyOwner;
use crate::damage::Damage;
use crate::evidence::Estimate;
use crate::key::range::{KeyFinder, KeyHash, KeyRange};
use crate::key::secrets::SecretRange;
use crate::parse_error::ParseError;

/// The number of private keys per task: some milliseconds.
const TASK: u64 = 1 << 14;

/// How often a task is measured.
const SAMPLES: u32 = 4;

/// A private key takes about as long as this many hashes of a search for checksums: of a format
/// with a byte that has few legal values, which saves most of them, and of one without. Measured on
/// Zen 4, one thread: 270 ns beside 18 and 91.
const HASHES_PER_SECRET: [u64; 2] = [15, 3];

/// Private keys to search.
#[derive(Clone, Debug)]
pub(crate) struct Secrets {
    list: List,
    /// The number of hashes of a search for checksums that take as long as one.
    pub(super) hashes_of_each: u64,
}

#[derive(Clone, Debug)]
enum List {
    Ranges(Zeroizing<Vec<SecretRange>>),
    /// Those that some digits may be.
    Digits(Vec<Digits>),
}

impl Secrets {
    /// Those of keys that would otherwise be searched for right checksums, with or without a byte
    /// that has few legal values.
    pub(crate) fn new(mut ranges: Zeroizing<Vec<SecretRange>>, has_marker: bool) -> Self {
        ranges.sort_unstable();
        ranges.dedup_by(|[first, last], [_, end]| {
            let overlaps = *first <= *end;
            if overlaps {
                *end = (*last).max(*end);
            }
            overlaps
        });
        let hashes_of_each = HASHES_PER_SECRET[usize::from(!has_marker)];
        Self { list: List::Ranges(ranges), hashes_of_each }
    }

    /// The private keys that some digits may be.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::TooComplex`] if they are too many texts.
    pub(crate) fn of_digits(digits: &Digits, damage: &Damage) -> Result<Self, ParseError> {
        let list = List::Digits(digits.damaged(damage)?);
        Ok(Self { list, hashes_of_each: HASHES_PER_SECRET[0] })
    }

    /// The number of private keys, some of which may be the same.
    pub(crate) fn count(&self) -> U256 {
        match &self.list {
            List::Ranges(_) => self.sequences().fold(U256::ZERO, |sum, it| sum + it.len),
            List::Digits(texts) => texts.iter().fold(U256::ZERO, |sum, it| sum + it.count()),
        }
    }

    /// The work of a search, in hashes of a search for checksums.
    pub(crate) fn hashes(&self) -> f64 {
        self.count().as_f64() * self.hashes_of_each as f64
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
        owner: &KeyOwner,
        (index, count): (usize, usize),
        found: &(dyn Fn(&[u8; 32]) + Sync),
        add: &(dyn Fn(u64) -> bool + Sync),
    ) -> bool {
        let finder = self.finder(&owner.hash, &owner.hashes);
        self.tasks().skip(index - 1).step_by(count).par_bridge().all(|task| {
            finder.find(&task, &mut |secret, _| found(secret));
            add(task.iter().map(KeyRange::len).sum())
        })
    }

    /// How many seconds a search for an owner takes on one thread, from searching a part of it.
    pub(crate) fn seconds(&self, owner: &KeyOwner) -> f64 {
        let Some(task) = self.tasks().next() else { return 0.0 };
        // That of nobody.
        let finder = self.finder(&[0; 20], &owner.hashes);
        let search = || finder.find(&task, &mut |_, _| ());
        // The first search makes lists that all share.
        search();
        let begin = Instant::now();
        (0..SAMPLES).for_each(|_| search());
        let tried = task.iter().map(KeyRange::len).sum::<u64>() * u64::from(SAMPLES);
        begin.elapsed().as_secs_f64() / tried as f64 * self.count().as_f64()
    }

    fn finder(&self, hash: &[u8; 20], hashes: &[KeyHash]) -> KeyFinder {
        // The longest part of a sequence in a task, for each distance.
        let first = |it: Sequence| range(&it, TASK);
        match &self.list {
            List::Ranges(_) => KeyFinder::new(hash, hashes, self.sequences().filter_map(first)),
            // All sequences of a text are as long, unless they have private keys that are not
            // legal.
            List::Digits(texts) => {
                let firsts = texts.iter().filter_map(|it| it.sequences().next());
                KeyFinder::new(hash, hashes, firsts.filter_map(first))
            }
        }
    }

    /// The legal private keys. There may be too many sequences to list.
    fn sequences(&self) -> Box<dyn Iterator<Item = Sequence> + Send + '_> {
        match &self.list {
            List::Ranges(ranges) => Box::new(ranges.iter().filter_map(|range| {
                let [first, last] = range.map(U256::from_be_bytes);
                let (first, last) = (first.max(U256::ONE), last.min(*MAX));
                let len = last.checked_sub(first)? + U256::ONE;
                Some(Sequence { first, step: U256::ONE, len })
            })),
            List::Digits(texts) => Box::new(texts.iter().flat_map(Digits::sequences)),
        }
    }

    /// The private keys in parts of [`TASK`].
    fn tasks(&self) -> impl Iterator<Item = Vec<KeyRange>> + Send {
        let mut sequences = self.sequences();
        let mut rest = None;
        iter::from_fn(move || {
            // A task that grew would leave copies behind.
            let (mut task, mut len) = (Vec::with_capacity(TASK as usize), 0);
            while len < TASK {
                let Some(sequence) = rest.take().or_else(|| sequences.next()) else { break };
                // What follows one that is not legal is searched all the same.
                let Some(part) = range(&sequence, TASK - len) else { continue };
                len += part.len();
                rest = after(&sequence, part.len());
                task.push(part);
            }
            (!task.is_empty()).then_some(task)
        })
    }
}

/// The first private keys of a sequence, at most this many.
fn range(Sequence { first, step, len }: &Sequence, max: u64) -> Option<KeyRange> {
    let len = (*len).min(U256::from(max)).as_u64();
    let mut first = first.to_be_bytes();
    let range = KeyRange::new(&first, &step.to_be_bytes(), len).ok();
    first.zeroize();
    range
}

/// What follows the first private keys of a sequence.
fn after(&Sequence { first, step, len }: &Sequence, taken: u64) -> Option<Sequence> {
    let len = len - U256::from(taken);
    (len > U256::ZERO).then(|| Sequence { first: first + step * U256::from(taken), step, len })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn secrets(text: &str) -> Secrets {
        let digits = Digits::hexadecimal(text).unwrap();
        Secrets::of_digits(&digits, &Damage::default()).unwrap()
    }

    /// What each part of a search for the owner of a key finds, as hexadecimal digits.
    fn found(secrets: &Secrets, key: &str, count: usize) -> Vec<Vec<String>> {
        let key: [u8; 32] = hex::decode(key).unwrap().try_into().unwrap();
        let hash = KeyHash::Compressed.of(&key).unwrap();
        let owner = KeyOwner { address: String::new(), hash, hashes: vec![KeyHash::Compressed] };
        let search = |index| {
            let found = Mutex::new(Vec::new());
            let add = |key: &[u8; 32]| found.lock().unwrap().push(hex::encode(key));
            assert!(secrets.search(&owner, (index, count), &add, &|_| true));
            found.into_inner().unwrap()
        };
        (1..=count).map(search).collect()
    }

    /// Each task is in one part, the last one, too.
    #[test]
    fn each_part_of_a_search_has_its_own_keys() {
        let known = "5a".repeat(30);
        let secrets = secrets(&format!("{known}????"));
        let count = 65_536 / TASK as usize;
        for part in 0..count {
            for at in [0, TASK as usize - 1] {
                let key = format!("{known}{:04x}", part * TASK as usize + at);
                let mut expected = vec![Vec::new(); count];
                expected[part].push(key.clone());
                assert_eq!(found(&secrets, &key, count), expected, "{key}");
            }
        }
        // More parts than tasks: the last one has none, and says so by finding nothing.
        let key = format!("{known}ffff");
        let parts = found(&secrets, &key, count + 1);
        assert_eq!(parts.concat(), std::slice::from_ref(&key));
        assert!(parts[count - 1].contains(&key) && parts[count].is_empty());
    }

    /// Zero, the first number that the digits may be, is no private key.
    #[test]
    fn what_follows_a_number_that_is_no_private_key_is_searched() {
        let secrets = secrets(&format!("{}[01]00[01]", "0".repeat(60)));
        assert_eq!(secrets.count(), U256::from(3_u32));
        let tried: u64 = secrets.tasks().flatten().map(|range| range.len()).sum();
        assert_eq!(tried, 3);
        for key in ["0001", "1000", "1001"] {
            let key = format!("{}{key}", "0".repeat(60));
            assert_eq!(found(&secrets, &key, 1).concat(), [key]);
        }
    }
}
