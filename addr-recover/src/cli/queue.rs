//! The lines of a batch on their way from the input to the answers, in a window of bounded size.
//!
//! A thread of its own reads the input, so that a signal is noticed while it waits for lines. Lines
//! enter the window once it is known which of them are parts of one key: that takes the lines
//! before and after them. They leave it in their order, when they are printed.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use addr_recover::{Outcome, Pattern, Reading};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

use super::input::{self, error_of_file};
use super::report::{Report, SECRET, Status};
use super::resume;
use super::terminal::{Failure, is_cancelled};

/// What takes a list.
pub(crate) const NEEDS: &str = "batch takes a file with one address per line; - is standard input";

/// The number of lines that are read ahead.
const MAX_LINES_OF_KEY: usize = Pattern::MAX_LINES_OF_KEY;

/// The number of lines that enter the window together, besides those that are read ahead.
const BLOCK: usize = 1024;

/// A block of longer lines is shorter, in bytes.
const MAX_BLOCK_BYTES: usize = 1 << 20;

/// The maximum number of lines in the window before a block enters it: a line that takes long does
/// not stop the others.
pub(crate) const MAX_WINDOW: usize = 1024;

/// How often a thread that waits looks whether it is cancelled.
pub(crate) const PATIENCE: Duration = Duration::from_millis(20);

/// The lines that are read and not printed, and what is left to read. A resume file has it.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Queue {
    /// Where more lines are; `None` if all are read.
    file: Option<PathBuf>,
    /// How many lines of it were read, blank ones included.
    read: usize,
    lines: VecDeque<Line>,
    /// How many lines, from the first, are answered or taken to be.
    #[serde(skip)]
    taken: usize,
    /// How many lines have left the window.
    #[serde(skip)]
    gone: usize,
    /// What the summary and the exit status need of the lines that were printed.
    pub(crate) totals: Totals,
}

/// One line of a batch, or a single address, and how far it has come.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) number: usize,
    /// What to read. Empty once it is answered: it may have been a private key.
    pub(crate) given: Given,
    /// What was read, if that was necessary to see that the text has no other address.
    #[serde(skip)]
    pub(crate) reading: Option<Box<Reading>>,
    /// Whether it may be saved: it was seen that the text is no key.
    #[serde(skip)]
    pub(crate) is_checked: bool,
    /// Whether it may be a part of a key that other lines have, too.
    #[serde(skip)]
    pub(crate) is_part_of_key: bool,
    /// How far the search has come. The default if it has not begun, or has ended.
    #[serde(flatten, with = "resume::Progress")]
    pub(crate) unfinished: Outcome,
    /// The answer until it is printed, and those to the other addresses of a line that has several.
    pub(crate) report: Option<Box<Report>>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) others: Vec<Report>,
}

/// The text of a line.
#[derive(Clone, Default)]
pub(crate) struct Given {
    pub(crate) text: Zeroizing<String>,
    /// Whether it may be a part of a private key, which is not saved.
    pub(crate) is_secret: bool,
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_secret { "" } else { &**self.text }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { text: String::deserialize(deserializer)?.into(), is_secret: false })
    }
}

impl Line {
    pub(crate) fn new(number: usize, text: Zeroizing<String>) -> Self {
        Self { number, given: Given { text, is_secret: false }, ..Self::default() }
    }

    /// The text, or the part of it that may be saved, if there is any.
    fn text(&self) -> Option<Zeroizing<String>> {
        if !self.given.text.is_empty() {
            return Some(self.given.text.clone());
        }
        let input = &self.report.as_ref()?.input;
        (**input != *SECRET).then(|| input.clone())
    }

    pub(crate) fn answered(number: usize, report: Report) -> Self {
        Self { number, report: Some(Box::new(report)), is_checked: true, ..Self::default() }
    }
}

/// The sums of some answers.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    /// The number of answers with each status, in the order of [`Status`].
    pub(crate) counts: [usize; 6],
    /// The number of lines that took a search.
    pub(crate) searched: usize,
    pub(crate) expected_by_chance: f64,
    pub(crate) hashes: u64,
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

    pub(crate) fn count(&self, status: Status) -> usize {
        self.counts[status as usize]
    }
}

impl Queue {
    /// Lines that are all there are.
    pub(crate) fn of(lines: Vec<Line>) -> Self {
        Self { lines: lines.into(), ..Self::default() }
    }

