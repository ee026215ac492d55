//! Many lines at once.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use addr_recover::Unfinished;
use indicatif::ProgressBar;

use super::ask::{Asked, Asker, Open, Searched};
use super::report::{Report, Status};
use super::{CANCELLED, Failure, print, read_input, say};

/// Questions with more hashes than this are searched by all threads together, one after another;
/// the others each by one thread.
const LARGE: f64 = 4e6;

/// One line of a batch, and what is known of it.
pub(crate) struct Line {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) state: State,
}

pub(crate) enum State {
    Todo(Unfinished),
    /// Its answer could not be printed.
    Unprinted(Box<Report>),
    Done(Box<Report>),
}

impl State {
    /// Prints an answer, and says whether that is done.
    fn printed(report: Box<Report>, style: Style) -> (Self, Result<(), Failure>) {
        match show(&report, style) {
            Ok(()) => (Self::Done(report), Ok(())),
            Err(failure) => (Self::Unprinted(report), Err(failure)),
        }
    }
}

/// The lines of a file, without what ends them on some systems, a carriage return.
pub(crate) fn read(file: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let bytes = read_input(file)?;
    let without_return = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
    let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(without_return).collect();
    // What follows the last end of a line is no line.
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    Ok(lines)
}

/// How a batch is printed.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    /// Whether lines have numbers.
    pub(crate) numbered: bool,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
}

/// Answers all lines that are not done, the longest search first, and prints each answer when it is
/// there.
pub(crate) fn answer(asker: &Asker, lines: &mut [Line], style: Style) -> Result<(), Failure> {
    let mut todo = Vec::new();
    for (at, line) in lines.iter_mut().enumerate() {
        if CANCELLED.load(Ordering::Relaxed) {
            break;
        }
        let (asked, before) = match &line.state {
            State::Done(_) => continue,
            State::Unprinted(report) => (Asked::Answered(report.clone()), Unfinished::default()),
            State::Todo(before) => {
                (asker.ask(style.numbered.then_some(line.number), &line.bytes), before.clone())
            }
        };
        match asked {
            Asked::Answered(report) => {
                let (state, outcome) = State::printed(report, style);
                line.state = state;
                outcome?;
            }
            // Only the cost is kept of thousands of search spaces, not the search spaces.
            Asked::Open(open) => todo.push((at, open.estimate.hashes(), before)),
        }
    }
    todo.sort_by(|a, b| b.1.total_cmp(&a.1));
    let expected = todo.iter().map(|(_, hashes, _)| hashes).sum::<f64>() / asker.shards();
    let bar = super::bar::draw(style.quiet, expected);
    let results = Mutex::new(Vec::new());
    let answer_one = |at: usize, before: Unfinished, alone: bool| -> Result<(), Failure> {
        let line: &Line = &lines[at];
        let Asked::Open(open) = asker.ask(style.numbered.then_some(line.number), &line.bytes)
        else {
            return Ok(());
        };
        let (state, outcome) = search_one(asker, &open, before, alone, &bar, style)?;
        results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, state));
        // What cannot be printed need not be searched, but what has been done is kept.
        outcome.inspect_err(|_| CANCELLED.store(true, Ordering::Relaxed))
    };
    let first_small = todo.partition_point(|(_, hashes, _)| *hashes > LARGE);
    let small = todo.split_off(first_small);
    let mut outcome = Ok(());
    for (at, _, before) in todo {
        outcome = outcome.and_then(|()| answer_one(at, before, false));
    }
    let next = AtomicUsize::new(0);
    let outcomes = rayon::broadcast(|_| -> Result<(), Failure> {
        while !CANCELLED.load(Ordering::Relaxed) {
            let Some((at, _, before)) = small.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            answer_one(*at, before.clone(), true)?;
        }
        Ok(())
    });
    bar.finish_and_clear();
    for (at, state) in results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        lines[at].state = state;
    }
    outcomes.into_iter().fold(outcome, Result::and)
}

fn search_one(
    asker: &Asker,
    open: &Open,
    before: Unfinished,
    alone: bool,
    bar: &ProgressBar,
    style: Style,
) -> Result<(State, Result<(), Failure>), Failure> {
    if !style.numbered {
        bar.suspend(|| print::warn(&open.estimate, style.quiet));
    }
    Ok(match asker.search(open, before, alone, bar)? {
        Searched::Cancelled(unfinished) => (State::Todo(unfinished), Ok(())),
        Searched::Done(report) => bar.suspend(|| State::printed(report, style)),
    })
}

/// Prints a report; in a batch the comments are in the columns, and in the summary.
fn show(report: &Report, style: Style) -> Result<(), Failure> {
    // A bad argument with plain output has nothing to print but its error.
    if style.json || style.numbered || !report.hits.is_empty() {
        print::print(report, style.json)?;
    }
    if !style.numbered {
        print::comment(report, style.quiet);
    }
    Ok(())
}

/// Says how the lines of a batch ended, and how many answers are wrong by chance.
pub(crate) fn summarise(lines: &[Line]) {
    let reports: Vec<&Report> = lines
        .iter()
        .filter_map(|line| match &line.state {
            State::Done(report) => Some(&**report),
            State::Todo(_) | State::Unprinted(_) => None,
        })
        .collect();
    let count = |status| reports.iter().filter(|report| report.status == status).count();
    let mut parts = Vec::new();
    for status in [
        Status::Unique,
        Status::Valid,
        Status::Several,
        Status::None,
        Status::Refused,
        Status::Malformed,
        Status::Part,
    ] {
        if count(status) > 0 {
            parts.push(format!("{} {}", count(status), status.name()));
        }
    }
    let searched: Vec<_> = reports.iter().filter(|report| report.backend.is_some()).collect();
    let chance = if searched.is_empty() {
        "Nothing had to be searched.".to_owned()
    } else {
        let by_chance: f64 = searched.iter().filter_map(|report| report.expected_by_chance).sum();
        let hashes: u64 = searched.iter().map(|report| report.hashes).sum();
        format!(
            "{by_chance:.2} of the addresses found are expected to be there by chance. {hashes} hashes."
        )
    };
    say(&format!("{} lines: {}. {chance}", reports.len(), parts.join(", ")));
}
