//! Asks for a key. It is printed on stdout, and neither saved nor repeated anywhere else.

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod memory;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read};
use std::mem::take;
use std::path::Path;
use std::time::{Duration, Instant};

use addr_recover::{
    Climb, Damage, Estimate, KeyKind, KeyOutcome, KeyQuestion, KeyReading, KeySpace, Ladder,
    Limits, NOISE, OtherKey, Outcome, ParseError, Refusal, SearchError,
};
use zeroize::Zeroizing;

use super::args::KeyArgs;
use super::bar::Bar;
use super::climb::{Ascent, Found, Keep, Question};
use super::report::{HitReport, KeySearch, Report, SECRET, Status};
use super::settings::options_of;
use super::terminal::{
    Failure, INTERRUPTED, cancel_on_signals, is_cancelled, note, on_threads, say,
};
use super::{estimate, input, print};

/// A search that takes longer needs `--force`.
const MAX_SECONDS: f64 = 30.0 * 86_400.0;

/// Times are not shown beyond: a million years.
const MAX_SHOWN_SECONDS: f64 = 1e6 * 31_557_600.0;

/// The times for which a refusal says what is feasible.
const TIMES: [(&str, f64); 3] =
    [("an hour", 3600.0), ("a day", 86_400.0), ("a month", MAX_SECONDS)];

/// What helps if half a key is lost.
const KANGAROO: &str = "half a private key has no checksum, and nothing here can find the rest; if \
                        its beginning is lost and its public key is known, a kangaroo solver may";

/// The maximum length of the text on standard input, in bytes.
const MAX_TEXT: usize = 1 << 16;

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
    let keys = Keys::new(args, &text)?;
    drop(text);
    if let Some((is_undamaged, message)) = keys.of_other() {
        if is_undamaged && !args.search.force && !args.estimate {
            say(&format!("not found: {message}"));
            return Ok(Status::None.exit_code());
        }
        // Before the search, which may take minutes.
        note(&format!("note: {message}"));
    }
    on_threads(args.machine.threads(), || {
        let begin = Instant::now();
        let (keys, described) = keys.described();
        if args.estimate { keys.estimate(&described?, begin) } else { keys.answer(described) }
    })?
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

type Searchable = Result<(KeySpace, Estimate), ParseError>;

/// The searches for the key of a text.
struct Keys<'a> {
    args: &'a KeyArgs,
    question: KeyQuestion,
}

impl<'a> Keys<'a> {
    fn new(args: &'a KeyArgs, text: &str) -> Result<Self, Failure> {
        let ids = args.kind.iter().map(String::as_str);
        let kinds: Vec<KeyKind> = ids.flat_map(KeyKind::matching).collect();
        let question = KeyQuestion::new(text, &kinds, args.address.clone())?;
        match question.reading() {
            KeyReading::LostDigits(lost) => note(&format!(
                "note: reads the text as a private key whose first or last {lost} hexadecimal \
                 digits are lost"
            )),
            KeyReading::Bytes => note(
                "note: reads the text as the 32 bytes of a private key in Base58, without a \
                 checksum",
            ),
            KeyReading::Word => {
                note("note: reads only the word of the text that has the form of a key");
            }
            _ => {}
        }
        Ok(Self { args, question })
    }

    /// What was described, or a search for a key whose end is lost.
    fn described(self) -> (Self, Searchable) {
        let Self { args, question } = self;
        let damage = args.damage.damage();
        let described = question.space(&damage);
        if args.search.is_exact() {
            return (Self { args, question }, described);
        }
        let before = question.reading();
        let (question, described) = question.with_lost_end(&damage, described);
        if question.reading() == KeyReading::LostEnd && before != KeyReading::LostEnd {
            note("reads the text as a key whose end is lost, as with ... after it");
        }
        (Self { args, question }, described)
    }

    /// What to say if the text as it is written is a whole key, and not that of the address, and
    /// whether it is undamaged.
    fn of_other(&self) -> Option<(bool, String)> {
        let OtherKey { name, is_undamaged, addresses, .. } = self.question.of_other_owner()?;
        let address = self.question.owner()?.address();
        let is = if is_undamaged { "is undamaged" } else { "is whole as it is written" };
        let addresses = if addresses.is_empty() {
            "only its passphrase tells its addresses".to_owned()
        } else {
            format!("it has other addresses: {}", addresses.join(", "))
        };
        let message =
            format!("the key {is} ({name}), but it is not the key of {address}; {addresses}");
        Some((is_undamaged, message))
    }