    /// Lines of a file, none of which was read. A pipe that is open has no name later: it is read
    /// again from standard input.
    pub(crate) fn of_file(file: &Path) -> io::Result<Self> {
        let is_stdin = input::is_stdin(file) || input::is_open_pipe(file);
        let file = if is_stdin { PathBuf::from("-") } else { std::path::absolute(file)? };
        Ok(Self { file: Some(file), ..Self::default() })
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.file.is_none()
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether everything is printed.
    pub(crate) fn is_done(&self) -> bool {
        self.is_whole() && self.lines.is_empty()
    }

    pub(crate) fn has_todo(&self) -> bool {
        self.lines.iter().skip(self.taken).any(|line| line.report.is_none())
    }

    pub(crate) fn lines_mut(&mut self) -> impl Iterator<Item = &mut Line> {
        self.lines.iter_mut()
    }

    /// Takes the next line that has no answer, and its place in the batch.
    pub(crate) fn take(&mut self) -> Option<(usize, Line)> {
        while let Some(line) = self.lines.get(self.taken) {
            self.taken += 1;
            if line.report.is_none() {
                return Some((self.gone + self.taken - 1, line.clone()));
            }
        }
        None
    }

    /// The line at a place in the batch, unless it has left the window.
    pub(crate) fn line(&mut self, place: usize) -> Option<&mut Line> {
        self.lines.get_mut(place.checked_sub(self.gone)?)
    }

    /// Shows the answers that are next, up to the first line that has none.
    pub(crate) fn show_next(
        &mut self,
        show: impl Fn(&Report) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        while let Some(Line { report: Some(report), others, .. }) = self.lines.front() {
            for report in std::iter::once(&**report).chain(others) {
                show(report)?;
                self.totals.add(report);
            }
            self.lines.pop_front();
            self.gone += 1;
            self.taken = self.taken.saturating_sub(1);
        }
        Ok(())
    }

    pub(crate) fn append(&mut self, Block { lines, read, is_last }: Block) {
        self.lines.extend(lines);
        self.read = read;
        if is_last {
            self.file = None;
        }
    }
}

/// Lines that enter the window together.
pub(crate) struct Block {
    lines: Vec<Line>,
    /// The number of the last of them.
    read: usize,
    /// Whether there are no more.
    is_last: bool,
}

/// Reads lines, and finds out which of them are parts of one key.
pub(crate) struct Source {
    lines: Receiver<io::Result<Option<Numbered>>>,
    file: PathBuf,
    /// The last lines before those that are read ahead.
    before: VecDeque<Numbered>,
    ahead: VecDeque<Numbered>,
    is_at_end: bool,
}

/// A line with a text, and its number.
type Numbered = (usize, Zeroizing<String>);

impl Source {
    /// The lines of a queue's file that were not read. Lines that the queue still has must be the
    /// same as when it read them.
    pub(crate) fn open(queue: &Queue, file: &Path) -> Result<Self, Failure> {
        let failure = |error| error_of_file(file, &error, NEEDS);
        let mut input = input::Lines::of(file).map_err(failure)?;
        let mut before = VecDeque::with_capacity(MAX_LINES_OF_KEY);
        let mut saved = queue.lines.iter().peekable();
        while input.number < queue.read {
            let line = input.next().map_err(failure)?;
            let number = input.number;
            let saved = saved.next_if(|it| it.number == number).and_then(Line::text);
            let is_same =
                |line: &Zeroizing<String>| saved.is_none_or(|text| line.contains(&**text));
            let Some(line) = line.filter(is_same) else {
                let file = file.display();
                return Err(format!(
                    "{file}: line {number} is not the one that the search began with: pass the \
                     same list"
                )
                .into());
            };
            if has_text(&line) {
                remember(&mut before, (number, line));
            }
        }
        // So many lines are read ahead besides those that wait for others.
        let (send, lines) = sync_channel(BLOCK);
        thread::spawn(move || {
            let mut next = || -> io::Result<Option<Numbered>> {
                while let Some(line) = input.next()? {
                    if has_text(&line) {
                        return Ok(Some((input.number, line)));
                    }
                }
                Ok(None)
            };
            loop {
                let line = next();
                let is_last = !matches!(line, Ok(Some(_)));
                // Nobody may be left to answer it.
                if send.send(line).is_err() || is_last {
                    break;
                }
            }
        });
        let ahead = VecDeque::with_capacity(BLOCK + MAX_LINES_OF_KEY);
        Ok(Self { lines, file: file.to_owned(), before, ahead, is_at_end: false })
    }

    /// The next lines; `None` if it is cancelled before they come.
    pub(crate) fn block(&mut self) -> Result<Option<Block>, Failure> {
        let mut bytes: usize = self.ahead.iter().map(|(_, line)| line.len()).sum();
        let (max_lines, max_bytes) = (BLOCK + MAX_LINES_OF_KEY, MAX_BLOCK_BYTES);
        while !self.is_at_end
            && self.ahead.len() < max_lines
            && (bytes < max_bytes || self.ahead.len() <= MAX_LINES_OF_KEY)
        {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(Ok(Some(line))) => {
                    bytes += line.1.len();
                    self.ahead.push_back(line);
                }
                Ok(Ok(None)) | Err(RecvTimeoutError::Disconnected) => self.is_at_end = true,
                Ok(Err(error)) => return Err(error_of_file(&self.file, &error, NEEDS)),
                Err(RecvTimeoutError::Timeout) if is_cancelled() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let all = self.before.iter().chain(&self.ahead);
        let of_key = Pattern::secret_lines(&all.map(|(_, line)| &***line).collect::<Vec<_>>());
        let of_key = of_key.into_iter().skip(self.before.len());
        // Lines that follow may show that the last ones are parts of a key.
        let kept = if self.is_at_end { 0 } else { MAX_LINES_OF_KEY };
        let count = self.ahead.len() - kept;
        let mut lines = Vec::with_capacity(count);
        for ((number, text), is_part_of_key) in self.ahead.drain(..count).zip(of_key) {
            remember(&mut self.before, (number, text.clone()));
            lines.push(Line { is_part_of_key, ..Line::new(number, text) });
        }
        let read = lines.last().map_or(0, |line| line.number);
        Ok(Some(Block { lines, read, is_last: self.is_at_end }))
    }
}

/// Keeps a line that a key may have begun in.
fn remember(before: &mut VecDeque<Numbered>, line: Numbered) {
    if before.len() == MAX_LINES_OF_KEY {
        before.pop_front();
    }
    before.push_back(line);
}

/// Whether a line has a text, and is no comment.
fn has_text(line: &str) -> bool {
    let text = line.trim();
    !text.is_empty() && !text.starts_with('#')
}
