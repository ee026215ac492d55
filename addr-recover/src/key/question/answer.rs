//! What the library answers to a question for a key, in words, too.

use std::fmt;

use super::digits::{Digits, is_begin_of_wif};
use super::{KeyError, KeyHit, KeyOptions, KeyOutcome, KeyQuestion, KeyReading, KeySpace, MIN_WIF};
use crate::alphabet::BASE;
use crate::answer::{Refusal, Verdict, next_in_words, tried_in_words, without_candidates};
use crate::climb::{Climb, Next, Tried};
use crate::evidence::{Estimate, Evidence};
use crate::key::mini;
use crate::parse_error::ParseError;
use crate::pattern::Pattern;
use crate::search::SearchError;
use crate::search_space::{NOISE, SearchSpace};

/// The times for which a refusal says what is feasible, in seconds: an hour, a day and a month. A
/// search that takes longer has to be forced.
const TIMES: [f64; 3] = [3600.0, 86_400.0, 30.0 * 86_400.0];

/// The key that a text may have been: see [`ask_key`].
///
/// Neither `Debug` nor `Display` shows a key: [`KeyHit::text`] has it, which is wiped from memory.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KeyAnswer {
    /// All keys that fit, sorted.
    pub keys: Vec<KeyHit>,
    /// What was tried: the keys that are expected by chance, among so many candidates. `None` if
    /// the text is an undamaged key of another address.
    pub estimate: Option<Estimate>,
    /// Why nothing was searched.
    pub refusal: Option<Refusal>,
    /// The damage that is assumed although nobody described it and the text does not show it, such
    /// as `one wrong character`.
    pub damage: Option<&'static str>,
    /// How likely that damage is.
    pub likelihood: f64,
    /// Why no key is like the text as it is written.
    pub note: Option<String>,
    /// How the text was read: perhaps only a part of it is.
    pub reading: KeyReading,
    /// The whole key that the text is as it is written, if it is not that of the address.
    pub other: Option<OtherKey>,
    /// The damage that was tried, in this order. The keys have the last of it.
    pub tried: Vec<Tried>,
    /// What to try next, if nothing was found.
    pub next: Option<Next>,
    /// The address of which a key was found, which proves it.
    pub proof: Option<String>,
    /// How many private keys were compared with the address.
    pub secrets: u64,
}

/// A whole key that is not the one of an address. `Display` says so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherKey {
    /// What it is, such as `Bitcoin WIF, compressed` or `64 hexadecimal digits`.
    pub name: &'static str,
    /// Whether a checksum says that it is undamaged, so that no search can find another key.
    pub is_undamaged: bool,
    /// The address whose key it is not.
    pub address: String,
    /// The addresses that it has; none if only its passphrase tells.
    pub addresses: Vec<String>,
}

/// Reads a text and answers with the key that it may have been, how sure that is, what was tried,
/// and what to try next. It is [`ask`](crate::ask) for keys, which are only searched for if asked
/// for.
///
/// Searches on the current `rayon` pool, for likely damage if nothing else is found, within the
/// limits of the options. [`KeyQuestion`] gives progress and cancellation.
///
/// ```
/// use addr_recover::{KeyOptions, Verdict, ask_key};
///
/// // From the wiki of Bitcoin, with a wrong character.
/// let text = "my key: 5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLveTJ";
/// let mut options = KeyOptions::default();
/// let answer = ask_key(text, &options)?;
/// assert_eq!(answer.verdict(), Verdict::Unique);
/// assert_eq!(*answer.keys[0].text, "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ");
/// assert_eq!(answer.damage, Some("one wrong character"));
/// assert_eq!(answer.evidence().unwrap().certainty().name(), "certain");
/// // In words, without the key.
/// let words = answer.to_string();
/// assert!(words.starts_with("found: Bitcoin WIF, uncompressed; certain, over 99.9 % likely"));
///
/// // The end is lost, and the address is known, which proves the key.
/// options.owner = Some("1LoVGDgRs9hTfTNJNuXKSpywcbdvwRXpmK".parse()?);
/// let answer = ask_key("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJw", &options)?;
/// assert_eq!(*answer.keys[0].text, "KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617");
/// assert_eq!(answer.proof.as_deref(), Some("1LoVGDgRs9hTfTNJNuXKSpywcbdvwRXpmK"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns a [`KeyError`] if the text cannot be the damaged key, or if no search can tell it.
pub fn ask_key(text: &str, options: &KeyOptions) -> Result<KeyAnswer, KeyError> {
    KeyQuestion::new(text, options)?.ask()
}