    fn report(&self) -> Report {
        let address = self.args.address.as_ref().map(|owner| owner.address().to_owned());
        let key = Some(KeySearch { address, ..KeySearch::default() });
        // All parts of the search for a key have the same question: nothing of it is shown.
        let part = self.args.search.shard.map(|shard| shard.part(SECRET, &()));
        let note = Some(self.question.why_none(&self.args.damage.damage()));
        Report { key, part, note, ..Report::new(None, SECRET) }
    }

    /// Prints what the search would cost, without the key, and returns the exit status.
    fn estimate(
        &self,
        (space, cost): &(KeySpace, Estimate),
        begin: Instant,
    ) -> Result<u8, Failure> {
        // A search builds the space first.
        let seconds = self.question.seconds(space);
        let time = begin.elapsed().saturating_add(duration(seconds));
        let lines = format!("candidates      {:.0}\n", cost.candidates);
        let too_long = self.too_long(cost, seconds);
        let threads = rayon::current_num_threads();
        estimate::show(&lines, cost, time, threads, too_long, &self.report())
    }

    /// Searches, prints the answer, and returns the exit status.
    fn answer(&self, described: Searchable) -> Result<u8, Failure> {
        let (args, report, damage) = (self.args, self.report(), self.args.damage.damage());
        let (described, error) = match described {
            // A character may be missing, or extra.
            Err(error @ ParseError::KeyLength { .. }) if !args.search.is_exact() => {
                (None, Some(error))
            }
            described => (Some(described?), None),
        };
        let why_not = |(space, cost): &(KeySpace, Estimate)| {
            let too_long = self.too_long(cost, self.question.seconds(space));
            let is_noise = cost.expected_by_chance > NOISE;
            // An address leaves noise only if there is no end of keys.
            if is_noise && (args.address.is_none() || too_long.is_none()) {
                return Some(self.refusal(cost.expected_by_chance));
            }
            too_long
        };
        let message = described.as_ref().and_then(why_not).filter(|_| !args.search.force);
        if let Some(message) = message {
            let report = report.refused(message);
            print::comment(&report);
            return Ok(report.status.exit_code());
        }
        let ladder = if args.search.is_exact() {
            Ladder::exact(&damage, described)
        } else {
            self.question.ladder(&damage, described)
        };
        let bar = Bar::of_steps(true);
        let (report, cancelled) =
            Ascent::new(self, Climb::new(ladder, Limits::new()), report, false, &args.search, &bar)
                .run()?;
        drop(bar);
        print::addresses(&report)?;
        if cancelled.is_some() {
            say("interrupted; the search for a key keeps no progress");
            return Ok(INTERRUPTED);
        }
        if let Some(error) = error.filter(|_| report.tried.is_empty()) {
            return Err(error.into());
        }
        print::comment(&report);
        Ok(report.status.exit_code())
    }

    /// The message for a search whose answer would be noise.
    fn refusal(&self, by_chance: f64) -> String {
        let noise = Refusal::Noise { by_chance, nouns: "keys" };
        let has_address = self.args.address.is_some();
        // With an address, that did not help.
        let instead = if has_address { "" } else { ", pass its address with --address" };
        format!("{noise}{instead}, or search with --force")
    }

    /// Why not to search if that takes so long, and what would be feasible on this machine.
    fn too_long(&self, cost: &Estimate, seconds: f64) -> Option<String> {
        let of_each = self.question.base() as f64;
        let of_each = of_each.ln();
        let unknown = cost.candidates.ln() / of_each;
        let feasible = TIMES.map(|(name, limit)| {
            // Each unknown character multiplies the time.
            let more = (seconds / limit).ln() / of_each;
            format!("{:.0} in {name}", (unknown - more).floor().max(0.0))
        });
        let [hour, day, month] = feasible;
        let time = if seconds < MAX_SHOWN_SECONDS {
            format!("about {}", print::time(seconds))
        } else {
            "more than a million years".to_owned()
        };
        (seconds > MAX_SECONDS).then(|| {
            format!(
                "the search would take {time}, for {unknown:.0} unknown characters; this machine \
                 tries {hour}, {day} and {month}; {}",
                match self.question.reading() {
                    KeyReading::LostDigits(_) => KANGAROO,
                    _ => "describe less damage, or search with --force",
                }
            )
        })
    }
}

impl Question for Keys<'_> {
    type Space = KeySpace;

    /// A hash of an uncompressed key is five times as slow as others.
    const MAX_UNANNOUNCED: f64 = (1_u64 << 26) as f64;

    fn search(
        &self,
        space: &KeySpace,
        _: Outcome,
        _: Keep<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found, SearchError> {
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
