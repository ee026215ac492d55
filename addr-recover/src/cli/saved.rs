//! The content of resume files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use addr_recover::{Hit, Shard, Unfinished};
use serde::{Deserialize, Serialize};

use super::args::{CommonArgs, RunArgs};
use super::checksum::checksum;
use super::job::{Job, Line, State};
use super::report::Report;
use super::settings::DamageArgs;
use super::{FORMAT, Failure};

/// The content of a resume file. The first line of the file is [`FORMAT`] and the checksum of this.
#[derive(Serialize, Deserialize)]
struct Saved {
    is_batch: bool,
    shard: Option<String>,
    force: bool,
    exact: bool,
    budget: Option<Duration>,
    known: Option<PathBuf>,
    damage: DamageArgs,
    lines: Vec<SavedLine>,
}

#[derive(Serialize, Deserialize)]
struct SavedLine {
    number: usize,
    bytes: Vec<u8>,
    /// The answer, if there is one, and whether it was printed.
    report: Option<Report>,
    is_printed: bool,
    hits: Vec<String>,
    hashes: u64,
    done: Vec<(usize, usize)>,
}

/// The job that the bytes of a resume file describe. `run` has what the file does not keep.
pub(crate) fn job(file: &Path, bytes: &[u8], run: RunArgs) -> Result<Job, Failure> {
    let failure = |what: &str| Failure::Message(format!("{}: {what}", file.display()));
    let content = verified_content(bytes).map_err(|what| failure(&what))?;
    let saved: Saved = serde_json::from_slice(content)
        .map_err(|error| failure(&format!("not a resume file: {error}")))?;
    saved.damage.versions()?;
    let shard = saved.shard.map(|text| text.parse::<Shard>()).transpose();
    let shard = shard.map_err(|error| failure(&error.to_string()))?;
    let mut lines = Vec::new();
    for line in saved.lines {
        let hits = line.hits.iter().map(|address| Hit::of(address).ok_or(address));
        let hits = hits.collect::<Result<Vec<_>, _>>();
        let hits = hits.map_err(|address| failure(&format!("{address:?} is not an address")))?;
        let done = line.done.into_iter().map(|(first, end)| first..end).collect();
        let state = match line.report {
            Some(report) if line.is_printed => State::Done(Box::new(report)),
            Some(report) => State::Unprinted(Box::new(report)),
            None => State::Todo(Unfinished { hits, hashes: line.hashes, done }),
        };
        lines.push(Line::new(line.number, line.bytes, state));
    }
    let run = RunArgs {
        shard,
        force: saved.force,
        exact: saved.exact,
        budget: saved.budget,
        common: CommonArgs { known: saved.known, ..run.common },
        ..run
    };
    Ok(Job::new(saved.is_batch, saved.damage, run, lines))
}

/// The bytes of a resume file for the progress of a job.
pub(crate) fn content(job: &Job) -> Result<Vec<u8>, Failure> {
    let line = |line: &Line| {
        let (report, is_printed, unfinished) = match line.state() {
            State::Done(report) => (Some(*report), true, Unfinished::default()),
            State::Unprinted(report) => (Some(*report), false, Unfinished::default()),
            State::Todo(unfinished) => (None, false, unfinished),
        };
        SavedLine {
            number: line.number,
            // An answered line is not read again, and may have been a private key.
            bytes: if report.is_some() { Vec::new() } else { line.bytes.clone() },
            report,
            is_printed,
            hits: unfinished.hits.into_iter().map(|hit| hit.address).collect(),
            hashes: unfinished.hashes,
            done: unfinished.done.into_iter().map(|done| (done.start, done.end)).collect(),
        }
    };
    let saved = Saved {
        is_batch: job.is_batch,
        shard: job.run.shard.map(|shard| shard.to_string()),
        force: job.run.force,
        exact: job.run.exact,
        budget: job.run.budget,
        known: job.run.common.known.clone(),
        damage: job.damage.clone(),
        lines: job.lines.iter().map(line).collect(),
    };
    let content = serde_json::to_vec(&saved)?;
    Ok([format!("{FORMAT} {}\n", checksum(&content)).as_bytes(), &content].concat())
}

/// The content of a resume file, once its format and checksum are verified.
fn verified_content(bytes: &[u8]) -> Result<&[u8], String> {
    let invalid = || "not a resume file".to_owned();
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(invalid)?;
    let header = str::from_utf8(&bytes[..end]).map_err(|_| invalid())?;
    let (format, sum) = header.rsplit_once(' ').ok_or_else(invalid)?;
    if !format.starts_with("addr-recover ") {
        return Err(invalid());
    }
    if format != FORMAT {
        return Err(format!("written by {format}, but this is {FORMAT}"));
    }
    let content = &bytes[end + 1..];
    if sum != checksum(content) {
        return Err("the resume file is damaged: its checksum is wrong".to_owned());
    }
    Ok(content)
}
