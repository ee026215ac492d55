//! Address recovery for a browser. `page.js` calls it on the page and in each of its workers.

use addr_recover::{
    DOUBTFUL, DOUBTFUL_GUESS, Damage, Estimate, Hit, Kind, Ladder, LookAlikes, NOISE, Pattern,
    Rung, Search, SearchSpace,
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
    ladder: Ladder<'static>,
    rung: Option<Rung>,
}

/// An address that was found.
#[wasm_bindgen(getter_with_clone)]
pub struct Answer {
    pub address: String,
    /// The names of its version, such as `Bitcoin P2PKH`; empty if no supported network has it.
    pub kinds: Vec<String>,
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
        is_doubtful(self.estimate.expected_by_chance, false)
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
        Ok(Self { ladder: Ladder::new(&pattern, &space, None), rung: None })
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

/// Whether an answer would be doubtful with so many addresses expected by chance, and if its damage
/// is a guess.
#[wasm_bindgen(js_name = isDoubtful)]
pub fn is_doubtful(expected_by_chance: f64, is_guess: bool) -> bool {
    expected_by_chance >= if is_guess { DOUBTFUL_GUESS } else { DOUBTFUL }
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
