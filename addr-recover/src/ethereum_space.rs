//! What a damaged Ethereum address may have been, and the search for it.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use sha3_multi::keccak256;

use crate::damage::{Case, Damage};
use crate::edits::{self, Edit};
use crate::evidence::{Estimate, likelihood};
use crate::formats::ethereum::{LENGTH, Typed, answer, bit_of, cased, spelled};
use crate::ladder::Ladder;
use crate::parse_error::{Foreign, ParseError};
use crate::pattern::Reading;
use crate::search::{MAX_HITS, SearchError};

/// The maximum number of wrong characters that are searched, of which 658,008 sets of places are
/// to be listed.
const MAX_TYPOS: u8 = 5;

/// The maximum number of texts that edits make of one.
const MAX_TEXTS: usize = 1 << 16;

/// The number of texts and sets of places that are listed together.
const MAX_UNITS: usize = 1 << 20;

/// The maximum number of messages that are hashed together.
const BATCH: usize = 1024;

/// How long to measure.
const MEASURED: Duration = Duration::from_millis(20);

/// The characters of a text; `None` if unreadable.
type Text = Vec<Option<u8>>;

/// What a damaged Ethereum address may have been.
///
/// Each letter that was read is one bit of its checksum. Most addresses have 12 to 18: enough for
/// one wrong digit, of which there are 601 candidates, but not for three, of which there are 33
/// million. What is found is as sure as [`estimate`](Self::estimate) says.
///
/// ```
/// use addr_recover::{Damage, EthereumSpace, Reading};
///
/// // From EIP-55, with a wrong digit.
/// let reading = Reading::of("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Be7ed")?;
/// let damage = Damage { typos: 1, ..Damage::default() };
/// let space = EthereumSpace::of(&reading, &damage).unwrap()?;
/// assert!(space.estimate().expected_by_chance < 0.05);
/// let found = space.search(&|_| true)?;
/// assert_eq!(found, ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EthereumSpace {
    /// The text before any edit.
    typed: Text,
    /// The texts of 40 characters that edits make of it.
    texts: Vec<Text>,
    /// How many characters of each may be wrong, in their case or in their digit.
    max_wrong: u8,
    /// Whether the case of letters says nothing.
    is_case_lost: bool,
    /// Whether the digits as they were read are an answer beside any other: if so many fit by
    /// chance, their letters may as well be in the wrong case.
    has_read: bool,
}

impl EthereumSpace {
    /// What the Ethereum address in a text may have been, if it has some damage. `None` unless the
    /// text has a single one, it is not intact, and it has letters of both cases, which are its
    /// checksum.
    ///
    /// Wrong, missing, extra, swapped and cut off characters can be combined, up to five wrong ones
    /// among them. If the case of letters is lost, nothing is checked: the digits are those of the
    /// text, and each candidate fits.
    ///
    /// # Errors
    ///
    /// Returns `Foreign` for other damage and `TooComplex` for too much.
    #[must_use]
    pub fn of(reading: &Reading, damage: &Damage) -> Option<Result<Self, ParseError>> {
        let address = reading.address_without_sets()?;
        // A ? at the end is an unreadable character, or that of a question.
        let words = [&*address, address.trim_end_matches('?')];
        if words.into_iter().any(|word| answer(word).is_some()) {
            return None;
        }
        let typed = words.into_iter().filter_map(Typed::of);
        let typed = typed.min_by_key(|typed| typed.digits.len().abs_diff(LENGTH))?;
        let is_digit = |&c: &u8| c.is_ascii_hexdigit();
        let read = typed.digits.bytes().map(|c| Some(c).filter(is_digit)).collect();
        typed.has_checksum.then(|| Self::new(read, damage))
    }

    /// The same address with other damage.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`of`](Self::of).
    pub fn damaged(&self, damage: &Damage) -> Result<Self, ParseError> {
        Self::new(self.typed.clone(), damage)
    }

