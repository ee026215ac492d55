//! Likely damage, to try in order of cost and likelihood until something is found.

use std::collections::VecDeque;

use crate::kind::{Kind, Version};
use crate::pattern::damage::{Case, Damage, LOOK_ALIKES, LookAlikes};
use crate::pattern::{ParseError, Pattern};
use crate::search::verify::version_of;
use crate::search_space::SearchSpace;
use crate::search_space::estimate::Estimate;

/// Characters that people confuse when they read or type an address, besides [`LOOK_ALIKES`].
const MORE_LOOK_ALIKES: [&str; 4] = ["2Zz", "5Ss", "7T", "8B"];

/// Letters in the place of another one on German and on French keyboards.
const KEYBOARDS: &str = "yz,YZ,aq,AQ,wz,WZ";

/// The damage that is tried with the case lost, too, if the text has letters of both cases.
const MAX_LOST_RUNGS: usize = 11;

const AS_WRITTEN: &str = "the text as written";

const WRONG_CASE: &str = "letters in the wrong case";

/// Searches for one damaged address, to run one after another until one finds something: first the
/// text as written, then likely damage in order of cost and likelihood, each in addition to what
/// was described.
///
/// A text with letters of both cases probably has the right case. So damage that would yield fewer
/// addresses by chance is tried with the case as written, and letters in the wrong case after it.
///
/// No rung has the same candidates as an earlier one. Skip rungs that take too long, or that would
/// make the answer doubtful. The odds count all candidates that were tried, and an answer is less
/// certain on a higher rung:
///
/// ```
/// use addr_recover::{DOUBTFUL, Ladder, Pattern, Search, SearchSpace};
///
/// // One character is wrong.
/// let pattern = Pattern::parse("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271")?;
/// let mut expected_by_chance = 0.0;
/// let space = SearchSpace::any_network(&pattern)?;
/// for rung in Ladder::new(&pattern, &space, None) {
///     let estimate = rung.space.estimate();
///     let expected = expected_by_chance + rung.expected_by_chance;
///     if estimate.hashes() > 1e6 || expected > DOUBTFUL {
///         continue;
///     }
///     expected_by_chance = expected;
///     let hits = Search::new(&rung.space).run()?.hits;
///     if !hits.is_empty() {
///         assert_eq!(hits[0].text.as_str(), "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71");
///         assert_eq!(rung.name, "one wrong character");
///         assert_eq!(rung.damage.typos, 1);
///         break;
///     }
/// }
/// # assert!((1e-7..1e-6).contains(&expected_by_chance), "{expected_by_chance}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ladder {
    text: String,
    networks: Networks,
    /// How many addresses the search that was described finds by chance.
    by_chance: f64,
    todo: VecDeque<Step>,
    /// The damage and the estimates of the rungs that search the same networks as the first one,
    /// which is among them.
    earlier: Vec<(Damage, Estimate)>,
    /// Damage that is too complex, as is any that includes it.
    too_complex: Vec<Damage>,
}

/// One search of a [`Ladder`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rung {
    /// What it assumes, such as `one wrong character`.
    pub name: &'static str,
    /// The damage that was described, and what the rung assumes.
    pub damage: Damage,
    /// Whether this is the search that was described, which no budget should skip.
    pub is_described: bool,
    /// Whether it searches all networks although common ones, or none, were selected.
    pub is_any_network: bool,
    /// How many addresses are expected by chance, apart from candidates of the first rung.
    pub expected_by_chance: f64,
    /// What to search.
    pub space: SearchSpace,
}

/// The networks to search.
#[derive(Clone, Debug)]
enum Networks {
    Selected(Vec<Version>),
    Common,
    All,
}