impl KeyQuestion {
    /// The answer, if it takes no search: the text is an undamaged key of another address, or the
    /// search is refused and not forced.
    ///
    /// # Errors
    ///
    /// Returns a [`KeyError`] if what was described cannot be searched.
    pub fn without_search(&self) -> Result<Option<KeyAnswer>, KeyError> {
        if self.is_of_other_owner() {
            return Ok(Some(self.unsearched(None, None)));
        }
        match self.described() {
            // A character may be missing, or extra.
            Err(ParseError::KeyLength { .. }) if !self.options.is_exact => {
                self.demand_whole()?;
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
            Ok((_, cost)) if cost.candidates == 0.0 => self.demand_whole()?,
            Ok(_) => {}
        }
        let refusal = self.refusal().filter(|_| !self.options.is_forced);
        let estimate = self.described().ok().map(|(_, cost)| cost);
        Ok(refusal.map(|refusal| self.unsearched(estimate, Some(refusal))))
    }

    /// Whether the text is an undamaged key of another address, and nothing else is searched for.
    #[must_use]
    pub fn is_of_other_owner(&self) -> bool {
        self.other().is_some_and(|it| it.is_undamaged) && !self.options.is_forced
    }

    /// Why not to search for what was described, unless that is forced: it would take more than a
    /// month on this machine, or the answer would be noise. Measures the machine.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        let (space, cost) = self.described().ok()?;
        let too_long = self.too_long(&cost, self.seconds(space));
        let by_chance = cost.expected_by_chance;
        // An address leaves noise only if there is no end of keys.
        if by_chance > NOISE && (self.owner().is_none() || too_long.is_none()) {
            return Some(Refusal::Noise { by_chance, nouns: "keys" });
        }
        too_long
    }

    fn too_long(&self, cost: &Estimate, seconds: f64) -> Option<Refusal> {
        // Each unknown character multiplies the time.
        let base = self.digits.as_ref().map_or(BASE, Digits::base);
        let of_each = (base as f64).ln();
        let unknown = cost.candidates.ln() / of_each;
        let feasible = TIMES.map(|limit| {
            let more = (seconds / limit).ln() / of_each;
            (unknown - more).floor().max(0.0)
        });
        let is_part = matches!(self.reading, KeyReading::LostDigits(_));
        (seconds > TIMES[2]).then_some(Refusal::Long { seconds, unknown, feasible, is_part })
    }

    /// An error if the text is the beginning of a key that is too short to be searched.
    fn demand_whole(&self) -> Result<(), KeyError> {
        let given = self.len();
        let is_cut = self.digits.is_none()
            && given < MIN_WIF - 1
            && is_begin_of_wif(&Pattern::key_text(&self.text));
        if is_cut { Err(KeyError::Cut { given }) } else { Ok(()) }
    }

