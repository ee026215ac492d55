//! The command line: a thin layer over the library.

mod args;
mod bar;
mod extra;
mod generate;
mod info;
mod json;
mod many;
mod map;
mod not_a_torrent;
mod progress_lines;
mod resume;
mod run;
mod single;
mod sources;
mod style;
mod summary;
mod table;
mod terminal;

use std::fs::File;
use std::io::{self, BufWriter, Read, StdoutLock, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{CommandFactory, FromArgMatches};
use torrent_check::bencode::Limits;
use torrent_check::{Escaped, Torrent};

use args::{Args, CheckArgs, Command, Request};

/// Exit statuses: everything is good; something is not; nothing could be checked.
const COMPLETE: u8 = 0;
const INCOMPLETE: u8 = 1;
const FAILED: u8 = 2;

/// The status that shells report for a program killed by Ctrl-C: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// The status that shells report after a broken pipe: 128 + SIGPIPE.
const OUTPUT_CLOSED: u8 = 141;

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// The reader of stdout is gone, as after `head`.
static IS_OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

pub(crate) fn run() -> ExitCode {
    let matches = match Args::command().subcommand(generate::subcommand()).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return print_usage(&error),
    };
    let (result, json) = if let Some((generate::NAME, matches)) = matches.subcommand() {
        (generate::generate(matches), false)
    } else {
        let args = match Args::from_arg_matches(&matches) {
            Ok(args) => args,
            Err(error) => return print_usage(&error),
        };
        match args.command {
            Some(Command::Info { file, json }) => (describe(&file, json), json),
            None => (check(&args.check), args.check.json),
        }
    };
    let status = result.unwrap_or_else(|Failure(message)| {
        log(&format!("error: {message}"));
        if json {
            // The exit status reports the failure, even if it cannot be written.
            let _ = print(|to| json::write_error(None, &message, to));
        }
        FAILED
    });
    let is_closed = IS_OUTPUT_CLOSED.load(Ordering::Relaxed);
    ExitCode::from(if is_closed { OUTPUT_CLOSED } else { status })
}

/// Prints the help, the version, or what is wrong with the arguments, also as JSON if they ask for
/// it.
fn print_usage(error: &clap::Error) -> ExitCode {
    // A broken pipe is not an error.
    let _ = error.print();
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let message = error.render().to_string();
        let message = message.strip_prefix("error: ").unwrap_or(&message).trim_end();
        // The exit status reports the failure, even if it cannot be written.
        let _ = print(|to| json::write_error(None, message, to));
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(FAILED))
}

/// An error message for the user.
#[derive(Debug)]
struct Failure(String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

fn describe(file: &Path, json: bool) -> Result<u8, Failure> {
    let torrent = read_torrent(file)?;
    print(|to| to.write_all(info::info(&torrent, json).as_bytes()))?;
    Ok(COMPLETE)
}

fn check(args: &CheckArgs) -> Result<u8, Failure> {
    style::set_color(args.color);
    if let Some(backend) = args.backend {
        backend.set_default()?;
    }
    match args.request()? {
        Request::One { torrent, place } => single::check(args, torrent, place),
        Request::Many { roots } => many::check(args, roots),
    }
}

/// Lets Ctrl-C end the check. A second one exits at once.
fn handle_ctrl_c() {
    let handler = ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            terminal::show_ctrl_c();
            std::process::exit(INTERRUPTED.into());
        }
    });
    // The handler needs a thread, which the system may refuse.
    if let Err(error) = handler {
        log(&format!("warning: cannot handle Ctrl-C, so it will not end the check: {error}"));
    }
}

/// Reads a torrent file, or stdin if the path is `-`.
fn read_torrent(path: &Path) -> Result<Torrent, Failure> {
    let limits = Limits::default();
    let read = if path == Path::new("-") {
        read_up_to(io::stdin().lock(), &limits)
    } else {
        File::open(path).and_then(|file| read_up_to(file, &limits))
    };
    let bytes = read.map_err(|error| Failure(format!("cannot read {}: {error}", Escaped(path))))?;
    Torrent::parse_with(&bytes, &limits).map_err(|error| {
        let why = not_a_torrent::explain(&bytes, &error);
        Failure(format!("{}{why}", Escaped(path)))
    })
}

/// Reads no more than a torrent may have: the source may be endless.
fn read_up_to(from: impl Read, limits: &Limits) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limits.bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes the result to stdout. After a broken pipe nothing more is written.
fn print(
    write: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            IS_OUTPUT_CLOSED.store(true, Ordering::Relaxed);
            Ok(())
        }
        Err(error) => Err(Failure(format!("cannot write the result: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Writes a line to stderr. Errors are ignored: the exit status still reports the failure.
fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
