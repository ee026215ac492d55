//! One run of the tool: the lines to answer, how far each has come, and what has been printed.

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use addr_recover::{Known, Outcome, Pattern, Version};
use serde::{Deserialize, Serialize};

use super::args::{RunArgs, SearchArgs, Settings};
use super::ask::Addresses;
use super::bar::Bar;
use super::climb::Climb;
use super::print;
use super::report::{Report, Status};
use super::resume::{self, ProgressFile};
use super::settings::AskArgs;
use super::{
    CANCELLED, Failure, INTERRUPTED, cancel_on_signals, counted, is_cancelled, on_threads,
    read_address, read_input, say,
};

/// The maximum age of the progress that is saved.
const MAX_KEEP_INTERVAL: Duration = Duration::from_secs(1);

/// The lines to answer, and the settings that they share. A resume file has it.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(super) is_batch: bool,
    pub(super) ask: AskArgs,
    pub(super) search: SearchArgs,
    #[serde(skip)]
    pub(super) run: RunArgs,
    lines: Vec<Line>,
    #[serde(skip)]
    pub(super) versions: Vec<Version>,
    #[serde(skip)]
    pub(super) known: Option<Known>,
    /// The nanoseconds per hash of the first step that a line of a batch suggests.
    #[serde(skip)]
    pub(super) speed: OnceLock<f64>,
    /// The number of lines, from the first, whose answers are printed.
    #[serde(skip)]
    printed: Mutex<usize>,
}

/// One line of a batch, or a single address.
#[derive(Serialize, Deserialize)]
struct Line {
    /// Counted from 1.
    number: usize,
    #[serde(flatten)]
    state: Mutex<State>,
}

/// How far a line has come.
#[derive(Clone, Default, Serialize, Deserialize)]
struct State {
    /// What to read. Empty once it is answered: it may have been a private key.
    bytes: Vec<u8>,
    /// How far the search has come. The default if it has not begun, or has ended.
    #[serde(flatten, with = "resume::Progress")]
    unfinished: Outcome,
    report: Option<Box<Report>>,
    /// Otherwise it is not the turn of the answer, or printing failed.
    is_printed: bool,
}

impl Line {
    /// Ignores poisoning: no thread panics while it holds the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_todo(&self) -> bool {
        self.state().report.is_none()
    }
}

/// Answers the address on the command line, or each if there are several.
pub(crate) fn single(address: &[OsString], settings: Settings) -> Result<u8, Failure> {
    let bytes = read_address(address)?;
    let parts = Pattern::split(&String::from_utf8_lossy(&bytes));
    let parts = if parts.len() > 1 {
        if !settings.run.machine.quiet {
            say(&format!("note: the text has {} addresses; each is answered", parts.len()));
        }
        parts.into_iter().map(String::into_bytes).collect()
    } else {
        vec![bytes]
    };
    begin(false, settings, (1..).zip(parts))
}

/// Answers the lines of a file, or of standard input if it is `-`.
pub(crate) fn batch(file: &Path, settings: Settings) -> Result<u8, Failure> {
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
    begin(true, settings, lines.map(|(number, line)| (number, line.to_vec())))
}

fn begin(
    is_batch: bool,
    settings: Settings,
    lines: impl Iterator<Item = (usize, Vec<u8>)>,
) -> Result<u8, Failure> {
    let mut session = Session::new(settings)?;
    let state = |bytes| Mutex::new(State { bytes, ..State::default() });
    session.lines = lines.map(|(number, bytes)| Line { number, state: state(bytes) }).collect();
    session.is_batch = is_batch;
    if session.lines.is_empty() {
        return Err(Failure::Message(
            "the batch is empty: expected one address per line".to_owned(),
        ));
    }
    let file = ProgressFile::of(&session.run);
    session.finish(file)
}

impl Session {
    /// A session without lines.
    pub(crate) fn new(settings: Settings) -> Result<Self, Failure> {
        let Settings { ask, search, run } = settings;
        Self { ask, search, ..Self::default() }.prepared(run)
    }

    /// The session with everything that a resume file does not keep.
    pub(crate) fn prepared(self, run: RunArgs) -> Result<Self, Failure> {
        let known = |file| known(file, run.machine.quiet);
        Ok(Self {
            versions: self.ask.versions()?,
            known: self.ask.known.as_deref().map(known).transpose()?,
            run,
            ..self
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
                Ok(reports.iter().map(|report| report.status).max().map_or(0, Status::exit_code))
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

    /// Answers the lines that are not answered: those of a batch on one thread each, unless they are
    /// so few that some threads would have nothing to do.
    fn answer(&self) -> Result<(), Failure> {
        let todo: Vec<&Line> = self.lines.iter().filter(|line| line.is_todo()).collect();
        let next = AtomicUsize::new(0);
        let bar = self.is_batch.then(|| Bar::of_lines(self.quiet(), todo.len()));
        let answer_some = |is_on_this_thread| {
            while !is_cancelled()
                && let Some(line) = todo.get(next.fetch_add(1, Ordering::Relaxed))
            {
                let own = Bar::of_steps(self.quiet());
                // If an answer cannot be printed, further searches are pointless, but progress is
                // kept.
                self.answer_line(line, is_on_this_thread, bar.as_ref().unwrap_or(&own))
                    .inspect_err(|_| CANCELLED.store(true, Ordering::Relaxed))?;
            }
            Ok(())
        };
        if self.is_batch && todo.len() >= rayon::current_num_threads() {
            let answers = rayon::broadcast(|_| answer_some(true));
            answers.into_iter().collect()
        } else {
            answer_some(false)
        }
    }

    /// Answers a line on this thread, or on all of the pool. Keeps the progress if cancelled.
    fn answer_line(&self, line: &Line, is_on_this_thread: bool, bar: &Bar) -> Result<(), Failure> {
        let number = (self.is_batch || self.lines.len() > 1).then_some(line.number);
        let bytes = line.state().bytes.clone();
        let (report, open) = self.question(number, &bytes);
        if !self.is_batch {
            print::reading(&report, self.quiet());
        }
        let Some(open) = open else { return self.print(line, report, bar) };
        if let Some(message) = open.refusal {
            return self.print(line, report.refused(message), bar);
        }
        // A clone may have a hundred thousand hits, and the other threads wait for it.
        let interval = self.run.save_every.min(MAX_KEEP_INTERVAL);
        let kept = Mutex::new(Instant::now());
        let keep = |unfinished: &Outcome| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.elapsed() >= interval {
                line.state().unfinished = unfinished.clone();
                *kept = Instant::now();
            }
        };
        let addresses = Addresses { session: self, open: &open, is_on_this_thread };
        let ladder = addresses.ladder();
        let mut climb = Climb::new(&addresses, ladder, report, self.is_batch, &self.search, bar);
        climb.keep = &keep;
        climb.unfinished = line.state().unfinished.clone();
        let (report, cancelled) = climb.run()?;
        match cancelled {
            Some(unfinished) => {
                line.state().unfinished = unfinished;
                Ok(())
            }
            None => self.print(line, report, bar),
        }
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
                let report = Some(Box::new(report.printed()));
                *line.state() = State { report, is_printed: true, ..State::default() };
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
        let hashes = counted(searched().map(|report| report.hashes).sum::<u64>(), "hash");
        format!("{by_chance:.2} of the addresses found are expected by chance. {hashes}.")
    };
    say(&format!("{}: {}. {chance}", counted(reports.len(), "line"), parts.join(", ")));
}
