//! Answers the addresses on the command line.

use std::ffi::OsString;

use addr_recover::Pattern;

use super::args::RunArgs;
use super::ask::{Asked, Asker};
use super::bar::Bar;
use super::job::{Job, Line};
use super::save::ProgressFile;
use super::settings::DamageArgs;
use super::{Failure, is_cancelled, print, read_address, say};

/// Answers the address on the command line, or each if there are several.
pub(crate) fn run(address: &[OsString], damage: DamageArgs, run: RunArgs) -> Result<u8, Failure> {
    let bytes = read_address(address)?;
    // Bytes that are not UTF-8 are an error that names their position.
    let parts = str::from_utf8(&bytes).map(Pattern::split).unwrap_or_default();
    let parts = if parts.len() > 1 {
        if !run.common.quiet {
            say(&format!("note: the text has {} addresses; each is answered", parts.len()));
        }
        parts.into_iter().map(String::into_bytes).collect()
    } else {
        vec![bytes]
    };
    let lines = (1..).zip(parts).map(|(number, part)| Line::unread(number, part)).collect();
    let file = ProgressFile::of(&run);
    Job::new(false, damage, run, lines).finish(file, answer)
}

/// Answers the lines of a job, one after another, each on all threads.
pub(crate) fn answer(asker: &Asker, job: &Job) -> Result<(), Failure> {
    for line in job.lines.iter().filter(|line| line.is_todo()) {
        if is_cancelled() {
            return Ok(());
        }
        let asked = asker.ask(job.number(line), &line.bytes);
        print::reading(job.number(line), asked.reading(), job.quiet());
        match asked {
            Asked::Answered(report) => job.print(line, report)?,
            Asked::Open(open) => {
                print::warn(&open.estimate, job.quiet());
                let expected = open.estimate.hashes() / asker.shards();
                let bar = Bar::of_steps(job.quiet(), expected);
                let outcome = job.search(asker, line, &open, false, &bar);
                bar.end();
                outcome?;
            }
        }
    }
    Ok(())
}
