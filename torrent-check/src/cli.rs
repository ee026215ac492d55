//! The command line: a thin layer over the library.

mod args;
mod bar;
mod info;
mod json;
mod resume;
mod table;
mod terminal;

use std::fs::File;
use std::io::{self, BufWriter, Read, StdoutLock, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Parser;
use torrent_check::bencode::Limits;
use torrent_check::{Check, Escaped, Report, Torrent};

use args::{Args, CheckArgs, Command};

/// Exit statuses: everything is good; something is not; nothing could be checked.
const COMPLETE: u8 = 0;
const INCOMPLETE: u8 = 1;
const FAILED: u8 = 2;

/// The status that shells report for a program killed by Ctrl-C: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// How long a check took, and with which backend.
struct Run {
    seconds: f64,
    backend: &'static str,
}

pub(crate) fn run() -> ExitCode {
    let args = Args::parse();
    let result = match args.command {
        Some(Command::Info { file, json }) => describe(&file, json),
        None => check(&args.check),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(Failure(message)) => {
            log(&format!("error: {message}"));
            ExitCode::from(FAILED)
        }
    }
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
    let (file, folder) = args.paths()?;
    let torrent = read_torrent(file)?;
    if !args.quiet {
        for warning in torrent.warnings() {
            log(&format!("warning: {}: {warning}", Escaped(file)));
        }
    }
    let files = args.selection(&torrent)?;
    let is_requested = |file: &torrent_check::File| files.is_match(file);
    let before = match &args.resume_file {
        None => None,
        Some(path) => {
            let before = resume::read(&torrent, path)?;
            resume::try_to_write(path)?;
            before
        }
    };

    // A second Ctrl-C exits at once.
    let handler = ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            terminal::show_ctrl_c();
            std::process::exit(INTERRUPTED.into());
        }
    });
    // The handler needs a thread, which the system may refuse.
    if let Err(error) = handler {
        log(&format!("warning: cannot handle Ctrl-C, which will not end the check: {error}"));
    }
    let hidden = (!args.quiet).then(terminal::hide_ctrl_c);
    let bar = bar::draw(args.quiet);
    let progress = |progress| bar::advance(&bar, progress);
    let mut check = Check::new(&torrent, folder)
        .files(&is_requested)
        .backend(args.backend())
        .order(args.order.into())
        .find_renamed(args.find_renamed)
        .progress(&progress)
        .cancel(&CANCELLED);
    if let Some(threads) = args.threads {
        check = check.threads(threads);
    }
    if let Some(content) = &args.content {
        check = check.content(content);
    }
    if let Some(before) = &before {
        check = check.resume(before);
    }
    let begin = Instant::now();
    let report = check.run();
    bar.finish_and_clear();
    drop(hidden);
    let report = report?;
    let run = Run { seconds: begin.elapsed().as_secs_f64(), backend: args.backend().name() };

    if args.json {
        print(|to| json::write(&report, &run, to))?;
    } else {
        print(|to| table::write(&report, &run, args.quiet, to))?;
    }
    if let Some(path) = &args.resume_file {
        resume::write(&report, path)?;
    }
    Ok(status(&report))
}

fn status(report: &Report<'_>) -> u8 {
    match () {
        () if report.is_cancelled() => INTERRUPTED,
        () if report.is_complete() => COMPLETE,
        () => INCOMPLETE,
    }
}

/// Reads a torrent file, but no more than a torrent may have: the path may be an endless device.
fn read_torrent(path: &Path) -> Result<Torrent, Failure> {
    let limits = Limits::default();
    let mut bytes = Vec::new();
    let max = limits.bytes as u64 + 1;
    let read = File::open(path).and_then(|file| file.take(max).read_to_end(&mut bytes));
    read.map_err(|error| Failure(format!("cannot read {}: {error}", Escaped(path))))?;
    Torrent::parse_with(&bytes, &limits)
        .map_err(|error| Failure(format!("{}: {error}", Escaped(path))))
}

/// Writes the result to stdout. A broken pipe is not an error.
fn print(
    write: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure(format!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr. Errors are ignored: the exit status still reports the failure.
fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