    /// Why no key is like the text as it is written, if none is.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        if self.described().is_ok_and(|(_, cost)| cost.candidates > 0.0) {
            return None;
        }
        let text = Pattern::key_text(&self.text);
        let is_length = match Pattern::key(&self.text, self.options.damage.clone()) {
            Ok(pattern) if self.digits.is_none() => {
                SearchSpace::has_length_of(&pattern, &self.kinds)
            }
            _ => self.digits.is_some(),
        };
        let is_mini = self.owner().is_none()
            && mini::LENGTHS.iter().any(|length| length.abs_diff(self.len()) <= 1)
            && text.starts_with([mini::FIRST.0, mini::FIRST.0.to_ascii_lowercase(), '?']);
        let mini = if is_mini { "; to recover a mini key (S...), pass --address" } else { "" };
        Some(without_candidates("key", is_length) + mini)
    }

    fn unsearched(&self, estimate: Option<Estimate>, refusal: Option<Refusal>) -> KeyAnswer {
        KeyAnswer {
            keys: Vec::new(),
            estimate,
            refusal,
            damage: None,
            likelihood: 1.0,
            note: None,
            reading: self.reading,
            other: self.other.clone(),
            tried: Vec::new(),
            next: None,
            proof: None,
            secrets: 0,
        }
    }

    /// The answer with what the last search of a climb found.
    ///
    /// # Errors
    ///
    /// Returns a [`KeyError`] if nothing could be searched.
    pub fn answer(
        &self,
        outcome: KeyOutcome,
        climb: &Climb<'_, KeySpace>,
    ) -> Result<KeyAnswer, KeyError> {
        if climb.tried().is_empty() {
            self.described()?;
        }
        let KeyOutcome { hits: keys, secrets, is_proof, .. } = outcome;
        let candidates = self.described().map_or(0.0, |(_, cost)| cost.candidates);
        // The address proves its key.
        let expected_by_chance = if is_proof { 0.0 } else { climb.expected_by_chance() };
        let estimate = Estimate { candidates, hashes: climb.hashes() as f64, expected_by_chance };
        let proof = self.owner().filter(|_| is_proof).map(|owner| owner.address().to_owned());
        Ok(KeyAnswer {
            damage: climb.guess().map(|rung| rung.name),
            likelihood: climb.likelihood(),
            note: self.note().filter(|_| keys.is_empty()),
            tried: climb.tried().to_vec(),
            next: climb.next().map(Next::of),
            proof,
            secrets,
            keys,
            ..self.unsearched(Some(estimate), None)
        })
    }

    /// Searches until something is found.
    fn ask(&self) -> Result<KeyAnswer, KeyError> {
        if let Some(answer) = self.without_search()? {
            return Ok(answer);
        }
        let (mut climb, mut outcome, mut secrets) = (self.climb(), KeyOutcome::default(), 0);
        let mut refusal = None;
        while let Some(rung) = climb.next_rung() {
            outcome = match self.search(&rung.space, (1, 1), &|_| true) {
                Err(SearchError::TooManyHits(max)) => {
                    refusal = Some(Refusal::TooMany { max });
                    break;
                }
                // Nothing cancels it.
                found => found.unwrap_or_default(),
            };
            secrets += outcome.secrets;
            climb.add(!outcome.hits.is_empty(), outcome.hashes);
        }
        Ok(KeyAnswer { refusal, ..self.answer(KeyOutcome { secrets, ..outcome }, &climb)? })
    }
}

impl KeyAnswer {
    /// How sure the answer is. `None` if nothing was found.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence> {
        let Estimate { expected_by_chance, .. } = self.estimate?;
        let (hits, likelihood) = (self.keys.len(), self.likelihood);
        (hits > 0).then_some(Evidence { hits, expected_by_chance, likelihood })
    }

    /// What it comes to.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.refusal {
            Some(_) => Verdict::Refused,
            None => Verdict::of_found(self.keys.len(), self.evidence().map(|it| it.certainty())),
        }
    }
}

/// What the keys are, and what they are worth; or why there is none, and what to try next.
impl fmt::Display for KeyAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> =
            self.keys.iter().map(|key| format!("found: {}", key.kind)).collect();
        parts.dedup();
        if self.verdict() == Verdict::None {
            parts.push("not found".to_owned());
        }
        parts.extend(self.refusal.map(|it| it.to_string()));
        match &self.proof {
            Some(address) => parts.push(format!("it is the key of {address}")),
            None => parts.extend(self.evidence().map(|it| it.in_words("keys"))),
        }
        parts.extend(self.damage.map(|it| format!("assumes {it}")));
        parts.extend(self.other.as_ref().map(ToString::to_string));
        parts.extend(self.note.clone());
        if self.keys.is_empty() {
            parts.extend(tried_in_words(&self.tried));
        }
        parts.extend(self.next.as_ref().map(|next| next_in_words(next, "keys")));
        parts.extend(self.reading.in_words());
        f.write_str(&parts.join("; "))
    }
}

impl fmt::Display for OtherKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, is_undamaged, address, addresses } = self;
        let checksum =
            if *is_undamaged { "its checksum is right" } else { "no checksum proves it" };
        write!(f, "the key is whole as it is written ({name}; {checksum}), ")?;
        write!(f, "but it is not the key of {address}; ")?;
        if addresses.is_empty() {
            return f.write_str("only its passphrase tells its addresses");
        }
        write!(f, "it has other addresses: {}", addresses.join(", "))
    }
}

impl KeyReading {
    /// Says how a text is read, unless that is as it is written.
    #[must_use]
    pub fn in_words(self) -> Option<String> {
        let how = match self {
            Self::AsWritten => return None,
            Self::LostDigits(lost) => {
                return Some(format!(
                    "reads the text as a private key whose first or last {lost} hexadecimal digits \
                     are lost"
                ));
            }
            Self::Bytes => {
                "reads the text as the 32 bytes of a private key in Base58, without a checksum"
            }
            Self::LostEnd => "reads the text as a key whose end is lost, as with ... after it",
            Self::Word => "reads only the word of the text that has the form of a key",
        };
        Some(how.to_owned())
    }
}
