//! Recovers a key. It is printed on stdout as soon as it is found, and neither saved nor repeated
//! anywhere else.

pub(crate) mod owner;
mod secrets;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use addr_recover::{
    Backend, DOUBTFUL, Damage, KeyFormat, KeyHit, KeyKind, NOISE, ParseError, Pattern, Search,
    SearchError, SearchSpace,
};
use zeroize::Zeroizing;

use secrets::{Digits, Secrets, digits_in};

use super::args::KeyArgs;
use super::bar::Bar;
use super::climb::MAX_BY_CHANCE;
use super::estimate::Verdict;
use super::report::{NONE, REFUSED, SEVERAL};
use super::settings::options_of;
use super::{
    CANCELLED, Failure, INTERRUPTED, cancel_on_signals, counted, is_cancelled, is_standard_input,
    on_threads, print, say, threads,
};

/// Undescribed damage is tried if it takes at most as many hashes: some seconds.
const MAX_HASHES: f64 = (1_u64 << 27) as f64;

/// Searches of more hashes take so long that their time is estimated before they begin.
const LONG: f64 = (1_u64 << 26) as f64;

/// With fewer hashes, a search for right checksums takes no time to speak of.
const MIN_HASHES_BY_SECRET: f64 = (1_u64 << 20) as f64;

/// The maximum length of the text on standard input, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// What was tried, and what was found.
#[derive(Default)]
struct Answer {
    hits: usize,
    expected: f64,
    hashes: u64,
    /// The number of private keys that were compared with the address.
    secrets: u64,
    /// The damage that was tried, and the number of candidates of each.
    tried: Vec<(String, String)>,
    /// The options that describe the last damage.
    options: String,
    /// Whether damage was not tried because keys would fit by chance.
    has_skipped_doubtful: bool,
}

impl Answer {
    /// What to say about an answer that may well fit by chance.
    fn uncertain(&self) -> Option<String> {
        let Self { expected, .. } = self;
        (*expected >= DOUBTFUL).then(|| {
            format!(
                "uncertain: about {expected:.1} keys are expected to fit by chance; --address \
                 tells whether it is yours"
            )
        })
    }
}

/// What to search: texts whose checksum is right or, if that takes less time, private keys whose
/// address is known.
struct Space {
    /// `None` for hexadecimal digits.
    texts: Option<SearchSpace<KeyKind>>,
    secrets: Option<Secrets>,
}

impl Space {
    fn candidates(&self) -> String {
        let count = || self.secrets.as_ref().map(|secrets| secrets.count().to_string());
        let of_texts = |texts: &SearchSpace<_>| texts.estimate().candidates();
        self.texts.as_ref().map_or_else(|| count().unwrap_or_default(), of_texts)
    }

    /// The work of a search, in hashes.
    fn hashes(&self) -> f64 {
        let of_texts = || self.texts.as_ref().map_or(0.0, |texts| texts.estimate().hashes());
        self.secrets.as_ref().map_or_else(of_texts, Secrets::hashes)
    }

    /// How many keys fit by chance. The address of a private key has 160 bits, and an encrypted key
    /// 32 of its hash.
    fn expected(&self, has_address: bool) -> f64 {
        if let Some(secrets) = &self.secrets {
            return secrets.count().as_f64() * 2_f64.powi(-160);
        }
        let fraction = if has_address { 2_f64.powi(-32) } else { 1.0 };
        fraction * self.texts.as_ref().map_or(0.0, |texts| texts.estimate().expected_by_chance())
    }

    /// How long a search takes on the threads of the pool.
    fn estimate(&self) -> Duration {
        let threads = rayon::current_num_threads();
        match (&self.secrets, &self.texts) {
            (Some(secrets), _) => secrets.estimate(threads),
            (None, Some(texts)) => texts.estimate().duration(Search::new(texts).measure(), threads),
            (None, None) => Duration::ZERO,
        }
    }
}

