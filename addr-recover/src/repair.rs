//! Answers a text in one call, whatever the format of the address in it. Addresses of other formats
//! than Base58Check need no search: their checksums are corrected.

use crate::address_space::AddressSpace;
use crate::answer::{Answer, Refusal, Repaired, without_candidates};
use crate::change::Change;
use crate::climb::{Climb, Next, Tried};
use crate::damage::Damage;
use crate::damage::WRONG_CASE;
use crate::ethereum_space::EthereumSpace;
use crate::evidence::{Certainty, Estimate, likelihood};
use crate::format::Hit;
use crate::formats;
use crate::formats::ethereum;
use crate::kind::Kind;
use crate::known::{Known, KnownMatch};
use crate::ladder::{AS_WRITTEN, Ladder, Limits};
use crate::parse_error::{Foreign, ParseError};
use crate::pattern::{Pattern, Reading};
use crate::search::SearchError;
use crate::search_space::{NOISE, SearchSpace};
use crate::selection::Selection;

/// The maximum number of `1` at the beginning of an address: one for each byte of its version and
/// its payload, if these are zero.
const MAX_ONES: usize = 21;

/// How to [`ask`]: change the fields of `AskOptions::default()`, because there may be more of them
/// in a later version.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AskOptions {
    /// Damage that the text does not show.
    pub damage: Damage,
    /// Which addresses to search for; by default, common ones and then those of any network.
    pub selection: Selection,
    /// Addresses that are known to exist: if any of them fit, they are the answer, without a
    /// search. If nothing certain is found, the nearest ones are.
    pub known: Known,
    /// Whether to try only the damage described, and none that is likely.
    pub is_exact: bool,
    /// Whether to search for an address that is intact or known, too, and for one whose answer
    /// would be noise.
    pub is_forced: bool,
    /// How far to search for damage that nobody described.
    pub limits: Limits,
}

impl AskOptions {
    /// The known addresses that a search space allows.
    fn known_answers(&self, space: &AddressSpace) -> Vec<Repaired> {
        if self.is_forced { Vec::new() } else { self.known.answers(space) }
    }

    /// The answer with the known addresses nearest to a text, in its format.
    fn nearest(&self, text: &str, is_base58: bool) -> Option<Answer> {
        let nearest = || self.known.nearest(text, is_base58);
        let (distance, addresses) = if self.is_forced { None } else { nearest() }?;
        let differ = match distance {
            1 => "1 character differs".to_owned(),
            _ => format!("{distance} characters differ"),
        };
        Some(Answer {
            from_known: Some(KnownMatch::Nearest { distance }),
            note: Some(format!("the nearest in the list of known addresses; {differ}")),
            ..Answer::of(addresses, None)
        })
    }

    /// Some addresses with those marked that are known, and these first.
    fn ranked(&self, mut addresses: Vec<Repaired>) -> Vec<Repaired> {
        for it in &mut addresses {
            it.is_known = self.known.contains(&it.address);
        }
        addresses.sort_by(|a, b| (b.is_known, &a.address).cmp(&(a.is_known, &b.address)));
        addresses
    }
}

/// Reads a text and answers with the address that it may have been: of Bitcoin or its relatives, in
/// Base58Check, Bech32 or CashAddr, or of Ethereum. It is [`ask`] without options.
///
/// ```
/// use addr_recover::{Certainty, repair};
///
/// // Base58Check, with a wrong character; Bech32, with two.
/// for (text, address) in [
///     ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271", "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"),
///     (
///         "bc1qw508d6qejxtdg5y5r3zarvary0c5xw7kv8f3s4",
///         "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
///     ),
/// ] {
///     let answer = repair(text)?;
///     assert_eq!(answer.addresses[0].address, address);
///     let evidence = answer.evidence().unwrap(); // `None` for an intact address
///     assert!(evidence.certainty() < Certainty::Uncertain);
///     // Print the doubt: a rounded probability may read 100 %.
///     let doubt = 1.0 - evidence.probability();
///     println!("{address}: {}, wrong with {doubt:.1e}", evidence.certainty().name());
/// }
/// # Ok::<(), addr_recover::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns the same errors as [`ask`].
pub fn repair(text: &str) -> Result<Answer, ParseError> {
    ask(text, &AskOptions::default())
}

