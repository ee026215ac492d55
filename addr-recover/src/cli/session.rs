//! One run of the tool: the lines to answer, and how each is answered and printed.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use addr_recover::{Outcome, Reading, SearchError};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::args::{RunArgs, Settings};
use super::ask::{Asker, Open};
use super::bar::Bar;
use super::climb::Ascent;
use super::input::{self, error_of_file, read_address};
use super::print;
use super::queue::{Line, MAX_WINDOW, NEEDS, PATIENCE, Queue, Source, Totals};
use super::report::{Report, SECRET, Status};
use super::resume::{self, ProgressFile};
use super::terminal::{
    CANCELLED, Failure, INTERRUPTED, cancel_on_signals, counted, is_cancelled, is_quiet, lock,
    note, on_threads, say,
};

/// The maximum age of the progress that is saved.
const MAX_KEEP_INTERVAL: Duration = Duration::from_secs(1);

/// The lines to answer, and the settings that they share. A resume file has it.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Session {
    #[serde(flatten)]
    asker: Asker,
    /// Whether answers have the numbers of their lines: there are several.
    is_numbered: bool,
    #[serde(skip)]
    run: RunArgs,
    #[serde(flatten)]
    queue: Mutex<Queue>,
    /// Locked before the queue.
    #[serde(skip)]
    source: Mutex<Option<Source>>,
    /// Notified when lines leave the queue.
    #[serde(skip)]
    has_room: Condvar,
}

/// Answers the address on the command line, or each if there are several.
pub(crate) fn single(address: &[OsString], settings: Settings) -> Result<u8, Failure> {
    let text = read_address(address)?;
    let line = |number, text, reading| Line { reading, ..Line::new(number, text) };
    let lines = match Reading::of(&text) {
        Ok(reading) if reading.addresses().count() > 1 => {
            let parts: Vec<String> = reading.addresses().collect();
            let parts = parts.into_iter().map(Zeroizing::new).zip(reading.split());
            (1..)
                .zip(parts)
                .map(|(number, (text, it))| line(number, text, Some(Box::new(it))))
                .collect()
        }
        Ok(reading) => vec![line(1, text, Some(Box::new(reading)))],
        Err(error) => vec![Line::answered(1, Report::new(None, &text).malformed(&error))],
    };
    begin(false, settings, Queue::of(lines), Path::new("-"))
}

/// Answers the lines of a file, or of standard input if it is `-`.
pub(crate) fn batch(file: &Path, settings: Settings) -> Result<u8, Failure> {
    if settings.search.shard.is_some() {
        let message = "--shard divides the search for one address; `split --number=l/16` divides a \
                       list";
        return Err(message.into());
    }
    let queue = Queue::of_file(file).map_err(|error| error_of_file(file, &error, NEEDS))?;
    begin(true, settings, queue, file)
}

/// Resumes the search that a file describes, and keeps its progress in the file.
pub(crate) fn resume(name: &Path, run: RunArgs) -> Result<u8, Failure> {
    let (file, bytes) = ProgressFile::open(name)?;
    let session: Session =
        resume::session(&bytes).map_err(|error| format!("{}: {error}", name.display()))?;
    let session = session.prepared(run)?;
    session.open_list_again()?;
    session.finish(file)
}

