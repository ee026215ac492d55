//! Address recovery for a browser. `page.js` calls it on the page and in each of its workers.

use addr_recover::{
    Certainty, Change, Damage, Estimate, Evidence, Hit, Kind, Ladder, LookAlikes, NOISE, Pattern,
    Reading, Rung, Search, SearchSpace,
};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A function of the worker. It is told how many hashes its search has computed so far.
    #[wasm_bindgen(js_name = reportHashes)]
    fn report_hashes(hashes: f64);
}

/// A text that was read, and what the search for its address costs.
#[wasm_bindgen]
pub struct Question {
    pattern: Pattern,
    space: SearchSpace,
    estimate: Estimate,
}

/// The searches for the address of a text, one after another: see [`Ladder`].
#[wasm_bindgen]
pub struct Climb {
    /// The text that was read.
    text: String,
    ladder: Ladder<'static>,
    rung: Option<Rung>,
}

/// An address that was found.
#[derive(Clone)]
#[wasm_bindgen(getter_with_clone)]
pub struct Answer {
    pub address: String,
    /// The names of its version, such as `Bitcoin P2PKH`; empty if no supported network has it.
    pub kinds: Vec<String>,
}

/// What the checksum of another format than Base58Check answers, without a search.
#[wasm_bindgen(getter_with_clone)]
pub struct Corrected {
    pub answers: Vec<Answer>,
    /// What was wrong or missing; empty if the text is an address already.
    pub note: String,
    /// `certain`, `likely` or `uncertain`; empty if the text is an address already.
    pub certainty: String,
    /// That of each answer, if it is known.
    pub probability: Option<f64>,
}

/// How many characters of a text may be a private key beside its address.
#[wasm_bindgen]
pub fn left_out(text: &str) -> usize {
    Reading::of(text).map_or(0, |reading| reading.left_out())
}

/// Corrects an address of Bech32, CashAddr or Ethereum in a text.
#[wasm_bindgen]
pub fn corrected(text: &str) -> Option<Corrected> {
    let answer = Reading::of(text).ok()?.corrected()?;
    let evidence = answer.evidence();
    let change = answer.change.map(|change| in_words(&change));
    let found = answer.addresses.into_iter();
    Some(Corrected {
        answers: found.map(|found| Answer { address: found.address, kinds: found.kinds }).collect(),
        note: change.or(answer.note).unwrap_or_default(),
        certainty: evidence.map_or(String::new(), |it| it.certainty().name().to_owned()),
        probability: evidence.map(|it| it.probability()),
    })
}

fn in_words(change: &Change) -> String {
    let Change { what, before, after, .. } = change;
    if before.is_empty() && after.is_empty() {
        return format!("assumes {what}");
    }
    format!("{what}: {before} \u{2192} {after}")
}

#[wasm_bindgen]
impl Question {
    /// Reads a text. `damage` is what may have happened besides what the text shows.
    ///
    /// # Errors
    ///
    /// Returns the reason why the text cannot be a damaged address.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, damage: &str) -> Result<Self, String> {
        let pattern = pattern(text, damage)?;
        let space = SearchSpace::any_network(&pattern).map_err(|error| error.to_string())?;
        let estimate = space.estimate();
        Ok(Self { pattern, space, estimate })
    }

    /// The text as an answer, if it is a valid address already.
    pub fn valid(&self) -> Option<Answer> {
        Hit::undamaged(&self.pattern).as_ref().map(Answer::of)
    }

    /// The kinds of address that the text may have been.
    pub fn kinds(&self) -> Vec<String> {
        let kinds = self.space.kinds().into_iter().flat_map(|(_, names, _)| names);
        kinds.map(str::to_owned).collect()
    }

    /// The number of candidates, exact.
    pub fn candidates(&self) -> String {
        format!("{:.0}", self.estimate.candidates)
    }

    /// The number of double hashes that the search takes.
    pub fn hashes(&self) -> f64 {
        self.estimate.hashes
    }

    /// The number of addresses that are expected to fit by chance.
    #[wasm_bindgen(js_name = expectedByChance)]
    pub fn expected_by_chance(&self) -> f64 {
        self.estimate.expected_by_chance
    }

    /// Whether the answer would be worth nothing.
    #[wasm_bindgen(js_name = isNoise)]
    pub fn is_noise(&self) -> bool {
        self.estimate.expected_by_chance > NOISE
    }

    /// Whether the answer would be doubtful.
    #[wasm_bindgen(js_name = isDoubtful)]
    pub fn is_doubtful(&self) -> bool {
        evidence(1, self.estimate.expected_by_chance, 1.0).certainty() == Certainty::Uncertain
    }
}

