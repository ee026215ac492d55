//! Starting, saving and going on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use addr_recover::{Hit, Shard, Unfinished};
use serde::{Deserialize, Serialize};

use super::args::RunArgs;
use super::ask::Asker;
use super::batch::{self, Line, State, Style};
use super::report::{Report, Status};
use super::settings::DamageArgs;
use super::{CANCELLED, Failure, INTERRUPTED, on_threads, read_input, say};

/// What the first field of a resume file says. Units of searches may differ between versions.
const FORMAT: &str = concat!("addr-recover ", env!("CARGO_PKG_VERSION"));

/// A resume file.
#[derive(Serialize, Deserialize)]
struct Saved {
    format: String,
    is_batch: bool,
    shard: Option<String>,
    force: bool,
    search_anyway: bool,
    known: Option<PathBuf>,
    damage: DamageArgs,
    lines: Vec<SavedLine>,
}

#[derive(Serialize, Deserialize)]
struct SavedLine {
    number: usize,
    bytes: Vec<u8>,
    /// How it ended, if it has.
    report: Option<Report>,
    hits: Vec<String>,
    hashes: u64,
    done: Vec<(usize, usize)>,
}

/// Answers lines that nothing is known of.
pub(crate) fn start(
    lines: Vec<Vec<u8>>,
    is_batch: bool,
    damage: DamageArgs,
    run: &RunArgs,
) -> Result<u8, Failure> {
    let line = |(number, bytes)| Line { number, bytes, state: State::Todo(Unfinished::default()) };
    let is_empty = |line: &Line| is_batch && line.bytes.iter().all(u8::is_ascii_whitespace);
    let lines = (1..).zip(lines).map(line).filter(|line| !is_empty(line)).collect();
    answer(lines, is_batch, damage, run)
}

/// Goes on with what a resume file says. It is removed at the end.
pub(crate) fn go_on(file: &Path, run: &RunArgs) -> Result<u8, Failure> {
    let wrong = |what: &str| Failure(format!("{}: {what}", file.display()));
    let bytes = read_input(file)?;
    let saved: Saved =
        serde_json::from_slice(&bytes).map_err(|error| wrong(&format!("not a resume file: {error}")))?;
    if saved.format != FORMAT {
        return Err(wrong(&format!("written by {}, this is {FORMAT}", saved.format)));
    }
    let shard = saved.shard.map(|text| text.parse::<Shard>()).transpose();
    let shard = shard.map_err(|error| wrong(&error.to_string()))?;
    let mut lines = Vec::new();
    for line in saved.lines {
        let hits = line.hits.iter().map(|address| Hit::of(address).ok_or(address));
        let hits = hits.collect::<Result<Vec<_>, _>>();
        let hits = hits.map_err(|address| wrong(&format!("{address:?} is not an address")))?;
        let done = line.done.into_iter().map(|(first, end)| first..end).collect();
        let state = match line.report {
            Some(report) => State::Done(Box::new(report)),
            None => State::Todo(Unfinished { hits, hashes: line.hashes, done }),
        };
        lines.push(Line { number: line.number, bytes: line.bytes, state });
    }
    let run = RunArgs {
        shard,
        force: saved.force,
        search_anyway: saved.search_anyway,
        known: saved.known,
        save: file.to_owned(),
        ..run.clone()
    };
    let code = answer(lines, saved.is_batch, saved.damage, &run)?;
    if code != INTERRUPTED {
        fs::remove_file(file)?;
    }
    Ok(code)
}

fn answer(mut lines: Vec<Line>, is_batch: bool, damage: DamageArgs, run: &RunArgs) -> Result<u8, Failure> {
    let asker = Asker::new(damage.clone(), run)?;
    let style = Style { numbered: is_batch, json: run.json || run.shard.is_some(), quiet: run.quiet };
    on_threads(run.threads, || {
        batch::answer(&asker, &mut lines, style)?;
        if CANCELLED.load(Ordering::Relaxed) && lines.iter().any(|line| matches!(line.state, State::Todo(_)))
        {
            save(&lines, is_batch, damage, run)?;
            return Ok(INTERRUPTED);
        }
        if is_batch && !style.quiet {
            batch::summarise(&lines);
        }
        Ok(Status::exit_code_of_all(lines.iter().filter_map(|line| match &line.state {
            State::Done(report) => Some(report.status),
            State::Todo(_) => None,
        })))
    })
}

/// Writes a resume file, whole or not at all.
fn save(lines: &[Line], is_batch: bool, damage: DamageArgs, run: &RunArgs) -> Result<(), Failure> {
    let line = |line: &Line| {
        let (report, unfinished) = match &line.state {
            State::Done(report) => (Some((**report).clone()), Unfinished::default()),
            State::Todo(unfinished) => (None, unfinished.clone()),
        };
        SavedLine {
            number: line.number,
            bytes: line.bytes.clone(),
            report,
            hits: unfinished.hits.into_iter().map(|hit| hit.address).collect(),
            hashes: unfinished.hashes,
            done: unfinished.done.into_iter().map(|done| (done.start, done.end)).collect(),
        }
    };
    let saved = Saved {
        format: FORMAT.to_owned(),
        is_batch,
        shard: run.shard.map(|shard| shard.to_string()),
        force: run.force,
        search_anyway: run.search_anyway,
        known: run.known.clone(),
        damage,
        lines: lines.iter().map(line).collect(),
    };
    let name = run.save.display();
    let mut beside = run.save.clone().into_os_string();
    beside.push(".part");
    let written = serde_json::to_vec(&saved)
        .map_err(std::io::Error::from)
        .and_then(|bytes| fs::write(&beside, bytes))
        .and_then(|()| fs::rename(&beside, &run.save));
    written.map_err(|error| Failure(format!("cannot save what has been done: {name}: {error}")))?;
    say(&format!("interrupted; go on with: addr-recover --resume {name}"));
    Ok(())
}