/// Reads a text and answers with the address that it may have been, how sure that is, what was
/// wrong, what was tried, and what to try next.
///
/// Searches on the current `rayon` pool, for likely damage if nothing else is found, within the
/// limits of the options. [`Reading::question`] and [`Climb`] give progress and cancellation.
///
/// ```
/// use addr_recover::{AskOptions, Verdict, ask};
///
/// // A transaction's name beside a damaged address is left out: it may be a private key.
/// let name = "0c28fca386c7a227".repeat(4);
/// let text = format!("To 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271\nTXID: {name}");
/// let mut options = AskOptions::default();
/// let answer = ask(&text, &options)?;
/// assert_eq!(answer.verdict(), Verdict::Unique);
/// assert_eq!(answer.addresses[0].address, "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71");
/// assert_eq!(answer.read.as_deref(), Some("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271"));
/// let evidence = answer.evidence().unwrap();
/// assert_eq!(evidence.certainty().name(), "certain");
/// assert_eq!(evidence.percentage(), "over 99.9 %");
/// let change = answer.change.as_ref().unwrap();
/// assert_eq!(change.to_string(), "1 character was wrong: ...4Zn271 -> ...4ZnX71");
/// let tried: Vec<&str> = answer.tried.iter().map(|it| it.name).collect();
/// assert_eq!(tried[..2], ["the text as written", "one look-alike character"]);
/// assert_eq!(tried.last(), Some(&"one wrong character"));
/// assert_eq!(answer.left_out, 64);
///
/// // All of it in words.
/// let words = answer.to_string();
/// assert!(words.starts_with("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 (Bitcoin P2PKH"));
/// assert!(words.contains("over 99.9 % likely to be right: 1 in 1.6 million random texts"));
///
/// // Nothing fits without that damage. Within few hashes, the answer says what to try next.
/// options.limits = options.limits.at_most(1000.0);
/// let answer = ask(&text, &options)?;
/// assert_eq!(answer.verdict(), Verdict::None);
/// let next = answer.next.unwrap();
/// assert_eq!(next.name, "look-alike characters");
/// # Ok::<(), addr_recover::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns a [`ParseError`] if the text cannot be a damaged address, or is one that was not
/// selected, or has several: then ask each of the [readings](Reading::split).
pub fn ask(text: &str, options: &AskOptions) -> Result<Answer, ParseError> {
    Reading::of(text)?.ask(options)
}

/// What a text asks: see [`Reading::question`].
#[derive(Clone, Debug)]
pub enum Question {
    /// It has an answer without a search.
    Answered(Box<Answer>),
    /// It may have been an address that takes a search.
    Open(Box<Open>),
}

/// A question that takes a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Open {
    /// The address that was read.
    pub text: String,
    /// What the damage described allows.
    pub space: AddressSpace,
    /// What searching it costs, and what its answer is worth.
    pub estimate: Estimate,
    /// Why not to search, unless the question is forced.
    pub refusal: Option<Refusal>,
    /// Why no address is like the text as it is written, if none is.
    pub note: Option<String>,
    /// What the answer has of the text.
    asked: Answer,
    options: AskOptions,
    /// The pattern of an address of Base58Check.
    pattern: Option<Pattern>,
}

impl Open {
    fn new(text: String, space: AddressSpace, options: &AskOptions) -> Self {
        let estimate = space.estimate();
        Self {
            text,
            space,
            estimate,
            refusal: None,
            note: None,
            asked: Answer::of(Vec::new(), Some(estimate)),
            options: options.clone(),
            pattern: None,
        }
    }