    /// The searches for the address, one after another: with this damage, and if nothing is found,
    /// with likely damage. The last one is for letters in the wrong case, whose digits nothing
    /// proves.
    #[must_use]
    pub fn ladder(&self, damage: &Damage) -> Ladder<'static, Self> {
        let (space, described) = (self.clone(), (self.clone(), self.estimate()));
        let before = damage.clone();
        let ladder = Ladder::of(damage, Some(described), move |damage| {
            let space = space.damaged(damage)?;
            let estimate = space.estimate();
            // By Bayes' rule, letters in the wrong case are a tenth as likely, then.
            let many = likelihood(damage.faults_beyond(&before));
            let has_read = estimate.expected_by_chance >= many && space.read().is_some();
            Ok((Self { has_read, ..space }, estimate))
        });
        ladder.with_fewest_first().or_wrong_case(damage)
    }

    /// The address as it was read: `0x`, and `?` for each unreadable digit.
    #[must_use]
    pub fn text(&self) -> String {
        let digits = self.typed.iter().map(|read| read.map_or('?', char::from));
        "0x".chars().chain(digits).collect()
    }

    fn new(typed: Text, damage: &Damage) -> Result<Self, ParseError> {
        let &Damage { case, typos, missing, surplus, swapped, cut, blocks, .. } = damage;
        if blocks || !damage.look_alikes.everywhere.is_empty() {
            return Err(ParseError::Foreign(Foreign::Ethereum));
        }
        if typos > MAX_TYPOS {
            return Err(ParseError::TooComplex);
        }
        let edits = [
            (Edit::Missing, 0..=missing),
            (Edit::Surplus, 0..=surplus),
            (Edit::Swapped, 0..=swapped),
            (Edit::Cut, 0..=cut),
        ];
        let texts = edits::texts(&typed, None, &edits, &[LENGTH], MAX_TEXTS);
        let texts = texts.ok_or(ParseError::TooComplex)?;
        let is_case_lost = case == Case::Lost;
        Ok(Self { typed, texts, max_wrong: typos, is_case_lost, has_read: false })
    }

    /// The address of the digits that were read, if they are all there.
    fn read(&self) -> Option<String> {
        let digits: Option<String> = self.typed.iter().map(|read| read.map(char::from)).collect();
        digits.filter(|digits| digits.len() == LENGTH).map(|digits| spelled(&digits))
    }

    /// Whether the damage allows an address in the spelling of EIP-55.
    #[must_use]
    pub fn allows(&self, address: &str) -> bool {
        let Some(digits) = address.strip_prefix("0x") else { return false };
        let is_right =
            |read: u8, own: u8| read == own || self.is_case_lost && read.eq_ignore_ascii_case(&own);
        let is_wrong = |(read, own): &(&Option<u8>, u8)| read.is_some_and(|it| !is_right(it, *own));
        let wrong = |text: &Text| text.iter().zip(digits.bytes()).filter(is_wrong).count();
        let max_wrong = usize::from(self.max_wrong);
        digits.len() == LENGTH && self.texts.iter().any(|text| wrong(text) <= max_wrong)
            || self.has_read && self.read().is_some_and(|read| read == address)
    }

    /// Estimates what the search will cost, and what its answer will be worth: the number of
    /// addresses, each of which is one hash, and how many of them have the letters of the text in
    /// the case that is read.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let (mut candidates, mut expected_by_chance) = (0.0, 0.0);
        let max_wrong = u32::from(self.max_wrong);
        for text in &self.texts {
            let read = text.iter().flatten();
            let letters = read.clone().filter(|c| c.is_ascii_alphabetic()).count() as u32;
            let digits = read.count() as u32 - letters;
            let unreadable = 16_f64.powi(text.len() as i32 - (letters + digits) as i32);
            for wrong in 0..=max_wrong {
                for of_letters in 0..=wrong.min(letters) {
                    let ways = choose(letters, of_letters) * choose(digits, wrong - of_letters);
                    let more = ways * 15_f64.powi(wrong as i32) * unreadable;
                    // The case of the other letters may be wrong as often as is left.
                    let bits = if self.is_case_lost { 0 } else { letters - of_letters };
                    let cases = (max_wrong - wrong).min(bits);
                    let right = (0..=cases).map(|cases| choose(bits, cases));
                    candidates += more;
                    expected_by_chance += more * right.sum::<f64>() / 2_f64.powi(bits as i32);
                }
            }
        }
        Estimate { candidates, hashes: candidates, expected_by_chance }
    }

    /// All addresses that fit, sorted. Runs on the current `rayon` pool. Calls a function with the
    /// number of hashes so far, from any thread, and stops once it returns `false`.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Cancelled`] if it was stopped, and [`SearchError::TooManyHits`] if
    /// there are more than 100,000 addresses.
    pub fn search(&self, go_on: &(dyn Fn(u64) -> bool + Sync)) -> Result<Vec<String>, SearchError> {
        self.run((1, 1), go_on, |units, search| units.par_iter().try_for_each(search))
    }

    /// The same of one shard, with an index from 1 and their number, on this thread.
    pub(crate) fn search_here(
        &self,
        shard: (usize, usize),
        go_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Vec<String>, SearchError> {
        self.run(shard, go_on, |units, search| units.iter().try_for_each(search))
    }

    fn run(
        &self,
        (index, count): (usize, usize),
        go_on: &(dyn Fn(u64) -> bool + Sync),
        for_each: impl Fn(&[Unit<'_>], &(dyn Fn(&Unit<'_>) -> Option<()> + Sync)) -> Option<()>,
    ) -> Result<Vec<String>, SearchError> {
        assert!((1..=count).contains(&index), "shard {index} of {count}");
        let (hashes, found) = (AtomicU64::new(0), Mutex::new(BTreeSet::new()));
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        let search = |unit: &Unit<'_>| {
            unit.search(&mut |count, more| {
                let so_far = hashes.fetch_add(count, Ordering::Relaxed) + count;
                let is_too_many = !more.is_empty() && {
                    let mut found = lock();
                    found.extend(more);
                    found.len() > MAX_HITS
                };
                (!is_too_many && go_on(so_far)).then_some(())
            })
        };
        // Not all texts at once, of which each may have 760,099 sets of wrong places.
        let of_one = (0..=u32::from(self.max_wrong)).map(|wrong| choose(LENGTH as u32, wrong));
        let at_once = (MAX_UNITS / of_one.sum::<f64>() as usize).max(1);
        let mut parts = self.texts.chunks(at_once);
        let is_done = parts.all(|texts| {
            let mut units = self.units(texts);
            let mut at = 0..;
            units.retain(|_| at.next().is_some_and(|at: usize| at % count == index - 1));
            for_each(&units, &search).is_some()
        });
        let mut found = std::mem::take(&mut *lock());
        if found.len() > MAX_HITS {
            return Err(SearchError::TooManyHits(MAX_HITS));
        }
        if self.has_read && !found.is_empty() {
            found.extend(self.read());
        }
        if !is_done {
            return Err(SearchError::Cancelled(Box::default()));
        }
        Ok(found.into_iter().collect())
    }

    /// Measures the nanoseconds per hash on each thread, on all threads of the current `rayon` pool
    /// at once.
    #[must_use]
    pub fn measure(&self) -> f64 {
        let messages: Vec<[u8; LENGTH]> =
            (0..BATCH).map(|at| [b'0' + (at % 10) as u8; LENGTH]).collect();
        let mut times = rayon::broadcast(|_| {
            let mut digests = vec![[0; 32]; BATCH];
            keccak256::hash_many_into(&messages, &mut digests);
            let (begin, mut hashed) = (Instant::now(), 0);
            while begin.elapsed() < MEASURED {
                keccak256::hash_many_into(&messages, &mut digests);
                hashed += BATCH;
            }
            begin.elapsed().as_nanos() as f64 / hashed as f64
        });
        times.drain(..).sum::<f64>() / rayon::current_num_threads() as f64
    }

    /// Some of the texts, with each set of places whose digit is wrong.
    fn units<'a>(&self, texts: &'a [Text]) -> Vec<Unit<'a>> {
        let is_case_lost = self.is_case_lost;
        let of_text = |text| {
            let of_count = move |wrong| {
                let allowed = u32::from(self.max_wrong) - wrong as u32;
                let unit = move |wrong| Unit { text, wrong, allowed, is_case_lost };
                sets(text, wrong).into_iter().map(unit)
            };
            (0..=usize::from(self.max_wrong)).flat_map(of_count)
        };
        texts.iter().flat_map(of_text).collect()
    }
}

