//! Answers a text in one call, whatever the format of the address in it. Addresses of other formats
//! than Base58Check need no search: their checksums are corrected.

use crate::change::Change;
use crate::climb::{Climb, Next, Tried};
use crate::evidence::{Evidence, likelihood};
use crate::format::Hit;
use crate::formats;
use crate::formats::ethereum::{self, EthereumSpace};
use crate::kind::{Kind, Version};
use crate::ladder::{Ladder, Limits, WRONG_CASE};
use crate::pattern::damage::Damage;
use crate::pattern::{ParseError, Pattern, Reading};
use crate::search::{Search, SearchError};
use crate::search_space::{Estimate, NOISE, SearchSpace};

/// How to [`ask`]: change the fields of `AskOptions::default()`, because there may be more of them
/// in a later version.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AskOptions {
    /// Damage that the text does not show.
    pub damage: Damage,
    /// Addresses of Base58Check with these versions; those of [any
    /// network](SearchSpace::any_network) if there are none.
    pub versions: Vec<Version>,
    /// Whether to try only the damage described, and none that is likely.
    pub is_exact: bool,
    /// Whether to search for an address that is intact, too.
    pub is_forced: bool,
}

/// The address that a text may have been: see [`ask`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// All addresses that fit, sorted. If there are none, no address fits, unless the
    /// [estimate](Self::estimate) is that of [noise](NOISE).
    pub addresses: Vec<Repaired>,
    /// What was tried: the addresses that are expected by chance, among so many candidates. `None`
    /// if the text is an address already.
    pub estimate: Option<Estimate>,
    /// The damage that is assumed although nobody described it and the text does not show it, such
    /// as `one wrong character`.
    pub damage: Option<&'static str>,
    /// What was wrong, if that is assumed and a single address fits.
    pub change: Option<Change>,
    /// How likely that damage is.
    pub likelihood: f64,
    /// What was restored, or why damage may be unnoticed.
    pub note: Option<String>,
    /// The short name of the network, unless the format is Base58Check.
    pub network: Option<&'static str>,
    /// The damage that was tried, in this order, the text as written first. The addresses have the
    /// last of it.
    pub tried: Vec<Tried>,
    /// What to try next, if nothing was found.
    pub next: Option<Next>,
    /// How many characters beside the address were left out, because they may be a private key.
    pub left_out: usize,
}

/// An address that a text may have been.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The address.
    pub address: String,
    /// Its version, if it is of Base58Check.
    pub version: Option<Version>,
    /// Its networks and formats, such as `Bitcoin P2PKH`; empty if no known network has it.
    pub kinds: Vec<String>,
}

impl Answer {
    /// How sure the answer is. `None` if nothing was found, or nothing had to be.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence> {
        let Estimate { expected_by_chance, .. } = self.estimate?;
        let (hits, likelihood) = (self.addresses.len(), self.likelihood);
        (hits > 0).then_some(Evidence { hits, expected_by_chance, likelihood })
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
/// Searches on the current `rayon` pool, for likely damage if nothing else is found: at most
/// [`Limits::new`]. [`Ladder`] and [`Search`] give progress, cancellation and other limits.
///
/// ```
/// use addr_recover::{AskOptions, ask};
///
/// // A transaction's name beside a damaged address is left out: it may be a private key.
/// let name = "0c28fca386c7a227".repeat(4);
/// let text = format!("To 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271\nTXID: {name}");
/// let mut options = AskOptions::default();
/// let answer = ask(&text, &options)?;
/// assert_eq!(answer.addresses[0].address, "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71");
/// assert!(answer.evidence().unwrap().probability() > 0.999);
/// assert_eq!(answer.change.unwrap().what, "1 character was wrong");
/// assert_eq!(answer.tried.last().unwrap().name, "one wrong character");
/// assert_eq!(answer.left_out, 64);
///
/// // Nothing fits without that damage, and the answer says what to ask next.
/// options.is_exact = true;
/// assert!(ask(&text, &options)?.addresses.is_empty());
/// # Ok::<(), addr_recover::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns a [`ParseError`] if the text cannot be a damaged address, or has several.
pub fn ask(text: &str, options: &AskOptions) -> Result<Answer, ParseError> {
    let reading = Reading::of(text)?;
    let answer = match reading.question(options)? {
        Question::Answered(answer) => *answer,
        Question::Base58(question) => {
            question.climbed(options, Limits::new(), |space| {
                // Nothing cancels it, and more hits than an answer may have are none.
                let outcome = Search::new(space).run().unwrap_or_default();
                (outcome.hits.iter().map(Repaired::of).collect(), outcome.hashes)
            })
        }
        Question::Ethereum(question) => {
            question.climbed_of_ethereum(options, Limits::new(), |space| space.search(&|_| true))
        }
    };
    Ok(Answer { left_out: reading.left_out(), ..answer })
}

/// What a text asks: see [`Reading::question`].
#[derive(Clone, Debug)]
pub enum Question {
    /// It has an answer without a search.
    Answered(Box<Answer>),
    /// It may have been an address of Base58Check.
    Base58(Box<Open<SearchSpace>>),
    /// It may have been an Ethereum address.
    Ethereum(Box<Open<EthereumSpace>>),
}

/// A question that takes a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Open<S> {
    /// The address that was read.
    pub text: String,
    /// What the damage described allows.
    pub space: S,
    /// What searching it costs, and what its answer is worth.
    pub estimate: Estimate,
    /// The pattern of an address of Base58Check.
    pattern: Option<Pattern>,
}

