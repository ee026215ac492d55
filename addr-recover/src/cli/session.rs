//! One run of the tool: the lines to answer, how far each has come, and what has been printed.

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use addr_recover::{Known, Ladder, Outcome, Pattern, Reading, SearchError, Version};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

use super::args::{RunArgs, SearchArgs, Settings};
use super::ask::Open;
use super::bar::Bar;
use super::climb::{Climb, Question};
use super::print;
use super::report::{Report, SECRET, Status};
use super::resume::{self, ProgressFile};
use super::settings::AskArgs;
use super::{
    CANCELLED, Failure, INTERRUPTED, cancel_on_signals, counted, error_of_file, input,
    is_cancelled, is_quiet, lock, note, on_threads, read_address, say,
};

/// The maximum age of the progress that is saved.
const MAX_KEEP_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum number of lines of a batch, all of which are kept for the resume file.
const MAX_BATCH_LINES: usize = 1_000_000;

/// The maximum size of all lines of a batch, in bytes.
const MAX_BATCH_BYTES: usize = 1 << 28;

/// The lines to answer, and the settings that they share. A resume file has it.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(super) is_batch: bool,
    pub(super) ask: AskArgs,
    pub(super) search: SearchArgs,
    #[serde(skip)]
    pub(super) run: RunArgs,
    lines: Vec<Mutex<Line>>,
    #[serde(skip)]
    pub(super) versions: Vec<Version>,
    #[serde(skip)]
    pub(super) known: Known,
    /// The nanoseconds per hash of the first step that a line of a batch suggests.
    #[serde(skip)]
    pub(super) speed: OnceLock<f64>,
    /// What was printed.
    #[serde(default)]
    printed: Mutex<Printed>,
}

/// The answers that are printed.
#[derive(Default, Serialize, Deserialize)]
struct Printed {
    /// The number of lines, from the first, that have one.
    #[serde(skip)]
    lines: usize,
    /// What the summary and the exit status need of them.
    totals: Totals,
}

/// The sums of some answers.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Totals {
    /// The number of answers with each status, in the order of [`Status`].
    counts: [usize; 6],
    /// The number of lines that took a search.
    searched: usize,
    expected_by_chance: f64,
    hashes: u64,
}

impl Totals {
    fn add(&mut self, report: &Report) {
        self.counts[report.status as usize] += 1;
        if report.is_searched() {
            self.searched += 1;
            // Lines without an answer might have had a false one.
            self.expected_by_chance += report.expected_by_chance.unwrap_or_default();
            self.hashes += report.hashes;
        }
    }

    fn count(&self, status: Status) -> usize {
        self.counts[status as usize]
    }
}

/// One line of a batch, or a single address, and how far it has come.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Line {
    number: usize,
    /// What to read. Empty once it is answered: it may have been a private key.
    bytes: Text,
    /// What was read, if that was necessary to see that the text has no other address.
    #[serde(skip)]
    reading: Option<Box<Reading>>,
    /// How far the search has come. The default if it has not begun, or has ended.
    #[serde(flatten, with = "resume::Progress")]
    unfinished: Outcome,
    /// The answer until it is printed.
    report: Option<Box<Report>>,
    /// Otherwise it is not the turn of the answer, or printing failed.
    is_printed: bool,
}

impl Line {
    fn is_answered(&self) -> bool {
        self.report.is_some() || self.is_printed
    }
}

/// The text of a line.
#[derive(Clone, Default)]
struct Text {
    bytes: Zeroizing<Vec<u8>>,
    /// Whether it may be a part of a private key, which is not saved.
    is_secret: bool,
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_secret { &[][..] } else { &self.bytes[..] }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { bytes: Vec::deserialize(deserializer)?.into(), is_secret: false })
    }
}

/// Answers the address on the command line, or each if there are several.
pub(crate) fn single(address: &[OsString], settings: Settings) -> Result<u8, Failure> {
    let bytes = read_address(address)?;
    let line = |number, bytes, reading| {
        let bytes = Text { bytes: Zeroizing::new(bytes), is_secret: false };
        Line { number, bytes, reading, ..Line::default() }
    };
    let lines = match Reading::of(&String::from_utf8_lossy(&bytes)) {
        Ok(reading) if reading.addresses().count() > 1 => {
            let parts: Vec<String> = reading.addresses().collect();
            let parts = parts.into_iter().map(String::into_bytes).zip(reading.split());
            (1..)
                .zip(parts)
                .map(|(number, (bytes, it))| line(number, bytes, Some(Box::new(it))))
                .collect()
        }
        reading => vec![line(1, bytes, reading.ok().map(Box::new))],
    };
    begin(false, settings, lines)
}

