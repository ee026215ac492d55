//! Decides what to search for a text, one search after another, and keeps what the answer says of
//! them.

use std::fmt;

use crate::change::Change;
use crate::damage::{Case, Damage, WRONG_CASE};
use crate::evidence::Estimate;
use crate::ladder::{AS_WRITTEN, Ladder, Limits, Rung, Skipped};

/// A way up a [`Ladder`]: which rungs to search, what was tried, and what to try next. Whoever
/// climbs searches each rung, on whatever threads or machines:
///
/// ```
/// use addr_recover::{Climb, Ladder, Limits, Pattern, Search, SearchSpace};
///
/// // One character is wrong.
/// let pattern = Pattern::parse("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271")?;
/// let space = SearchSpace::any_network(&pattern)?;
/// let mut climb = Climb::new(Ladder::new(&pattern, &space, None), Limits::new());
/// while let Some(rung) = climb.next_rung() {
///     let outcome = Search::new(&rung.space).run()?;
///     climb.add(!outcome.hits.is_empty(), outcome.hashes);
/// }
/// assert_eq!(climb.found().unwrap().name, "one wrong character");
/// assert_eq!(climb.tried().last().unwrap().name, "one wrong character");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Climb<'a, S> {
    ladder: Ladder<'a, S>,
    limits: Limits,
    /// The rung that was reached.
    rung: Option<Rung<S>>,
    /// How many rungs were reached.
    reached: usize,
    is_found: bool,
    hashes: u64,
    tried: Vec<Tried>,
    next: Option<Rung<S>>,
}

/// Damage that was tried.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tried {
    /// What it assumes, such as `two wrong characters`.
    pub name: &'static str,
    /// The damage that was described, and what was assumed.
    pub damage: Damage,
    /// Whether letters may be in the wrong case, too, unlike in the first text that was tried.
    pub has_wrong_case: bool,
    /// Whether addresses of all networks were searched although common ones, or none, were
    /// selected.
    pub is_any_network: bool,
    /// How many texts it allows.
    pub candidates: f64,
}

impl Tried {
    /// Damage that is described by its name.
    pub(crate) fn of(name: &'static str, candidates: f64) -> Self {
        let damage = Damage::default();
        Self { name, damage, has_wrong_case: false, is_any_network: false, candidates }
    }

    /// The name, and letters in the wrong case if they are assumed, too.
    #[must_use]
    pub fn in_words(&self) -> String {
        let case = if self.has_wrong_case { " in any letter case" } else { "" };
        format!("{}{case}", self.name)
    }

    /// Whether it is no damage but what was described.
    #[must_use]
    pub fn is_as_written(&self) -> bool {
        self.name == AS_WRITTEN
    }
}

/// Damage that was not tried, because it takes long or too many addresses fit by chance.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Next {
    /// What it assumes, such as `two wrong characters`.
    pub name: &'static str,
    /// The damage to ask for.
    pub damage: Damage,
    /// Whether to ask for addresses of all networks.
    pub is_any_network: bool,
    /// What that costs, and what its answer would be worth.
    pub estimate: Estimate,
}

impl<'a, S> Climb<'a, S> {
    /// Begins below the first rung.
    #[must_use]
    pub fn new(ladder: Ladder<'a, S>, limits: Limits) -> Self {
        Self {
            ladder,
            limits,
            rung: None,
            reached: 0,
            is_found: false,
            hashes: 0,
            tried: Vec::new(),
            next: None,
        }
    }

    /// Goes on to the next rung that the limits admit. `None` if something was found, or if there
    /// is no more.
    pub fn next_rung(&mut self) -> Option<&Rung<S>> {
        while self.advance().is_some() {
            if self.admit(|_| false) {
                return self.rung.as_ref();
            }
        }
        None
    }

    /// Goes on to the next rung, of which nothing is known yet. `None` if something was found, or
    /// if there is no more.
    pub fn advance(&mut self) -> Option<&Rung<S>> {
        if self.is_found {
            return None;
        }
        self.rung = self.ladder.next();
        self.reached += usize::from(self.rung.is_some());
        self.rung.as_ref()
    }

