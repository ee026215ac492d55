//! Asks for a key. It is printed on stdout, and neither saved nor repeated anywhere else.

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod memory;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read};
use std::mem::take;
use std::path::Path;
use std::time::{Duration, Instant};

use addr_recover::{
    Climb, Damage, Estimate, KeyKind, KeyOptions, KeyOutcome, KeyQuestion, KeySpace, Outcome,
    Refusal, SearchError,
};
use zeroize::Zeroizing;

use super::args::KeyArgs;
use super::bar::Bar;
use super::climb::{Ascent, Found, Keep, Question};
use super::report::{HitReport, KeySearch, Report, SECRET, Tried};
use super::settings::options_of;
use super::terminal::{
    Failure, INTERRUPTED, cancel_on_signals, is_cancelled, note, on_threads, say,
};
use super::{estimate, input, print};

/// The maximum length of the text on standard input, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// The answer to an undamaged key of another address.
const NOT_SEARCHED: &str = "not found: a key whose checksum is right is not searched for damage, \
                            unless with --force";

pub(crate) fn run(args: &KeyArgs) -> Result<u8, Failure> {
    args.machine.apply()?;
    // A core file would have the key. Nothing can raise the limit again.
    #[cfg(unix)]
    rustix::process::setrlimit(
        rustix::process::Resource::Core,
        rustix::process::Rlimit { current: Some(0), maximum: Some(0) },
    )?;
    // Before the prompt, which restores the echo of the terminal only if it is not killed. A signal
    // ends the wait for a pipe.
    let has_prompt = input::given(&args.key).is_none() && io::stdin().is_terminal();
    if has_prompt {
        cancel_on_signals()?;
    }
    let text = match read(&args.key) {
        Err(_) if is_cancelled() => return Ok(INTERRUPTED),
        text => text?,
    };
    if !has_prompt {
        cancel_on_signals()?;
    }
    on_threads(args.machine.threads(), || {
        let begin = Instant::now();
        let keys = Keys { args, question: KeyQuestion::new(&text, &options(args))? };
        drop(text);
        keys.run(begin)
    })?
}

/// How the library is asked.
fn options(args: &KeyArgs) -> KeyOptions {
    let mut options = KeyOptions::default();
    options.damage = args.damage.damage();
    options.kinds = args.kind.iter().flat_map(|id| KeyKind::matching(id)).collect();
    options.owner.clone_from(&args.address);
    options.is_exact = args.search.is_exact();
    // An estimate is one of a search.
    options.is_forced = args.search.force || args.estimate;
    options
}

