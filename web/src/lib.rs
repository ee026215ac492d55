//! Address recovery for a browser. `page.js` calls it on the page and in each of its workers.

use std::num::NonZeroUsize;

use addr_recover::{
    DOUBTFUL, Damage, Hit, Kind, LookAlikes, NOISE, Odds, ParseError, Pattern, Search, SearchSpace,
    Shard,
};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A function of the worker. It is told how many hashes its search has computed so far.
    #[wasm_bindgen(js_name = reportHashes)]
    fn report_hashes(hashes: f64);
}

/// A text that was read, and the search for its address.
#[wasm_bindgen]
pub struct Question {
    pattern: Pattern,
    space: SearchSpace,
    candidates: String,
    hashes: f64,
    expected_by_chance: f64,
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
        let damage = damage_named(damage).ok_or_else(|| format!("unknown damage `{damage}`"))?;
        let (pattern, space) = read(text, damage).map_err(|error| error.to_string())?;
        let estimate = space.estimate();
        Ok(Self {
            pattern,
            space,
            candidates: estimate.candidates(),
            hashes: estimate.hashes(),
            expected_by_chance: estimate.expected_by_chance(),
        })
    }

    /// The address in the text, without its surroundings.
    pub fn address(&self) -> String {
        self.pattern.address().to_owned()
    }

    /// The text as an answer, if it is a valid address already.
    pub fn valid(&self) -> Option<Answer> {
        undamaged(&self.pattern).as_ref().map(Answer::of)
    }

    /// The kinds of address that the text may have been.
    pub fn kinds(&self) -> Vec<String> {
        let kinds = self.space.kinds().into_iter().flat_map(|(_, names, _)| names);
        kinds.map(str::to_owned).collect()
    }

    /// The number of candidates, exact.
    pub fn candidates(&self) -> String {
        self.candidates.clone()
    }

    /// The number of double hashes that the search takes.
    pub fn hashes(&self) -> f64 {
        self.hashes
    }

    /// The number of addresses that are expected to fit by chance.
    #[wasm_bindgen(js_name = expectedByChance)]
    pub fn expected_by_chance(&self) -> f64 {
        self.expected_by_chance
    }

    /// Whether the answer would be worth nothing.
    #[wasm_bindgen(js_name = isNoise)]
    pub fn is_noise(&self) -> bool {
        self.expected_by_chance > NOISE
    }

    /// Whether the answer would be doubtful.
    #[wasm_bindgen(js_name = isDoubtful)]
    pub fn is_doubtful(&self) -> bool {
        self.expected_by_chance > DOUBTFUL
    }

    /// How many times more likely this number of hits is for a damaged address than for anything
    /// else.
    #[wasm_bindgen(js_name = likelihoodRatio)]
    pub fn likelihood_ratio(&self, hits: usize) -> f64 {
        Odds::new(hits, self.expected_by_chance).likelihood_ratio()
    }

    /// The probability that each of so many hits is the address meant.
    pub fn probability(&self, hits: usize) -> f64 {
        Odds::new(hits, self.expected_by_chance).of_each_hit()
    }

    /// Searches one shard, with `index` from 1 to `count`, on this thread.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such shard, or if there are too many hits.
    pub fn search(&self, index: usize, count: usize) -> Result<Vec<Answer>, String> {
        let shard = Shard::new(index, count).map_err(|error| error.to_string())?;
        let outcome = Search::new(&self.space)
            .threads(NonZeroUsize::MIN)
            .shard(shard)
            .progress(&|progress| report_hashes(progress.hashes as f64))
            .run();
        let outcome = outcome.map_err(|error| error.to_string())?;
        report_hashes(outcome.hashes as f64);
        Ok(outcome.hits.iter().map(Answer::of).collect())
    }
}

impl Answer {
    fn of(hit: &Hit) -> Self {
        Self { address: hit.address.clone(), kinds: hit.kinds().map(str::to_owned).collect() }
    }
}

/// The values of the page's list.
fn damage_named(name: &str) -> Option<Damage> {
    let damage = Damage::default();
    Some(match name {
        "none" => damage,
        "look-alikes" => damage.look_alikes(LookAlikes::everywhere("0oO,1IlLi,2Zz,5Ss,7T,8B")),
        "swapped" => damage.swapped(true),
        "surplus" => damage.surplus(true),
        "missing" => damage.missing(true),
        "typo" => damage.typos(1),
        "typos" => damage.typos(2),
        _ => return None,
    })
}

/// Reads a text as an address of a common network or, if none fits, of any network.
fn read(text: &str, damage: Damage) -> Result<(Pattern, SearchSpace), ParseError> {
    let pattern = Pattern::with_damage(text, damage)?;
    let mut space = SearchSpace::new(&pattern, &Kind::common_versions())?;
    if space.kinds().is_empty() {
        space = SearchSpace::new(&pattern, &Kind::all_versions())?;
    }
    let is_empty = space.kinds().is_empty() && undamaged(&pattern).is_none();
    match pattern.foreign_instead().filter(|_| is_empty) {
        Some(foreign) => Err(ParseError::Foreign(foreign)),
        None => Ok((pattern, space)),
    }
}

/// The text as a hit, if it is a valid address already. Bytes of a two-byte version that no network
/// has may pass the checksum by chance.
fn undamaged(pattern: &Pattern) -> Option<Hit> {
    Hit::of(pattern.address())
        .filter(|hit| hit.version.is_one_byte() || Kind::all_versions().contains(&hit.version))
}
