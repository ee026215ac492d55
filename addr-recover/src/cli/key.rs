//! Asks for a key. It is printed on stdout, and neither saved nor repeated anywhere else.

pub(crate) mod owner;
mod secrets;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::vec;

use addr_recover::{
    Damage, Hit, KeyFormat, KeyKind, ParseError, Pattern, Progress, Search, SearchError,
    SearchSpace, Unfinished,
};
use zeroize::Zeroizing;

use secrets::{Digits, HASHES_PER_SECRET, Secrets, digits_in};

use super::args::KeyArgs;
use super::ask::refusal;
use super::bar::Bar;
use super::climb::{Climb, Found, Question, Run, Rung};
use super::report::{Cost, HitReport, KeySearch, Report, SECRET, Status, Worth};
use super::settings::options_of;
use super::{
    Failure, INTERRUPTED, cancel_on_signals, estimate, is_cancelled, is_standard_input, on_threads,
    print, say,
};

/// With fewer hashes, a search for right checksums takes no time to speak of.
const MIN_HASHES_BY_SECRET: f64 = (1_u64 << 20) as f64;

/// More keys are noise, and would fill the memory.
const MAX_HITS: usize = 100_000;

/// The maximum length of the text on standard input, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// Answers `addr-recover key`.
pub(crate) fn run(args: &KeyArgs) -> Result<u8, Failure> {
    // Before the prompt, which restores the echo of the terminal only if it is not killed.
    cancel_on_signals()?;
    let text = match read(&args.key, args.machine.quiet) {
        Err(_) if is_cancelled() => return Ok(INTERRUPTED),
        text => text?,
    };
    if text.trim().is_empty() {
        return Err(Failure::Message("no key given".to_owned()));
    }
    let kinds = kinds(args)?;
    let digits = digits_in(&text);
    if digits.is_some() && args.address.is_none() {
        return Err(Failure::Message(
            "hexadecimal digits have no checksum: pass the address of the private key with \
             --address"
                .to_owned(),
        ));
    }
    on_threads(args.machine.threads(), || {
        let begin = Instant::now();
        let keys = Keys::new(args, &text, digits, kinds);
        match keys.rung(None, args.damage.damage()) {
            Ok(rung) if args.estimate => keys.estimate(&rung, begin),
            // A character may be missing, or extra.
            Err(error)
                if args.estimate
                    || args.search.exact
                    || !matches!(error, ParseError::KeyLength { .. }) =>
            {
                Err(error.into())
            }
            rung => keys.answer(rung),
        }
    })
}

