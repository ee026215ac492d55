//! What an answer is worth.

use std::time::Duration;

/// If at least this many addresses are expected by chance, even a single one that was found is
/// uncertain, and a tool should say so.
pub const DOUBTFUL: f64 = 0.1;

/// [`DOUBTFUL`] for an answer to a guess: damage that nobody described is unlikely itself.
pub const DOUBTFUL_GUESS: f64 = 0.01;

/// An answer is certain if fewer addresses than this are expected by chance for each that is
/// damaged as assumed.
const CERTAIN: f64 = 0.001;

/// How likely it is that a damaged address has one, two, three or more faults of the kinds that
/// nobody described: orders of magnitude, not measurements.
const FAULTS: [f64; 3] = [0.1, 0.03, 0.01];

/// What a search costs and what its answer is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number of texts that the damage allows and that have the length and the first bytes of
    /// an address or a key, whatever their checksum: rounded if there are more than 2^53.
    pub candidates: f64,
    /// About how many double hashes the search takes: one for each prefix that some candidate has,
    /// or less for keys with a byte that has few legal values.
    /// It is derived from the distances between candidates, and right within about a hundredth of a
    /// percent for searches of a million hashes.
    pub hashes: f64,
    /// The number of addresses or keys expected by chance: one in 2^32 candidates has a correct
    /// checksum. Of keys with a byte that has few legal values, even fewer are legal.
    pub expected_by_chance: f64,
}

impl Estimate {
    /// The time that the search takes on some threads, on each of which a hash takes this many
    /// nanoseconds, as [`Search::measure`](crate::Search::measure) says.
    #[must_use]
    pub fn duration(&self, nanoseconds: f64, threads: usize) -> Duration {
        let seconds = self.hashes * nanoseconds / 1e9 / threads.max(1) as f64;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

/// How sure an answer is.
///
/// The words are calibrated: of texts that are no addresses, as many get an answer that is not
/// [`Uncertain`](Self::Uncertain) as [`Evidence::expected_by_chance`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// A single address fits, and it is right with more than 99.9 %.
    Certain,
    /// A single address fits, and fewer than [`DOUBTFUL`] are expected by chance or, if its damage
    /// is a guess, [`DOUBTFUL_GUESS`].
    Likely,
    /// Several addresses fit, or one that may well do so by chance.
    Uncertain,
}

impl Certainty {
    /// `certain`, `likely` or `uncertain`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Uncertain => "uncertain",
        }
    }
}

/// What was found, beside what chance would find.
///
/// ```
/// use addr_recover::{Certainty, Evidence};
///
/// let evidence = Evidence { hits: 1, expected_by_chance: 1.0 / 16.0, likelihood: 1.0 };
/// assert_eq!(evidence.certainty(), Certainty::Likely);
/// assert_eq!(evidence.probability(), 16.0 / 17.0);
/// // Nobody said that there are two wrong characters.
/// let guess = Evidence { likelihood: 0.03, ..evidence };
/// assert_eq!(guess.certainty(), Certainty::Uncertain);
/// assert!(guess.probability() < 0.33);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// The number of addresses that fit.
    pub hits: usize,
    /// How many are expected by chance among everything that was tried.
    pub expected_by_chance: f64,
    /// How likely it is that a damaged address has the damage that is assumed: 1 if it was
    /// described or is visible, [`Rung::likelihood`](crate::Rung::likelihood) for a guess.
    pub likelihood: f64,
}

impl Evidence {
    /// How sure the answer is, if anything was found.
    #[must_use]
    pub fn certainty(&self) -> Certainty {
        let doubtful = if self.likelihood < 1.0 { DOUBTFUL_GUESS } else { DOUBTFUL };
        if self.hits != 1 || self.expected_by_chance >= doubtful {
            Certainty::Uncertain
        } else if self.expected_by_chance < CERTAIN * self.likelihood {
            Certainty::Certain
        } else {
            Certainty::Likely
        }
    }

    /// The probability that an address that was found is the one meant, if the text is as likely to
    /// be a damaged address as to be anything else.
    ///
    /// A damaged address yields itself and a Poisson-distributed number of others, anything else
    /// only the others. Bayes' rule gives the probability.
    #[must_use]
    pub fn probability(&self) -> f64 {
        self.likelihood / (self.hits as f64 * self.likelihood + self.expected_by_chance)
    }

    /// The [probability](Self::probability) rounded down: `94 %`, `99.8 %`, `over 99.9 %`.
    #[must_use]
    pub fn percentage(&self) -> String {
        let percent = 100.0 * self.probability();
        match percent {
            it if it < 1.0 => "under 1 %".to_owned(),
            it if it < 99.0 => format!("{:.0} %", it.floor()),
            it if it <= 99.9 => format!("{:.1} %", (10.0 * it).floor() / 10.0),
            _ => "over 99.9 %".to_owned(),
        }
    }

    /// What an answer is worth, in words, as a percentage, and beside chance. `nouns` are what was
    /// searched, such as `addresses`.
    ///
    /// ```
    /// use addr_recover::Evidence;
    ///
    /// let evidence = Evidence { hits: 1, expected_by_chance: 1.0 / 512.0, likelihood: 1.0 };
    /// assert_eq!(
    ///     evidence.in_words("addresses"),
    ///     "99.8 % likely to be right: 1 in 512 random texts of this form would also give an \
    ///      answer"
    /// );
    /// ```
    #[must_use]
    pub fn in_words(&self, nouns: &str) -> String {
        let (certainty, expected) = (self.certainty(), self.expected_by_chance);
        let is_guess = self.likelihood < 1.0 && certainty != Certainty::Certain;
        let guess = if is_guess { "nobody described this damage, and " } else { "" };
        let chance = if expected < 0.5 {
            let texts = approximately(1.0 / expected);
            format!("1 in {texts} random texts of this form would also give an answer")
        } else {
            format!("about {expected:.1} {nouns} fit a random text of this form")
        };
        format!("{}: {guess}{chance}", self.rating())
    }

    /// How sure an answer is, in words: `96 % likely to be right`, or with `certain` or `uncertain`
    /// before it: `uncertain, each 47 % likely to be right`.
    #[must_use]
    pub fn rating(&self) -> String {
        let each = if self.hits > 1 { "each " } else { "" };
        let rating = format!("{each}{} likely to be right", self.percentage());
        match self.certainty() {
            Certainty::Likely => rating,
            certainty => format!("{}, {rating}", certainty.name()),
        }
    }
}

/// A number in words: `512`, `2.1 million`, `over a trillion`.
#[must_use]
pub fn approximately(number: f64) -> String {
    let places = |number: f64| if number < 10.0 { 1 } else { 0 };
    match number {
        it if it < 3.0 => format!("{it:.1}"),
        it if it < 1e6 => format!("{it:.0}"),
        it if it < 1e9 => format!("{:.*} million", places(it / 1e6), it / 1e6),
        it if it < 1e12 => format!("{:.*} billion", places(it / 1e9), it / 1e9),
        _ => "over a trillion".to_owned(),
    }
}

/// [`Evidence::likelihood`] of some faults that nobody described.
pub(crate) fn likelihood(faults: usize) -> f64 {
    if faults == 0 { 1.0 } else { FAULTS[faults.min(FAULTS.len()) - 1] }
}
