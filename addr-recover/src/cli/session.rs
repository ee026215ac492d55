//! One run of the tool: the lines to answer, how far each has come, and what has been printed.

use std::convert::Infallible;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use addr_recover::{Known, Pattern, Speed, Unfinished, Version};

use super::args::{AskArgs, RunArgs, SearchArgs};
use super::ask::Addresses;
use super::bar::Bar;
use super::climb::{Climb, Searched};
use super::print;
use super::report::{Report, Status};
use super::resume::{self, ProgressFile};
use super::{
    CANCELLED, Failure, INTERRUPTED, cancel_on_signals, counted, is_cancelled, on_threads,
    read_address, read_input, say,
};

/// The maximum age of the progress that is saved.
const MAX_KEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Lines of a batch with more hashes than this are searched one after another, each by all threads.
/// The others take one thread each.
const LARGE: f64 = 4e6;

/// Lines whose answers may wait for a long search of one of them.
const CHUNK: usize = 64;

/// The lines to answer, and the settings that they share.
pub(crate) struct Session {
    pub(crate) is_batch: bool,
    pub(crate) ask: AskArgs,
    pub(crate) search: SearchArgs,
    pub(crate) run: RunArgs,
    pub(crate) lines: Vec<Line>,
    pub(super) versions: Vec<Version>,
    pub(super) known: Option<Known>,
    /// The speed of the first step that a line of a batch suggests.
    pub(super) speed: OnceLock<Speed>,
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

/// How far a line has come.
#[derive(Clone, Default)]
pub(crate) struct State {
    /// How far the search has come. The default if it has not begun, or has ended.
    pub(crate) unfinished: Unfinished,
    pub(crate) report: Option<Box<Report>>,
    /// Otherwise it is not the turn of the answer, or printing failed.
    pub(crate) is_printed: bool,
}

impl Line {
    pub(crate) fn new(number: usize, bytes: Vec<u8>, state: State) -> Self {
        Self { number, bytes, state: Mutex::new(state) }
    }

    /// Ignores poisoning: no thread panics while it holds the lock.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_todo(&self) -> bool {
        self.state().report.is_none()
    }
}

/// Answers the address on the command line, or each if there are several.
pub(crate) fn single(
    address: &[OsString],
    ask: AskArgs,
    search: SearchArgs,
    run: RunArgs,
) -> Result<u8, Failure> {
    let bytes = read_address(address)?;
    // Bytes that are not UTF-8 are an error that names their position.
    let parts = str::from_utf8(&bytes).map(Pattern::split).unwrap_or_default();
    let parts = if parts.len() > 1 {
        if !run.machine.quiet {
            say(&format!("note: the text has {} addresses; each is answered", parts.len()));
        }
        parts.into_iter().map(String::into_bytes).collect()
    } else {
        vec![bytes]
    };
    begin(false, ask, search, run, (1..).zip(parts))
}

/// Answers the lines of a file, or of standard input if it is `-`.
pub(crate) fn batch(
    file: &Path,
    ask: AskArgs,
    search: SearchArgs,
    run: RunArgs,
) -> Result<u8, Failure> {
    let bytes = read_input(file)?;
    let lines = bytes.split(|&byte| byte == b'\n');
    // Lines end in a carriage return on Windows.
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let has_address = |line: &[u8]| {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_start_matches('\u{feff}').trim();
        !text.is_empty() && !text.starts_with('#')
    };
    let lines = (1..).zip(lines).filter(|(_, line)| has_address(line));
    begin(true, ask, search, run, lines.map(|(number, line)| (number, line.to_vec())))
}

fn begin(
    is_batch: bool,
    ask: AskArgs,
    search: SearchArgs,
    run: RunArgs,
    lines: impl Iterator<Item = (usize, Vec<u8>)>,
) -> Result<u8, Failure> {
    let line = |(number, bytes)| Line::new(number, bytes, State::default());
    let lines: Vec<Line> = lines.map(line).collect();
    if lines.is_empty() {
        return Err(Failure::Message(
            "the batch is empty: expected one address per line".to_owned(),
        ));
    }
    let file = ProgressFile::of(&run);
    Session::new(is_batch, ask, search, run, lines)?.finish(file)
}

impl Session {
    pub(crate) fn new(
        is_batch: bool,
        ask: AskArgs,
        search: SearchArgs,
        run: RunArgs,
        lines: Vec<Line>,
    ) -> Result<Self, Failure> {
        let known = |file| known(file, run.machine.quiet);
        Ok(Self {
            is_batch,
            versions: ask.damage.versions()?,
            known: ask.known.as_deref().map(known).transpose()?,
            ask,
            search,
            run,
            lines,
            speed: OnceLock::new(),
            printed: Mutex::new(0),
        })
    }

