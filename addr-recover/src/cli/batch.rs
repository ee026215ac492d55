//! Answers many lines on all threads.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use addr_recover::Unfinished;
use indicatif::ProgressBar;

use super::ask::{Asked, Asker, Open, Searched};
use super::report::{Report, Status};
use super::{CANCELLED, Failure, counted, print, read_input, say};

/// Lines with more hashes than this are searched one after another, each by all threads. The others
/// take one thread each.
const LARGE: f64 = 4e6;

/// One line of a batch, and its state.
pub(crate) struct Line {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) state: State,
}

pub(crate) enum State {
    Todo(Unfinished),
    /// Answered, but the answer could not be printed.
    Unprinted(Box<Report>),
    Done(Box<Report>),
}

impl State {
    /// Prints an answer. Returns the new state of its line, and whether printing succeeded.
    fn printed(report: Box<Report>, style: Style) -> (Self, Result<(), Failure>) {
        match show(&report, style) {
            Ok(()) => (Self::Done(report), Ok(())),
            Err(failure) => (Self::Unprinted(report), Err(failure)),
        }
    }
}

/// The lines of a file, without the carriage returns that end them on Windows.
pub(crate) fn read(file: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let bytes = read_input(file)?;
    let without_return = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
    let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(without_return).collect();
    // Nothing follows the last newline.
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    Ok(lines)
}

/// How a batch is printed.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    /// Whether to print line numbers.
    pub(crate) numbered: bool,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
}

/// Answers all lines that are not done, longest searches first, and prints each answer once it is
/// found.
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
            // Thousands of search spaces would take too much memory, so only their cost is kept.
            Asked::Open(open) => todo.push((at, open.estimate.hashes(), before)),
        }
    }
    todo.sort_by(|a, b| b.1.total_cmp(&a.1));
    let expected = todo.iter().map(|(_, hashes, _)| hashes).sum::<f64>() / asker.shards();
    let bar = super::bar::draw(style.quiet, expected);
    let results = Mutex::new(Vec::new());
    let answer_one =
        |at: usize, before: Unfinished, single_threaded: bool| -> Result<(), Failure> {
            let line: &Line = &lines[at];
            let Asked::Open(open) = asker.ask(style.numbered.then_some(line.number), &line.bytes)
            else {
                return Ok(());
            };
            let (state, outcome) = search_one(asker, &open, before, single_threaded, &bar, style)?;
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, state));
            // If an answer cannot be printed, further searches are pointless, but progress is kept.
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
    single_threaded: bool,
    bar: &ProgressBar,
    style: Style,
) -> Result<(State, Result<(), Failure>), Failure> {
    if !style.numbered {
        bar.suspend(|| print::warn(&open.estimate, style.quiet));
    }
    Ok(match asker.search(open, before, single_threaded, bar)? {
        Searched::Cancelled(unfinished) => (State::Todo(unfinished), Ok(())),
        Searched::Done(report) => bar.suspend(|| State::printed(report, style)),
    })
}

/// Prints a report. For a batch, its columns and the summary replace the comments.
fn show(report: &Report, style: Style) -> Result<(), Failure> {
    // In plain output, a bad argument has only its error, which is a comment.
    if style.json || style.numbered || !report.hits.is_empty() {
        print::print(report, style.json)?;
    }
    if !style.numbered {
        print::comment(report, style.quiet);
    }
    Ok(())
}

/// Prints the lines of a batch by status, and how many of their addresses are expected by chance.
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
        "No search was needed.".to_owned()
    } else {
        let by_chance: f64 = searched.iter().filter_map(|report| report.expected_by_chance).sum();
        let hashes: u64 = searched.iter().map(|report| report.hashes).sum();
        format!("{by_chance:.2} of the addresses found are expected by chance. {hashes} hashes.")
    };
    say(&format!("{}: {}. {chance}", counted(reports.len(), "line"), parts.join(", ")));
}
