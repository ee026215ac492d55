//! Likely damage, to try in order of cost and likelihood until something is found.

use std::collections::VecDeque;
use std::fmt;
use std::mem::take;

use crate::change::Change;
use crate::damage::{Case, Damage, LOOK_ALIKES, LookAlikes, WRONG_CASE};
use crate::evidence::Estimate;
use crate::evidence::likelihood;
use crate::format::Hit;
use crate::kind::{Kind, Version};
use crate::parse_error::ParseError;
use crate::pattern::Pattern;
use crate::search_space::{NOISE, SearchSpace};

/// Characters that people confuse when they read or type an address, besides [`LOOK_ALIKES`].
const MORE_LOOK_ALIKES: [&str; 4] = ["2Zz", "5Ss", "7T", "8B"];

/// Letters that German and French keyboards exchange. `KEYBOARDS` has each pair by itself, for
/// texts in which only some letters are exchanged.
const GERMAN: &str = "y=z";
const FRENCH: &str = "aw=qz";
const KEYBOARDS: &str = "yz,YZ,aq,AQ,wz,WZ";

/// The damage that is tried with the case lost, too, if the text has letters of both cases.
const MAX_LOST_RUNGS: usize = 13;

pub(crate) const AS_WRITTEN: &str = "the text as written";

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
    /// How likely it is that a damaged address has the damage that the rung assumes: 1 for the text
    /// as written, less the more faults nobody described.
    pub likelihood: f64,
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
        let (text, selected) = (pattern.clone(), versions.map(<[Version]>::to_vec));
        let build = move |damage: &Damage, is_any_network| {
            let pattern = text.damaged(damage.clone())?;
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
                    described.likelihood = likelihood(1);
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

    /// The same ladder, of other search spaces.
    pub(crate) fn map<T>(self, of: impl Fn(S) -> T + Copy + 'a) -> Ladder<'a, T>
    where
        S: 'a,
    {
        let Self { build, is_any_network, by_chance, todo, earlier, too_complex } = self;
        let todo = todo.into_iter().map(|step| match step {
            Step::Ready(rung) => Step::Ready(Box::new(rung.map(of))),
            Step::Likely(name, damage) => Step::Likely(name, damage),
        });
        Ladder {
            todo: todo.collect(),
            build: Box::new(move |damage, is_any_network| {
                build(damage, is_any_network).map(|(space, estimate)| (of(space), estimate))
            }),
            is_any_network,
            by_chance,
            earlier,
            too_complex,
        }
    }

    /// The ladder with letters in the wrong case last, beside the damage that was described.
    pub(crate) fn or_wrong_case(mut self, described: &Damage) -> Self {
        let lost = Damage { case: Case::Lost, ..described.clone() };
        self.todo.push_back(Step::Likely(WRONG_CASE, lost));
        self
    }

    /// The ladder with the damage first that has the fewest candidates.
    pub(crate) fn with_fewest_first(mut self) -> Self {
        let candidates = |step: &Step<S>| match step {
            Step::Ready(_) => 0.0,
            Step::Likely(_, damage) => {
                (self.build)(damage, false).map_or(f64::INFINITY, |(_, cost)| cost.candidates)
            }
        };
        let mut todo: Vec<(f64, Step<S>)> =
            take(&mut self.todo).into_iter().map(|step| (candidates(&step), step)).collect();
        todo.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        self.todo = todo.into_iter().map(|(_, step)| step).collect();
        self
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
        let mut included = self.earlier.iter().filter(|(earlier, _)| damage.includes(earlier));
        // As many candidates may fit more often, because less of them is checked.
        let is_same = |(_, earlier): &(Damage, Estimate)| {
            let Estimate { candidates, expected_by_chance, .. } = *earlier;
            (candidates, expected_by_chance) == (estimate.candidates, estimate.expected_by_chance)
        };
        if estimate.candidates == 0.0 || included.any(is_same) {
            return None;
        }
        let mut rung = Rung { is_any_network, ..Rung::new(name, damage, space, estimate) };
        if let Some((first, of_first)) = self.earlier.first() {
            let has_more_networks = name == ALL_NETWORKS;
            let faults = rung.damage.faults_beyond(first) + usize::from(has_more_networks);
            rung.likelihood = likelihood(faults.max(1));
            if rung.damage.includes(first) {
                let more = rung.expected_by_chance - of_first.expected_by_chance;
                rung.expected_by_chance = more.max(0.0);
            }
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

    /// Whether it is the one to try next rather than another one, if both were skipped: the
    /// cheapest whose answer would not be [noise](NOISE) or, if all would be, the one that the
    /// fewest addresses fit by chance. Of too many it is not worth trying at all.
    #[must_use]
    pub fn is_next_before(&self, other: Option<&Self>) -> bool {
        let rank = |Self { estimate, .. }: &Self| {
            let expected = estimate.expected_by_chance;
            let is_noise = expected > NOISE;
            (is_noise, if is_noise { expected } else { estimate.hashes })
        };
        self.estimate.expected_by_chance <= MAX_SUGGESTED
            && other.is_none_or(|other| rank(self) < rank(other))
    }

    /// What was wrong in a text that was read, if it is this address.
    #[must_use]
    pub fn change(&self, text: &str, address: &str) -> Change {
        let Damage { look_alikes, cut, blocks, case, .. } = &self.damage;
        let is_exchange = look_alikes.everywhere.iter().any(|group| group.contains('='));
        let is_counted = *cut == 0 && !blocks && !is_exchange && self.name != WRONG_CASE;
        let has_both_cases = text.chars().any(|c| c.is_ascii_lowercase())
            && text.chars().any(|c| c.is_ascii_uppercase());
        let is_case_kept = self.name == WRONG_CASE || has_both_cases && *case != Case::Lost;
        Change::between(text, address, is_case_kept, self.name, is_counted)
    }

    fn map<T>(self, of: impl Fn(S) -> T) -> Rung<T> {
        let Self { name, damage, is_described, is_any_network, .. } = self;
        let Self { expected_by_chance, likelihood, estimate, space, .. } = self;
        Rung {
            name,
            damage,
            is_described,
            is_any_network,
            expected_by_chance,
            likelihood,
            estimate,
            space: of(space),
        }
    }

    /// A rung that was not described.
    fn new(name: &'static str, damage: Damage, space: S, estimate: Estimate) -> Self {
        let expected_by_chance = estimate.expected_by_chance;
        Self {
            name,
            damage,
            is_described: false,
            is_any_network: false,
            expected_by_chance,
            likelihood: 1.0,
            estimate,
            space,
        }
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

/// Damage with more addresses expected by chance than this is not worth suggesting.
const MAX_SUGGESTED: f64 = 100.0;

/// The maximum of addresses expected by chance after a rung: a single hit is right once in five
/// times, then.
const MAX_BY_CHANCE: f64 = 4.0;

/// The maximum number of hashes for damage that was not described: seconds.
const MAX_HASHES: f64 = (1_u64 << 28) as f64;

/// [`MAX_HASHES`] for what is answered at once.
const MAX_HASHES_AT_ONCE: f64 = (1_u64 << 18) as f64;

/// [`MAX_HASHES`] for one of many texts.
const MAX_HASHES_OF_LINE: f64 = (1_u64 << 24) as f64;

/// The maximum number of hashes for a rung of one of many texts, or [`MAX_TIMES`] those of the text
/// as written if that is more: most texts without an answer stay without one.
const MAX_HASHES_OF_RUNG: f64 = (1_u64 << 22) as f64;
const MAX_TIMES: f64 = 16.0;

/// Decides which rungs of a [`Ladder`] to search: what was described always, other damage as long
/// as it takes few hashes and few addresses are expected by chance. Nothing depends on the speed of
/// the machine.
#[derive(Clone, Debug)]
pub struct Limits {
    hashes_left: f64,
    max_hashes_of_rung: Option<f64>,
    expected: f64,
}

/// Why [`Limits`] skip a rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// After it, more than four addresses would be expected by chance.
    Noise,
    /// It takes too many hashes.
    Long,
}

impl Limits {
    /// The limits for one text: 2^28 hashes for damage that was not described.
    #[must_use]
    pub fn new() -> Self {
        Self { hashes_left: MAX_HASHES, max_hashes_of_rung: None, expected: 0.0 }
    }

    /// The limits for one of many texts: 2^24 hashes, and no rung of more than 2^22 or 16 times as
    /// many as the text as written takes.
    #[must_use]
    pub fn of_line() -> Self {
        let max_hashes_of_rung = Some(MAX_HASHES_OF_RUNG);
        Self { hashes_left: MAX_HASHES_OF_LINE, max_hashes_of_rung, expected: 0.0 }
    }

    /// The limits for an answer within milliseconds: 2^18 hashes.
    pub(crate) fn at_once() -> Self {
        Self::new().at_most(MAX_HASHES_AT_ONCE)
    }

    /// The same limits with another number of hashes for damage that was not described.
    #[must_use]
    pub fn at_most(self, hashes: f64) -> Self {
        Self { hashes_left: hashes, ..self }
    }

    /// How many hashes damage that was not described may still take.
    #[must_use]
    pub fn hashes_left(&self) -> f64 {
        self.hashes_left
    }

    /// How many addresses are expected by chance among everything that was counted.
    #[must_use]
    pub fn expected_by_chance(&self) -> f64 {
        self.expected
    }

    /// Counts a rung that is to be searched.
    ///
    /// # Errors
    ///
    /// Says why to skip it otherwise.
    pub fn admit<S>(&mut self, rung: &Rung<S>) -> Result<(), Skipped> {
        let hashes = rung.estimate.hashes;
        if rung.is_as_written()
            && let Some(max) = &mut self.max_hashes_of_rung
        {
            *max = max.max(MAX_TIMES * hashes);
        }
        if !rung.is_as_written() && !rung.is_described {
            // A single candidate is one more answer, and no noise.
            let is_one = rung.estimate.candidates == 1.0;
            if self.expected + rung.expected_by_chance > MAX_BY_CHANCE && !is_one {
                return Err(Skipped::Noise);
            }
            if hashes > self.hashes_left.min(self.max_hashes_of_rung.unwrap_or(f64::INFINITY)) {
                return Err(Skipped::Long);
            }
            self.hashes_left -= hashes;
        }
        self.expected += rung.expected_by_chance;
        Ok(())
    }

    /// Counts a rung that is searched although it is [long](Skipped::Long).
    pub fn add<S>(&mut self, rung: &Rung<S>) {
        self.expected += rung.expected_by_chance;
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
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

    /// How many faults this has that `other` does not have: one for each edit, and for each kind of
    /// other damage.
    pub(crate) fn faults_beyond(&self, other: &Self) -> usize {
        let faults = |damage: &Self| {
            let &Self { typos, missing, surplus, swapped, cut, blocks, .. } = damage;
            let edits = [typos, missing, surplus, swapped, cut.min(1), u8::from(blocks)];
            let groups = &damage.look_alikes.everywhere;
            let is_exchange = groups.iter().any(|group| group.contains('='));
            let alike = match damage.look_alikes.max {
                _ if groups.is_empty() => 0,
                _ if is_exchange => 1,
                max => max.unwrap_or(2),
            };
            edits.into_iter().chain([alike]).map(usize::from).sum::<usize>()
        };
        let has_other_case = self.case != other.case;
        faults(self).saturating_sub(faults(other)) + usize::from(has_other_case)
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
