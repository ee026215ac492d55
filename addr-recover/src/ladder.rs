//! Likely damage, to try in order of cost and likelihood until something is found.

use std::collections::VecDeque;
use std::fmt;

use crate::format::Hit;
use crate::kind::{Kind, Version};
use crate::pattern::damage::{Case, Damage, LOOK_ALIKES, LookAlikes};
use crate::pattern::{ParseError, Pattern};
use crate::search_space::Estimate;
use crate::search_space::SearchSpace;

/// Characters that people confuse when they read or type an address, besides [`LOOK_ALIKES`].
const MORE_LOOK_ALIKES: [&str; 4] = ["2Zz", "5Ss", "7T", "8B"];

/// Letters that German and French keyboards exchange. `KEYBOARDS` has each pair by itself, for
/// texts in which only some letters are exchanged.
const GERMAN: &str = "y=z";
const FRENCH: &str = "aw=qz";
const KEYBOARDS: &str = "yz,YZ,aq,AQ,wz,WZ";

/// The damage that is tried with the case lost, too, if the text has letters of both cases.
const MAX_LOST_RUNGS: usize = 13;

const AS_WRITTEN: &str = "the text as written";

const WRONG_CASE: &str = "letters in the wrong case";

/// Mostly, no other network has addresses that begin like the text.
const ALL_NETWORKS: &str = "less common networks";

/// Searches for one damaged address or key, to run one after another until one finds something:
/// first the text as written, then likely damage in order of cost and likelihood, each in addition
/// to what was described.
///
/// A text with letters of both cases probably has the right case. So damage that would yield fewer
/// addresses by chance is tried with the case as written, and letters in the wrong case after it.
///
/// No rung has the same candidates as an earlier one. Skip rungs that take too long, or that would
/// make the answer doubtful. The odds count all candidates that were tried, and an answer is less
/// certain on a higher rung:
///
/// ```
/// use addr_recover::{DOUBTFUL_GUESS, Ladder, Pattern, Search, SearchSpace};
///
/// // One character is wrong.
/// let pattern = Pattern::parse("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271")?;
/// let mut expected_by_chance = 0.0;
/// let space = SearchSpace::any_network(&pattern)?;
/// for rung in Ladder::new(&pattern, &space, None) {
///     let expected = expected_by_chance + rung.expected_by_chance;
///     if rung.estimate.hashes > 1e6 || expected >= DOUBTFUL_GUESS {
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
pub struct Ladder<'a, S = SearchSpace> {
    build: Box<Build<'a, S>>,
    /// Whether all networks are searched from the first rung on.
    is_any_network: bool,
    /// How many hits the search that was described finds by chance.
    by_chance: f64,
    todo: VecDeque<Step<S>>,
    /// The damage and the estimates of the rungs that search the same networks as the first one,
    /// which is among them.
    earlier: Vec<(Damage, Estimate)>,
    /// Damage that is too complex, as is any that includes it.
    too_complex: Vec<Damage>,
}

/// Builds the search space for some damage, on all networks if that is `true`.
type Build<'a, S> = dyn Fn(&Damage, bool) -> Result<(S, Estimate), ParseError> + 'a;

/// One search of a [`Ladder`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rung<S = SearchSpace> {
    /// What it assumes, such as `one wrong character`.
    pub name: &'static str,
    /// The damage that was described, and what the rung assumes.
    pub damage: Damage,
    /// Whether this is the search that was described, which no budget should skip.
    pub is_described: bool,
    /// Whether it searches all networks although common ones, or none, were selected.
    pub is_any_network: bool,
    /// How many hits are expected by chance, apart from candidates of the first rung.
    pub expected_by_chance: f64,
    /// What the search costs, with candidates of the first rung.
    pub estimate: Estimate,
    /// What to search.
    pub space: S,
}