    /// Decides whether to search the rung that was reached. If it takes more hashes than the limits
    /// admit, `may_take_long` decides. A rung that is not searched may be the [`next`](Self::next).
    pub fn admit(&mut self, may_take_long: impl FnOnce(&Rung<S>) -> bool) -> bool {
        let Some(rung) = &self.rung else { return false };
        match self.limits.admit(rung) {
            Ok(()) => return true,
            Err(Skipped::Long) if may_take_long(rung) => {
                self.limits.add(rung);
                return true;
            }
            Err(_) if rung.is_next_before(self.next.as_ref()) => self.next = self.rung.take(),
            Err(_) => self.rung = None,
        }
        false
    }

    /// Counts the search of the rung that was reached: whether it found anything, and its hashes.
    pub fn add(&mut self, is_found: bool, hashes: u64) {
        let Some(rung) = &self.rung else { return };
        self.is_found = is_found;
        self.hashes += hashes;
        let first = self.tried.first().map_or(Case::Lost, |first| first.damage.case);
        let has_wrong_case =
            rung.damage.case == Case::Lost && first != Case::Lost && rung.name != WRONG_CASE;
        self.tried.push(Tried {
            name: rung.name,
            damage: rung.damage.clone(),
            has_wrong_case,
            is_any_network: rung.is_any_network,
            candidates: rung.estimate.candidates,
        });
    }

    /// The rung that was reached.
    #[must_use]
    pub fn rung(&self) -> Option<&Rung<S>> {
        self.rung.as_ref()
    }

    /// How many rungs of the ladder were reached, skipped ones included.
    #[must_use]
    pub fn reached(&self) -> usize {
        self.reached
    }

    /// The rung that found something.
    #[must_use]
    pub fn found(&self) -> Option<&Rung<S>> {
        self.rung.as_ref().filter(|_| self.is_found)
    }

    /// The rung that found something, if it assumes damage that nobody described.
    #[must_use]
    pub fn guess(&self) -> Option<&Rung<S>> {
        self.found().filter(|rung| !rung.is_as_written())
    }

    /// [`Evidence::likelihood`](crate::Evidence::likelihood) of what was found: 1 unless it is a
    /// [guess](Self::guess).
    #[must_use]
    pub fn likelihood(&self) -> f64 {
        self.guess().map_or(1.0, |rung| rung.likelihood)
    }

    /// What was wrong in a text that was read, if that is a [guess](Self::guess) and a single
    /// address was found.
    #[must_use]
    pub fn change<'t>(
        &self,
        text: &str,
        mut addresses: impl Iterator<Item = &'t str>,
    ) -> Option<Change> {
        let (rung, address) = (self.guess()?, addresses.next()?);
        addresses.next().is_none().then(|| rung.change(text, address))
    }

    /// What was tried, in this order.
    #[must_use]
    pub fn tried(&self) -> &[Tried] {
        &self.tried
    }

    /// The hashes of all searches.
    #[must_use]
    pub fn hashes(&self) -> u64 {
        self.hashes
    }

    /// How many addresses are expected by chance among everything that was tried.
    #[must_use]
    pub fn expected_by_chance(&self) -> f64 {
        self.limits.expected_by_chance()
    }

    /// The rung to try next, of those that were skipped, if nothing was found.
    #[must_use]
    pub fn next(&self) -> Option<&Rung<S>> {
        self.next.as_ref().filter(|_| !self.is_found)
    }
}

impl<S> fmt::Debug for Climb<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Climb").field("tried", &self.tried).finish_non_exhaustive()
    }
}

impl Next {
    pub(crate) fn of<S>(rung: &Rung<S>) -> Self {
        let Rung { name, damage, is_any_network, estimate, .. } = rung;
        Self { name, damage: damage.clone(), is_any_network: *is_any_network, estimate: *estimate }
    }
}
