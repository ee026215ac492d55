//! The command line: a thin skin over the library.

mod args;
mod bar;
mod report;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use addr_recover::{Backend, DamagedAddress, Search, SearchError};
use clap::Parser;

use args::Args;
use report::Report;

/// Bad usage or input, or an answer that could not be given; `clap` exits with the same number.
const FAILED: u8 = 2;

/// What shells say of a program that Ctrl-C has ended: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

static CANCELLED: AtomicBool = AtomicBool::new(false);

pub(crate) fn run() -> ExitCode {
    let args = Args::parse();
    match answer(&args) {
        Ok(status) => status,
        Err(Failure::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(Failure::Message(message)) => {
            say(&format!("error: {message}"));
            ExitCode::from(FAILED)
        }
    }
}

enum Failure {
    Interrupted,
    Message(String),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Message(error.to_string())
    }
}

fn answer(args: &Args) -> Result<ExitCode, Failure> {
    let damaged = DamagedAddress::from_utf8(args.address.as_encoded_bytes())?;
    let backend = args.backend.unwrap_or_else(Backend::detect);
    // The progress is drawn on the line that Ctrl-C would otherwise leave behind.
    ctrlc::set_handler(|| CANCELLED.store(true, Ordering::Relaxed))?;

    let bar = bar::draw(args.quiet);
    let show = |progress| bar::update(&bar, progress);
    let mut search = Search::new(&damaged).backend(backend).cancel(&CANCELLED).progress(&show);
    if let Some(threads) = args.threads {
        search = search.threads(threads);
    }
    let outcome = search.run();
    bar.finish_and_clear();
    let outcome = match outcome {
        Err(SearchError::Cancelled) => return Err(Failure::Interrupted),
        other => other?,
    };

    let report = Report::new(&damaged, backend, &outcome);
    if !args.quiet {
        report.notes().iter().for_each(|note| say(&format!("note: {note}")));
    }
    report.print(args.json).map_err(|error| Failure::Message(format!("cannot write the result: {error}")))?;
    if let Some(verdict) = report.verdict() {
        say(&verdict);
    }
    Ok(report.status())
}

/// Writes a line to stderr. When nobody is there to read it, the exit status still tells.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