/// What is still to be tried.
enum Step<S> {
    Ready(Box<Rung<S>>),
    /// A rung of this name for this damage.
    Likely(&'static str, Damage),
}

impl Ladder<'_> {
    /// Creates the ladder of a pattern, whose first search is that of `space`. The space is for
    /// addresses with these versions, or for those of [any network](SearchSpace::any_network) if
    /// there are none: all networks are a rung, then.
    #[must_use]
    pub fn new(pattern: &Pattern, space: &SearchSpace, versions: Option<&[Version]>) -> Self {
        let (text, selected) = (pattern.as_str().to_owned(), versions.map(<[Version]>::to_vec));
        let build = move |damage: &Damage, is_any_network| {
            let pattern = Pattern::with_damage(&text, damage.clone())?;
            let space = match &selected {
                _ if is_any_network => SearchSpace::new(&pattern, &Kind::all_versions()),
                Some(versions) => SearchSpace::new(&pattern, versions),
                None => SearchSpace::any_network(&pattern),
            }?;
            let estimate = space.estimate();
            Ok((space, estimate))
        };
        let mut written = pattern.damage.clone();
        let lost = Damage { case: Case::Lost, ..written.clone() };
        // The case of a valid address is right, so a search for it is for other spellings.
        let may_be_lost = pattern.has_both_cases
            && written.case == Case::Auto
            && Hit::<Version>::of(pattern.address()).is_none();
        let mut described = Rung::described(&written, space.clone(), space.estimate());
        let mut first = None;
        if may_be_lost {
            written.case = Case::Kept;
            let is_wider =
                |(_, kept): &(_, Estimate)| kept.candidates != described.estimate.candidates;
            let kept = build(&written, false).ok().filter(is_wider);
            first = kept.map(|(space, kept)| Rung::new(AS_WRITTEN, written.clone(), space, kept));
            match &first {
                Some(first) => {
                    described.name = WRONG_CASE;
                    described.damage = lost.clone();
                    described.expected_by_chance -= first.expected_by_chance;
                }
                // What else is described implies the case as written.
                None => described.damage = written.clone(),
            }
        }
        let all_networks = Step::Likely(ALL_NETWORKS, described.damage.clone());
        let mut ladder = Self::with(first.into_iter().chain([described]).collect(), build);
        let wrong_case = ladder.todo.split_off(1);
        if let (None, Some(Step::Ready(first))) = (versions, ladder.todo.front()) {
            ladder.is_any_network = first.space.is_of_all_networks();
            ladder.todo.extend((!ladder.is_any_network).then_some(all_networks));
        }
        ladder.todo.extend(likely(&written).chain(wrong_case));
        if may_be_lost {
            ladder.todo.push_back(Step::Likely(WRONG_CASE, lost.clone()));
            ladder.todo.extend(likely(&lost).take(MAX_LOST_RUNGS));
        }
        // Without such letters, they would repeat the text as written.
        let can_exchange = |damage: &Damage| damage.look_alikes.can_exchange(pattern.address());
        ladder.todo.retain(|step| !matches!(step, Step::Likely(_, it) if !can_exchange(it)));
        ladder
    }
}

impl<'a, S> Ladder<'a, S> {
    /// Creates a ladder whose only search is the one that was described, if there is any.
    #[must_use]
    pub fn exact(damage: &Damage, described: Option<(S, Estimate)>) -> Self {
        let described = described.map(|(space, estimate)| Rung::described(damage, space, estimate));
        Self::with(described.into_iter().collect(), |_, _| Err(ParseError::TooComplex))
    }

    /// Creates a ladder for anything that may be damaged like an address, such as a key. A function
    /// builds the search space for the damage of each rung.
    #[must_use]
    pub fn of(
        damage: &Damage,
        described: Option<(S, Estimate)>,
        build: impl Fn(&Damage) -> Result<(S, Estimate), ParseError> + 'a,
    ) -> Self {
        let mut ladder = Self::exact(damage, described);
        ladder.todo.extend(likely(damage));
        Self { build: Box::new(move |damage, _| build(damage)), ..ladder }
    }

    /// Creates a ladder of some rungs, the last of which was described.
    fn with(
        rungs: Vec<Rung<S>>,
        build: impl Fn(&Damage, bool) -> Result<(S, Estimate), ParseError> + 'a,
    ) -> Self {
        let by_chance = |rung: &Rung<S>| rung.estimate.expected_by_chance;
        Self {
            build: Box::new(build),
            is_any_network: false,
            by_chance: rungs.last().map_or(0.0, by_chance),
            earlier: rungs.iter().map(|rung| (rung.damage.clone(), rung.estimate)).collect(),
            todo: rungs.into_iter().map(|rung| Step::Ready(Box::new(rung))).collect(),
            too_complex: Vec::new(),
        }
    }

    /// The rung with some damage; `None` if it has no candidates, or the same ones as an earlier
    /// rung.
    fn rung(&mut self, name: &'static str, damage: Damage) -> Option<Rung<S>> {
        if self.too_complex.iter().any(|part| damage.includes(part)) {
            return None;
        }
        let is_any_network = self.is_any_network || name == ALL_NETWORKS;
        let built = (self.build)(&damage, is_any_network);
        if let Err(ParseError::TooComplex) = built {
            self.too_complex.push(damage);
            return None;
        }
        let (space, estimate) = built.ok()?;
        let candidates = estimate.candidates;
        let mut included = self.earlier.iter().filter(|(earlier, _)| damage.includes(earlier));
        if candidates == 0.0 || included.any(|(_, earlier)| earlier.candidates == candidates) {
            return None;
        }
        let mut rung = Rung { is_any_network, ..Rung::new(name, damage, space, estimate) };
        if let Some((first, of_first)) = self.earlier.first()
            && rung.damage.includes(first)
        {
            let more = rung.expected_by_chance - of_first.expected_by_chance;
            rung.expected_by_chance = more.max(0.0);
        }
        if name != ALL_NETWORKS {
            self.earlier.push((rung.damage.clone(), estimate));
        }
        Some(rung)
    }
}

