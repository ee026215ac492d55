//! Answers a text in one call, whatever the format of the address in it. Addresses of other formats
//! than Base58Check need no search: their checksums are corrected.

pub(crate) mod ethereum;
mod linear;

use crate::alphabet::{Alphabet, checksum};
use crate::change::Change;
use crate::evidence::{Evidence, likelihood};
use crate::format::Hit;
use crate::kind::{Kind, Version};
use crate::ladder::{Ladder, Limits, Rung};
use crate::pattern::damage::Damage;
use crate::pattern::{ParseError, Pattern, Reading};
use crate::search::{Search, SearchError};
use crate::search_space::{Estimate, NOISE, SearchSpace};
use ethereum::EthereumSpace;

/// The note on an Ethereum address whose letters have one case.
const UNCHECKED: &str = "in one letter case it has no checksum: no damage would be noticed";

/// How to [`ask`].
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
}

/// Damage that was not tried, because it takes long or too many addresses fit by chance.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Next {
    /// What it assumes, such as `two wrong characters`.
    pub name: &'static str,
    /// The damage to ask for.
    pub damage: Damage,
    /// What that costs, and what its answer would be worth.
    pub estimate: Estimate,
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
    /// The damage that was tried, in this order. The addresses have the last of it.
    pub tried: Vec<&'static str>,
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
///     ("bc1qw508d6qejxtdg5y5r3zarvary0c5xw7kv8f3s4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
/// ] {
///     let answer = repair(text)?;
///     assert_eq!(answer.addresses[0].address, address);
///     assert!(answer.evidence().unwrap().certainty() < Certainty::Uncertain);
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
/// assert_eq!((answer.tried.last(), answer.left_out), (Some(&"one wrong character"), 64));
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
    let search = |pattern: Pattern| {
        let space = if options.versions.is_empty() {
            SearchSpace::any_network(&pattern)
        } else {
            SearchSpace::new(&pattern, &options.versions)
        };
        space.map(|space| searched(&pattern, &space, options))
    };
    let searched = reading.pattern(options.damage.clone()).and_then(search);
    let answer = searched.or_else(|error| {
        reading
            .intact_or_linear()
            .or_else(|| {
                let search = |space: &EthereumSpace| space.search(&|_| true);
                reading.of_ethereum(options, Limits::new(), search)
            })
            .ok_or(error)
    })?;
    Ok(Answer { left_out: reading.left_out(), ..answer })
}

/// Climbs the ladder of a pattern until something is found.
fn searched(pattern: &Pattern, space: &SearchSpace, options: &AskOptions) -> Answer {
    if let Some(hit) = Hit::undamaged(pattern) {
        return Answer::of(vec![Repaired::of(&hit)], None);
    }
    let estimate = space.estimate();
    let versions = Some(&options.versions[..]).filter(|versions| !versions.is_empty());
    let ladder = if options.is_exact {
        Ladder::exact(&options.damage, Some((space.clone(), estimate)))
    } else {
        Ladder::new(pattern, space, versions)
    };
    climbed(ladder, estimate, Limits::new(), pattern.address(), |space| {
        // Nothing cancels it, and more hits than an answer may have are none.
        let outcome = Search::new(space).run().unwrap_or_default();
        (outcome.hits.iter().map(Repaired::of).collect(), outcome.hashes as f64)
    })
}

/// Climbs a ladder until something is found. `estimate` is that of the search that was described,
/// and `text` what was read.
fn climbed<S>(
    ladder: Ladder<'_, S>,
    mut estimate: Estimate,
    mut limits: Limits,
    text: &str,
    search: impl Fn(&S) -> (Vec<Repaired>, f64),
) -> Answer {
    if estimate.expected_by_chance > NOISE {
        return Answer::of(Vec::new(), Some(estimate));
    }
    estimate.hashes = 0.0;
    let (mut tried, mut next): (Vec<&str>, Option<Rung<S>>) = (Vec::new(), None);
    for rung in ladder {
        if limits.admit(&rung).is_err() {
            next = if rung.is_next_before(next.as_ref()) { Some(rung) } else { next };
            continue;
        }
        estimate.expected_by_chance = limits.expected_by_chance();
        let (found, hashes) = search(&rung.space);
        estimate.hashes += hashes;
        tried.push(rung.name);
        if !found.is_empty() {
            let damage = (tried.len() > 1).then_some(rung.name);
            let change = match &found[..] {
                [one] if damage.is_some() => Some(rung.change(text, &one.address)),
                _ => None,
            };
            let likelihood = rung.likelihood;
            let answer = Answer::of(found, Some(estimate));
            return Answer { damage, change, likelihood, tried, ..answer };
        }
    }
    let next = next.map(|Rung { name, damage, estimate, .. }| Next { name, damage, estimate });
    Answer { tried, next, ..Answer::of(Vec::new(), Some(estimate)) }
}

