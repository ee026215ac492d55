//! The command line: a thin layer over the library.

mod args;
mod ask;
mod bar;
mod climb;
mod estimate;
mod ethereum;
mod generate;
mod input;
mod key;
mod other;
mod print;
mod report;
mod resume;
mod session;
mod settings;
mod shard;
mod usage;

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use console::{Term, measure_text_width};

use addr_recover::{KEY_KINDS, KINDS, ParseError, Pattern, Reading, SearchSpace};
use args::{Args, Command, Settings};
use report::{SECRET, Status};

/// The exit status that shells report after Ctrl-C: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// The exit status that shells report after a broken pipe: 128 + SIGPIPE.
const OUTPUT_CLOSED: u8 = 141;

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Whether to print neither notes nor progress.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether to print what was tried without an answer.
static VERBOSE: AtomicBool = AtomicBool::new(false);

pub(crate) fn run() -> ExitCode {
    let outcome = usage::arguments().answer();
    ExitCode::from(outcome.unwrap_or_else(|error| {
        let of_io = error.downcast_ref::<io::Error>();
        if of_io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            return OUTPUT_CLOSED;
        }
        say(&format!("error: {error}"));
        Status::Malformed.exit_code()
    }))
}

/// Why there is no answer. A broken pipe, as after `head`, is not an error.
type Failure = Box<dyn Error + Send + Sync>;

/// What went wrong with a file, and what else its name may be: a key, which is not repeated, or an
/// address.
fn error_of_file(file: &Path, error: &io::Error) -> Failure {
    let name = file.display().to_string();
    let is_path = name.contains(['.', '/', '\\']);
    let may_be_part = || Reading::of(&name).is_ok_and(|it| it.may_be_part_of_key());
    let message = match Pattern::parse(&name) {
        Err(ParseError::Foreign(key)) if key.is_key() => format!("{SECRET}: {error}; {key}"),
        Err(long) if long.may_be_key() && !is_path => format!("{SECRET}: {error}"),
        Ok(_) if !is_path && may_be_part() => format!("{SECRET}: {error}"),
        _ if error.kind() == io::ErrorKind::NotFound && is_address(file.as_os_str()) => format!(
            "{name}: {error}; this looks like an address, which `addr-recover '{name}'` reads"
        ),
        _ => format!("{name}: {error}"),
    };
    message.into()
}

impl Args {
    fn answer(self) -> Result<u8, Failure> {
        match self.command {
            Some(Command::Estimate { address, ask, machine, json }) => {
                estimate::run(&address, ask, machine, json)
            }
            Some(Command::Key(key)) => key::run(&key),
            Some(Command::Kinds { keys }) => list_kinds(keys),
            Some(Command::Batch { file, settings }) => session::batch(&file, settings),
            Some(Command::Merge { files, json }) => shard::merge(&files, json),
            Some(Command::Generate { dir }) => generate::generate(&dir),
            None if self.estimate => {
                let Settings { ask, run, .. } = self.settings;
                estimate::run(&self.address, ask, run.machine, run.json)
            }
            None => match self.resume {
                Some(file) => resume::run(&file, self.settings.run),
                None => session::single(&self.address, self.settings),
            },
        }
    }
}

fn list_kinds(keys: bool) -> Result<u8, Failure> {
    print::to_stdout(|stdout| {
        if keys {
            return KEY_KINDS.iter().try_for_each(|kind| {
                writeln!(stdout, "{:<13} {:<6} {}", kind.id, kind.format.id(), kind.name)
            });
        }
        KINDS.iter().try_for_each(|kind| {
            let (version, begin) = (kind.version.to_string(), kind.version.first_characters());
            writeln!(stdout, "{:<24} {version:<7} {begin:<3} {}", kind.id, kind.name)
        })
    })?;
    Ok(0)
}

fn is_cancelled() -> bool {
    CANCELLED.load(Ordering::Relaxed)
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

fn is_verbose() -> bool {
    VERBOSE.load(Ordering::Relaxed)
}

/// Ignores poisoning: no thread panics while it holds a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl-C, SIGTERM and SIGHUP set [`CANCELLED`].
fn cancel_on_signals() -> Result<(), Failure> {
    // A second signal exits at once.
    ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(())
}

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(run))
}

/// The bytes of an address, whose groups may be separate arguments. Reads standard input if the
/// address is `-`, or if there is none and standard input is not a terminal.
fn read_address(arguments: &[OsString]) -> Result<Vec<u8>, Failure> {
    match given(arguments) {
        None if arguments.is_empty() && io::stdin().is_terminal() => {
            Err("expected an ADDRESS, a command or --resume FILE; see --help".into())
        }
        None => input::read(Path::new("-"), input::MAX_TEXT),
        Some(file) if Path::new(&file).is_file() && !is_address(&file) => {
            let name = file.display();
            Err(format!(
                "{name} is a file: `addr-recover batch {name}` answers each of its lines, and \
                 `addr-recover - < {name}` the addresses in its text"
            )
            .into())
        }
        Some(address) => Ok(address.into_encoded_bytes()),
    }
}

/// The text that some arguments are; `None` if it is to be read from standard input.
fn given(arguments: &[OsString]) -> Option<OsString> {
    let is_input = arguments.is_empty() || arguments == ["-"];
    (!is_input).then(|| arguments.join(OsStr::new(" ")))
}

/// Whether a text has what may be an address, or a key, which is not repeated.
fn is_address(text: &OsStr) -> bool {
    use ParseError::{Foreign, Several};

    match Pattern::parse(&text.to_string_lossy()) {
        Ok(pattern) => SearchSpace::any_network(&pattern).is_ok_and(|it| !it.kinds().is_empty()),
        Err(error) => matches!(error, Foreign(_) | Several { .. }),
    }
}

/// `1 line`, `2 lines`, `2 hashes`.
fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if noun.ends_with('h') { "es" } else { "s" };
    format!("{count} {noun}{}", if count == "1" { "" } else { plural })
}

/// Writes a line to stderr, wrapped at words if that is a terminal. If writing fails, only the exit
/// status is left to report it.
fn say(line: &str) {
    let columns = Term::stderr().size_checked().map(|(_, columns)| columns.into());
    let _ = writeln!(io::stderr(), "{}", wrapped(line, columns));
}

/// A line, divided between words so that no part is wider than a terminal if that is possible.
fn wrapped(line: &str, columns: Option<usize>) -> String {
    let (Some(columns), mut text, mut width) = (columns, String::new(), 0) else {
        return line.to_owned();
    };
    for word in line.split(' ') {
        let more = measure_text_width(word);
        if !text.is_empty() && width + 1 + more > columns {
            text.push('\n');
            width = 0;
        } else if !text.is_empty() {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += more;
    }
    text
}

/// Writes a line to stderr unless `--quiet` was given.
fn note(line: &str) {
    if !is_quiet() {
        say(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words() {
        let line = "one two \u{1b}[31mthree\u{1b}[0m four";
        assert_eq!(wrapped(line, None), line);
        assert_eq!(wrapped(line, Some(13)), "one two \u{1b}[31mthree\u{1b}[0m\nfour");
        assert_eq!(wrapped("one twenty", Some(4)), "one\ntwenty");
    }
}