impl<S> Rung<S> {
    /// Whether it assumes no damage but what was described.
    #[must_use]
    pub fn is_as_written(&self) -> bool {
        self.name == AS_WRITTEN
    }

    /// A rung that was not described.
    fn new(name: &'static str, damage: Damage, space: S, estimate: Estimate) -> Self {
        let expected_by_chance = estimate.expected_by_chance;
        let (is_described, is_any_network) = (false, false);
        Self { name, damage, is_described, is_any_network, expected_by_chance, estimate, space }
    }

    fn described(damage: &Damage, space: S, estimate: Estimate) -> Self {
        Self { is_described: true, ..Self::new(AS_WRITTEN, damage.clone(), space, estimate) }
    }
}

impl<S> Iterator for Ladder<'_, S> {
    type Item = Rung<S>;

    fn next(&mut self) -> Option<Rung<S>> {
        while let Some(step) = self.todo.pop_front() {
            let (name, damage) = match step {
                Step::Ready(rung) => return Some(*rung),
                Step::Likely(name, damage) => (name, damage),
            };
            let Some(rung) = self.rung(name, damage) else { continue };
            let is_less_likely = rung.estimate.expected_by_chance >= self.by_chance;
            let is_described = |step: &_| matches!(step, Step::Ready(rung) if rung.is_described);
            if !(is_less_likely && self.todo.iter().any(is_described)) {
                return Some(rung);
            }
            // Damage with the case lost yields even more addresses by chance.
            let is_lost =
                |step: &_| matches!(step, Step::Likely(_, damage) if damage.case == Case::Lost);
            let at = self.todo.iter().position(is_lost).unwrap_or(self.todo.len());
            self.todo.insert(at, Step::Ready(Box::new(rung)));
        }
        None
    }
}

impl<S> fmt::Debug for Ladder<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ladder").field("earlier", &self.earlier).finish_non_exhaustive()
    }
}

fn likely<S>(damage: &Damage) -> impl Iterator<Item = Step<S>> {
    damage.ladder().map(|(name, damage)| Step::Likely(name, damage))
}

impl Damage {
    /// This damage combined with likely damage of other kinds, with the name of each, in order of
    /// cost and likelihood. [`Ladder`] tries these for addresses.
    pub fn ladder(&self) -> impl Iterator<Item = (&'static str, Self)> {
        let groups =
            |more: &[&str]| LookAlikes::everywhere(&[&LOOK_ALIKES[..], more].concat().join(","));
        let all_groups = groups(&MORE_LOOK_ALIKES);
        let alike =
            |look_alikes: &LookAlikes| Self { look_alikes: look_alikes.clone(), ..Self::default() };
        let at_most = |max| alike(&LookAlikes { max: Some(max), ..all_groups.clone() });
        let keyboard = |exchanged| alike(&LookAlikes::everywhere(exchanged));
        let none = Self::default;
        let likely = [
            ("one look-alike character", at_most(1)),
            ("two swapped characters", Self { swapped: 1, ..none() }),
            ("one extra character", Self { surplus: 1, ..none() }),
            ("swapped or repeated blocks", Self { blocks: true, ..none() }),
            ("letters of a German keyboard", keyboard(GERMAN)),
            ("letters of a French keyboard", keyboard(FRENCH)),
            ("some letters of other keyboards", keyboard(KEYBOARDS)),
            ("two look-alike characters", at_most(2)),
            ("two pairs of swapped characters", Self { swapped: 2, ..none() }),
            ("two extra characters", Self { surplus: 2, ..none() }),
            ("look-alikes of 0 and 1", alike(&groups(&[]))),
            ("one wrong character", Self { typos: 1, ..none() }),
            ("one missing character", Self { missing: 1, ..none() }),
            ("one extra and two swapped characters", Self { surplus: 1, swapped: 1, ..none() }),
            ("look-alike characters", alike(&all_groups)),
            ("one wrong character besides look-alikes", Self { typos: 1, ..alike(&all_groups) }),
            ("one wrong and two swapped characters", Self { typos: 1, swapped: 1, ..none() }),
            ("one wrong and one extra character", Self { typos: 1, surplus: 1, ..none() }),
            ("one missing and one extra character", Self { missing: 1, surplus: 1, ..none() }),
            ("one missing and two swapped characters", Self { missing: 1, swapped: 1, ..none() }),
            ("three extra characters", Self { surplus: 3, ..none() }),
            ("two wrong characters", Self { typos: 2, ..none() }),
            ("two missing characters", Self { missing: 2, ..none() }),
            ("one wrong and one missing character", Self { typos: 1, missing: 1, ..none() }),
            ("characters cut off at an end", Self { cut: 4, ..none() }),
            ("three missing characters", Self { missing: 3, ..none() }),
            ("three wrong characters", Self { typos: 3, ..none() }),
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