/// What is still to be tried.
#[derive(Clone, Debug)]
enum Step {
    Ready(Box<Rung>),
    Likely(&'static str, Damage),
    /// This damage, on all networks.
    AllNetworks(Damage),
}

impl Ladder {
    /// Creates the ladder of a pattern, whose first search is that of `space`. The space is for
    /// addresses with these versions, or for those of [any network](SearchSpace::any_network) if
    /// there are none: all networks are a rung, then.
    #[must_use]
    pub fn new(pattern: &Pattern, space: &SearchSpace, versions: Option<&[Version]>) -> Self {
        let selected = |versions: &[Version]| Networks::Selected(versions.to_vec());
        let mut networks = versions.map_or(Networks::Common, selected);
        let given = &pattern.damage;
        let mut described = Rung::new(AS_WRITTEN, given.clone(), space.clone());
        described.is_described = true;
        let estimate = described.space.estimate();
        let may_be_lost = pattern.has_both_cases && given.case == Case::Auto;
        let kept = given.clone().case(if may_be_lost { Case::Kept } else { given.case });
        // The case of a valid address is right, so a search for it is for other spellings.
        let is_valid = version_of(pattern.address()).is_some();
        let as_written = || {
            let pattern = Pattern::with_damage(pattern.as_str(), kept.clone()).ok()?;
            let space = networks.space(&pattern).ok()?;
            // Other damage that is described implies that the case was kept.
            let is_narrower = space.estimate().candidates() != estimate.candidates();
            is_narrower.then(|| Rung::new(AS_WRITTEN, kept.clone(), space))
        };
        let as_written = if may_be_lost && !is_valid { as_written() } else { None };
        let mut todo: VecDeque<Step> =
            kept.ladder().map(|(name, damage)| Step::Likely(name, damage)).collect();
        if !is_valid {
            // What else is described implies the case as written.
            let is_first = as_written.is_none();
            described.damage = if is_first { kept } else { given.clone().case(Case::Lost) };
        }
        if matches!(networks, Networks::Common) {
            if as_written.as_ref().unwrap_or(&described).space.has_uncommon_versions() {
                networks = Networks::All;
            } else {
                todo.push_front(Step::AllNetworks(described.damage.clone()));
            }
        }
        let mut earlier = vec![(described.damage.clone(), estimate)];
        if let Some(rung) = as_written {
            described.name = WRONG_CASE;
            described.expected_by_chance -= rung.expected_by_chance;
            earlier.insert(0, (rung.damage.clone(), rung.space.estimate()));
            todo.push_front(Step::Ready(Box::new(rung)));
            todo.push_back(Step::Ready(Box::new(described)));
        } else {
            todo.push_front(Step::Ready(Box::new(described)));
        }
        if may_be_lost {
            let lost = given.clone().case(Case::Lost);
            todo.push_back(Step::Likely(WRONG_CASE, lost.clone()));
            let likely = lost.ladder().take(MAX_LOST_RUNGS);
            todo.extend(likely.map(|(name, damage)| Step::Likely(name, damage)));
        }
        let (text, by_chance) = (pattern.as_str().to_owned(), estimate.expected_by_chance());
        Self { text, networks, by_chance, todo, earlier, too_complex: Vec::new() }
    }

    /// Leaves out all likely damage that has not been tried. Returns whether there was any.
    pub fn skip_likely(&mut self) -> bool {
        let before = self.todo.len();
        self.todo.retain(Step::is_described);
        self.todo.len() < before
    }

    /// The rung with some damage; `None` if it has no candidates, or the same ones as an earlier
    /// rung.
    fn rung(&mut self, name: &'static str, damage: Damage, networks: &Networks) -> Option<Rung> {
        if self.too_complex.iter().any(|part| damage.includes(part)) {
            return None;
        }
        let pattern = Pattern::with_damage(&self.text, damage.clone()).ok()?;
        let Ok(space) = networks.space(&pattern) else {
            self.too_complex.push(damage);
            return None;
        };
        let candidates = space.estimate().candidates();
        let mut included = self.earlier.iter().filter(|(earlier, _)| damage.includes(earlier));
        let is_repeated = included.any(|(_, earlier)| earlier.candidates() == candidates);
        if candidates == "0" || is_repeated {
            return None;
        }
        let mut rung = Rung::new(name, damage, space);
        rung.is_any_network = matches!(networks, Networks::All);
        let (first, first_estimate) = &self.earlier[0];
        if rung.damage.includes(first) {
            let by_chance = rung.expected_by_chance - first_estimate.expected_by_chance();
            rung.expected_by_chance = by_chance.max(0.0);
        }
        Some(rung)
    }
}

impl Step {
    fn is_described(&self) -> bool {
        matches!(self, Self::Ready(rung) if rung.is_described)
    }
}

impl Rung {
    /// A rung that was not described.
    fn new(name: &'static str, damage: Damage, space: SearchSpace) -> Self {
        let expected_by_chance = space.estimate().expected_by_chance();
        let (is_described, is_any_network) = (false, false);
        Self { name, damage, is_described, is_any_network, expected_by_chance, space }
    }
}

impl Iterator for Ladder {
    type Item = Rung;

