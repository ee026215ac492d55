//! What a run has to answer, and how far it has come.

use std::sync::{Mutex, MutexGuard, PoisonError};

use addr_recover::Unfinished;
use indicatif::ProgressBar;

use super::args::RunArgs;
use super::ask::{Asker, Open, Searched};
use super::report::{End, EndStatus, Report, Status};
use super::settings::DamageArgs;
use super::{FORMAT, Failure, INTERRUPTED, batch, on_threads, print, single};

/// The lines to answer, and the settings.
pub(crate) struct Job {
    pub(crate) is_batch: bool,
    pub(crate) damage: DamageArgs,
    pub(crate) run: RunArgs,
    pub(crate) lines: Vec<Line>,
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
    /// Answered, but the answer has not been printed.
    Unprinted(Box<Report>),
    Done(Box<Report>),
}

impl Line {
    pub(crate) fn new(number: usize, bytes: Vec<u8>, state: State) -> Self {
        Self { number, bytes, state: Mutex::new(state) }
    }

    /// A line that nothing is known about.
    pub(crate) fn unread(number: usize, bytes: Vec<u8>) -> Self {
        Self::new(number, bytes, State::Todo(Unfinished::default()))
    }

    pub(crate) fn state(&self) -> State {
        self.lock().clone()
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
    /// Answers all lines that are not done. Returns the exit status: [`INTERRUPTED`] if some lines
    /// are still not done.
    ///
    /// `save` is called if there is anything left to do or to print.
    pub(crate) fn finish(
        &self,
        save: impl FnOnce(&Self) -> Result<(), Failure> + Send,
    ) -> Result<u8, Failure> {
        let asker = Asker::new(self.damage.clone(), &self.run)?;
        on_threads(self.run.common.threads, || {
            let outcome = if self.is_batch {
                batch::answer(&asker, self)
            } else {
                single::answer(&asker, self)
            };
            let is_done = self.lines.iter().all(|line| matches!(line.state(), State::Done(_)));
            if !is_done {
                save(self)?;
            }
            outcome?;
            if is_done { self.conclude() } else { Ok(INTERRUPTED) }
        })
    }

    /// Whether to print JSON.
    fn json(&self) -> bool {
        self.run.common.json || self.run.shard.is_some()
    }

    pub(crate) fn quiet(&self) -> bool {
        self.run.common.quiet
    }

    /// The line's number in reports. A single address has none.
    pub(crate) fn number(&self, line: &Line) -> Option<usize> {
        self.is_batch.then_some(line.number)
    }

    /// Searches for the answer to a line, and prints it. Keeps the progress if cancelled.
    pub(crate) fn search(
        &self,
        asker: &Asker,
        line: &Line,
        open: &Open,
        single_threaded: bool,
        bar: &ProgressBar,
    ) -> Result<(), Failure> {
        match asker.search(open, line.unfinished(), single_threaded, bar)? {
            Searched::Cancelled(unfinished) => {
                line.set(State::Todo(unfinished));
                Ok(())
            }
            Searched::Done(report) => bar.suspend(|| self.print(line, report)),
        }
    }

    /// Prints the answer to a line, and keeps it if that fails.
    pub(crate) fn print(&self, line: &Line, report: Box<Report>) -> Result<(), Failure> {
        let outcome = self.show(&report);
        line.set(match outcome {
            Ok(()) => State::Done(report),
            Err(_) => State::Unprinted(report),
        });
        outcome
    }

    /// Prints a report. For a batch, its columns and the summary replace the comments.
    fn show(&self, report: &Report) -> Result<(), Failure> {
        // In plain output, a bad argument has only its error, which is a comment.
        if self.json() || self.is_batch || !report.hits.is_empty() {
            print::print(report, self.json())?;
        }
        if !self.is_batch {
            print::comment(report, self.quiet());
        }
        Ok(())
    }

    /// Prints what follows the answers. Returns the exit status.
    fn conclude(&self) -> Result<u8, Failure> {
        let reports: Vec<Box<Report>> = self.lines.iter().filter_map(Line::report).collect();
        if let Some(shard) = self.run.shard {
            print::object(&End {
                status: EndStatus::End,
                shard: shard.to_string(),
                format: FORMAT.to_owned(),
                lines: reports.len(),
                hits: reports.iter().map(|report| report.hits.len()).sum(),
            })?;
        }
        if self.is_batch && !self.quiet() {
            batch::summarise(&reports);
        }
        Ok(Status::exit_code_of_all(reports.iter().map(|report| report.status)))
    }
}
