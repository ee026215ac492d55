//! Address recovery for a browser. `page.js` calls it on the page and in each of its workers.

use addr_recover::{
    AddressSpace, AskOptions, Certainty, Climb as Steps, Damage, Evidence, Ladder, LookAlikes,
    Open, Question, Reading, Repaired, left_out_in_words,
};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A function of the worker. It is told how many hashes its search has computed so far.
    #[wasm_bindgen(js_name = reportHashes)]
    fn report_hashes(hashes: f64);
}

/// What the library answers: at once, or after the searches of a [`Climb`].
#[wasm_bindgen(getter_with_clone)]
pub struct Answer {
    pub addresses: Vec<Address>,
    /// What was wrong or missing; empty if nothing was, or nothing is assumed.
    pub note: String,
    /// `certain`, `likely` or `uncertain`; empty if the text is an address already.
    pub certainty: String,
    /// The probability of each address, if it is known, and what the answer is worth.
    pub percentage: Option<String>,
    pub worth: Option<String>,
    pub hashes: f64,
    /// The names of what was tried, and of what to try next.
    pub tried: Vec<String>,
    pub next: Option<String>,
}

/// An address that was found.
#[derive(Clone)]
#[wasm_bindgen(getter_with_clone)]
pub struct Address {
    pub address: String,
    /// The names of its version, such as `Bitcoin P2PKH`; empty if no supported network has it.
    pub kinds: Vec<String>,
}

/// An address of a text that was read, and what it asks, or why it cannot be a damaged address.
#[wasm_bindgen]
pub struct Asked {
    question: Result<Question, String>,
    left_out: usize,
}

/// The searches for the address of a text, one after another: see [`Steps`].
#[wasm_bindgen]
pub struct Climb {
    open: Open,
    steps: Steps<'static, AddressSpace>,
}

/// The same searches, of which a worker searches parts.
#[wasm_bindgen]
pub struct Searches {
    ladder: Ladder<'static, AddressSpace>,
    space: Option<AddressSpace>,
}

#[wasm_bindgen]
impl Asked {
    /// Reads a text, and asks for each address in it. `damage` is what may have happened besides
    /// what the text shows.
    ///
    /// # Errors
    ///
    /// Returns the reason why the text has no damaged address, or must not be shown.
    pub fn all(text: &str, damage: &str) -> Result<Vec<Self>, String> {
        let mut options = AskOptions::default();
        options.damage =
            damage_named(damage).ok_or_else(|| format!("unknown damage `{damage}`"))?;
        let reading = Reading::of(text).map_err(|error| error.to_string())?;
        let asked = |reading: Reading| Self {
            question: reading.question(&options).map_err(|error| error.to_string()),
            left_out: reading.left_out(),
        };
        Ok(reading.split().into_iter().map(asked).collect())
    }

    /// Why it cannot be a damaged address.
    pub fn error(&self) -> Option<String> {
        self.question.as_ref().err().cloned()
    }

    /// Says that characters beside the address may be a private key, if some may.
    #[wasm_bindgen(js_name = leftOut)]
    pub fn left_out(&self) -> Option<String> {
        (self.left_out > 0).then(|| left_out_in_words(self.left_out))
    }

    /// The answer, if it takes no search in workers.
    pub fn answer(&self) -> Option<Answer> {
        match self.question.as_ref().ok()? {
            Question::Answered(answer) => Some(Answer::of(answer)),
            Question::Open(open) => {
                let answer = open.answer_at_once()?;
                // Others take longer.
                (!answer.addresses.is_empty()).then(|| Answer::of(&answer))
            }
        }
    }

    /// The kinds of address that the text may have been.
    pub fn kinds(&self) -> Vec<String> {
        let kinds = self.open().map(|open| open.space.kinds());
        let names = kinds.into_iter().flatten().flat_map(|(_, names, _)| names);
        names.map(str::to_owned).collect()
    }

    /// Why no address is like the text as it is written, if none is.
    pub fn note(&self) -> Option<String> {
        self.open()?.note.clone()
    }

    /// The number of candidates, exact.
    pub fn candidates(&self) -> String {
        format!("{:.0}", self.open().map_or(0.0, |open| open.estimate.candidates))
    }

    /// The number of double hashes that the search takes.
    pub fn hashes(&self) -> f64 {
        self.open().map_or(0.0, |open| open.estimate.hashes)
    }