#[wasm_bindgen]
impl Climb {
    /// Begins below the first rung. The arguments are those of [`Question::new`].
    ///
    /// # Errors
    ///
    /// Returns the reason why the text cannot be a damaged address.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, damage: &str) -> Result<Self, String> {
        let pattern = pattern(text, damage)?;
        let space = SearchSpace::any_network(&pattern).map_err(|error| error.to_string())?;
        let text = pattern.address().to_owned();
        Ok(Self { text, ladder: Ladder::new(&pattern, &space, None), rung: None })
    }

    /// Goes on to the next rung. Returns whether there is one.
    pub fn advance(&mut self) -> bool {
        self.rung = self.ladder.next();
        self.rung.is_some()
    }

    /// What the rung assumes.
    pub fn name(&self) -> Option<String> {
        self.rung.as_ref().map(|rung| rung.name.to_owned())
    }

    /// Whether the rung is the search that was described.
    #[wasm_bindgen(js_name = isDescribed)]
    pub fn is_described(&self) -> bool {
        self.rung.as_ref().is_some_and(|rung| rung.is_described)
    }

    /// The number of double hashes that the rung takes.
    pub fn hashes(&self) -> f64 {
        self.rung.as_ref().map_or(0.0, |rung| rung.space.estimate().hashes)
    }

    /// How many addresses are expected to fit by chance, apart from candidates of the first rung.
    #[wasm_bindgen(js_name = expectedByChance)]
    pub fn expected_by_chance(&self) -> f64 {
        self.rung.as_ref().map_or(0.0, |rung| rung.expected_by_chance)
    }

    /// How likely it is that a damaged address has the damage that the rung assumes.
    pub fn likelihood(&self) -> f64 {
        self.rung.as_ref().map_or(1.0, |rung| rung.likelihood)
    }

    /// What was wrong in the text, if it is this address.
    pub fn change(&self, address: &str) -> Option<String> {
        Some(in_words(&self.rung.as_ref()?.change(&self.text, address)))
    }

    /// Searches one shard of the rung, with `index` from 1 to `count`, on this thread.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such rung, or if there are too many hits.
    pub fn search(&self, index: usize, count: usize) -> Result<Vec<Answer>, String> {
        let rung = self.rung.as_ref().ok_or("there is no such rung")?;
        let outcome = Search::new(&rung.space)
            .on_this_thread()
            .shard(index, count)
            .progress(&|hashes| report_hashes(hashes as f64))
            .run();
        let outcome = outcome.map_err(|error| error.to_string())?;
        report_hashes(outcome.hashes as f64);
        Ok(outcome.hits.iter().map(Answer::of).collect())
    }
}

/// How sure an answer is, with so many hits and so many more expected by chance, and how likely the
/// damage is that it assumes: `certain`, `likely` or `uncertain`.
#[wasm_bindgen]
pub fn certainty(hits: usize, expected_by_chance: f64, likelihood: f64) -> String {
    evidence(hits, expected_by_chance, likelihood).certainty().name().to_owned()
}

/// The probability of each of the hits.
#[wasm_bindgen]
pub fn probability(hits: usize, expected_by_chance: f64, likelihood: f64) -> f64 {
    evidence(hits, expected_by_chance, likelihood).probability()
}

fn evidence(hits: usize, expected_by_chance: f64, likelihood: f64) -> Evidence {
    Evidence { hits, expected_by_chance, likelihood }
}

impl Answer {
    fn of(hit: &Hit) -> Self {
        Self {
            address: hit.text.to_string(),
            kinds: Kind::names(hit.format).map(str::to_owned).collect(),
        }
    }
}

/// The values of the page's list.
fn damage_named(name: &str) -> Option<Damage> {
    let damage = Damage::default();
    Some(match name {
        "none" => damage,
        "look-alikes" => {
            Damage { look_alikes: LookAlikes::everywhere("0oO,1IlLi,2Zz,5Ss,7T,8B"), ..damage }
        }
        "swapped" => Damage { swapped: 1, ..damage },
        "surplus" => Damage { surplus: 1, ..damage },
        "missing" => Damage { missing: 1, ..damage },
        "typo" => Damage { typos: 1, ..damage },
        "typos" => Damage { typos: 2, ..damage },
        _ => return None,
    })
}

fn pattern(text: &str, damage: &str) -> Result<Pattern, String> {
    let damage = damage_named(damage).ok_or_else(|| format!("unknown damage `{damage}`"))?;
    Pattern::with_damage(text, damage).map_err(|error| error.to_string())
}