impl Open<SearchSpace> {
    /// The searches for the address: what was described and, unless that is all, likely damage.
    #[must_use]
    pub fn ladder(&self, options: &AskOptions) -> Ladder<'static> {
        match &self.pattern {
            Some(pattern) if !options.is_exact => {
                let versions = Some(&options.versions[..]).filter(|it| !it.is_empty());
                Ladder::new(pattern, &self.space, versions)
            }
            _ => Ladder::exact(&options.damage, Some((self.space.clone(), self.estimate))),
        }
    }

    /// How many characters a shortened address lacks.
    #[must_use]
    pub fn hidden(&self) -> Option<usize> {
        self.pattern.as_ref()?.hidden()
    }

    /// Whether addresses of these versions have a length that the text may have had.
    #[must_use]
    pub fn has_length_of(&self, versions: &[Version]) -> bool {
        self.pattern.as_ref().is_some_and(|it| SearchSpace::has_length_of(it, versions))
    }

    fn climbed(
        &self,
        options: &AskOptions,
        limits: Limits,
        search: impl Fn(&SearchSpace) -> (Vec<Repaired>, u64),
    ) -> Answer {
        climbed(self, Climb::new(self.ladder(options), limits), search)
    }
}

impl Open<EthereumSpace> {
    /// The searches for the address: what was described and, unless that is all, likely damage.
    #[must_use]
    pub fn ladder(&self, options: &AskOptions) -> Ladder<'static, EthereumSpace> {
        if options.is_exact {
            return Ladder::exact(&options.damage, Some((self.space.clone(), self.estimate)));
        }
        self.space.ladder(&options.damage)
    }

    /// The answer of the searches that take milliseconds, on this thread.
    #[must_use]
    pub fn answer_at_once(&self, options: &AskOptions) -> Answer {
        self.climbed_of_ethereum(options, Limits::at_once(), EthereumSpace::search_here)
    }

    fn climbed_of_ethereum(
        &self,
        options: &AskOptions,
        limits: Limits,
        search: impl Fn(&EthereumSpace) -> Result<Vec<String>, SearchError>,
    ) -> Answer {
        let repaired =
            |address| Repaired { address, version: None, kinds: vec![ethereum::NAME.to_owned()] };
        let answer = climbed(self, Climb::new(self.ladder(options), limits), |space| {
            let found = search(space).unwrap_or_default();
            (found.into_iter().map(repaired).collect(), space.estimate().hashes as u64)
        });
        Answer { network: Some(ethereum::ID), ..answer }
    }
}

/// Climbs until something is found.
fn climbed<S>(
    open: &Open<S>,
    mut climb: Climb<'_, S>,
    search: impl Fn(&S) -> (Vec<Repaired>, u64),
) -> Answer {
    if open.estimate.expected_by_chance > NOISE {
        return Answer::of(Vec::new(), Some(open.estimate));
    }
    let mut addresses = Vec::new();
    while let Some(rung) = climb.next_rung() {
        let (found, hashes) = search(&rung.space);
        climb.add(!found.is_empty(), hashes);
        addresses = found;
    }
    open.answer(addresses, &climb)
}