    /// Answers all lines that are not done. Returns the exit status: [`INTERRUPTED`] if some are
    /// still not done.
    ///
    /// Progress is kept in the file, which is removed at the end.
    pub(crate) fn finish(&self, mut file: ProgressFile) -> Result<u8, Failure> {
        let threads = self.run.machine.threads();
        cancel_on_signals()?;
        // If the file cannot be written, the user should know before the search.
        if self.run.save.is_some() || file.exists() {
            self.save(&mut file)?;
        } else if let Err(Failure::Message(message)) = file.check()
            && !self.quiet()
        {
            say(&format!("warning: {message}; --save FILE names another place"));
        }
        let outcome = self.while_saving(&mut file, || {
            self.print_next()?;
            on_threads(threads, || self.answer())
        });
        match outcome {
            Ok(()) if *self.printed() == self.lines.len() => {
                let reports = self.lines.iter().filter_map(|line| line.state().report.clone());
                let reports: Vec<Box<Report>> = reports.collect();
                if self.is_batch && !self.quiet() {
                    summarise(&reports);
                }
                file.remove()?;
                Ok(Report::exit_code_of_all(&reports))
            }
            interrupted => {
                self.save(&mut file)?;
                let name = file.name().display();
                say(&format!("interrupted; resume with: addr-recover --resume {name}"));
                interrupted.map(|()| INTERRUPTED)
            }
        }
    }

    fn save(&self, file: &mut ProgressFile) -> Result<(), Failure> {
        let content = resume::content(self)?;
        // The file must not record an answer as printed while a crash could still lose it.
        print::sync();
        file.write(&content)
    }