/// The binomial coefficient.
fn choose(of: u32, count: u32) -> f64 {
    if count > of {
        0.0
    } else {
        (0..count).map(|at| f64::from(of - at) / f64::from(at + 1)).product()
    }
}

/// All sets of so many places of a text that can be read.
fn sets(text: &Text, count: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new()];
    for _ in 0..count {
        let longer = |set: &Vec<usize>| {
            let first = set.last().map_or(0, |last| last + 1);
            let places = (first..text.len()).filter(|&at| text[at].is_some());
            places.map(|at| [&set[..], &[at]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(longer).collect();
    }
    sets
}

/// The addresses that differ from a text in the digits of some places, and in unreadable ones.
struct Unit<'a> {
    text: &'a Text,
    wrong: Vec<usize>,
    /// How many other letters may have the wrong case.
    allowed: u32,
    is_case_lost: bool,
}

impl Unit<'_> {
    /// Calls a function with numbers of hashes, and the addresses found among them, until it
    /// returns `None`.
    fn search(&self, found: &mut dyn FnMut(u64, Vec<String>) -> Option<()>) -> Option<()> {
        let (mut mask, mut upper, mut message) = ([0; 32], [0; 32], [b'0'; LENGTH]);
        for (at, read) in self.text.iter().enumerate() {
            let &Some(character) = read else { continue };
            message[at] = character.to_ascii_lowercase();
            let is_bit = character.is_ascii_alphabetic() && !self.is_case_lost;
            if is_bit && !self.wrong.contains(&at) {
                mask[at / 2] |= bit_of(at);
                upper[at / 2] |= if character.is_ascii_uppercase() { bit_of(at) } else { 0 };
            }
        }
        let unreadable = (0..LENGTH).filter(|&at| self.text[at].is_none());
        let places: Vec<(usize, Vec<u8>)> = self
            .wrong
            .iter()
            .copied()
            .chain(unreadable)
            .map(|at| {
                let is_other = |digit: &u8| self.text[at].is_none() || *digit != message[at];
                (at, b"0123456789abcdef".iter().copied().filter(is_other).collect())
            })
            .collect();
        let (mut next, mut digests) = (vec![0; places.len()], vec![[0; 32]; BATCH]);
        let mut messages = Vec::with_capacity(BATCH);
        loop {
            for (&digit, (at, digits)) in next.iter().zip(&places) {
                message[*at] = digits[digit];
            }
            messages.push(message);
            // Counts up, with one digit for each place.
            let carried = next.iter_mut().zip(&places).position(|(digit, (_, digits))| {
                *digit = (*digit + 1) % digits.len();
                *digit > 0
            });
            let is_last = carried.is_none();
            if is_last || messages.len() == BATCH {
                let digests = &mut digests[..messages.len()];
                keccak256::hash_many_into(&messages, digests);
                let hashed = messages.iter().zip(&*digests);
                let right = hashed.filter(|(_, digest)| {
                    let [own, upper, mask] = [digest, &upper, &mask].map(words);
                    let wrong = |at: usize| ((own[at] ^ upper[at]) & mask[at]).count_ones();
                    (0..3).map(wrong).sum::<u32>() <= self.allowed
                });
                let right = right.map(|(message, digest)| cased(message, digest)).collect();
                found(messages.len() as u64, right)?;
                messages.clear();
            }
            if is_last {
                return Some(());
            }
        }
    }
}