    /// The short name of the network, unless the format is Base58Check.
    #[must_use]
    pub fn network(&self) -> Option<&'static str> {
        self.asked.network
    }

    /// The searches for the address: what was described and, unless that is all, likely damage.
    #[must_use]
    pub fn ladder(&self) -> Ladder<'static, AddressSpace> {
        let AskOptions { damage, selection, is_exact, .. } = &self.options;
        match (&self.space, &self.pattern) {
            _ if *is_exact => Ladder::exact(damage, Some((self.space.clone(), self.estimate))),
            (AddressSpace::Base58(space), Some(pattern)) => {
                let versions = Some(selection.versions()).filter(|it| !it.is_empty());
                Ladder::new(pattern, space, versions).map(AddressSpace::Base58)
            }
            (AddressSpace::Ethereum(space), _) => space.ladder(damage).map(AddressSpace::Ethereum),
            (space, None) => Ladder::exact(damage, Some((space.clone(), self.estimate))),
        }
    }

    /// The way up the ladder, within the limits of the options.
    #[must_use]
    pub fn climb(&self) -> Climb<'static, AddressSpace> {
        Climb::new(self.ladder(), self.options.limits.clone())
    }

    /// The known addresses that what is searched allows: if there are any, they are the answer of
    /// this search. None if the question is forced.
    #[must_use]
    pub fn known(&self, space: &AddressSpace) -> Vec<Repaired> {
        self.options.known_answers(space)
    }

    /// The answer with what the searches of a climb found or, if that is not certain, with the
    /// known addresses that are nearest to the text.
    #[must_use]
    pub fn answer(&self, addresses: Vec<Repaired>, climb: &Climb<'_, AddressSpace>) -> Answer {
        let answer = self.found(addresses, climb);
        let is_sure = answer.evidence().is_none_or(|it| it.certainty() < Certainty::Uncertain);
        if self.options.is_exact || is_sure && !answer.addresses.is_empty() {
            return answer;
        }
        self.nearest(answer.estimate).unwrap_or(answer)
    }

    /// The answer with the known addresses that are nearest to the text.
    fn nearest(&self, estimate: Option<Estimate>) -> Option<Answer> {
        let is_base58 = matches!(self.space, AddressSpace::Base58(_));
        let Answer { addresses, from_known, note, .. } =
            self.options.nearest(&self.text, is_base58)?;
        Some(Answer { addresses, from_known, note, estimate, ..self.asked.clone() })
    }

    /// The answer with what the searches of a climb found.
    fn found(&self, addresses: Vec<Repaired>, climb: &Climb<'_, AddressSpace>) -> Answer {
        let addresses = self.options.ranked(addresses);
        // Unless it is forced, nothing is searched in which a known address is.
        let is_known = !self.options.is_forced && addresses.iter().any(|it| it.is_known);
        let found = addresses.iter().map(|it| &*it.address);
        let (guess, change) = (climb.guess(), climb.change(&self.text, found));
        let estimate = Estimate {
            expected_by_chance: climb.expected_by_chance(),
            hashes: climb.hashes() as f64,
            ..self.estimate
        };
        Answer {
            estimate: Some(estimate),
            damage: guess.map(|rung| rung.name),
            change,
            likelihood: climb.likelihood(),
            note: self.note.clone().filter(|_| addresses.is_empty()),
            tried: climb.tried().to_vec(),
            next: climb.next().map(Next::of),
            from_known: is_known.then_some(KnownMatch::Fits),
            addresses,
            ..self.asked.clone()
        }
    }

    /// The answer of the searches that take milliseconds, on this thread. `None` for Base58Check,
    /// whose search spaces take longer to build.
    #[must_use]
    pub fn answer_at_once(&self) -> Option<Answer> {
        let is_quick = matches!(self.space, AddressSpace::Ethereum(_));
        let climb = || Climb::new(self.ladder(), Limits::at_once());
        is_quick.then(|| self.climbed(climb(), |space| space.search_here((1, 1), &|_| true)))
    }

    /// Searches until something is found.
    fn climbed(
        &self,
        mut climb: Climb<'_, AddressSpace>,
        search: impl Fn(&AddressSpace) -> Result<(Vec<Repaired>, u64), SearchError>,
    ) -> Answer {
        if self.refusal.is_some() {
            let (refusal, note) = (self.refusal, self.note.clone());
            return Answer { refusal, note, ..self.asked.clone() };
        }
        let mut addresses = Vec::new();
        while let Some(rung) = climb.advance() {
            // Those of what was described answer before any search.
            if !rung.is_described {
                addresses = self.known(&rung.space);
                if !addresses.is_empty() {
                    climb.add(true, 0);
                    break;
                }
            }
            if !climb.admit(|_| false) {
                continue;
            }
            let Some(rung) = climb.rung() else { break };
            let hashes;
            (addresses, hashes) = match search(&rung.space) {
                Err(SearchError::TooManyHits(max)) => {
                    let refusal = Some(Refusal::TooMany { max });
                    return Answer { refusal, ..self.found(Vec::new(), &climb) };
                }
                // Nothing cancels it.
                found => found.unwrap_or_default(),
            };
            climb.add(!addresses.is_empty(), hashes);
        }
        self.answer(addresses, &climb)
    }

    /// How many characters a shortened address lacks.
    fn hidden(&self) -> Option<usize> {
        self.pattern.as_ref()?.hidden()
    }

    /// Why not to search.
    fn refused(&self) -> Option<Refusal> {
        let Estimate { expected_by_chance: by_chance, hashes, .. } = self.estimate;
        let is_noise = by_chance > NOISE;
        match self.hidden() {
            _ if self.options.is_forced => None,
            Some(characters) if is_noise => Some(Refusal::Hidden { characters, by_chance }),
            Some(_) if hashes == 0.0 => Some(Refusal::HiddenOfOther),
            _ => is_noise.then_some(Refusal::Noise { by_chance, nouns: "addresses" }),
        }
    }
}

