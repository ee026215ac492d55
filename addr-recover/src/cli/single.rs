//! Answers a single address.

use std::ffi::OsStr;

use super::args::RunArgs;
use super::ask::{Asked, Asker};
use super::job::{Job, Line, State};
use super::save::ProgressFile;
use super::settings::DamageArgs;
use super::{Failure, bar, print};

/// Answers the address on the command line.
pub(crate) fn run(address: &OsStr, damage: DamageArgs, run: RunArgs) -> Result<u8, Failure> {
    let file = ProgressFile::unused(run.save_as());
    let line = Line::unread(1, address.as_encoded_bytes().to_vec());
    Job { is_batch: false, damage, run, lines: vec![line] }.finish(file)
}

/// Answers the only line of a job. Its address is parsed and compiled once.
pub(crate) fn answer(asker: &Asker, job: &Job) -> Result<(), Failure> {
    let [line] = job.lines.as_slice() else {
        return Err(Failure::Message("expected a single address".to_owned()));
    };
    let asked = match line.state() {
        State::Done(_) => return Ok(()),
        State::Unprinted(report) => Asked::Answered(report),
        State::Todo(_) => asker.ask(job.number(line), &line.bytes),
    };
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