/// Answers `addr-recover key`.
pub(crate) fn run(args: &KeyArgs) -> Result<u8, Failure> {
    // Before the prompt, which restores the echo of the terminal only if it is not killed.
    cancel_on_signals()?;
    let text = match read(&args.key, args.quiet) {
        Err(_) if CANCELLED.load(Ordering::Relaxed) => return Ok(INTERRUPTED),
        text => text?,
    };
    let kinds = kinds(args)?;
    let threads = threads(args.threads, args.quiet);
    let digits = digits_in(&text);
    if digits.is_some() && args.address.is_none() {
        return Err(Failure::Message(
            "hexadecimal digits have no checksum: pass the address of the private key with \
             --address"
                .to_owned(),
        ));
    }
    let asker = Asker { args, text: &text, digits, kinds };
    on_threads(threads, || if args.estimate { asker.estimate(threads) } else { asker.answer() })
}

/// The text of the key, from the command line or from standard input.
fn read(arguments: &[OsString], quiet: bool) -> Result<Zeroizing<String>, Failure> {
    let not_utf8 = || Failure::Message("the key is not UTF-8".to_owned());
    let is_given = match arguments {
        [] => false,
        [file] => !is_standard_input(Path::new(file)),
        _ => true,
    };
    if is_given {
        if !quiet {
            say(
                "warning: other users can see the arguments of a program, and the shell's history \
                 may keep them; without KEY it is read from standard input",
            );
        }
        let text = Zeroizing::new(arguments.join(OsStr::new(" ")).into_encoded_bytes());
        let text = str::from_utf8(&text).map_err(|_| not_utf8())?;
        return Ok(Zeroizing::new(text.to_owned()));
    }
    if io::stdin().is_terminal() {
        let text = rpassword::prompt_password("key, on one line (not shown): ")?;
        return Ok(Zeroizing::new(text));
    }
    // A buffer that grows would leave copies of the key behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_TEXT + 1));
    io::stdin().take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_TEXT {
        return Err(Failure::Message(format!(
            "standard input has more than {MAX_TEXT} bytes: pass the text of one key"
        )));
    }
    let text = str::from_utf8(&bytes).map_err(|_| not_utf8())?;
    Ok(Zeroizing::new(text.to_owned()))
}

/// The selected kinds; by default, all that can be checked.
fn kinds(args: &KeyArgs) -> Result<Vec<KeyKind>, Failure> {
    let ids = args.kind.iter().map(String::as_str);
    let mut kinds: Vec<KeyKind> = ids.flat_map(KeyKind::matching).collect();
    if args.kind.is_empty() {
        kinds = KeyKind::matching("any");
    }
    if args.address.is_none() {
        // Their check has 8 bits: too many fit by chance.
        kinds.retain(|kind| kind.format != KeyFormat::Mini);
        if kinds.is_empty() {
            return Err(Failure::Message(
                "the check of mini keys is too short to recover one without its --address"
                    .to_owned(),
            ));
        }
    }
    if args.address.is_some() {
        // Its addresses are those of other keys, which are derived from it.
        kinds.retain(|kind| {
            matches!(kind.format, KeyFormat::Wif | KeyFormat::Encrypted | KeyFormat::Mini)
        });
        if kinds.is_empty() {
            return Err(Failure::Message(
                "--address cannot single out an extended key: leave it out".to_owned(),
            ));
        }
    }
    Ok(kinds)
}

/// A text and how to read it.
struct Asker<'a> {
    args: &'a KeyArgs,
    text: &'a str,
    /// The text as hexadecimal digits.
    digits: Option<Digits>,
    kinds: Vec<KeyKind>,
}

