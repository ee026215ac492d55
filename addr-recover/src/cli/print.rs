//! Prints reports and comments on them.

use std::io::{self, Write};

use super::ask::doubt;
use super::report::{Report, Status};
use super::{Failure, say};

/// Prints a report on stdout: as a JSON object, or as plain addresses; for a line of a batch, as
/// tab-separated columns.
pub(crate) fn print(report: &Report, json: bool) -> Result<(), Failure> {
    if json { object(report) } else { to_stdout(|stdout| plain(stdout, report)) }
}

/// Prints a JSON object on a line of its own.
pub(crate) fn object(object: &impl serde::Serialize) -> Result<(), Failure> {
    to_stdout(|stdout| {
        serde_json::to_writer(&mut *stdout, object)?;
        writeln!(stdout)
    })
}

/// Writes to stdout, and flushes it.
pub(crate) fn to_stdout(
    write: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    write(&mut stdout).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::Message(format!("cannot write the result: {error}")),
    })
}

/// Waits until everything written to stdout is on the disk, if it is a file.
pub(crate) fn sync() {
    // Pipes and terminals cannot be synced.
    #[cfg(unix)]
    let _ = rustix::fs::fsync(io::stdout());
}

fn plain(stdout: &mut impl Write, report: &Report) -> io::Result<()> {
    let addresses = report.hits.iter().map(|hit| hit.address.as_str());
    match report.line {
        None => addresses.into_iter().try_for_each(|address| writeln!(stdout, "{address}")),
        Some(line) => {
            let last = match &report.error {
                Some(error) => error.message.clone(),
                None => addresses.collect::<Vec<_>>().join(" "),
            };
            writeln!(
                stdout,
                "{line}\t{}\t{}\t{last}",
                report.status.name(),
                printable(&report.input)
            )
        }
    }
}

/// Replaces characters that would end the column or the line, or control the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Prints on stderr what an answer is worth.
pub(crate) fn comment(report: &Report, quiet: bool) {
    if let Some(error) = &report.error {
        say(&format!("error: {}", error.message));
        return;
    }
    if report.status == Status::None {
        say(&none(report));
        return;
    }
    if quiet {
        return;
    }
    for hit in &report.hits {
        say(&format!("{}: {}", hit.address, hit.description()));
    }
    say(&verdict(report));
}

/// Explains what it means that nothing was found.
fn none(report: &Report) -> String {
    let candidates = report.candidates.as_deref().unwrap_or("0");
    let what = if candidates == "0" {
        "not found: no address of these kinds has this length and these first characters (for a \
         missing or extra character try --missing or --surplus, for other networks --version-byte)"
            .to_owned()
    } else {
        format!("not found: no such address exists (all {candidates} candidates were tried)")
    };
    match report.untried_look_alike {
        None => what,
        Some(untried) => {
            format!(
                "{what}, if every {untried} is a letter; --confuse also tries 1 and its look-alikes"
            )
        }
    }
}

fn verdict(report: &Report) -> String {
    let hits = report.hits.len();
    match report.status {
        Status::Valid => "the input is already a valid address".to_owned(),
        Status::Part => format!("{hits} found in this shard"),
        _ if report.from_known => {
            "found in the list of known addresses, without a search".to_owned()
        }
        _ => {
            let expected = report.expected_by_chance.unwrap_or_default();
            let ratio = report.likelihood_ratio.unwrap_or_default();
            let odds = if ratio >= 10.0 { format!("{ratio:.0}") } else { format!("{ratio:.1}") };
            let equal =
                if hits > 1 && report.hits.iter().all(|hit| hit.known == report.hits[0].known) {
                    "; the checksum cannot tell which of them was meant"
                } else {
                    ""
                };
            format!(
                "{hits} found, {expected:.3} expected by chance: {odds} to 1 that the input was an \
                 address{equal} ({} hashes, {:.2} s)",
                report.hashes, report.seconds
            )
        }
    }
}

/// Prints the address that was found in a text with more in it.
pub(crate) fn reading(line: Option<usize>, read: Option<&str>, quiet: bool) {
    let Some(read) = read.filter(|_| !quiet) else { return };
    let line = line.map_or(String::new(), |line| format!("line {line} "));
    say(&format!("note: {line}read as {read}"));
}

/// Warns before a search whose answer is doubtful.
pub(crate) fn warn(estimate: &addr_recover::Estimate, quiet: bool) {
    if let Some(doubt) = doubt(estimate).filter(|_| !quiet) {
        say(&format!("warning: {doubt}"));
    }
}