    fn next(&mut self) -> Option<Rung> {
        while let Some(step) = self.todo.pop_front() {
            let rung = match step {
                Step::Ready(rung) => return Some(*rung),
                Step::Likely(name, damage) => {
                    let rung = self.rung(name, damage, &self.networks.clone());
                    let earlier = rung.iter().map(|it| (it.damage.clone(), it.space.estimate()));
                    self.earlier.extend(earlier);
                    rung
                }
                // Mostly, no other network has addresses that begin like this.
                Step::AllNetworks(damage) => {
                    self.rung("less common networks", damage, &Networks::All)
                }
            };
            let Some(rung) = rung else { continue };
            let is_less_likely = rung.space.estimate().expected_by_chance() >= self.by_chance;
            if is_less_likely && self.todo.iter().any(Step::is_described) {
                // Damage with the case lost yields even more addresses by chance.
                let is_lost = |step: &Step| match step {
                    Step::Likely(_, damage) => damage.case == Case::Lost,
                    _ => false,
                };
                let at = self.todo.iter().position(is_lost).unwrap_or(self.todo.len());
                self.todo.insert(at, Step::Ready(Box::new(rung)));
            } else {
                return Some(rung);
            }
        }
        None
    }
}

impl Networks {
    fn space(&self, pattern: &Pattern) -> Result<SearchSpace, ParseError> {
        match self {
            Self::Selected(versions) => SearchSpace::new(pattern, versions),
            Self::Common => SearchSpace::any_network(pattern),
            Self::All => SearchSpace::new(pattern, &Kind::all_versions()),
        }
    }
}

impl Damage {
    /// This damage combined with likely damage of other kinds, with the name of each, in order of
    /// cost and likelihood. [`Ladder`] tries these for addresses.
    pub fn ladder(&self) -> impl Iterator<Item = (&'static str, Self)> {
        let groups =
            |more: &[&str]| LookAlikes::everywhere(&[&LOOK_ALIKES[..], more].concat().join(","));
        let all_groups = groups(&MORE_LOOK_ALIKES);
        let alike = |look_alikes: &LookAlikes| Self::default().look_alikes(look_alikes.clone());
        let keyboards = alike(&LookAlikes::everywhere(KEYBOARDS));
        let likely = [
            ("one look-alike character", alike(&all_groups.clone().at_most(1))),
            ("two swapped characters", Self::default().swapped(1)),
            ("one extra character", Self::default().surplus(1)),
            ("swapped or repeated blocks", Self::default().blocks(true)),
            ("letters of another keyboard", keyboards),
            ("two look-alike characters", alike(&all_groups.clone().at_most(2))),
            ("two pairs of swapped characters", Self::default().swapped(2)),
            ("two extra characters", Self::default().surplus(2)),
            ("look-alikes of 0 and 1", alike(&groups(&[]))),
            ("one wrong character", Self::default().typos(1)),
            ("one missing character", Self::default().missing(1)),
            ("one extra and two swapped characters", Self::default().surplus(1).swapped(1)),
            ("look-alike characters", alike(&all_groups)),
            ("one wrong character besides look-alikes", alike(&all_groups).typos(1)),
            ("one wrong and two swapped characters", Self::default().typos(1).swapped(1)),
            ("one wrong and one extra character", Self::default().typos(1).surplus(1)),
            ("one missing and one extra character", Self::default().missing(1).surplus(1)),
            ("one missing and two swapped characters", Self::default().missing(1).swapped(1)),
            ("three extra characters", Self::default().surplus(3)),
            ("two wrong characters", Self::default().typos(2)),
            ("two missing characters", Self::default().missing(2)),
            ("one wrong and one missing character", Self::default().typos(1).missing(1)),
            ("characters cut off at an end", Self::default().cut(4)),
            ("three missing characters", Self::default().missing(3)),
            ("three wrong characters", Self::default().typos(3)),
        ];
        // The groups that were described would count among a limited number.
        let can_combine = |damage: &Self| {
            damage.look_alikes.max.is_none() || self.look_alikes.everywhere.is_empty()
        };
        let likely = likely.into_iter().filter(move |(_, damage)| can_combine(damage));
        let combined = likely.map(|(name, damage)| (name, self.clone().and(damage)));
        combined.filter(move |(_, damage)| damage != self)
    }

    /// This damage, and that of `other`. If `other` limits the number of look-alikes, this has no
    /// groups of them.
    fn and(mut self, other: Self) -> Self {
        if !other.look_alikes.everywhere.is_empty() {
            self.look_alikes.max = other.look_alikes.max;
        }
        for group in other.look_alikes.everywhere {
            if !self.look_alikes.everywhere.contains(&group) {
                self.look_alikes.everywhere.push(group);
            }
        }
        Self {
            typos: self.typos.max(other.typos),
            missing: self.missing.max(other.missing),
            surplus: self.surplus.max(other.surplus),
            swapped: self.swapped.max(other.swapped),
            cut: self.cut.max(other.cut),
            blocks: self.blocks || other.blocks,
            ..self
        }
    }
}