    /// The number of addresses that are expected to fit by chance.
    #[wasm_bindgen(js_name = expectedByChance)]
    pub fn expected_by_chance(&self) -> f64 {
        self.open().map_or(0.0, |open| open.estimate.expected_by_chance)
    }

    /// Why not to search, because the answer would be worth nothing.
    pub fn refusal(&self) -> Option<String> {
        self.open()?.refusal.map(|refusal| refusal.to_string())
    }

    /// Whether the answer would be doubtful.
    #[wasm_bindgen(js_name = isDoubtful)]
    pub fn is_doubtful(&self) -> bool {
        let expected_by_chance = self.expected_by_chance();
        let evidence = Evidence { hits: 1, expected_by_chance, likelihood: 1.0 };
        evidence.certainty() == Certainty::Uncertain
    }

    /// The searches; `None` if it takes none.
    pub fn climb(&self) -> Option<Climb> {
        let open = self.open()?.clone();
        Some(Climb { steps: open.climb(), open })
    }

    /// What a worker searches.
    pub fn searches(&self) -> Option<Searches> {
        Some(Searches { ladder: self.open()?.ladder(), space: None })
    }

    fn open(&self) -> Option<&Open> {
        match &self.question {
            Ok(Question::Open(open)) => Some(open),
            Ok(Question::Answered(_)) | Err(_) => None,
        }
    }
}

#[wasm_bindgen]
impl Climb {
    /// Goes on to the next rung to search. Returns its number among all rungs, from 1.
    #[wasm_bindgen(js_name = nextRung)]
    pub fn next_rung(&mut self) -> Option<usize> {
        self.steps.next_rung()?;
        Some(self.steps.reached())
    }

    /// What the rung assumes.
    pub fn name(&self) -> Option<String> {
        self.steps.rung().map(|rung| rung.name.to_owned())
    }

    /// The number of double hashes that the rung takes.
    pub fn hashes(&self) -> f64 {
        self.steps.rung().map_or(0.0, |rung| rung.estimate.hashes)
    }

    /// Counts the search of the rung.
    pub fn add(&mut self, is_found: bool, hashes: f64) {
        self.steps.add(is_found, hashes as u64);
    }

    /// The answer with the addresses that were found.
    pub fn answer(&self, mut addresses: Vec<String>) -> Answer {
        addresses.sort_unstable();
        let found = addresses.iter().filter_map(|address| Repaired::intact(address)).collect();
        Answer::of(&self.open.answer(found, &self.steps))
    }
}

#[wasm_bindgen]
impl Searches {
    /// Goes on to the search of the rung with this number.
    pub fn advance(&mut self, rung: usize) {
        self.space = self.ladder.nth(rung.saturating_sub(1)).map(|rung| rung.space.clone());
    }

    /// Searches one shard of the rung, with `index` from 1 to `count`, on this thread.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such rung, or if there are too many hits.
    pub fn search(&self, index: usize, count: usize) -> Result<Vec<String>, String> {
        let space = self.space.as_ref().ok_or("there is no such rung")?;
        let progress = |hashes| {
            report_hashes(hashes as f64);
            true
        };
        let (found, hashes) =
            space.search_here((index, count), &progress).map_err(|error| error.to_string())?;
        report_hashes(hashes as f64);
        Ok(found.into_iter().map(|found| found.address).collect())
    }
}

impl Answer {
    fn of(answer: &addr_recover::Answer) -> Self {
        let evidence = answer.evidence();
        let found = answer.addresses.iter();
        let assumed = answer.damage.map(|damage| format!("assumes {damage}"));
        let change = answer.change.as_ref().map(ToString::to_string);
        let note = change.or(answer.note.clone()).or(assumed);
        Self {
            addresses: found
                .map(|it| Address { address: it.address.clone(), kinds: it.kinds.clone() })
                .collect(),
            note: note.unwrap_or_default(),
            certainty: evidence.map_or(String::new(), |it| it.certainty().name().to_owned()),
            percentage: evidence.map(|it| it.percentage()),
            worth: evidence.map(|it| it.in_words("addresses")),
            hashes: answer.estimate.map_or(0.0, |it| it.hashes),
            tried: answer.tried.iter().map(|it| it.name.to_owned()).collect(),
            next: answer.next.as_ref().map(|it| it.name.to_owned()),
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