/// Answers the lines of a file, or of standard input if it is `-`.
pub(crate) fn batch(file: &Path, settings: Settings) -> Result<u8, Failure> {
    if settings.search.shard.is_some() {
        let message = "--shard divides the search for one address; `split --number=l/16` divides a \
                       list";
        return Err(message.into());
    }
    begin(true, settings, lines(file)?)
}

/// The lines of a batch that have a text.
fn lines(file: &Path) -> Result<Vec<Line>, Failure> {
    let failure = |error| error_of_file(file, &error);
    let mut read = input::Lines::of(file).map_err(failure)?;
    let (mut lines, mut bytes_left) = (Vec::new(), MAX_BATCH_BYTES);
    while let Some(bytes) = read.next().map_err(failure)? {
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let left = bytes_left.checked_sub(bytes.len()).filter(|_| lines.len() < MAX_BATCH_LINES);
        bytes_left = left.ok_or_else(|| {
            let (name, number) = (file.display(), read.number);
            format!(
                "{name}: the batch is too long at line {number}: its maximum is {MAX_BATCH_LINES} \
                 lines and {MAX_BATCH_BYTES} bytes; divide it with `split`"
            )
        })?;
        let bytes = Text { bytes: Zeroizing::new(bytes), is_secret: false };
        lines.push(Line { number: read.number, bytes, ..Line::default() });
    }
    Ok(lines)
}

fn begin(is_batch: bool, settings: Settings, lines: Vec<Line>) -> Result<u8, Failure> {
    let mut session = Session::new(settings)?;
    session.is_batch = is_batch;
    session.lines = session.without_keys(lines).into_iter().map(Mutex::new).collect();
    let lines = session.lines.len();
    if lines == 0 {
        return Err("the batch is empty: expected one address per line".into());
    }
    if !is_batch && lines > 1 {
        note(&format!("note: the text has {lines} addresses; each is answered"));
    }
    let file = ProgressFile::of(&session.run);
    session.finish(file)
}

impl Session {
    pub(crate) fn new(settings: Settings) -> Result<Self, Failure> {
        let Settings { ask, search, run } = settings;
        Self { ask, search, ..Self::default() }.prepared(run)
    }

    /// The session with everything that a resume file does not keep. Lines whose text it does not
    /// have are answered.
    pub(crate) fn prepared(self, run: RunArgs) -> Result<Self, Failure> {
        run.machine.apply()?;
        for line in &self.lines {
            let mut line = lock(line);
            if !line.is_answered() && line.bytes.bytes.is_empty() {
                line.report = Some(Box::new(Self::secret(self.number_shown(line.number))));
            }
        }
        let known = self.ask.known.as_deref().map_or(Ok(Known::default()), known)?;
        Ok(Self { versions: self.ask.versions()?, known, run, ..self })
    }

    /// Answers all lines that are not done. Returns the exit status: [`INTERRUPTED`] if some are
    /// still not done.
    ///
    /// Progress is kept in the file, which is removed at the end.
    pub(crate) fn finish(&self, mut file: ProgressFile) -> Result<u8, Failure> {
        cancel_on_signals()?;
        // If the file cannot be written, the user should know before the search.
        if self.run.save.is_some() || file.exists() {
            self.save(&mut file)?;
        } else if let Err(error) = file.check() {
            note(&format!("warning: {error}; --save FILE names another place"));
        }
        let outcome = self.while_saving(&mut file, || {
            self.print_next()?;
            on_threads(self.run.machine.threads(), || self.answer())?
        });
        // Progress of another search would fail again.
        if outcome.as_ref().is_err_and(|error| error.is::<SearchError>()) {
            return outcome.map(|()| INTERRUPTED);
        }
        if outcome.is_err() || lock(&self.printed).lines < self.lines.len() {
            self.save(&mut file)?;
            let name = file.name.display();
            say(&format!("interrupted; resume with: addr-recover --resume {name}"));
            return outcome.map(|()| INTERRUPTED);
        }
        let totals = lock(&self.printed).totals.clone();
        if self.is_batch {
            summarise(&totals);
        }
        file.remove()?;
        let worst = Status::ALL.into_iter().rev().find(|&status| totals.count(status) > 0);
        Ok(worst.map_or(0, Status::exit_code))
    }

