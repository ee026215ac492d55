//! The command line: a thin layer over the library.

mod args;
mod bar;
mod client;
mod extra;
mod generate;
mod info;
mod input;
mod json;
mod many;
mod progress_lines;
mod repair;
mod run;
mod sources;
mod state;
mod style;
mod summary;
mod table;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser;
use torrent_check::{Escaped, MAX_TORRENT_BYTES, Torrent};

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

/// Stdout was closed from the start, as by `>&-`.
static LACKS_STDOUT: AtomicBool = AtomicBool::new(false);

/// Notices that stdout is closed. This runs before `main`: the standard library opens `/dev/null`
/// in its place there, and a report would seem to be written.
///
/// Later, it cannot be told from a stdout that was given: the library opens `/dev/null` for reading
/// and writing, but so does Python for `subprocess.DEVNULL`.
#[cfg(unix)]
#[ctor::ctor]
fn look_at_stdout() {
    let flags = rustix::io::fcntl_getfd(io::stdout());
    LACKS_STDOUT.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
}

pub(crate) fn run() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    // The commands of other tools are what this one does without a command.
    let is_command = |first: &OsString| first == "verify" || first == "check";
    if arguments.get(1).is_some_and(|first| is_command(first) && !Path::new(first).exists()) {
        arguments.remove(1);
    }
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => return print_usage(&error),
    };
    let (result, json) = match args.command {
        Some(Command::Info { file, json }) => (describe(&file, json), json),
        Some(Command::Repair(args)) => (repair::repair(&args), args.json),
        Some(Command::Generate { folder }) => (generate::generate(&folder), false),
        None => (check(&args.check), args.check.json),
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
    if !error.use_stderr() && LACKS_STDOUT.load(Ordering::Relaxed) {
        return ExitCode::from(FAILED);
    }
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
    print(|to| info::write(&torrent, json, to))?;
    Ok(COMPLETE)
}

fn check(args: &CheckArgs) -> Result<u8, Failure> {
    style::set_color(args.color);
    if let Some(backend) = args.backend {
        backend.set_default()?;
    }
    match args.request()? {
        Request::One { torrent, place } => run::check_one(args, torrent, place),
        Request::Many { roots, session } => many::check(args, roots, session),
    }
}

/// Lets Ctrl-C end the check. A second one exits at once, and so does one while stdin is read.
fn handle_ctrl_c() {
    let handler = ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) || input::READS_STDIN.load(Ordering::Relaxed) {
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
    let bytes = input::read(path, MAX_TORRENT_BYTES as u64);
    let bytes = bytes.map_err(|error| {
        let why = input::not_a_file(path).unwrap_or(&error);
        Failure(format!("cannot read {}: {why}", Escaped(path)))
    })?;
    parse_torrent(path, &bytes)
}

/// Parses what was read from this path.
fn parse_torrent(path: &Path, bytes: &[u8]) -> Result<Torrent, Failure> {
    Torrent::parse(bytes).map_err(|error| {
        let why = input::explain(bytes, &error);
        Failure(format!("{}{why}", Escaped(path)))
    })
}

/// Writes the result to stdout. After a broken pipe nothing more is written.
fn print(
    write: impl FnOnce(&mut BufWriter<Box<dyn Write>>) -> io::Result<()>,
) -> Result<(), Failure> {
    let is_closed = LACKS_STDOUT.load(Ordering::Relaxed);
    let stdout: Box<dyn Write> =
        if is_closed { Box::new(io::Cursor::new([])) } else { Box::new(io::stdout().lock()) };
    let mut stdout = BufWriter::new(stdout);
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(_) if is_closed => Err(Failure("cannot write the result: stdout is closed".to_owned())),
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