impl<S> Open<S> {
    /// The answer with what the searches of a climb found.
    #[must_use]
    pub fn answer(&self, addresses: Vec<Repaired>, climb: &Climb<'_, S>) -> Answer {
        let found = addresses.iter().map(|it| &*it.address);
        let (guess, change) = (climb.guess(), climb.change(&self.text, found));
        let estimate = Estimate {
            expected_by_chance: climb.expected_by_chance(),
            hashes: climb.hashes() as f64,
            ..self.estimate
        };
        Answer {
            damage: guess.map(|rung| rung.name),
            change,
            likelihood: climb.likelihood(),
            tried: climb.tried().to_vec(),
            next: climb.next().map(Next::of),
            ..Answer::of(addresses, Some(estimate))
        }
    }
}

impl Repaired {
    /// An address of Base58Check.
    #[must_use]
    pub fn of(hit: &Hit) -> Self {
        let kinds = Kind::names(hit.format).map(str::to_owned).collect();
        Self { address: hit.text.to_string(), version: Some(hit.format), kinds }
    }
}

impl Answer {
    fn of(addresses: Vec<Repaired>, estimate: Option<Estimate>) -> Self {
        Self {
            addresses,
            estimate,
            damage: None,
            change: None,
            likelihood: 1.0,
            note: None,
            network: None,
            tried: Vec::new(),
            next: None,
            left_out: 0,
        }
    }
}

impl Reading {
    /// What the text asks, whatever the format of the address in it.
    ///
    /// # Errors
    ///
    /// Returns a [`ParseError`] if the text cannot be a damaged address, or has several.
    pub fn question(&self, options: &AskOptions) -> Result<Question, ParseError> {
        let base58 = |pattern: Pattern| {
            let space = if options.versions.is_empty() {
                SearchSpace::any_network(&pattern)
            } else {
                SearchSpace::new(&pattern, &options.versions)
            }?;
            let intact = if options.versions.is_empty() {
                Hit::undamaged(&pattern)
            } else {
                Hit::of(pattern.address()).filter(|hit| options.versions.contains(&hit.format))
            };
            if let Some(hit) = intact.filter(|_| !options.is_forced) {
                let answer = Answer::of(vec![Repaired::of(&hit)], None);
                return Ok(Question::Answered(Box::new(answer)));
            }
            let (text, estimate) = (pattern.address().to_owned(), space.estimate());
            Ok(Question::Base58(Box::new(Open { text, space, estimate, pattern: Some(pattern) })))
        };
        self.pattern(options.damage.clone()).and_then(base58).or_else(|error| {
            if let Some(answer) = self.intact_or_linear() {
                return Ok(Question::Answered(Box::new(answer)));
            }
            match self.question_of_ethereum(options) {
                Some(question) => question.map(|it| Question::Ethereum(Box::new(it))),
                None => Err(error),
            }
        })
    }

    /// The answer to a text with an address of another format than Base58Check: corrected by its
    /// checksum, in the spelling of its format. `None` if there is no such address, or too much of
    /// it is damaged.
    ///
    /// Takes milliseconds. [`EthereumSpace`] also finds what takes longer.
    #[must_use]
    pub fn corrected(&self) -> Option<Answer> {
        self.intact_or_linear().or_else(|| {
            let options = AskOptions::default();
            let question = self.question_of_ethereum(&options)?.ok()?;
            let answer = question.answer_at_once(&options);
            (!answer.addresses.is_empty()).then_some(answer)
        })
    }

    /// What a text asks that has a damaged Ethereum address.
    fn question_of_ethereum(
        &self,
        options: &AskOptions,
    ) -> Option<Result<Open<EthereumSpace>, ParseError>> {
        let space = EthereumSpace::of(self, &options.damage)?;
        Some(space.map(|space| {
            let (text, estimate) = (space.text(), space.estimate());
            Open { text, space, estimate, pattern: None }
        }))
    }

    /// The answer to an address that is intact, or whose checksum is linear.
    fn intact_or_linear(&self) -> Option<Answer> {
        let address = self.address_without_sets()?;
        // A ? at the end is an unreadable character, or that of a question.
        let corrected = [&*address, address.trim_end_matches('?')]
            .into_iter()
            .find_map(|word| formats::restored(self.as_str(), word))?;
        let repaired =
            |address| Repaired { address, version: None, kinds: vec![corrected.format.clone()] };
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
        Some(Answer {
            change,
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
