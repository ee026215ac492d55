//! Asks for a damaged key: what its text may have been, what to search, and what is found.

pub(crate) mod answer;
mod digits;
pub(crate) mod owner;
mod secrets;
mod words;

use std::fmt;
use std::mem::take;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use zeroize::Zeroizing;

use crate::climb::Climb;
use crate::damage::Damage;
use crate::evidence::Estimate;
use crate::format::Hit;
use crate::key::{KeyFormat, KeyKind};
use crate::ladder::{Ladder, Limits};
use crate::parse_error::ParseError;
use crate::pattern::Pattern;
use crate::search::{MAX_HITS, Search, SearchError};
use crate::search_space::{NOISE, SearchSpace};
use answer::OtherKey;
use digits::Digits;
use owner::{KeyOwner, KeyOwnerError};
use secrets::Secrets;

/// An address is that of one in so many private keys: it has 160 bits of a hash.
const OF_HASH: f64 = 1.0 / (1_u128 << 80) as f64 / (1_u128 << 80) as f64;

/// A lost end is assumed if it takes no more than this, in hashes: that of ten characters.
const MAX_LOST: f64 = 8_388_608.0;

/// The minimum number of characters of a key in the wallet import format.
const MIN_WIF: usize = 51;

/// How to [ask for a key](crate::ask_key): change the fields of `KeyOptions::default()`, because
/// there may be more of them in a later version.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct KeyOptions {
    /// Damage that the text does not show.
    pub damage: Damage,
    /// Only keys of these kinds; any that can be checked if there are none.
    pub kinds: Vec<KeyKind>,
    /// The address of the key, which proves that it is the right one.
    pub owner: Option<KeyOwner>,
    /// Whether to try only the damage described, and none that is likely.
    pub is_exact: bool,
    /// Whether to search for another key although the text is an undamaged one, and to search if
    /// the answer would be noise or that takes more than a month.
    pub is_forced: bool,
    /// How far to search for damage that nobody described.
    pub limits: Limits,
}

/// The damaged text of a key, what else is known of it, and the searches for it.
///
/// [`ask_key`](crate::ask_key) asks in one call. This is for progress, cancellation, and searches
/// on several machines. Nothing of the text is shown by `Debug`, and it is wiped from memory when
/// it is dropped.
///
/// ```
/// use addr_recover::{KeyOptions, KeyQuestion, Verdict};
///
/// // From the wiki of Bitcoin, with an unreadable character and a wrong one.
/// let text = "5HueCGU8rMjxEXxiPuD?BDku4MkFqeZyd4dZ1jvhTVqvbTLveTJ";
/// let question = KeyQuestion::new(text, &KeyOptions::default())?;
/// assert!(question.without_search()?.is_none());
/// let mut climb = question.climb();
/// let mut outcome = Default::default();
/// while let Some(rung) = climb.next_rung() {
///     outcome = question.search(&rung.space, (1, 1), &|_| true)?;
///     climb.add(!outcome.hits.is_empty(), outcome.hashes);
/// }
/// let answer = question.answer(outcome, &climb)?;
/// assert_eq!(answer.verdict(), Verdict::Unique);
/// let key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
/// assert_eq!(answer.keys[0].text.as_str(), key);
/// assert_eq!(answer.damage, Some("one wrong character"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct KeyQuestion {
    text: Zeroizing<String>,
    digits: Option<Digits>,
    /// What else the text may be if it begins like a key in the wallet import format: 32 bytes in
    /// Base58.
    bytes: Option<Digits>,
    /// How many of its first or last digits are lost.
    lost: u8,
    /// Those of the options that can be checked.
    kinds: Vec<KeyKind>,
    reading: KeyReading,
    options: KeyOptions,
    other: Option<OtherKey>,
    /// The search for what was described.
    described: Searchable,
}

/// How the text of a key is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyReading {
    /// As it is written.
    AsWritten,
    /// As hexadecimal digits, so many of which are lost at the beginning or the end.
    LostDigits(u8),
    /// As 32 bytes in Base58, without a checksum.
    Bytes,
    /// As a key whose last characters are lost.
    LostEnd,
    /// As the only word of the text that has the form of a key.
    Word,
}