    /// Runs a closure, and saves the progress regularly until it returns.
    fn while_saving<T>(&self, file: &mut ProgressFile, run: impl FnOnce() -> T) -> T {
        let (running, has_ended) = mpsc::channel::<Infallible>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut is_told = false;
                while has_ended.recv_timeout(self.run.save_every) == Err(RecvTimeoutError::Timeout)
                {
                    // The search goes on: there may be space again before the next attempt.
                    if let Err(Failure::Message(message)) = self.save(file)
                        && !std::mem::replace(&mut is_told, true)
                    {
                        say(&format!("warning: {message}"));
                    }
                }
            });
            let result = run();
            drop(running);
            result
        })
    }

    /// Answers the lines one after another, each on all threads. Those of a batch are answered some
    /// after some, and the longest searches of these last.
    fn answer(&self) -> Result<(), Failure> {
        let todo: Vec<&Line> = self.lines.iter().filter(|line| line.is_todo()).collect();
        if !self.is_batch {
            return self.answer_large(&todo, None);
        }
        let bar = Bar::of_lines(self.quiet(), todo.len());
        let outcome = todo.chunks(CHUNK).try_for_each(|lines| {
            self.answer_small(lines, &bar)?;
            self.answer_large(lines, Some(&bar))
        });
        bar.end();
        outcome
    }

    /// Answers lines on one thread each, except those that take so many hashes that all threads
    /// should share them. The search spaces of all would take too much memory.
    fn answer_small(&self, lines: &[&Line], bar: &Bar) -> Result<(), Failure> {
        let next = AtomicUsize::new(0);
        let answer_some = |_: rayon::BroadcastContext<'_>| {
            while !is_cancelled()
                && let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed))
            {
                // If an answer cannot be printed, further searches are pointless, but progress is
                // kept.
                self.answer_line(line, true, bar)
                    .inspect_err(|_| CANCELLED.store(true, Ordering::Relaxed))?;
            }
            Ok(())
        };
        rayon::broadcast(answer_some).into_iter().collect()
    }

    /// Answers the lines that are not answered yet, with a bar for each unless there is one for all.
    fn answer_large(&self, lines: &[&Line], bar: Option<&Bar>) -> Result<(), Failure> {
        for line in lines.iter().filter(|line| line.is_todo()) {
            if is_cancelled() {
                break;
            }
            let own = Bar::of_steps(self.quiet());
            let outcome = self.answer_line(line, false, bar.unwrap_or(&own));
            own.end();
            outcome?;
        }
        Ok(())
    }

    /// Answers a line on one thread if `is_small`, and then only if it takes few hashes. Keeps the
    /// progress if cancelled.
    fn answer_line(&self, line: &Line, is_small: bool, bar: &Bar) -> Result<(), Failure> {
        let number = (self.is_batch || self.lines.len() > 1).then_some(line.number);
        let (report, open) = self.question(number, &line.bytes);
        if !self.is_batch {
            print::reading(&report, self.quiet());
        }
        let Some(open) = open else { return self.print(line, report, bar) };
        if let Some(message) = open.refusal {
            return self.print(line, report.refused(message), bar);
        }
        if is_small && open.cost.hashes > LARGE {
            return Ok(());
        }
        // A clone may have a hundred thousand hits, and the other threads wait for it.
        let interval = self.run.save_every.min(MAX_KEEP_INTERVAL);
        let kept = Mutex::new(Instant::now());
        let keep = |unfinished: &Unfinished| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.elapsed() >= interval {
                line.state().unfinished = unfinished.clone();
                *kept = Instant::now();
            }
        };
        let addresses = Addresses::new(self, &open, is_small.then_some(NonZeroUsize::MIN))?;
        let mut climb = Climb::new(addresses, report, self.is_batch, &self.search, bar);
        climb.keep = &keep;
        climb.unfinished = line.state().unfinished.clone();
        match climb.run()?.0 {
            Searched::Cancelled(_, unfinished) => line.state().unfinished = unfinished,
            Searched::Done(report) => self.print(line, *report, bar)?,
        }
        Ok(())
    }

    /// Keeps the answer to a line, and prints it once all lines before it are answered.
    fn print(&self, line: &Line, report: Report, bar: &Bar) -> Result<(), Failure> {
        bar.add_line();
        *line.state() = State { report: Some(Box::new(report)), ..State::default() };
        bar.print(|| self.print_next())
    }

    /// Prints the answers that are next, up to the first line that has none.
    fn print_next(&self) -> Result<(), Failure> {
        let mut printed = self.printed();
        while let Some(line) = self.lines.get(*printed) {
            let State { report: Some(report), is_printed, .. } = line.state().clone() else {
                break;
            };
            if !is_printed {
                self.show(&report)?;
                line.state().is_printed = true;
            }
            *printed += 1;
        }
        Ok(())
    }

    fn printed(&self) -> MutexGuard<'_, usize> {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a report. For a batch, its columns and the summary replace most of the comments.
    fn show(&self, report: &Report) -> Result<(), Failure> {
        let is_json = self.run.json;
        if self.is_batch {
            print::reading(report, self.quiet());
        }
        match self.is_batch {
            _ if is_json => print::object(report)?,
            true => print::columns(report)?,
            false => print::addresses(report)?,
        }
        if self.is_batch {
            if !(is_json || self.quiet()) {
                print::comment_on_line(report);
            }
        } else if !(is_json && self.quiet()) {
            print::comment(report, self.quiet());
        }
        Ok(())
    }

    fn quiet(&self) -> bool {
        self.run.machine.quiet
    }
}

/// Reads a list of known addresses. Names lines that have none, unless `quiet`.
fn known(file: &Path, quiet: bool) -> Result<Known, Failure> {
    let bytes = read_input(file)?;
    let (known, wrong) = Known::read(&String::from_utf8_lossy(&bytes));
    if let Some(first) = wrong.first().filter(|_| !quiet) {
        let (lines, name) = (counted(wrong.len(), "line"), file.display());
        say(&format!("note: {name}: skipped {lines} without an address, first at line {first}"));
    }
    Ok(known)
}

/// Prints the lines of a batch by status, and how many of their addresses are expected by chance.
fn summarise(reports: &[Box<Report>]) {
    let count = |status| reports.iter().filter(|report| report.status == status).count();
    let mut parts = Vec::new();
    for status in [
        Status::Unique,
        Status::Valid,
        Status::Several,
        Status::None,
        Status::Refused,
        Status::Malformed,
    ] {
        if count(status) > 0 {
            parts.push(format!("{} {}", count(status), status.name()));
        }
    }
    let searched = || reports.iter().filter(|report| report.is_searched());
    let chance = if searched().next().is_none() {
        "No search was needed.".to_owned()
    } else {
        let by_chance: f64 = searched().filter_map(|report| report.expected_by_chance).sum();
        let hashes = print::count_hashes(searched().map(|report| report.hashes).sum());
        format!("{by_chance:.2} of the addresses found are expected by chance. {hashes}.")
    };
    say(&format!("{}: {}. {chance}", counted(reports.len(), "line"), parts.join(", ")));
}