impl Asker<'_> {
    /// Prints what the search would cost, without the key, and returns the exit status.
    fn estimate(&self, threads: usize) -> Result<u8, Failure> {
        let begin = Instant::now();
        let space = self.space(self.args.damage.damage())?;
        // A search builds the space first.
        let set_up = begin.elapsed();
        let expected = self.expected(&space);
        let search = space.estimate();
        let time = set_up.saturating_add(search).as_secs_f64();
        let verdict = Verdict::of(expected);
        let lines = [
            format!("candidates      {}", space.candidates()),
            format!("hashes          about {:.0}", space.hashes()),
            format!(
                "time            {} ({}, {})",
                print::time(time),
                Backend::detect().name(),
                counted(threads, "thread")
            ),
            format!("by chance       {expected:.4} keys expected to fit"),
            format!("verdict         {}", verdict.sentence(expected, "key")),
        ];
        print::to_stdout(|stdout| writeln!(stdout, "{}", lines.join("\n")))?;
        Ok(verdict.exit_code())
    }

    /// Searches, prints the answer, and returns the exit status.
    fn answer(&self) -> Result<u8, Failure> {
        let begin = Instant::now();
        let described = self.args.damage.damage();
        let mut answer = Answer::default();
        let mut is_done = true;
        let space = self.space(described.clone());
        match &space {
            Ok(space) => {
                if let Some(message) = self.refusal(space) {
                    say(&format!("error: {message}"));
                    return Ok(REFUSED);
                }
                is_done = self.search(space, &mut answer, "the text as written", String::new())?;
            }
            // A character may be missing, or extra.
            Err(ParseError::KeyLength { .. }) if !self.args.exact => {}
            Err(error) => return Err((*error).into()),
        }
        for (name, damage) in described.ladder().filter(|_| !self.args.exact) {
            if !is_done || answer.hits > 0 {
                break;
            }
            let options = options_of(&damage).join(" ");
            let Some(space) = self.space(damage).ok().filter(is_cheap) else {
                continue;
            };
            // Not all damage concerns hexadecimal digits.
            let candidates = space.candidates();
            if space.texts.is_none() && answer.tried.iter().any(|(_, it)| *it == candidates) {
                continue;
            }
            if answer.expected + self.expected(&space) > MAX_BY_CHANCE {
                answer.has_skipped_doubtful = true;
            } else {
                is_done = self.search(&space, &mut answer, name, options)?;
            }
        }
        if !is_done {
            let found = answer.hits;
            let so_far = if found > 0 { format!("; {found} found so far") } else { String::new() };
            say(&format!("interrupted; the search for a key keeps no progress{so_far}"));
            return Ok(INTERRUPTED);
        }
        if let (Err(error), true) = (space, answer.tried.is_empty()) {
            return Err(error.into());
        }
        let work = match answer.secrets {
            0 => print::count_hashes(answer.hashes),
            secrets => format!("{secrets} private keys"),
        };
        let cost = format!("{work}, {}", print::time(begin.elapsed().as_secs_f64()));
        Ok(self.conclude(&answer, &cost))
    }

    fn space(&self, damage: Damage) -> Result<Space, ParseError> {
        if let Some(digits) = &self.digits {
            let secrets = Some(Secrets::of_digits(digits, &damage)?);
            return Ok(Space { texts: None, secrets });
        }
        let texts = SearchSpace::new(&Pattern::key(self.text, damage)?, &self.kinds)?;
        let hashes = texts.estimate().hashes();
        let is_worthwhile = self.args.address.is_some() && hashes > MIN_HASHES_BY_SECRET;
        let secrets = if is_worthwhile { texts.secrets().map(Secrets::new) } else { None };
        let secrets = secrets.filter(|secrets| secrets.hashes() < hashes);
        Ok(Space { texts: Some(texts), secrets })
    }

    fn expected(&self, space: &Space) -> f64 {
        space.expected(self.args.address.is_some())
    }

    /// The message for a search whose answer would be noise.
    fn refusal(&self, space: &Space) -> Option<String> {
        let expected = self.expected(space);
        let rounded =
            if expected < 1e6 { format!("{expected:.0}") } else { format!("{expected:.0e}") };
        (expected > NOISE && !self.args.force).then(|| {
            format!(
                "the answer would be noise: about {rounded} keys fit by chance, and nothing tells \
                 which of them was meant; describe less damage, pass its address with --address, \
                 or search with --force"
            )
        })
    }

    /// Searches, prints each key as it is found, and adds to the answer. Returns whether the search
    /// was not interrupted.
    fn search(
        &self,
        space: &Space,
        answer: &mut Answer,
        what: &str,
        options: String,
    ) -> Result<bool, Failure> {
        if space.hashes() > LONG && !self.args.quiet {
            let time = space.estimate();
            say(&format!("note: this takes about {}", print::time(time.as_secs_f64())));
        }
        let bar = Bar::of_steps(self.args.quiet, space.hashes());
        let (hits, failure) = (AtomicUsize::new(0), Mutex::new(None));
        let print = |key: &str, kind: &str| {
            hits.fetch_add(1, Ordering::Relaxed);
            if let Err(error) = bar.suspend(|| self.print(key, kind)) {
                CANCELLED.store(true, Ordering::Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        };
        let is_owned =
            |hit: &KeyHit| self.args.address.as_ref().is_none_or(|owner| owner.owns(hit));
        let is_done = match (&space.secrets, &self.args.address, &space.texts) {
            (Some(secrets), Some(owner), texts) => {
                answer.secrets += u64::try_from(secrets.count()).unwrap_or(u64::MAX);
                let found = |secret: &[u8; 32]| match texts {
                    Some(texts) => texts
                        .keys_of(secret)
                        .iter()
                        .filter(|hit| is_owned(hit))
                        .for_each(|hit| print(hit.key(), hit.kind().name)),
                    None => print(&Zeroizing::new(hex::encode(secret)), "private key"),
                };
                let show = |more| {
                    bar.add(more);
                    !is_cancelled()
                };
                secrets.search(owner, &found, &show).is_some()
            }
            (.., Some(texts)) => {
                let drawn = AtomicU64::new(0);
                let show = |progress| bar.draw(&drawn, progress);
                // Hits by chance would fill the memory, so none is kept.
                let keep = |hit: &KeyHit| {
                    if is_owned(hit) {
                        print(hit.key(), hit.kind().name);
                    }
                    false
                };
                let search = Search::new(texts).cancel(&CANCELLED).progress(&show).keep(&keep);
                match search.run() {
                    Ok(outcome) => {
                        answer.hashes += outcome.hashes;
                        true
                    }
                    Err(SearchError::Cancelled(_)) => false,
                    Err(error) => return Err(error.into()),
                }
            }
            _ => true,
        };
        bar.end();
        if let Some(failure) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        answer.hits += hits.into_inner();
        answer.expected += self.expected(space);
        answer.tried.push((what.to_owned(), space.candidates()));
        answer.options = options;
        Ok(is_done)
    }

    /// Prints a key on stdout, and its kind on stderr.
    fn print(&self, key: &str, kind: &str) -> Result<(), Failure> {
        print::to_stdout(|stdout| writeln!(stdout, "{key}"))?;
        if !self.args.quiet {
            say(kind);
        }
        Ok(())
    }

    /// Says on stderr what the answer is worth, and returns the exit status.
    fn conclude(&self, answer: &Answer, cost: &str) -> u8 {
        if answer.hits == 0 {
            say(&none(answer));
            return NONE;
        }
        if !self.args.quiet {
            if let Some((found_with, _)) = answer.tried.last()
                && !answer.options.is_empty()
            {
                say(&format!(
                    "found only with {found_with} ({}), so it is less certain",
                    answer.options
                ));
            }
            if let Some(uncertain) = answer.uncertain() {
                say(&uncertain);
            }
            say(&self.verdict(answer, cost));
        }
        if answer.hits == 1 && answer.uncertain().is_none() { 0 } else { SEVERAL }
    }

    fn verdict(&self, answer: &Answer, cost: &str) -> String {
        let hits = answer.hits;
        if let Some(owner) = &self.args.address {
            return format!("{hits} found for {} ({cost})", owner.address());
        }
        let odds = print::odds(hits, answer.expected, "a key");
        let equal = if hits > 1 { "; --address tells which of them was meant" } else { "" };
        format!("{hits} found, {odds}{equal} ({cost})")
    }
}

fn is_cheap(space: &Space) -> bool {
    space.hashes() > 0.0 && space.hashes() <= MAX_HASHES
}

/// Says what was tried if nothing was found.
fn none(answer: &Answer) -> String {
    let tried: Vec<String> = answer
        .tried
        .iter()
        .map(|(what, candidates)| format!("{what} ({})", print::count_candidates(candidates)))
        .collect();
    match &*answer.tried {
        [(_, candidates)] if candidates == "0" => {
            "not found: no key of these kinds has this length and these first characters (for a \
             missing or extra character try --missing or --surplus)"
                .to_owned()
        }
        _ => {
            let tip = "; with --address ADDRESS more damage can be tried";
            let tip = if answer.has_skipped_doubtful { tip } else { "" };
            format!("not found: tried {}{tip}", tried.join(", "))
        }
    }
}