/// Why a text cannot be the damaged key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// It has no character of a key.
    #[error(
        "no key given: type or paste one at the prompt, or pass it on standard input, with ? for \
         each unreadable character"
    )]
    Empty,
    /// It has several whole keys: so many.
    #[error("the text has {0} keys: give one at a time")]
    Several(usize),
    /// It is an address.
    #[error(
        "this is an address, and no key can be computed from it: give the text of the damaged key, \
         and the address with --address; `addr-recover ADDRESS` recovers an address"
    )]
    Address,
    /// It has no checksum, and no address is known.
    #[error(
        "hexadecimal digits have no checksum: pass the address of the private key with --address"
    )]
    NeedsAddress,
    /// It is nearly a private key in hexadecimal digits, but has other characters at these places,
    /// counted from 1: the first eight are listed.
    #[error(
        "the text is nearly as long as the {} hexadecimal digits of a private key, but the \
         characters at {} are no such digits; write ? for each that is unreadable, and leave out \
         what is none",
        digits::LENGTH,
        digits::listed(_0)
    )]
    NotUnderstood(Vec<usize>),
    /// Only mini keys were asked for, and no address is known.
    #[error("the check of mini keys is too short to recover one without its --address")]
    MiniKey,
    /// Only encrypted keys were asked for, and the address is not P2PKH.
    #[error("encrypted keys have a hash of their P2PKH address (1...): pass that one")]
    Encrypted,
    /// Only extended keys were asked for, and an address is known.
    #[error("--address cannot single out an extended key: leave it out")]
    Extended,
    /// It begins like a key in the wallet import format, but has too few characters.
    #[error(
        "the text begins like a private key in the wallet import format, which has 51 or 52 \
         characters, but {given} were given; write ... where characters are lost, and pass the \
         address of the key with --address; half of a key is not enough"
    )]
    Cut {
        /// The number of characters.
        given: usize,
    },
    /// It is no key, or the damage is too complex.
    #[error(transparent)]
    Text(#[from] ParseError),
}

/// What to search: texts whose checksum is right or, if the owner is known and that is less work,
/// private keys. Copies share it.
#[derive(Clone)]
pub struct KeySpace {
    /// None for hexadecimal digits.
    texts: Option<Arc<SearchSpace<KeyKind>>>,
    secrets: Option<Arc<Secrets>>,
    /// Those of another reading of the text.
    others: Option<Arc<Secrets>>,
}

/// A key that was found. It is wiped from memory.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyHit {
    /// The key.
    pub text: Zeroizing<String>,
    /// The name of its kind, such as `Bitcoin WIF, compressed`.
    pub kind: &'static str,
}

/// What a search for a key has found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct KeyOutcome {
    /// The keys that fit, sorted.
    pub hits: Vec<KeyHit>,
    /// The number of hashes.
    pub hashes: u64,
    /// The number of private keys that were compared with the address.
    pub secrets: u64,
    /// Whether the hits are keys of the address, which none is by chance.
    pub is_proof: bool,
    /// Whether it was not stopped.
    pub is_done: bool,
}

type Searchable = Result<(KeySpace, Estimate), ParseError>;

fn is_encrypted(kind: KeyKind) -> bool {
    kind.format == KeyFormat::Encrypted
}