/// The text of the key, from the command line or from standard input.
fn read(arguments: &[OsString]) -> Result<Zeroizing<String>, Failure> {
    // A buffer that grows would leave copies of the key behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_TEXT + 1));
    if let Some(text) = input::given(arguments) {
        if Path::new(&text).is_file() {
            return Err("this is a file: `addr-recover key < FILE` reads the key in it".into());
        }
        note(
            "warning: other users can see the arguments of a program, and the shell's history may \
             keep them; without KEY it is read from standard input",
        );
        *bytes = text.into_encoded_bytes();
    } else if io::stdin().is_terminal() {
        let text = rpassword::prompt_password("key, on one line (not shown): ")?;
        return Ok(Zeroizing::new(text));
    } else {
        io::stdin().take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() > MAX_TEXT {
        let message = "the input has more than";
        return Err(format!("{message} {MAX_TEXT} bytes: pass the text of one key").into());
    }
    Ok(input::text_of(take(&mut *bytes)))
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// The searches for the key of a text.
struct Keys<'a> {
    args: &'a KeyArgs,
    question: KeyQuestion,
}

impl Keys<'_> {
    /// Searches, prints the answer, and returns the exit status.
    fn run(&self, begin: Instant) -> Result<u8, Failure> {
        let question = &self.question;
        if let Some(how) = question.reading().in_words() {
            note(&format!("note: {how}"));
        }
        // Before the search, which may take minutes.
        if let Some(other) = question.other() {
            note(&format!("note: {other}"));
        }
        if self.args.estimate {
            return self.estimate(question.described()?, begin);
        }
        if let Some(answer) = question.without_search()? {
            match answer.refusal {
                Some(refusal) => say(&format!("error: {refusal}{}", self.instead(&refusal))),
                // It is of another address.
                None => say(NOT_SEARCHED),
            }
            return Ok(answer.verdict().exit_code());
        }
        let bar = Bar::of_steps(true);
        let search = &self.args.search;
        let (report, cancelled) =
            Ascent::new(self, question.climb(), self.report(), false, search, &bar).run()?;
        drop(bar);
        print::addresses(&report)?;
        if cancelled.is_some() {
            say("interrupted; the search for a key keeps no progress");
            return Ok(INTERRUPTED);
        }
        if report.tried.is_empty() {
            question.described()?;
        }
        print::comment(&report);
        Ok(report.status.exit_code())
    }

    /// What else would help, in options of the command line.
    fn instead(&self, refusal: &Refusal) -> &'static str {
        match refusal {
            // With an address, that did not help.
            Refusal::Noise { .. } if self.args.address.is_none() => {
                ", pass its address with --address, or search with --force"
            }
            Refusal::Noise { .. } | Refusal::Long { is_part: false, .. } => {
                ", or search with --force"
            }
            _ => "",
        }
    }

    fn report(&self) -> Report {
        let address = self.args.address.as_ref().map(|owner| owner.address().to_owned());
        let key = Some(KeySearch { address, ..KeySearch::default() });
        // All parts of the search for a key have the same question: nothing of it is shown.
        let part = self.args.search.shard.map(|shard| shard.part(SECRET, &()));
        Report { key, part, note: self.question.note(), ..Report::new(None, SECRET) }
    }

    /// Prints what the search would cost, without the key, and returns the exit status.
    fn estimate(
        &self,
        (space, cost): (&KeySpace, Estimate),
        begin: Instant,
    ) -> Result<u8, Failure> {
        let seconds = self.question.seconds(space);
        // A search builds the space first.
        let time = begin.elapsed().saturating_add(duration(seconds));
        let lines = format!("candidates      {:.0}\n", cost.candidates);
        let refusal = self.question.refusal();
        let refused = refusal.map(|refusal| format!("{refusal}{}", self.instead(&refusal)));
        let too_long = refused.filter(|_| matches!(refusal, Some(Refusal::Long { .. })));
        let threads = rayon::current_num_threads();
        estimate::show(&lines, &cost, time, threads, too_long, &self.report())
    }
}

impl Question for Keys<'_> {
    type Space = KeySpace;
    type Hit = HitReport;

    /// A hash of an uncompressed key is five times as slow as others.
    const MAX_UNANNOUNCED: f64 = (1_u64 << 26) as f64;

    fn search(
        &self,
        space: &KeySpace,
        _: Outcome,
        _: Keep<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found<HitReport>, SearchError> {
        let shard = self.args.search.shard.map_or((1, 1), |shard| (shard.index, shard.count));
        let go_on = |hashes| {
            progress(hashes);
            !is_cancelled()
        };
        let outcome = self.question.search(space, shard, &go_on)?;
        let KeyOutcome { hits, hashes, secrets, is_proof, is_done, .. } = outcome;
        let hits = hits.into_iter().map(|hit| HitReport::key(&hit.text, hit.kind)).collect();
        Ok(Found { hits, hashes, secrets, is_proof, is_done, ..Found::default() })
    }

    fn unfinished(&self, report: Report, hits: Vec<HitReport>) -> Report {
        Report { hits, ..report }
    }

    fn reported(
        &self,
        report: Report,
        hits: Vec<HitReport>,
        climb: &Climb<'_, KeySpace>,
    ) -> Report {
        let assumed = climb.tried().iter().filter(|it| !it.is_as_written());
        let options = |it: &addr_recover::Tried| options_of(&it.damage).join(" ");
        let tried = assumed.map(|it| Tried::new(it, options(it))).collect();
        // It says why no text as written is one.
        let note = report.note.clone().filter(|_| hits.is_empty());
        let likelihood = climb.likelihood();
        Report { hits, tried, note, likelihood, ..report }.concluded()
    }

    fn time(&self, space: &KeySpace) -> Duration {
        duration(self.question.seconds(space))
    }

    fn options(&self, damage: &Damage, _: bool) -> String {
        options_of(damage).join(" ")
    }

    fn more_options(&self) -> String {
        let kinds = self.args.kind.iter().map(|kind| format!(" --kind {kind}"));
        let address = self.args.address.iter().map(|it| format!(" --address {}", it.address()));
        kinds.chain(address).collect()
    }
}
