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
    Damage, KeyFormat, KeyHit, KeyKind, NOISE, ParseError, Pattern, Search, SearchError,
    SearchSpace,
};
use zeroize::Zeroizing;

use secrets::{Digits, Secrets, digits_in};

use super::args::KeyArgs;
use super::ask::refusal;
use super::bar::Bar;
use super::climb::MAX_BY_CHANCE;
use super::estimate::{self, Verdict};
use super::report::{KeySearch, REFUSED, Report, Tried};
use super::settings::options_of;
use super::{
    CANCELLED, Failure, INTERRUPTED, cancel_on_signals, is_cancelled, is_standard_input,
    on_threads, print, say,
};

/// Undescribed damage is tried if it takes at most as many hashes: some seconds.
const MAX_HASHES: f64 = (1_u64 << 27) as f64;

/// Searches of more hashes take so long that their time is estimated before they begin.
const LONG: f64 = (1_u64 << 26) as f64;

/// With fewer hashes, a search for right checksums takes no time to speak of.
const MIN_HASHES_BY_SECRET: f64 = (1_u64 << 20) as f64;

/// The maximum length of the text on standard input, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// What to search.
enum Space {
    /// Texts whose checksum is right.
    Texts(SearchSpace<KeyKind>),
    /// Private keys whose address is known: those of texts, if that takes less time, or those that
    /// hexadecimal digits may be.
    Secrets(Secrets, Option<SearchSpace<KeyKind>>),
}

impl Space {
    fn candidates(&self) -> String {
        match self {
            Self::Texts(texts) | Self::Secrets(_, Some(texts)) => texts.estimate().candidates(),
            Self::Secrets(secrets, None) => secrets.count().to_string(),
        }
    }

    /// The work of a search, in hashes.
    fn hashes(&self) -> f64 {
        match self {
            Self::Texts(texts) => texts.estimate().hashes(),
            Self::Secrets(secrets, _) => secrets.hashes(),
        }
    }

    /// How many keys fit by chance. The address of a private key has 160 bits, and an encrypted key
    /// 32 of its hash.
    fn expected(&self, has_address: bool) -> f64 {
        match self {
            Self::Texts(texts) if has_address => {
                texts.estimate().expected_by_chance() * 2_f64.powi(-32)
            }
            Self::Texts(texts) => texts.estimate().expected_by_chance(),
            Self::Secrets(secrets, _) => secrets.count().as_f64() * 2_f64.powi(-160),
        }
    }

    /// How long a search takes on the threads of the pool.
    fn estimate(&self) -> Duration {
        let threads = rayon::current_num_threads();
        match self {
            Self::Texts(texts) => texts.estimate().duration(Search::new(texts).measure(), threads),
            Self::Secrets(secrets, _) => secrets.estimate(threads),
        }
    }
}