/// The text of the key, from the command line or from standard input.
fn read(arguments: &[OsString], quiet: bool) -> Result<Zeroizing<String>, Failure> {
    let is_given = match arguments {
        [] => false,
        [file] => !is_standard_input(Path::new(file)),
        _ => true,
    };
    // A buffer that grows would leave copies of the key behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_TEXT + 1));
    if is_given {
        if !quiet {
            say(
                "warning: other users can see the arguments of a program, and the shell's history \
                 may keep them; without KEY it is read from standard input",
            );
        }
        *bytes = arguments.join(OsStr::new(" ")).into_encoded_bytes();
    } else if io::stdin().is_terminal() {
        let text = rpassword::prompt_password("key, on one line (not shown): ")?;
        return Ok(Zeroizing::new(text));
    } else {
        io::stdin().take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() > MAX_TEXT {
        return Err(Failure::Message(format!(
            "the input has more than {MAX_TEXT} bytes: pass the text of one key"
        )));
    }
    match str::from_utf8(&bytes) {
        Ok(text) => Ok(Zeroizing::new(text.to_owned())),
        Err(_) => Err(Failure::Message("the key is not UTF-8".to_owned())),
    }
}

/// The selected kinds; by default, all that can be checked.
fn kinds(args: &KeyArgs) -> Result<Vec<KeyKind>, Failure> {
    let ids = args.kind.iter().map(String::as_str);
    let mut kinds: Vec<KeyKind> = ids.flat_map(KeyKind::matching).collect();
    if args.kind.is_empty() {
        kinds = KeyKind::matching("any");
    }
    let has_address = args.address.is_some();
    kinds.retain(|kind| match kind.format {
        // Their check has 8 bits: too many fit by chance.
        KeyFormat::Mini => has_address,
        KeyFormat::Wif | KeyFormat::Encrypted => true,
        // Their addresses are those of other keys, which are derived from them.
        _ => !has_address,
    });
    let message = if has_address {
        "--address cannot single out an extended key: leave it out"
    } else {
        "the check of mini keys is too short to recover one without its --address"
    };
    if kinds.is_empty() { Err(Failure::Message(message.to_owned())) } else { Ok(kinds) }
}

/// What to search.
struct Space {
    /// Texts whose checksum is right. `None` if hexadecimal digits were given.
    texts: Option<SearchSpace<KeyKind>>,
    /// Private keys whose address is known, if that takes less time.
    secrets: Option<Secrets>,
}

/// The searches for the key of a text.
struct Keys<'a> {
    args: &'a KeyArgs,
    text: &'a str,
    /// The text as hexadecimal digits.
    digits: Option<Digits>,
    kinds: Vec<KeyKind>,
    /// What was described, until it is searched.
    first: Option<Rung<Space>>,
    ladder: vec::IntoIter<(&'static str, Damage)>,
    /// The damage and the number of candidates of earlier searches.
    earlier: Vec<(Damage, String)>,
    report: Report,
}

impl<'a> Keys<'a> {
    fn new(args: &'a KeyArgs, text: &'a str, digits: Option<Digits>, kinds: Vec<KeyKind>) -> Self {
        let ladder: Vec<_> = args.damage.damage().ladder().collect();
        let address = args.address.as_ref().map(|owner| owner.address().to_owned());
        let key = Some(KeySearch { address, secrets: 0 });
        let report = Report { key, ..Report::new(None, SECRET, Status::None) };
        let (first, earlier, ladder) = (None, Vec::new(), ladder.into_iter());
        Self { args, text, digits, kinds, first, ladder, earlier, report }
    }

    /// Prints what the search would cost, without the key, and returns the exit status.
    fn estimate(&self, rung: &Rung<Space>, begin: Instant) -> Result<u8, Failure> {
        // A search builds the space first.
        let time = begin.elapsed().saturating_add(self.time(&rung.space));
        let lines = format!("candidates      {}\n", rung.cost.candidates);
        estimate::show(&lines, &rung.cost, time, rayon::current_num_threads(), &self.report)
    }

    /// Searches, prints the answer, and returns the exit status.
    fn answer(mut self, first: Result<Rung<Space>, ParseError>) -> Result<u8, Failure> {
        let args = self.args;
        let expected = first.as_ref().map_or(0.0, |rung| rung.cost.expected);
        if Worth::of(expected) == Worth::Noise && !args.search.force {
            let report = self.report.clone().refused(refusal(expected, &self.report));
            print::comment(&report, args.machine.quiet);
            return Ok(report.exit_code());
        }
        let error = first.as_ref().err().copied();
        self.first = first.ok();
        let bar = Bar::of_steps(args.machine.quiet);
        let report = self.report.clone();
        let climbed = Climb::new(self, report, false, &args.search, &bar).run()?;
        drop(bar);
        let report = Report { key: climbed.question.report.key, ..climbed.report };
        print::addresses(&report)?;
        if climbed.cancelled.is_some() {
            let found = match report.hits.len() {
                0 => String::new(),
                found => format!("; {found} found so far"),
            };
            say(&format!("interrupted; the search for a key keeps no progress{found}"));
            return Ok(INTERRUPTED);
        }
        if let Some(error) = error.filter(|_| report.tried.is_empty()) {
            return Err(error.into());
        }
        print::comment(&report, args.machine.quiet);
        Ok(report.exit_code())
    }

    fn rung(&self, name: Option<&'static str>, damage: Damage) -> Result<Rung<Space>, ParseError> {
        let options = options_of(&damage).join(" ");
        let space = self.space(damage)?;
        let cost = self.cost(&space);
        Ok(Rung {
            damage: name,
            options,
            is_described: name.is_none(),
            expected: cost.expected,
            cost,
            space,
        })
    }

    fn space(&self, damage: Damage) -> Result<Space, ParseError> {
        if let Some(digits) = &self.digits {
            return Ok(Space { texts: None, secrets: Some(Secrets::of_digits(digits, &damage)?) });
        }
        let texts = SearchSpace::new(&Pattern::key(self.text, damage)?, &self.kinds)?;
        let hashes = texts.estimate().hashes();
        let is_worthwhile = self.args.address.is_some() && hashes > MIN_HASHES_BY_SECRET;
        let secrets = if is_worthwhile { texts.secrets().map(Secrets::new) } else { None };
        let secrets = secrets.filter(|secrets| secrets.hashes() < hashes);
        Ok(Space { texts: Some(texts), secrets })
    }

    /// The address of a private key has 160 bits, and an encrypted key 32 of its hash.
    fn cost(&self, space: &Space) -> Cost {
        let secrets = space.secrets.as_ref();
        let of_texts = space.texts.as_ref().map(|texts| Cost::of(&texts.estimate()));
        let mut cost = of_texts.unwrap_or_else(|| {
            let count = secrets.map_or(0.0, |secrets| secrets.count().as_f64());
            Cost { candidates: format!("{count:.0}"), hashes: 0.0, expected: 0.0 }
        });
        if let Some(secrets) = secrets {
            cost.hashes = secrets.hashes();
            cost.expected = secrets.count().as_f64() * 2_f64.powi(-160);
        } else if self.args.address.is_some() {
            cost.expected *= 2_f64.powi(-32);
        }
        cost
    }
}

impl Question for Keys<'_> {
    type Space = Space;

    fn next_rung(&mut self) -> Option<Rung<Space>> {
        let rung = match self.first.take() {
            Some(first) => {
                let candidates = first.cost.candidates.clone();
                self.earlier.push((self.args.damage.damage(), candidates));
                first
            }
            None if self.args.search.exact => return None,
            None => loop {
                let (name, damage) = self.ladder.next()?;
                let Ok(rung) = self.rung(Some(name), damage.clone()) else { continue };
                let candidates = &rung.cost.candidates;
                // Not all damage concerns every text, or hexadecimal digits.
                let is_repeated =
                    self.earlier.iter().any(|it| damage.includes(&it.0) && it.1 == *candidates);
                if rung.cost.hashes > 0.0 && !is_repeated {
                    self.earlier.push((damage, candidates.clone()));
                    break rung;
                }
            },
        };
        Some(rung)
    }

    fn skip_likely(&mut self) -> bool {
        std::mem::take(&mut self.ladder).len() > 0
    }

    /// With an address, ends once its key is found.
    fn search(&mut self, space: &Space, run: Run<'_>) -> Result<Found, SearchError> {
        let owner = self.args.address.as_ref();
        let hits = Mutex::new(Vec::new());
        let found = |key: &str, kind: &str| {
            let mut hits = hits.lock().unwrap_or_else(PoisonError::into_inner);
            hits.push(HitReport::other(key, kind));
            if owner.is_some() || hits.len() > MAX_HITS {
                run.stop.store(true, Ordering::Relaxed);
            }
        };
        let found_hit = |hit: &Hit<KeyKind>| found(&hit.text, hit.format.name);
        let (mut hashes, mut is_done) = (0, true);
        match (space, owner) {
            (Space { texts, secrets: Some(secrets) }, Some(owner)) => {
                let found_secret = |secret: &[u8; 32]| match texts {
                    Some(texts) => texts.keys_of(secret).iter().for_each(found_hit),
                    None => found(&Zeroizing::new(hex::encode(secret)), "private key"),
                };
                let tried = AtomicU64::new(0);
                let add = |secrets| {
                    let tried = tried.fetch_add(secrets, Ordering::Relaxed) + secrets;
                    (run.progress)(tried * HASHES_PER_SECRET);
                    !run.stop.load(Ordering::Relaxed)
                };
                is_done = secrets.search(owner, &found_secret, &add).is_some();
                self.report.key.get_or_insert_default().secrets += tried.into_inner();
            }
            (Space { texts: Some(texts), .. }, _) => {
                let progress = |progress: Progress| (run.progress)(progress.hashes);
                let keep = |hit: &Hit<KeyKind>| {
                    if owner.is_none_or(|owner| owner.owns(hit)) {
                        found_hit(hit);
                    }
                    false
                };
                let search = Search::new(texts).cancel(run.stop).progress(&progress).keep(&keep);
                (hashes, is_done) = match search.run() {
                    Ok(outcome) => (outcome.hashes, true),
                    Err(SearchError::Cancelled(unfinished)) => (unfinished.hashes, false),
                    Err(error) => return Err(SearchError::Threads(error.to_string())),
                };
            }
            // Only an address makes private keys a space.
            (Space { texts: None, .. }, _) => {}
        }
        let mut hits = hits.into_inner().unwrap_or_else(PoisonError::into_inner);
        hits.sort_by(|a, b| a.address.cmp(&b.address));
        hits.dedup();
        if hits.len() > MAX_HITS {
            return Err(SearchError::TooManyHits(MAX_HITS));
        }
        let is_done = is_done || (owner.is_some() && !hits.is_empty());
        Ok(Found { hits, hashes, is_done, unfinished: Unfinished::default() })
    }

    fn time(&self, space: &Space) -> Duration {
        let threads = rayon::current_num_threads();
        match space {
            Space { secrets: Some(secrets), .. } => secrets.estimate(threads),
            Space { texts: Some(texts), .. } => {
                texts.estimate().duration(Search::new(texts).measure(), threads)
            }
            Space { .. } => Duration::ZERO,
        }
    }

    fn more_options(&self) -> String {
        let kinds = self.args.kind.iter().map(|kind| format!(" --kind {kind}"));
        let address = self.args.address.iter().map(|it| format!(" --address {}", it.address()));
        kinds.chain(address).collect()
    }
}