    /// The lines, of which those that may be keys are answered: before anything is saved.
    fn without_keys(&self, mut lines: Vec<Line>) -> Vec<Line> {
        let is_numbered = self.is_batch || lines.len() > 1;
        // Several addresses of one text are not lines.
        let of_lines = if self.is_batch {
            let texts: Vec<_> =
                lines.iter().map(|line| String::from_utf8_lossy(&line.bytes.bytes)).collect();
            Pattern::secret_lines(&texts.iter().map(|text| &**text).collect::<Vec<_>>())
        } else {
            Vec::new()
        };
        for (at, line) in lines.iter_mut().enumerate() {
            let number = is_numbered.then_some(line.number);
            let text = String::from_utf8_lossy(&line.bytes.bytes);
            let is_part = of_lines.get(at).is_some_and(|is_part| *is_part);
            let read = line.reading.is_none().then(|| Reading::of(&text).ok()).flatten();
            let reading = line.reading.as_deref().or(read.as_ref());
            let answer = match reading {
                Some(reading) if reading.may_show() => None,
                Some(reading) if reading.left_out() > 0 => {
                    let (report, open) = self.question_of(Report::new(number, &text), reading);
                    open.is_none().then_some(report)
                }
                Some(reading) => Some(self.question_of(Report::new(number, &text), reading).0),
                None => Some(self.question(number, &text).0),
            };
            let answer = answer.filter(|answer| *answer.input == SECRET);
            let answer = answer.or_else(|| is_part.then(|| Self::secret(number)));
            line.bytes.is_secret = reading.is_some_and(Reading::may_be_part_of_key);
            if let Some(answer) = answer {
                let (number, report) = (line.number, Some(Box::new(answer)));
                *line = Line { number, report, ..Line::default() };
            } else if let Some(reading) = reading.filter(|it| it.left_out() > 0) {
                // Nothing else of the text is kept.
                line.bytes.bytes =
                    reading.addresses().next().unwrap_or_default().into_bytes().into();
                line.reading = Some(Box::new(reading.clone()));
            }
        }
        lines
    }