fn begin(is_batch: bool, settings: Settings, queue: Queue, file: &Path) -> Result<u8, Failure> {
    let mut session = Session::new(settings)?;
    session.asker.is_batch = is_batch;
    session.is_numbered = is_batch || queue.len() > 1;
    session.queue = Mutex::new(queue);
    session.check();
    session.open_list(file)?;
    // So that an error in the first lines is one before the search.
    session.read_more()?;
    let lines = lock(&session.queue).len();
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
        Self { asker: Asker::new(ask, search), ..Self::default() }.prepared(run)
    }

    /// The session with everything that a resume file does not keep. Lines whose text it does not
    /// have are answered.
    pub(crate) fn prepared(self, run: RunArgs) -> Result<Self, Failure> {
        run.machine.apply()?;
        for line in lock(&self.queue).lines_mut() {
            line.is_checked = true;
            if line.report.is_none() && line.given.text.is_empty() {
                let report = Asker::secret(self.number_shown(line.number));
                *line = Line::answered(line.number, report);
            }
        }
        Ok(Self { asker: self.asker.prepared()?, run, ..self })
    }

    /// Opens the list, if not all of it was read.
    fn open_list(&self, file: &Path) -> Result<(), Failure> {
        let mut source = lock(&self.source);
        let queue = lock(&self.queue);
        if !queue.is_whole() {
            *source = Some(Source::open(&queue, file)?);
        }
        Ok(())
    }

    /// Opens the list that a resume file names, if not all of it was read.
    pub(crate) fn open_list_again(&self) -> Result<(), Failure> {
        let Some(file) = lock(&self.queue).file().map(Path::to_owned) else { return Ok(()) };
        if input::is_stdin(&file) && io::stdin().is_terminal() {
            let message = "not all lines were read from standard input: pass the same list again, \
                           as in `addr-recover --resume FILE < LIST`";
            return Err(message.into());
        }
        self.open_list(&file)
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
            on_threads(self.run.machine.threads(), || self.answer())??;
            self.print_next()
        });
        // Progress of another search would fail again.
        if outcome.as_ref().is_err_and(|error| error.is::<SearchError>()) {
            return outcome.map(|()| INTERRUPTED);
        }
        if outcome.is_err() || !lock(&self.queue).is_done() {
            self.save(&mut file)?;
            let name = file.name.display();
            let list = match lock(&self.queue).file() {
                Some(file) if input::is_stdin(file) => " < LIST, the same list",
                _ => "",
            };
            say(&format!("interrupted; resume with: addr-recover --resume {name}{list}"));
            return outcome.map(|()| INTERRUPTED);
        }
        let totals = lock(&self.queue).totals.clone();
        if self.asker.is_batch {
            summarise(&totals);
        }
        file.remove()?;
        let worst = Status::ALL.into_iter().rev().find(|&status| totals.count(status) > 0);
        Ok(worst.map_or(0, Status::exit_code))
    }

    /// Answers the lines that may be keys: before anything is saved.
    fn check(&self) {
        lock(&self.queue).lines_mut().filter(|it| !it.is_checked).for_each(|it| self.guard(it));
    }

    /// Reads a line, and answers it if it may be a key. Otherwise it may be saved.
    fn guard(&self, line: &mut Line) {
        let number = self.number_shown(line.number);
        let text = &*line.given.text;
        let new = || Report::new(number, text);
        let reading = line.reading.take().map_or_else(|| Reading::of(text).map(Box::new), Ok);
        let answer = match &reading {
            // Only addresses are kept of what has a key beside them.
            Ok(reading)
                if reading.may_show()
                    || !line.is_part_of_key
                        && (reading.left_out() > 0 || reading.addresses().nth(1).is_some()) =>
            {
                None
            }
            Ok(reading) => {
                let (report, open) = self.asker.question_of(new(), reading);
                open.is_none().then_some(report)
            }
            Err(error) => Some(new().malformed(error)),
        };
        let is_answered =
            |answer: &Report| *answer.input == SECRET || reading.is_err() && !line.is_part_of_key;
        let answer = answer.filter(is_answered);
        let answer = answer.or_else(|| line.is_part_of_key.then(|| Asker::secret(number)));
        if let Some(answer) = answer {
            *line = Line::answered(line.number, answer);
            return;
        }
        line.is_checked = true;
        let Ok(reading) = reading else { return };
        line.given.is_secret = reading.may_be_part_of_key();
        if !reading.may_show() {
            // Nothing else of the text is kept.
            let addresses: Vec<String> = reading.addresses().collect();
            line.given.text = addresses.join("\n").into();
        }
        line.reading = Some(reading);
    }

    /// The number of a line, if the text has several.
    fn number_shown(&self, number: usize) -> Option<usize> {
        self.is_numbered.then_some(number)
    }

    fn save(&self, file: &mut ProgressFile) -> Result<(), Failure> {
        self.check();
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
        let (lines, is_whole) = {
            let queue = lock(&self.queue);
            (queue.len(), queue.is_whole())
        };
        let bar = Bar::of_lines(self.asker.is_batch, is_whole.then_some(lines));
        let has_one_thread =
            self.asker.is_batch && (!is_whole || lines >= rayon::current_num_threads());
        let answer_some = || {
            // If an answer cannot be printed, further searches are pointless, but progress is kept.
            let answer_next = || {
                let Some((place, line)) = self.next_line()? else { return Ok(false) };
                self.answer_line(place, line, has_one_thread, &bar)?;
                Ok(true)
            };
            let stop = |_: &Failure| CANCELLED.store(true, Ordering::Relaxed);
            while answer_next().inspect_err(stop)? {}
            Ok(())
        };
        if has_one_thread {
            rayon::broadcast(|_| answer_some()).into_iter().collect()
        } else {
            answer_some()
        }
    }

    /// The next line to answer, and its place; `None` if there is none, or if it is cancelled.
    fn next_line(&self) -> Result<Option<(usize, Line)>, Failure> {
        while !is_cancelled() {
            let mut queue = lock(&self.queue);
            if let Some(next) = queue.take() {
                return Ok(Some(next));
            }
            if queue.is_whole() {
                break;
            }
            queue.show_next(|report| self.show(report))?;
            if queue.len() > MAX_WINDOW {
                let wait = self.has_room.wait_timeout(queue, PATIENCE);
                drop(wait.unwrap_or_else(PoisonError::into_inner));
                continue;
            }
            drop(queue);
            self.read_more()?;
        }
        Ok(None)
    }

    /// Reads more lines, unless another thread has read some.
    fn read_more(&self) -> Result<(), Failure> {
        let mut source = lock(&self.source);
        let Some(source) = &mut *source else { return Ok(()) };
        let is_needed = |queue: &Queue| !queue.is_whole() && !queue.has_todo();
        if is_needed(&lock(&self.queue))
            && let Some(block) = source.block()?
        {
            lock(&self.queue).append(block);
        }
        Ok(())
    }

    /// Answers a line: each address in it. Keeps the progress if cancelled.
    fn answer_line(
        &self,
        place: usize,
        mut line: Line,
        has_one_thread: bool,
        lines: &Bar,
    ) -> Result<(), Failure> {
        if line.reading.is_none() {
            self.guard(&mut line);
        }
        let parts = line.reading.take().map_or_else(Vec::new, |reading| reading.split());
        let is_one = parts.len() == 1;
        let number = self.number_shown(line.number);
        let mut reports = Vec::with_capacity(parts.len());
        for reading in &parts {
            let text = match is_one {
                true => line.given.text.clone(),
                false => reading.addresses().next().unwrap_or_default().into(),
            };
            // The progress of a line is that of one search.
            let place = is_one.then_some(place);
            let report = Report::new(number, &text);
            let report = self.answer_reading(place, report, reading, has_one_thread)?;
            let Some(report) = report else { return Ok(()) };
            reports.push(report);
        }
        if line.report.is_none() {
            let mut reports = reports.into_iter();
            let first = reports.next().unwrap_or_else(|| Asker::secret(number));
            line = Line { others: reports.collect(), ..Line::answered(line.number, first) };
        }
        lines.add(1);
        if let Some(answered) = lock(&self.queue).line(place) {
            *answered = line;
        }
        lines.suspend(|| self.print_next())
    }

    /// Answers an address that was read. Keeps the progress at a place, and returns `None` if
    /// cancelled.
    fn answer_reading(
        &self,
        place: Option<usize>,
        report: Report,
        reading: &Reading,
        has_one_thread: bool,
    ) -> Result<Option<Report>, Failure> {
        let (report, open) = self.asker.question_of(report, reading);
        if !self.asker.is_batch {
            print::reading(&report);
        }
        let Some(mut open) = open else { return Ok(Some(report)) };
        open.has_one_thread = has_one_thread;
        self.search(place, report, &open)
    }

    /// Searches for the answer to a line. Keeps the progress and returns `None` if cancelled.
    fn search(
        &self,
        place: Option<usize>,
        report: Report,
        open: &Open<'_>,
    ) -> Result<Option<Report>, Failure> {
        if let Some(message) = open.refusal() {
            return Ok(Some(report.refused(message)));
        }
        // A clone may have a hundred thousand hits, and the other threads wait for it.
        let interval = self.run.save_every.min(MAX_KEEP_INTERVAL);
        let kept = Mutex::new(Instant::now());
        let keep = |unfinished: &Outcome| {
            let mut kept = lock(&kept);
            if kept.elapsed() >= interval {
                self.keep(place, unfinished.clone());
                *kept = Instant::now();
            }
        };
        let bar = Bar::of_steps(!self.asker.is_batch);
        let (is_batch, search) = (self.asker.is_batch, &self.asker.search);
        let mut climb = Ascent::new(open, open.question.climb(), report, is_batch, search, &bar);
        climb.keep = &keep;
        let unfinished = |place| lock(&self.queue).line(place).map(|it| it.unfinished.clone());
        climb.unfinished = place.and_then(unfinished).unwrap_or_default();
        let (report, cancelled) = climb.run()?;
        if let Some(unfinished) = cancelled {
            self.keep(place, unfinished);
            return Ok(None);
        }
        Ok(Some(report))
    }

    /// Keeps how far the search for a line has come.
    fn keep(&self, place: Option<usize>, unfinished: Outcome) {
        let mut queue = lock(&self.queue);
        if let Some(line) = place.and_then(|place| queue.line(place)) {
            line.unfinished = unfinished;
        }
    }

    /// Prints the answers that are next, up to the first line that has none.
    fn print_next(&self) -> Result<(), Failure> {
        lock(&self.queue).show_next(|report| self.show(report))?;
        self.has_room.notify_all();
        Ok(())
    }

    /// Prints a report. For a batch, its columns and the summary replace most of the comments.
    fn show(&self, report: &Report) -> Result<(), Failure> {
        let is_json = self.run.json;
        if self.asker.is_batch {
            print::reading(report);
        }
        match self.asker.is_batch {
            _ if is_json => print::object(report)?,
            true => print::columns(report)?,
            false => print::addresses(report)?,
        }
        if !(self.asker.is_batch || is_json && is_quiet()) {
            print::comment(report);
        } else if self.asker.is_batch && !is_json {
            print::comment_on_line(report);
        }
        Ok(())
    }
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