impl KeyQuestion {
    /// Reads the text of a key, and builds the search for what the options describe.
    ///
    /// # Errors
    ///
    /// Returns a [`KeyError`] if no search can tell the key. Damage that cannot be searched is an
    /// error of [`without_search`](Self::without_search).
    pub fn new(text: &str, options: &KeyOptions) -> Result<Self, KeyError> {
        if Pattern::key(text, Damage::default()).is_err_and(|error| error == ParseError::Empty) {
            return Err(KeyError::Empty);
        }
        let owner = options.owner.as_ref();
        let kinds = kinds_to_try(&options.kinds, owner)?;
        let may_be_bytes = owner.is_some() && options.kinds.is_empty();
        let word = words::key_in_words(text, &kinds, may_be_bytes)?;
        // Labels are no part of the text.
        let is_word = word.is_some_and(|it| Pattern::key_text(it) != Pattern::key_text(text));
        let text = word.unwrap_or(text);
        if !matches!(text.parse::<KeyOwner>(), Err(KeyOwnerError::Invalid)) {
            return Err(KeyError::Address);
        }
        let whole = Hit::<KeyKind>::of(&Pattern::key_text(text)).map(|key| key.format.format);
        let is_extended =
            matches!(whole, Some(KeyFormat::ExtendedPrivate | KeyFormat::ExtendedPublic));
        if owner.is_some() && is_extended {
            return Err(KeyError::Extended);
        }
        let (digits, bytes, mut reading) = read(text, options.kinds.is_empty(), owner)?;
        if is_word && reading == KeyReading::AsWritten {
            reading = KeyReading::Word;
        }
        if digits.is_some() && owner.is_none() {
            return Err(KeyError::NeedsAddress);
        }
        let mut question = Self {
            text: Zeroizing::new(text.to_owned()),
            digits,
            bytes,
            lost: if let KeyReading::LostDigits(lost) = reading { lost } else { 0 },
            kinds,
            reading,
            options: options.clone(),
            other: None,
            described: Err(ParseError::Empty),
        };
        question.other = question.of_other_owner();
        question.described = question.space(&options.damage);
        if !options.is_exact {
            question.assume_lost_end();
        }
        Ok(question)
    }

    /// The key that the text is as it is written, if it is whole and not that of the address.
    fn of_other_owner(&self) -> Option<OtherKey> {
        let owner = self.owner()?;
        let (name, is_undamaged, addresses) = if let Some(digits) = &self.digits {
            let secret = digits.only().filter(|secret| !owner.is_of_secret(&**secret))?;
            (digits.name(), false, owner::addresses_of_secret(&*secret))
        } else {
            let key = Hit::<KeyKind>::of(&Pattern::key_text(&self.text))?;
            let key = Some(key).filter(|key| !owner.may_own(key))?;
            (key.format.name, !key.format.is_mini(), owner::addresses(&key))
        };
        let address = owner.address().to_owned();
        Some(OtherKey { name, is_undamaged, address, addresses })
    }