/// The bytes of a hash that the digits have, and four more.
fn words(hash: &[u8; 32]) -> [u64; 3] {
    std::array::from_fn(|at| u64::from_le_bytes(std::array::from_fn(|byte| hash[8 * at + byte])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ethereum::UNCHECKED;

    /// From EIP-55.
    const ADDRESSES: [&str; 4] = [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ];

    fn space(text: &str, damage: &Damage) -> EthereumSpace {
        EthereumSpace::of(&Reading::of(text).unwrap(), damage).unwrap().unwrap()
    }

    /// What a text may have been, and what was estimated.
    fn found(text: &str, damage: &Damage) -> (Vec<String>, Estimate) {
        let space = space(text, damage);
        let hashes = AtomicU64::new(0);
        let count = |so_far| hashes.fetch_max(so_far, Ordering::Relaxed) < u64::MAX;
        let (found, estimate) = (space.search(&count).unwrap(), space.estimate());
        assert!(found.iter().all(|address| space.allows(address)), "{text}");
        assert_eq!(hashes.into_inner() as f64, estimate.hashes, "{text}");
        let shard = |index| space.search_here((index, 3), &|_| true).unwrap();
        let of_shards: BTreeSet<String> = (1..=3).flat_map(shard).collect();
        assert!(of_shards.iter().eq(&found), "{text}");
        (found, estimate)
    }

    fn typos(typos: u8) -> Damage {
        Damage { typos, ..Damage::default() }
    }

    fn replaced(address: &str, places: &[usize], character: &str) -> String {
        let mut text = address.to_owned();
        places.iter().for_each(|&at| text.replace_range(at..=at, character));
        text
    }

    #[test]
    fn addresses_are_spelled_as_in_eip_55() {
        let read = |text: &str| answer(text).map(|answer| (answer.addresses, answer.note));
        let of_one_case = [
            "0x52908400098527886E0F7030069857D2E4169EE7",
            "0xde709f2102306220921060314715629080e2fb77",
        ];
        for address in ADDRESSES.iter().chain(&of_one_case) {
            let small = address.to_ascii_lowercase();
            let has_both_cases = !of_one_case.contains(address);
            let of =
                |note: Option<&str>| Some((vec![(*address).to_owned()], note.map(str::to_owned)));
            assert_eq!(read(address), of((!has_both_cases).then_some(UNCHECKED)), "{address}");
            // Without 0x, a checksum is needed: these may be the name of a commit.
            assert_eq!(read(&address[2..]), of(None).filter(|_| has_both_cases));
            assert_eq!(read(&small[2..]), None);
            for text in [&small, &address.to_ascii_uppercase()] {
                assert_eq!(read(text), of(Some(UNCHECKED)), "{text}");
            }
        }
        // A letter has the wrong case, and letters of one case are no checksum.
        for text in [
            "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae",
        ] {
            assert_eq!(answer(text), None, "{text}");
        }
    }

    #[test]
    fn wrong_and_unreadable_digits_are_restored() {
        for address in ADDRESSES {
            for at in 2..address.len() - 4 {
                let other = if address.as_bytes()[at] == b'7' { "3" } else { "7" };
                for (text, max_wrong, candidates) in [
                    (replaced(address, &[at], other), 1, 601),
                    (replaced(address, &[at], "?"), 0, 16),
                    (replaced(address, &[at, at + 2, at + 4], "?"), 0, 4096),
                ] {
                    for text in [&text, &text[2..]] {
                        let (found, estimate) = found(text, &typos(max_wrong));
                        assert!(found.iter().any(|it| it == address), "{text}");
                        assert_eq!(estimate.candidates, f64::from(candidates));
                    }
                }
            }
        }
    }

    /// 33 million candidates of three wrong digits take a second. These are those of two, and of
    /// three in which a digit is unreadable.
    #[test]
    fn several_wrong_digits_are_restored() {
        let address = ADDRESSES[0];
        let two = replaced(address, &[7, 20], "2");
        let (hits, estimate) = found(&two, &typos(2));
        assert!(hits.iter().any(|it| it == address));
        assert_eq!(estimate.candidates, 1.0 + 40.0 * 15.0 + 780.0 * 225.0);
        // As many as a binomial distribution of some 17 letters says.
        assert!((1.0..30.0).contains(&estimate.expected_by_chance), "{estimate:?}");
        let three = replaced(&replaced(address, &[7, 20], "2"), &[33], "?");
        let (hits, estimate) = found(&three, &typos(2));
        assert!(hits.iter().any(|it| it == address));
        assert_eq!(estimate.candidates, 16.0 * (1.0 + 39.0 * 15.0 + 741.0 * 225.0));
        let deviation = (hits.len() as f64 - 1.0 - estimate.expected_by_chance).abs();
        assert!(deviation < 6.0 * estimate.expected_by_chance.sqrt(), "{hits:?}, {estimate:?}");
        assert!(!space(&two, &typos(1)).allows(address));
        let cost = space(&two, &typos(3)).estimate();
        assert_eq!(cost.candidates, estimate_of_three());
        assert!(cost.expected_by_chance > 100.0, "{cost:?}");
    }

    /// Sets of up to three of 40 places, with 15 other digits each.
    fn estimate_of_three() -> f64 {
        f64::from(1 + 40 * 15 + 780 * 225 + 9880 * 3375)
    }

    #[test]
    #[ignore = "takes long"]
    fn three_wrong_digits_are_restored_long() {
        let address = ADDRESSES[0];
        let text = replaced(address, &[7, 20, 33], "2");
        let (hits, estimate) = found(&text, &typos(3));
        assert!(hits.iter().any(|it| it == address));
        let deviation = (hits.len() as f64 - estimate.expected_by_chance).abs();
        assert!(
            deviation < 6.0 * estimate.expected_by_chance.sqrt(),
            "{}: {estimate:?}",
            hits.len()
        );
    }

    /// Of random texts, as many fit as are estimated: each candidate is right with the chance that
    /// the letters that were read have the case that its hash says.
    #[test]
    fn estimates_are_calibrated() {
        let (mut expected, mut hits) = (0.0, 0);
        for number in 0..200_u32 {
            let hash = hex(&keccak256::hash(number.to_be_bytes()));
            let upper = keccak256::hash((number + 1000).to_be_bytes());
            let text = cased(&hash.as_bytes()[..LENGTH], &upper);
            let (found, estimate) = found(&text, &typos(1 + u8::from(number % 20 == 0)));
            expected += estimate.expected_by_chance;
            hits += found.len();
        }
        assert!((hits as f64 - expected).abs() < 4.0 * expected.sqrt(), "{hits} of {expected}");
        assert!(hits > 50, "too few to tell");
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn a_letter_in_the_wrong_case_and_letters_for_digits_are_restored() {
        let address = ADDRESSES[0];
        for (text, max_wrong) in [
            ("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 1),
            ("0x5aaEb6053F3E94C9b9A09f33669435E7Ef1BeAed", 2),
            ("0x5aAeb6O53F3E94C9b9A09f33669435E7EflBeAed", 0),
            ("0x5aAeb6o53F3E94C9b9AO9f33669435E7EfIBeAed", 0),
        ] {
            assert!(found(text, &typos(max_wrong)).0.iter().any(|it| it == address), "{text}");
        }
    }

    /// If case is lost, each candidate fits, in the spelling of EIP-55.
    #[test]
    fn digits_are_read_whatever_their_case_is() {
        let lost = Damage { case: Case::Lost, ..Damage::default() };
        for address in ADDRESSES {
            let swap = |c: char| {
                let swapped = if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c };
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { swapped }
            };
            let text: String = "0x".chars().chain(address[2..].chars().map(swap)).collect();
            let (hits, estimate) = found(&text, &lost);
            assert_eq!(hits, [address], "{text}");
            assert_eq!((estimate.candidates, estimate.expected_by_chance), (1.0, 1.0));
            let (hits, estimate) = found(&replaced(&text, &[5], "?"), &lost);
            assert!(hits.iter().any(|it| it == address) && hits.len() == 16, "{hits:?}");
            assert_eq!(estimate.expected_by_chance, 16.0);
            let typo = Damage { typos: 1, ..lost.clone() };
            let (hits, estimate) = found(&replaced(&text, &[5], "7"), &typo);
            assert!(hits.iter().any(|it| it == address) && hits.len() == 601, "{}", hits.len());
            assert_eq!(estimate.expected_by_chance, 601.0);
        }
    }

    #[test]
    fn edits_are_undone() {
        let none = Damage::default();
        for address in ADDRESSES {
            for at in 2..address.len() - 1 {
                let (first, rest) = address.split_at(at);
                let (own, next) = (&rest[..1], &rest[1..2]);
                for (text, damage) in [
                    (format!("{first}{}", &rest[1..]), Damage { missing: 1, ..none.clone() }),
                    (format!("{first}7{rest}"), Damage { surplus: 1, ..none.clone() }),
                    (format!("{first}{own}{rest}"), Damage { surplus: 1, ..none.clone() }),
                    (
                        format!("{first}{next}{own}{}", &rest[2..]),
                        Damage { swapped: 1, ..none.clone() },
                    ),
                ] {
                    if text == address {
                        continue;
                    }
                    let (found, estimate) = found(&text, &damage);
                    assert!(found.iter().any(|it| it == address), "{text}");
                    assert!((30.0..700.0).contains(&estimate.candidates), "{text}: {estimate:?}");
                }
            }
            let cut = Damage { cut: 2, ..none.clone() };
            for text in [format!("0x{}", &address[4..]), address[..40].to_owned()] {
                let (found, estimate) = found(&text, &cut);
                assert!(found.iter().any(|it| it == address), "{text}");
                assert_eq!(estimate.candidates, 3.0 * 256.0);
            }
        }
    }

    #[test]
    fn searches_stop() {
        let space = space(&replaced(ADDRESSES[0], &[7], "2"), &typos(2));
        assert!(matches!(space.search(&|_| false), Err(SearchError::Cancelled(_))));
        let many = EthereumSpace { max_wrong: 2, ..space.clone() };
        // Whatever the case of letters is, all candidates fit.
        let many = EthereumSpace { texts: many.texts.iter().map(digits_of).collect(), ..many };
        assert!(matches!(many.search(&|_| true), Err(SearchError::TooManyHits(_))));
    }

    /// A text without letters.
    fn digits_of(text: &Text) -> Text {
        text.iter().map(|_| Some(b'0')).collect()
    }

    #[test]
    fn other_damage_is_refused() {
        let reading = Reading::of(&replaced(ADDRESSES[0], &[7], "2")).unwrap();
        let none = Damage::default();
        for damage in [
            Damage { blocks: true, ..none.clone() },
            Damage { typos: 6, ..none.clone() },
            Damage { surplus: 8, missing: 8, ..none },
        ] {
            assert!(EthereumSpace::of(&reading, &damage).unwrap().is_err(), "{damage:?}");
        }
        // Intact, without a checksum, and with too many unreadable characters.
        let many = replaced(ADDRESSES[0], &[3, 5, 7, 9, 11], "?");
        for text in [ADDRESSES[0], &ADDRESSES[0].to_lowercase(), &many] {
            let reading = Reading::of(text).unwrap();
            assert_eq!(EthereumSpace::of(&reading, &Damage::default()), None, "{text}");
        }
    }

    /// 780 texts of 38 digits: their sets of places together would fill 30 GB.
    #[test]
    fn sets_of_places_are_listed_a_part_at_a_time() {
        let reading = Reading::of("0xDeaDbeefdEAdbeafdEadbEEFdeadbeEFdEaDce").unwrap();
        let damage = Damage { typos: 5, missing: 2, ..Damage::default() };
        let space = EthereumSpace::of(&reading, &damage).unwrap().unwrap();
        assert!(matches!(space.search(&|_| false), Err(SearchError::Cancelled(_))));
    }
}
