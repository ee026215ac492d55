//! What a run has to answer, and how far it has come.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use addr_recover::Unfinished;

use super::args::RunArgs;
use super::ask::{Asked, Asker, Open, Searched};
use super::bar::Bar;
use super::print::Form;
use super::report::Report;
use super::settings::DamageArgs;
use super::{Failure, ladder, print};

/// The maximum age of the progress that is saved.
const MAX_KEEP_INTERVAL: Duration = Duration::from_secs(1);

/// The lines to answer, and the settings.
pub(crate) struct Job {
    pub(crate) is_batch: bool,
    pub(crate) damage: DamageArgs,
    pub(crate) run: RunArgs,
    pub(crate) lines: Vec<Line>,
    /// The number of lines, from the first, whose answers are printed.
    printed: Mutex<usize>,
}

/// One line of a batch, or a single address.
pub(crate) struct Line {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) bytes: Vec<u8>,
    state: Mutex<State>,
}

#[derive(Clone)]
pub(crate) enum State {
    Todo(Unfinished),
    /// Answered, but the answer has not been printed: it is not its turn, or printing failed.
    Unprinted(Box<Report>),
    Done(Box<Report>),
}

impl Line {
    pub(crate) fn new(number: usize, bytes: Vec<u8>, state: State) -> Self {
        Self { number, bytes, state: Mutex::new(state) }
    }

    /// A line that has not been read.
    pub(crate) fn unread(number: usize, bytes: Vec<u8>) -> Self {
        Self::new(number, bytes, State::Todo(Unfinished::default()))
    }

    pub(crate) fn state(&self) -> State {
        self.lock().clone()
    }

    pub(crate) fn is_todo(&self) -> bool {
        matches!(*self.lock(), State::Todo(_))
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(*self.lock(), State::Done(_))
    }

    /// The answer, if it has not been printed.
    fn unprinted(&self) -> Option<Box<Report>> {
        match &*self.lock() {
            State::Unprinted(report) => Some(report.clone()),
            State::Todo(_) | State::Done(_) => None,
        }
    }

    /// The answer, once it is printed.
    pub(crate) fn report(&self) -> Option<Box<Report>> {
        match &*self.lock() {
            State::Done(report) => Some(report.clone()),
            State::Todo(_) | State::Unprinted(_) => None,
        }
    }

    /// How far the search has come. The default if it has not begun.
    pub(crate) fn unfinished(&self) -> Unfinished {
        match &*self.lock() {
            State::Todo(unfinished) => unfinished.clone(),
            State::Unprinted(_) | State::Done(_) => Unfinished::default(),
        }
    }

    fn set(&self, state: State) {
        *self.lock() = state;
    }

    /// Ignores poisoning: no thread panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Job {
    pub(crate) fn new(is_batch: bool, damage: DamageArgs, run: RunArgs, lines: Vec<Line>) -> Self {
        Self { is_batch, damage, run, lines, printed: Mutex::new(0) }
    }

    /// Whether to print JSON.
    pub(crate) fn json(&self) -> bool {
        self.run.common.json || self.run.shard.is_some()
    }

    pub(crate) fn quiet(&self) -> bool {
        self.run.common.quiet
    }

    /// The line's number in reports. A single address has none.
    pub(crate) fn number(&self, line: &Line) -> Option<usize> {
        (self.is_batch || self.lines.len() > 1).then_some(line.number)
    }

    /// Searches for the answer to a line, and prints it. Keeps the progress if cancelled.
    pub(crate) fn search(
        &self,
        asker: &Asker,
        line: &Line,
        open: &Open,
        single_threaded: bool,
        bar: &Bar,
    ) -> Result<(), Failure> {
        // A clone may have a hundred thousand hits, and the other threads wait for it.
        let interval = self.run.save_every.min(MAX_KEEP_INTERVAL);
        let kept = Mutex::new(Instant::now());
        let keep = |unfinished: &Unfinished| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.elapsed() >= interval {
                line.set(State::Todo(unfinished.clone()));
                *kept = Instant::now();
            }
        };
        match ladder::search(asker, open, line.unfinished(), &keep, single_threaded, bar)? {
            Searched::Cancelled(unfinished) => {
                line.set(State::Todo(unfinished));
                Ok(())
            }
            Searched::Done(report) => {
                bar.add_line();
                bar.print(|| self.print(line, report))
            }
        }
    }

    /// Reads a line, and prints its answer if that takes no search.
    pub(crate) fn ask(
        &self,
        asker: &Asker,
        line: &Line,
        bar: &Bar,
    ) -> Result<Option<Box<Open>>, Failure> {
        match asker.ask(self.number(line), &line.bytes) {
            Asked::Open(open) => Ok(Some(open)),
            Asked::Answered(report) => {
                bar.add_line();
                bar.print(|| self.print(line, report)).map(|()| None)
            }
        }
    }

    /// Keeps the answer to a line, and prints it once all lines before it are answered.
    pub(crate) fn print(&self, line: &Line, report: Box<Report>) -> Result<(), Failure> {
        line.set(State::Unprinted(report));
        self.print_next()
    }

    /// Prints the answers that are next, up to the first line that has none.
    pub(crate) fn print_next(&self) -> Result<(), Failure> {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(line) = self.lines.get(*printed) {
            if line.is_todo() {
                break;
            }
            self.print_unprinted(line)?;
            *printed += 1;
        }
        Ok(())
    }

    /// Prints the answers that wait for their turn, which would be lost otherwise.
    pub(crate) fn print_out_of_turn(&self) {
        // The caller returns the failure that made this necessary.
        let _ = self.lines.iter().try_for_each(|line| self.print_unprinted(line));
    }

    fn print_unprinted(&self, line: &Line) -> Result<(), Failure> {
        if let Some(report) = line.unprinted() {
            self.show(&report)?;
            line.set(State::Done(report));
        }
        Ok(())
    }

    /// Prints a report. For a batch, its columns and the summary replace most of the comments.
    fn show(&self, report: &Report) -> Result<(), Failure> {
        let form = match self.is_batch {
            _ if self.json() => Form::Json,
            true => Form::Columns,
            false => Form::Addresses,
        };
        if self.is_batch {
            print::reading(report.line, &report.reading, self.quiet());
        }
        print::print(report, form)?;
        let is_silent = self.json() && self.quiet();
        if !(self.is_batch || is_silent) {
            print::comment(report, self.quiet());
        }
        if form == Form::Columns && !self.quiet() {
            print::comment_on_line(report);
        }
        Ok(())
    }
}