    /// The key that the text is as it is written, if it is whole and not that of the address. It is
    /// known before any search.
    ///
    /// ```
    /// use addr_recover::{KeyOptions, KeyQuestion};
    ///
    /// let mut options = KeyOptions::default();
    /// options.owner = Some("1GAehh7TsJAHuUAeKZcXf5CnwuGuGgyX2S".parse()?);
    /// let question = KeyQuestion::new(&format!("{:064x}", 1), &options)?;
    /// let key = question.other().unwrap();
    /// assert!(key.addresses.contains(&"1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH".to_owned()));
    /// // It has no checksum, so some digits may be wrong.
    /// assert!(!key.is_undamaged);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn other(&self) -> Option<&OtherKey> {
        self.other.as_ref()
    }

    /// How the text is read.
    #[must_use]
    pub fn reading(&self) -> KeyReading {
        self.reading
    }

    /// The address of the key, if it is known.
    #[must_use]
    pub fn owner(&self) -> Option<&KeyOwner> {
        self.options.owner.as_ref()
    }

    /// What to search for what was described, and what that costs.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`space`](Self::space).
    pub fn described(&self) -> Result<(&KeySpace, Estimate), ParseError> {
        self.described.as_ref().map(|(space, cost)| (space, *cost)).map_err(Clone::clone)
    }

    /// The searches for the key: what was described and, unless that is all, likely damage.
    #[must_use]
    pub fn ladder(&self) -> Ladder<'_, KeySpace> {
        let (described, damage) = (self.described.clone().ok(), &self.options.damage);
        if self.options.is_exact {
            return Ladder::exact(damage, described);
        }
        Ladder::of(damage, described, |damage| self.space(damage))
    }

    /// The way up the ladder, within the limits of the options.
    #[must_use]
    pub fn climb(&self) -> Climb<'_, KeySpace> {
        Climb::new(self.ladder(), self.options.limits.clone())
    }

    /// Assumes that the last characters are lost, if the text is too short, and the search for it
    /// is a matter of few private keys of the address or, without one, of few texts that fit by
    /// chance.
    fn assume_lost_end(&mut self) {
        let of_text = match &self.bytes {
            _ if self.digits.is_some() => return,
            Some(_) => self.space_of_text(&self.text, &self.options.damage),
            None => self.described.clone(),
        };
        let is_short = match of_text {
            Ok((_, cost)) => cost.candidates == 0.0 && self.len() < MIN_WIF - 1,
            Err(error) => matches!(error, ParseError::KeyLength { .. }),
        };
        if !is_short {
            return;
        }
        let text = Zeroizing::new([self.text.trim(), "..."].concat());
        let owner = self.owner();
        let Ok((digits, bytes, _)) = read(&text, self.options.kinds.is_empty(), owner) else {
            return;
        };
        // As it is written, it may be whole.
        let written = self.bytes.clone().filter(Digits::has_length);
        let bytes = written.or(bytes);
        let both = (digits, bytes.clone(), KeyReading::LostEnd);
        let only_bytes = bytes.map(|bytes| (Some(bytes), None, KeyReading::Bytes));
        for (digits, bytes, reading) in std::iter::once(both).chain(only_bytes) {
            let cut = Self {
                text: text.clone(),
                digits,
                bytes,
                lost: 0,
                kinds: self.kinds.clone(),
                reading,
                options: self.options.clone(),
                other: self.other.clone(),
                described: Err(ParseError::Empty),
            };
            let Ok((space, cost)) = cut.space(&self.options.damage) else { continue };
            // Whichever of the two searches is less work.
            let has_secrets = || space.texts.as_ref().is_none_or(|it| it.secrets().is_some());
            let is_sure = cost.expected_by_chance <= NOISE;
            let is_known = if owner.is_some() { has_secrets() } else { is_sure };
            if is_known && cost.candidates > 0.0 && cost.hashes <= MAX_LOST {
                *self = Self { described: Ok((space, cost)), ..cut };
                return;
            }
        }
    }

    /// The number of characters of the text.
    fn len(&self) -> usize {
        Pattern::key_text(&self.text).chars().count()
    }

    /// About how many seconds a search takes on the threads of the current `rayon` pool.
    #[must_use]
    pub fn seconds(&self, space: &KeySpace) -> f64 {
        let of_texts = |texts: &SearchSpace<KeyKind>| {
            texts.estimate().hashes * Search::new(texts).measure() / 1e9
        };
        let of_secrets = |secrets: &Option<Arc<Secrets>>| {
            secrets.as_ref().zip(self.owner()).map(|(secrets, owner)| secrets.seconds(owner))
        };
        let of_texts = || space.texts.as_deref().map_or(0.0, of_texts);
        let of_one_thread = of_secrets(&space.secrets).unwrap_or_else(of_texts)
            + of_secrets(&space.others).unwrap_or(0.0);
        of_one_thread / rayon::current_num_threads() as f64
    }

    /// What to search if the text has some damage, and what that costs.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Pattern::key`] and `TooComplex`.
    pub fn space(&self, damage: &Damage) -> Searchable {
        if let Some(digits) = &self.digits {
            let cut = damage.cut.max(self.lost);
            let secrets = Secrets::of_digits(digits, &Damage { cut, ..damage.clone() })?;
            let estimate = secrets.estimate(secrets.count().as_f64());
            let secrets = Some(Arc::new(secrets));
            return Ok((KeySpace { texts: None, secrets, others: None }, estimate));
        }
        let of_text = self.space_of_text(&self.text, damage);
        let Some(bytes) = &self.bytes else { return of_text };
        let others = Arc::new(Secrets::of_digits(bytes, damage)?);
        let of_others = others.estimate(others.count().as_f64());
        match of_text {
            Ok((space, cost)) => Ok((
                KeySpace { others: Some(others), ..space },
                Estimate {
                    candidates: cost.candidates + of_others.candidates,
                    hashes: cost.hashes + of_others.hashes,
                    expected_by_chance: cost.expected_by_chance + of_others.expected_by_chance,
                },
            )),
            Err(ParseError::KeyLength { .. }) => {
                Ok((KeySpace { texts: None, secrets: Some(others), others: None }, of_others))
            }
            Err(error) => Err(error),
        }
    }

    /// [`space`](Self::space) of a text that is not read as digits.
    fn space_of_text(&self, text: &str, damage: &Damage) -> Searchable {
        let pattern = Pattern::key(text, damage.clone())?;
        let mut texts = SearchSpace::new(&pattern, &self.kinds)?;
        if let Some(hash) = self.owner().and_then(KeyOwner::address_hash) {
            texts = texts.of_address_hash(hash);
        }
        let (mut estimate, mut secrets) = (texts.estimate(), None);
        if self.owner().is_some() {
            // What encrypted keys have of the address is not new: all candidates have it.
            let encrypted = texts.by_chance(is_encrypted);
            let others = texts.by_chance(|kind| !is_encrypted(kind));
            estimate.expected_by_chance = encrypted + others * OF_HASH;
            let hashes = estimate.hashes;
            // Only compressed keys have such a byte.
            let has_marker = texts.by_chance(|kind| kind.name.ends_with("uncompressed")) == 0.0;
            let ranges = texts.secrets();
            secrets = ranges.map(|ranges| Secrets::new(ranges, has_marker));
            secrets = secrets.filter(|it| it.hashes() < hashes);
            if let Some(secrets) = &secrets {
                estimate = secrets.estimate(estimate.candidates);
            }
        }
        let secrets = secrets.map(Arc::new);
        Ok((KeySpace { texts: Some(Arc::new(texts)), secrets, others: None }, estimate))
    }

    /// With an address, ends once its key is found. It does not single out an encrypted one.
    ///
    /// Searches one shard, with an index from 1 and their number. Runs on the current `rayon` pool.
    /// Calls a function with the number of hashes so far, from any thread, and stops once that
    /// returns `false`.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::TooManyHits`] if there are more than 100,000 keys.
    ///
    /// # Panics
    ///
    /// Panics unless the index is from 1 to the number of shards.
    pub fn search(
        &self,
        space: &KeySpace,
        shard: (usize, usize),
        go_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<KeyOutcome, SearchError> {
        let owner = self.owner();
        let (hits, stop) = (Mutex::new(Vec::new()), AtomicBool::new(!go_on(0)));
        let is_proof = AtomicBool::new(false);
        let found = |key: &str, kind: &'static str, is_owned: bool| {
            let mut hits = lock(&hits);
            let text = Zeroizing::new(key.to_owned());
            hits.push((is_owned, KeyHit { text, kind }));
            is_proof.fetch_or(is_owned, Ordering::Relaxed);
            if is_owned || hits.len() > MAX_HITS {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let progress = |hashes| {
            stop.fetch_or(!go_on(hashes), Ordering::Relaxed);
        };
        let found_hit = |hit: &Hit<KeyKind>, is_owned| found(&hit.text, hit.format.name, is_owned);
        let mut outcome = KeyOutcome { is_done: true, ..KeyOutcome::default() };
        let tried = AtomicU64::new(0);
        let search_secrets = |secrets: &Secrets, texts: Option<&SearchSpace<KeyKind>>| {
            let Some(owner) = owner else { return true };
            let found_secret = |secret: &[u8; 32]| match texts {
                Some(texts) => texts.keys_of(secret).iter().for_each(|hit| found_hit(hit, true)),
                None => found(&Zeroizing::new(hex::encode(secret)), "private key", true),
            };
            let add = |more| {
                let tried = tried.fetch_add(more, Ordering::Relaxed) + more;
                progress(tried * secrets.hashes_of_each);
                !stop.load(Ordering::Relaxed)
            };
            secrets.search(owner, shard, &found_secret, &add)
        };
        let others = space.others.as_ref();
        let are_done = others.is_none_or(|others| search_secrets(others, None));
        if let Some(secrets) = space.secrets.as_ref().filter(|_| are_done && owner.is_some()) {
            outcome.is_done = search_secrets(secrets, space.texts.as_deref());
        } else if !are_done {
            outcome.is_done = false;
        } else if let Some(texts) = &space.texts {
            let keep = |hit: &Hit<KeyKind>| {
                let is_owned = owner.is_some_and(|owner| owner.owns(hit));
                if is_owned || owner.is_none() || is_encrypted(hit.format) {
                    found_hit(hit, is_owned);
                }
                false
            };
            let search = Search::new(texts)
                .shard(shard.0, shard.1)
                .cancel(&stop)
                .progress(&progress)
                .keep(&keep);
            (outcome.hashes, outcome.is_done) = match search.run() {
                Ok(outcome) => (outcome.hashes, true),
                Err(SearchError::Cancelled(unfinished)) => (unfinished.hashes, false),
                Err(error) => unreachable!("no hit is kept, and nothing resumed: {error}"),
            };
        }
        outcome.secrets = tried.load(Ordering::Relaxed);
        outcome.is_proof = is_proof.load(Ordering::Relaxed);
        // Others that fit are not the key of the address.
        let hits = take(&mut *lock(&hits)).into_iter();
        let hits = hits.filter(|&(is_owned, _)| is_owned == outcome.is_proof);
        let mut hits: Vec<KeyHit> = hits.map(|(_, hit)| hit).collect();
        hits.sort_by(|a, b| a.text.cmp(&b.text));
        hits.dedup();
        if hits.len() > MAX_HITS {
            return Err(SearchError::TooManyHits(MAX_HITS));
        }
        let is_done = outcome.is_done || outcome.is_proof;
        Ok(KeyOutcome { hits, is_done, ..outcome })
    }
}

/// The digits of a private key without a checksum, if the text has that form; those that it may
/// also be; and how it is read.
fn read(
    text: &str,
    is_any_kind: bool,
    owner: Option<&KeyOwner>,
) -> Result<(Option<Digits>, Option<Digits>, KeyReading), KeyError> {
    let hexadecimal = Digits::hexadecimal(text);
    if hexadecimal.is_some() {
        return Ok((hexadecimal, None, KeyReading::AsWritten));
    }
    if let Some((part, lost)) = Digits::part(text) {
        return Ok((Some(part), None, KeyReading::LostDigits(lost)));
    }
    if let Some(places) = digits::not_understood(text) {
        return Err(KeyError::NotUnderstood(places));
    }
    let Some(owner) = owner.filter(|_| is_any_kind) else {
        return Ok((None, None, KeyReading::AsWritten));
    };
    let is_of_owner =
        |digits: &Digits| digits.only().is_some_and(|secret| owner.is_of_secret(&*secret));
    let digits = Digits::base58(text).or_else(|| Digits::of_bytes(text));
    // Without its last characters, a key in the wallet import format is as long.
    let is_wif = digits::is_begin_of_wif(&Pattern::key_text(text));
    Ok(match digits {
        None => (None, None, KeyReading::AsWritten),
        Some(digits) if is_wif && !is_of_owner(&digits) => {
            (None, Some(digits), KeyReading::AsWritten)
        }
        digits => (digits, None, KeyReading::Bytes),
    })
}

/// The kinds of those that were selected that can be checked.
fn kinds_to_try(selected: &[KeyKind], owner: Option<&KeyOwner>) -> Result<Vec<KeyKind>, KeyError> {
    let mut kinds = if selected.is_empty() { KeyKind::matching("any") } else { selected.to_vec() };
    let has_address = owner.is_some();
    let is_of_encrypted = owner.is_none_or(|owner| owner.address_hash().is_some());
    let has_encrypted = kinds.iter().any(|&kind| is_encrypted(kind));
    kinds.retain(|kind| match kind.format {
        // Their check has 8 bits: too many fit by chance.
        KeyFormat::Mini => has_address,
        KeyFormat::Wif => true,
        KeyFormat::Encrypted => is_of_encrypted,
        // Their addresses are those of other keys, which are derived from them.
        _ => !has_address,
    });
    match (has_address, has_encrypted) {
        _ if !kinds.is_empty() => Ok(kinds),
        (false, _) => Err(KeyError::MiniKey),
        (_, true) => Err(KeyError::Encrypted),
        _ => Err(KeyError::Extended),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows nothing of the key.
impl fmt::Debug for KeyQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyQuestion").field("reading", &self.reading).finish_non_exhaustive()
    }
}

/// Shows nothing of the key.
impl fmt::Debug for KeySpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySpace").finish_non_exhaustive()
    }
}

/// Shows nothing of the key.
impl fmt::Debug for KeyHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyHit").field("kind", &self.kind).finish_non_exhaustive()
    }
}