impl Repaired {
    fn of(hit: &Hit) -> Self {
        let kinds = Kind::names(hit.format).map(str::to_owned).collect();
        Self { address: hit.text.to_string(), kinds }
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
    /// The answer to a text with an address of another format than Base58Check: corrected by its
    /// checksum, in the spelling of its format. `None` if there is no such address, or too much of
    /// it is damaged.
    ///
    /// Takes milliseconds. [`EthereumSpace`] also finds what takes longer.
    #[must_use]
    pub fn corrected(&self) -> Option<Answer> {
        self.intact_or_linear().or_else(|| {
            let options = AskOptions::default();
            let search = EthereumSpace::search_here;
            let answer = self.of_ethereum(&options, Limits::at_once(), search)?;
            (!answer.addresses.is_empty()).then_some(answer)
        })
    }

    /// The answer to a text with a damaged Ethereum address.
    fn of_ethereum(
        &self,
        options: &AskOptions,
        limits: Limits,
        search: impl Fn(&EthereumSpace) -> Result<Vec<String>, SearchError>,
    ) -> Option<Answer> {
        let space = EthereumSpace::of(self, &options.damage)?.ok()?;
        let estimate = space.estimate();
        let ladder = if options.is_exact {
            Ladder::exact(&options.damage, Some((space.clone(), estimate)))
        } else {
            space.ladder(&options.damage)
        };
        let repaired = |address| Repaired { address, kinds: vec![ethereum::NAME.to_owned()] };
        let answer = climbed(ladder, estimate, limits, &space.text(), |space| {
            let found = search(space).unwrap_or_default();
            (found.into_iter().map(repaired).collect(), space.estimate().hashes)
        });
        Some(Answer { network: Some(ethereum::ID), ..answer })
    }

    /// The answer to an address that is intact, or whose checksum is linear.
    fn intact_or_linear(&self) -> Option<Answer> {
        let address = self.address_without_sets()?;
        // A ? at the end is an unreadable character, or that of a question.
        let corrected =
            [&*address, address.trim_end_matches('?')].into_iter().find_map(|word| {
                ethereum::answer(word)
                    .or_else(|| tron(word))
                    .or_else(|| linear::answer(self.as_str(), word))
            })?;
        let repaired = |address| Repaired { address, kinds: vec![corrected.format.clone()] };
        let change = match (&corrected.addresses[..], corrected.guess) {
            ([found], Some((damage, _))) => {
                let read = found.split_once(':').filter(|_| !address.contains(':'));
                let found = read.map_or(&**found, |(_, data)| data);
                Some(Change::between(&address, found, false, damage, true))
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

/// An address of another format that was read or restored.
#[derive(Debug, PartialEq)]
struct Corrected {
    addresses: Vec<String>,
    format: String,
    /// What selects the network on the command line.
    network: &'static str,
    /// What the answer is worth if the address was repaired.
    estimate: Option<Estimate>,
    /// How it was repaired, or why it may be damaged unnoticed.
    note: Option<String>,
    /// The damage that nobody described, other than unreadable characters, and its number of
    /// faults.
    guess: Option<(&'static str, usize)>,
}

/// The number of hexadecimal digits of a Tron address, and what they begin with.
const TRON: (usize, &str) = (42, "41");

/// An address of Tron in hexadecimal, as its nodes write it, in Base58Check.
fn tron(word: &str) -> Option<Corrected> {
    let (length, begin) = TRON;
    let is_hexadecimal = word.len() == length && word.bytes().all(|c| c.is_ascii_hexdigit());
    if !is_hexadecimal || !word.starts_with(begin) {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(&word[at..at + 2], 16).ok();
    let message: Vec<u8> = (0..length).step_by(2).map(byte).collect::<Option<_>>()?;
    let bytes = [&message[..], &checksum(&message)].concat();
    let note = "in hexadecimal it has no checksum: no damage would be noticed".to_owned();
    Some(Corrected {
        addresses: vec![Alphabet::Bitcoin.encode(&bytes).to_string()],
        format: "Tron".to_owned(),
        network: "tron",
        estimate: None,
        note: Some(note),
        guess: None,
    })
}