/// Answers `addr-recover key`.
pub(crate) fn run(args: &KeyArgs) -> Result<u8, Failure> {
    // Before the prompt, which restores the echo of the terminal only if it is not killed.
    cancel_on_signals()?;
    let text = match read(&args.key, args.machine.quiet) {
        Err(_) if CANCELLED.load(Ordering::Relaxed) => return Ok(INTERRUPTED),
        text => text?,
    };
    if text.trim().is_empty() {
        return Err(Failure::Message("no key given".to_owned()));
    }
    let kinds = kinds(args)?;
    let threads = args.machine.threads();
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
        let time = set_up.saturating_add(space.estimate());
        let lines = estimate::lines(&space.candidates(), "", space.hashes(), time, threads);
        let verdict = Verdict::of(expected);
        print::to_stdout(|stdout| {
            writeln!(stdout, "{lines}{}", estimate::conclusion(verdict, expected, "key"))
        })?;
        Ok(verdict.exit_code())
    }

    /// Searches, prints the answer, and returns the exit status.
    fn answer(&self) -> Result<u8, Failure> {
        let begin = Instant::now();
        let address = self.args.address.as_ref().map(|owner| owner.address().to_owned());
        let mut report = Report::of_key(KeySearch { address, ..KeySearch::default() });
        report.expected_by_chance = Some(0.0);
        let described = self.args.damage.damage();
        let space = self.space(described.clone());
        let mut is_done = true;
        match &space {
            Ok(space) => {
                report.candidates = Some(space.candidates());
                let expected = self.expected(space);
                if expected > NOISE && !self.args.force {
                    say(&format!("error: {}", refusal(expected, "key")));
                    return Ok(REFUSED);
                }
                is_done = self.search(space, &mut report)?;
            }
            // A character may be missing, or extra.
            Err(ParseError::KeyLength { .. }) if !self.args.exact => {}
            Err(error) => return Err((*error).into()),
        }
        for (name, damage) in described.ladder().filter(|_| !self.args.exact) {
            if !is_done || report.count() > 0 {
                break;
            }
            let options = options_of(&damage).join(" ");
            let Some(space) = self.space(damage).ok().filter(is_cheap) else {
                continue;
            };
            let candidates = space.candidates();
            // Not all damage concerns hexadecimal digits.
            let is_repeated = report.candidates.as_ref() == Some(&candidates)
                || report.tried.iter().any(|tried| tried.candidates == candidates);
            if self.digits.is_some() && is_repeated {
                continue;
            }
            let before = report.expected_by_chance.unwrap_or_default();
            if before + self.expected(&space) > MAX_BY_CHANCE {
                report.note = Some("with --address ADDRESS more damage can be tried".to_owned());
            } else {
                report.tried.push(Tried { damage: name.to_owned(), options, candidates });
                is_done = self.search(&space, &mut report)?;
            }
        }
        if !is_done {
            let found = report.count();
            let so_far = if found > 0 { format!("; {found} found so far") } else { String::new() };
            say(&format!("interrupted; the search for a key keeps no progress{so_far}"));
            return Ok(INTERRUPTED);
        }
        if let (Err(error), true) = (space, report.tried.is_empty()) {
            return Err(error.into());
        }
        report.seconds = begin.elapsed().as_secs_f64();
        let report = report.concluded();
        print::comment(&report, self.args.machine.quiet);
        Ok(report.exit_code())
    }

    fn space(&self, damage: Damage) -> Result<Space, ParseError> {
        if let Some(digits) = &self.digits {
            return Ok(Space::Secrets(Secrets::of_digits(digits, &damage)?, None));
        }
        let texts = SearchSpace::new(&Pattern::key(self.text, damage)?, &self.kinds)?;
        let hashes = texts.estimate().hashes();
        let is_worthwhile = self.args.address.is_some() && hashes > MIN_HASHES_BY_SECRET;
        let secrets = if is_worthwhile { texts.secrets().map(Secrets::new) } else { None };
        Ok(match secrets.filter(|secrets| secrets.hashes() < hashes) {
            Some(secrets) => Space::Secrets(secrets, Some(texts)),
            None => Space::Texts(texts),
        })
    }

    fn expected(&self, space: &Space) -> f64 {
        space.expected(self.args.address.is_some())
    }

    /// Searches, prints each key as it is found, and counts it. Returns whether the search was not
    /// interrupted.
    fn search(&self, space: &Space, report: &mut Report) -> Result<bool, Failure> {
        let quiet = self.args.machine.quiet;
        if space.hashes() > LONG && !quiet {
            let time = space.estimate();
            say(&format!("note: this takes about {}", print::time(time.as_secs_f64())));
        }
        let bar = Bar::of_steps(quiet, space.hashes());
        let (found, failure) = (AtomicUsize::new(0), Mutex::new(None));
        let print = |key: &str, kind: &str| {
            found.fetch_add(1, Ordering::Relaxed);
            if let Err(error) = bar.suspend(|| self.print(key, kind)) {
                CANCELLED.store(true, Ordering::Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        };
        let print_owned = |hit: &KeyHit| {
            if self.args.address.as_ref().is_none_or(|owner| owner.owns(hit)) {
                print(hit.key(), hit.kind().name);
            }
            // Hits by chance would fill the memory, so none is kept.
            false
        };
        let (mut secrets_tried, mut is_done) = (0, true);
        match (space, &self.args.address) {
            (Space::Secrets(secrets, texts), Some(owner)) => {
                secrets_tried = u64::try_from(secrets.count()).unwrap_or(u64::MAX);
                let found = |secret: &[u8; 32]| match texts {
                    Some(texts) => texts.keys_of(secret).iter().for_each(|hit| {
                        print_owned(hit);
                    }),
                    None => print(&Zeroizing::new(hex::encode(secret)), "private key"),
                };
                let show = |more| {
                    bar.add(more);
                    !is_cancelled()
                };
                is_done = secrets.search(owner, &found, &show).is_some();
            }
            (Space::Texts(texts), _) => {
                let drawn = AtomicU64::new(0);
                let show = |progress| bar.draw(&drawn, progress);
                let search = Search::new(texts).cancel(&CANCELLED).progress(&show);
                match search.keep(&print_owned).run() {
                    Ok(outcome) => report.hashes += outcome.hashes,
                    Err(SearchError::Cancelled(_)) => is_done = false,
                    Err(error) => return Err(error.into()),
                }
            }
            // Only an address makes private keys a space.
            (Space::Secrets(..), None) => {}
        }
        bar.end();
        if let Some(failure) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        if let Some(key) = &mut report.key {
            key.found += found.into_inner();
            key.secrets += secrets_tried;
        }
        *report.expected_by_chance.get_or_insert_default() += self.expected(space);
        Ok(is_done)
    }

    /// Prints a key on stdout, and its kind on stderr.
    fn print(&self, key: &str, kind: &str) -> Result<(), Failure> {
        print::to_stdout(|stdout| writeln!(stdout, "{key}"))?;
        if !self.args.machine.quiet {
            say(kind);
        }
        Ok(())
    }
}

fn is_cheap(space: &Space) -> bool {
    space.hashes() > 0.0 && space.hashes() <= MAX_HASHES
}