impl Question {
    /// The question, if its address was selected.
    fn of_selected(self, selection: &Selection) -> Result<Self, ParseError> {
        let (network, kinds) = match &self {
            Self::Answered(answer) => {
                let found = answer.addresses.first();
                (answer.network, found.map_or(String::new(), |found| found.kinds.join(", ")))
            }
            Self::Open(open) => {
                let kinds = open.space.kinds().into_iter().flat_map(|(_, names, _)| names);
                (open.network(), kinds.collect::<Vec<_>>().join(", "))
            }
        };
        match network {
            Some(network) if !selection.has_network(network) => {
                Err(ParseError::OtherKind { kinds })
            }
            None if !selection.has_base58() => {
                Err(ParseError::NotOfNetworks { networks: selection.names().join(" or ") })
            }
            _ => Ok(self),
        }
    }

    /// The question, or the answer of the known addresses: those that fit or, if a search would
    /// be noise, the nearest.
    fn of_known(self, options: &AskOptions) -> Self {
        match self {
            Self::Answered(mut answer) => {
                answer.addresses = options.ranked(answer.addresses);
                Self::Answered(answer)
            }
            Self::Open(open) => {
                let estimate = Some(open.estimate);
                let known = options.known_answers(&open.space);
                let is_noise =
                    matches!(open.refusal, Some(Refusal::Noise { .. } | Refusal::Hidden { .. }));
                let answer = if !known.is_empty() {
                    let from_known = Some(KnownMatch::Fits);
                    Some(Answer { addresses: known, from_known, ..open.asked.clone() })
                } else if is_noise {
                    open.nearest(estimate)
                } else {
                    None
                };
                answer.map_or(Self::Open(open), |answer| Self::Answered(Box::new(answer)))
            }
        }
    }
}

impl Repaired {
    /// An undamaged address of any format, in its spelling.
    #[must_use]
    pub fn intact(text: &str) -> Option<Self> {
        if let Some(hit) = Hit::of(text) {
            return Some(Self::of(&hit));
        }
        let answer = Reading::of(text).ok()?.intact_or_linear()?;
        answer.addresses.into_iter().next().filter(|_| answer.estimate.is_none())
    }
}

impl Reading {
    /// [`ask`] of a text that was read.
    ///
    /// ```
    /// use addr_recover::{AskOptions, Reading};
    ///
    /// let text = "1dice8emzmqkvrge4qc9buff9px3xaydp or 1name2nxvi1rdpdgf5617uow7xa6yrhm9f";
    /// let options = AskOptions::default();
    /// for reading in Reading::of(text)?.split() {
    ///     assert_eq!(reading.ask(&options)?.addresses.len(), 1);
    /// }
    /// # Ok::<(), addr_recover::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`ask`].
    pub fn ask(&self, options: &AskOptions) -> Result<Answer, ParseError> {
        Ok(match self.question(options)? {
            Question::Answered(answer) => *answer,
            Question::Open(open) => open.climbed(open.climb(), |space| space.search(&|_| true)),
        })
    }

    /// What the text asks, whatever the format of the address in it.
    ///
    /// # Errors
    ///
    /// Returns a [`ParseError`] if the text cannot be a damaged address, or is one that was not
    /// selected, or has several, or may be a private key in which nothing is an undamaged address.
    pub fn question(&self, options: &AskOptions) -> Result<Question, ParseError> {
        let of_base58 = self.pattern(options.damage.clone());
        let question = of_base58.and_then(|pattern| self.of_base58(pattern, options));
        let question = question.or_else(|error| {
            if let Some(answer) = self.intact_or_linear() {
                return Ok(Question::Answered(Box::new(answer)));
            }
            self.of_ethereum(options).unwrap_or(Err(error))
        });
        let mut question = match question {
            // What is read may be a part of it.
            Ok(Question::Open(_)) if self.has_secret() => {
                return Err(ParseError::Foreign(Foreign::PrivateKey));
            }
            Ok(question) => question.of_selected(&options.selection)?.of_known(options),
            Err(error @ ParseError::Several { .. }) => return Err(error),
            Err(error) => {
                let read = self.addresses().next().unwrap_or_default();
                Question::Answered(Box::new(options.nearest(&read, false).ok_or(error)?))
            }
        };
        let answer = match &mut question {
            Question::Answered(answer) => &mut **answer,
            Question::Open(open) => &mut open.asked,
        };
        answer.left_out = self.left_out();
        answer.read = self.addresses().next().filter(|_| !self.may_be_part_of_key());
        Ok(question)
    }

