//! Answers a single address.

use std::ffi::OsString;

use super::args::RunArgs;
use super::ask::{Asked, Asker};
use super::job::{Job, Line};
use super::save::ProgressFile;
use super::settings::DamageArgs;
use super::{Failure, bar, print, read_address};

/// Answers the address on the command line.
pub(crate) fn run(address: &[OsString], damage: DamageArgs, run: RunArgs) -> Result<u8, Failure> {
    let line = Line::unread(1, read_address(address)?);
    let file = ProgressFile::unused(run.save_as());
    Job::new(false, damage, run, vec![line]).finish(file)
}

/// Answers the only line of a job. Its address is parsed and compiled once.
pub(crate) fn answer(asker: &Asker, job: &Job) -> Result<(), Failure> {
    let [line] = job.lines.as_slice() else {
        return Err(Failure::Message("expected a single address".to_owned()));
    };
    if !line.is_todo() {
        return Ok(());
    }
    let asked = asker.ask(job.number(line), &line.bytes);
    print::reading(None, asked.reading(), job.quiet());
    match asked {
        Asked::Answered(report) => job.print(line, report),
        Asked::Open(open) => {
            print::warn(&open.estimate, job.quiet());
            let bar = bar::draw(job.quiet(), open.estimate.hashes() / asker.shards());
            let outcome = job.search(asker, line, &open, false, &bar);
            bar.finish_and_clear();
            outcome
        }
    }
}