    /// The number of a line, if the text has several.
    fn number_shown(&self, number: usize) -> Option<usize> {
        (self.is_batch || self.lines.len() > 1).then_some(number)
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
                    if let Err(error) = self.save(file)
                        && !std::mem::replace(&mut is_told, true)
                    {
                        say(&format!("warning: {error}"));
                    }
                }
            });
            let result = run();
            drop(running);
            result
        })
    }

    /// Answers the lines that are not answered: those of a batch on one thread each, unless they
    /// are so few that some threads would have nothing to do.
    fn answer(&self) -> Result<(), Failure> {
        let is_todo = |line: &&Mutex<Line>| !lock(line).is_answered();
        let todo: Vec<&Mutex<Line>> = self.lines.iter().filter(is_todo).collect();
        let next = AtomicUsize::new(0);
        let bar = Bar::of_lines(self.is_batch, todo.len());
        let has_one_thread = self.is_batch && todo.len() >= rayon::current_num_threads();
        let answer_some = || {
            while !is_cancelled()
                && let Some(line) = todo.get(next.fetch_add(1, Ordering::Relaxed))
            {
                // If an answer cannot be printed, further searches are pointless, but progress is
                // kept.
                self.answer_line(line, has_one_thread, &bar)
                    .inspect_err(|_| CANCELLED.store(true, Ordering::Relaxed))?;
            }
            Ok(())
        };
        if has_one_thread {
            rayon::broadcast(|_| answer_some()).into_iter().collect()
        } else {
            answer_some()
        }
    }

    /// Answers a line. Keeps the progress if cancelled.
    fn answer_line(
        &self,
        line: &Mutex<Line>,
        has_one_thread: bool,
        lines: &Bar,
    ) -> Result<(), Failure> {
        let Line { number, bytes: Text { bytes, .. }, reading, .. } = lock(line).clone();
        let (number_shown, text) = (self.number_shown(number), String::from_utf8_lossy(&bytes));
        let (mut report, open) = match reading {
            Some(reading) => self.question_of(Report::new(number_shown, &text), &reading),
            None => self.question(number_shown, &text),
        };
        if !self.is_batch {
            print::reading(&report);
        }
        if let Some(mut open) = open {
            if let Open::Base58(open) = &mut open {
                open.has_one_thread = has_one_thread;
            }
            let Some(answer) = self.search(line, report, &open)? else { return Ok(()) };
            report = answer;
        }
        lines.add(1);
        *lock(line) = Line { number, report: Some(Box::new(report)), ..Line::default() };
        lines.suspend(|| self.print_next())
    }

    /// Searches for the answer to a line. Keeps the progress and returns `None` if cancelled.
    fn search(
        &self,
        line: &Mutex<Line>,
        report: Report,
        open: &Open<'_>,
    ) -> Result<Option<Report>, Failure> {
        if let Some(message) = open.refusal() {
            return Ok(Some(report.refused(message.clone())));
        }
        match open {
            Open::Base58(open) => self.climb(line, report, &**open, open.ladder()),
            Open::Ethereum(open) => self.climb(line, report, open, open.ladder()),
        }
    }

    fn climb<Q: Question>(
        &self,
        line: &Mutex<Line>,
        report: Report,
        question: &Q,
        ladder: Ladder<'_, Q::Space>,
    ) -> Result<Option<Report>, Failure> {
        // A clone may have a hundred thousand hits, and the other threads wait for it.
        let interval = self.run.save_every.min(MAX_KEEP_INTERVAL);
        let kept = Mutex::new(Instant::now());
        let keep = |unfinished: &Outcome| {
            let mut kept = lock(&kept);
            if kept.elapsed() >= interval {
                lock(line).unfinished = unfinished.clone();
                *kept = Instant::now();
            }
        };
        let bar = Bar::of_steps(!self.is_batch);
        let mut climb = Climb::new(question, ladder, report, self.is_batch, &self.search, &bar);
        climb.keep = &keep;
        climb.unfinished = lock(line).unfinished.clone();
        let (report, cancelled) = climb.run()?;
        if let Some(unfinished) = cancelled {
            lock(line).unfinished = unfinished;
            return Ok(None);
        }
        Ok(Some(report))
    }

    /// Prints the answers that are next, up to the first line that has none.
    fn print_next(&self) -> Result<(), Failure> {
        let mut printed = lock(&self.printed);
        while let Some(line) = self.lines.get(printed.lines) {
            if !lock(line).is_printed {
                let Some(report) = lock(line).report.clone() else { break };
                self.show(&report)?;
                printed.totals.add(&report);
                // A batch may have a million lines.
                let number = lock(line).number;
                *lock(line) = Line { number, is_printed: true, ..Line::default() };
            }
            printed.lines += 1;
        }
        Ok(())
    }

    /// Prints a report. For a batch, its columns and the summary replace most of the comments.
    fn show(&self, report: &Report) -> Result<(), Failure> {
        let is_json = self.run.json;
        if self.is_batch {
            print::reading(report);
        }
        match self.is_batch {
            _ if is_json => print::object(report)?,
            true => print::columns(report)?,
            false => print::addresses(report)?,
        }
        if !(self.is_batch || is_json && is_quiet()) {
            print::comment(report);
        } else if self.is_batch && !is_json {
            print::comment_on_line(report);
        }
        Ok(())
    }
}

/// Reads a list of known addresses. Names lines that have none.
fn known(file: &Path) -> Result<Known, Failure> {
    let bytes = input::read(file, input::MAX_FILE)?;
    let text = String::from_utf8_lossy(&bytes);
    let (mut known, mut wrong) = Known::read(&text);
    if !wrong.is_empty() {
        let lines: Vec<&str> = text.lines().collect();
        let intact = |line: &str| {
            let answer = Reading::of(line).ok()?.corrected()?;
            answer.addresses.into_iter().next().filter(|_| answer.estimate.is_none())
        };
        wrong.retain(|number| match intact(lines[number - 1]) {
            Some(other) => {
                known.add_other(other.address);
                false
            }
            None => true,
        });
    }
    if let Some(first) = wrong.first() {
        let (lines, name) = (counted(wrong.len(), "line"), file.display());
        note(&format!("note: {name}: skipped {lines} without an address, first at line {first}"));
    }
    Ok(known)
}

/// Prints the lines of a batch by status, and how many addresses are expected by chance.
fn summarise(totals: &Totals) {
    use Status::{Malformed, None, Refused, Several, Unique, Valid};

    let counts =
        [Unique, Valid, Several, None, Refused, Malformed].map(|it| (totals.count(it), it));
    let parts = counts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, it)| format!("{count} {}", it.name())).collect();
    let chance = if totals.searched == 0 {
        "No search was needed.".to_owned()
    } else {
        let by_chance = totals.expected_by_chance;
        let (lines, hashes) = (counted(totals.searched, "line"), counted(totals.hashes, "hash"));
        format!(
            "{by_chance:.2} addresses are expected by chance in {lines} that took a search. \
             {hashes}."
        )
    };
    let lines = counted(totals.counts.iter().sum::<usize>(), "line");
    note(&format!("{lines}: {}. {chance}", parts.join(", ")));
}