    /// The answer to a text with an address of another format than Base58Check: corrected by its
    /// checksum, in the spelling of its format. `None` if there is no such address, or too much of
    /// it is damaged.
    ///
    /// Takes milliseconds. [`ask`] also finds what takes longer.
    #[must_use]
    pub fn corrected(&self) -> Option<Answer> {
        self.intact_or_linear().or_else(|| {
            let Question::Open(open) = self.of_ethereum(&AskOptions::default())?.ok()? else {
                return None;
            };
            open.answer_at_once().filter(|answer| !answer.addresses.is_empty())
        })
    }

    /// What the text asks if its address is of Base58Check.
    fn of_base58(&self, pattern: Pattern, options: &AskOptions) -> Result<Question, ParseError> {
        let (versions, is_forced) = (options.selection.versions(), options.is_forced);
        let intact = if versions.is_empty() {
            Hit::undamaged(&pattern)
        } else {
            Hit::of(pattern.address()).filter(|hit| versions.contains(&hit.format))
        };
        if let Some(hit) = intact.filter(|_| !is_forced) {
            let answer = Answer::of(vec![Repaired::of(&hit)], None);
            return Ok(Question::Answered(Box::new(answer)));
        }
        let space = if versions.is_empty() {
            SearchSpace::any_network(&pattern)?
        } else {
            SearchSpace::new(&pattern, versions)?
        };
        let text = pattern.address().to_owned();
        let mut open = Open::new(text, AddressSpace::Base58(space), options);
        if open.estimate.candidates == 0.0 {
            let all = if versions.is_empty() { Kind::all_versions() } else { versions.to_vec() };
            let is_length = SearchSpace::has_length_of(&pattern, &all);
            let ones = pattern.address().chars().take_while(|&c| c == '1').count();
            open.note = Some(if ones > MAX_ONES {
                format!(
                    "it begins with {ones} times `1`, which an address does at most {MAX_ONES} \
                     times: look at what others are in their place"
                )
            } else {
                without_candidates("address", is_length)
            });
        }
        open.pattern = Some(pattern);
        open.refusal = open.refused();
        Ok(Question::Open(Box::new(open)))
    }

    /// What the text asks if it has a damaged Ethereum address.
    fn of_ethereum(&self, options: &AskOptions) -> Option<Result<Question, ParseError>> {
        let space = EthereumSpace::of(self, &options.damage)?;
        Some(space.map(|space| {
            let (text, space) = (space.text(), AddressSpace::Ethereum(space));
            let mut open = Open::new(text, space, options);
            open.asked.network = Some(ethereum::ID);
            open.refusal = open.refused();
            Question::Open(Box::new(open))
        }))
    }

    /// The answer to an address that is intact, or whose checksum is linear.
    fn intact_or_linear(&self) -> Option<Answer> {
        let address = self.address_without_sets()?;
        let named = self.named();
        // A ? at the end is an unreadable character, or that of a question.
        let corrected = [&*address, address.trim_end_matches('?')]
            .into_iter()
            .find_map(|word| formats::restored(named, self.as_str(), word))?;
        let repaired = |address| {
            let kinds = vec![corrected.format.clone()];
            Repaired { address, version: None, kinds, is_known: false }
        };
        let change = match (&corrected.addresses[..], corrected.guess) {
            ([found], Some((damage, _))) => {
                let read = found.split_once(':').filter(|_| !address.contains(':'));
                let found = read.map_or(&**found, |(_, data)| data);
                // Case matters only if it is all that was wrong.
                let is_case = damage == WRONG_CASE;
                Some(Change::between(&address, found, is_case, damage, !is_case))
            }
            _ => None,
        };
        let candidates = corrected.estimate.map_or(0.0, |it| it.candidates);
        let tried = corrected
            .guess
            .map(|(damage, _)| vec![Tried::of(AS_WRITTEN, 1.0), Tried::of(damage, candidates)]);
        Some(Answer {
            change,
            tried: tried.unwrap_or_default(),
            addresses: corrected.addresses.into_iter().map(repaired).collect(),
            estimate: corrected.estimate,
            damage: corrected.guess.map(|(damage, _)| damage),
            likelihood: likelihood(corrected.guess.map_or(0, |(_, faults)| faults)),
            note: corrected.note,
            network: Some(corrected.network),
            ..Answer::of(Vec::new(), None)
        })
    }
}
