//! The summary of a check of many torrents.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use torrent_check::Escaped;

use super::style::{self, Tone};
use super::table::{Detail, bytes, plural};
use super::{COMPLETE, FAILED, INCOMPLETE, INTERRUPTED, json};

/// The maximum number of files and folders listed that belong to no torrent.
const MAX_EXTRA: usize = 100;

/// The result for a torrent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Complete,
    /// Nothing was hashed.
    RightSizes,
    Damaged,
    /// There is nothing with the torrent's name.
    Missing,
    /// The torrent, the folder or a file in it cannot be read.
    Unreadable,
    Cancelled,
}

/// The line about a torrent.
pub(super) struct Row {
    name: String,
    verdict: Verdict,
    bytes: u64,
    seconds: f64,
}

/// The lines about all torrents.
#[derive(Default)]
pub(super) struct Summary {
    rows: Vec<Row>,
    /// Torrents that were not begun.
    skipped: u64,
    /// What is beneath the roots, but belongs to no torrent.
    extra: Vec<PathBuf>,
    /// The worst exit status: a larger one is worse.
    status: u8,
}

#[derive(Serialize)]
struct SummaryJson {
    schema: u32,
    summary: CountsJson,
}

#[derive(Serialize)]
struct CountsJson {
    torrents: u64,
    complete: u64,
    right_sizes: u64,
    damaged: u64,
    missing: u64,
    unreadable: u64,
    cancelled: u64,
    bytes_checked: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extra: Vec<String>,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::RightSizes => "right sizes",
            Self::Damaged => "damaged",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::Cancelled => "cancelled",
        }
    }

    fn tone(self) -> Tone {
        match self {
            Self::Complete | Self::RightSizes => Tone::Good,
            Self::Damaged | Self::Missing | Self::Unreadable => Tone::Bad,
            Self::Cancelled => Tone::Unknown,
        }
    }

    /// The exit status.
    fn status(self) -> u8 {
        match self {
            Self::Complete | Self::RightSizes => COMPLETE,
            Self::Damaged | Self::Missing => INCOMPLETE,
            Self::Unreadable => FAILED,
            Self::Cancelled => INTERRUPTED,
        }
    }
}

impl Row {
    pub(super) fn new(name: String, verdict: Verdict, bytes: u64, seconds: f64) -> Self {
        Self { name, verdict, bytes, seconds }
    }

    pub(super) fn unreadable(file: &Path) -> Self {
        Self::new(Escaped(file).to_string(), Verdict::Unreadable, 0, 0.0)
    }
}

impl Summary {
    pub(super) fn add(&mut self, row: Row) {
        self.worsen(row.verdict.status());
        self.rows.push(row);
    }

    /// Counts a torrent that was not begun because the check was cancelled.
    pub(super) fn skip(&mut self) {
        self.worsen(INTERRUPTED);
        self.skipped += 1;
    }

    /// Records that something failed besides the checks.
    pub(super) fn fail(&mut self) {
        self.worsen(FAILED);
    }

    /// Records what is beneath the roots, but belongs to no torrent.
    pub(super) fn set_extra(&mut self, extra: Vec<PathBuf>) {
        self.extra = extra;
    }

    fn worsen(&mut self, status: u8) {
        self.status = self.status.max(status);
    }

    /// The worst exit status.
    pub(super) fn status(&self) -> u8 {
        self.status
    }

    fn counts(&self) -> CountsJson {
        let count = |verdict| self.rows.iter().filter(|row| row.verdict == verdict).count() as u64;
        CountsJson {
            torrents: self.rows.len() as u64 + self.skipped,
            complete: count(Verdict::Complete),
            right_sizes: count(Verdict::RightSizes),
            damaged: count(Verdict::Damaged),
            missing: count(Verdict::Missing),
            unreadable: count(Verdict::Unreadable),
            cancelled: count(Verdict::Cancelled) + self.skipped,
            bytes_checked: self.rows.iter().map(|row| row.bytes).sum(),
            seconds: self.rows.iter().map(|row| row.seconds).sum(),
            extra: self.extra.iter().map(|path| Escaped(path).to_text()).collect(),
        }
    }

    /// Writes a line about each torrent and one about all. If `quiet`, only lines about torrents
    /// with something wrong, and nothing if there are none.
    pub(super) fn write(&self, detail: Detail, to: &mut impl Write) -> io::Result<()> {
        let Detail { quiet, verbose } = detail;
        let max_extra = if verbose { usize::MAX } else { MAX_EXTRA };
        for row in &self.rows {
            if quiet && row.verdict.status() == COMPLETE {
                continue;
            }
            let (verdict, bytes) = (row.verdict.name(), bytes(row.bytes));
            let verdict = style::paint(row.verdict.tone(), &format!("{verdict:<11}"));
            let duration = style::duration(row.seconds);
            writeln!(to, "{verdict}  {bytes:>10}  {duration:>12}  {}", row.name)?;
        }
        for path in self.extra.iter().take(max_extra) {
            writeln!(to, "{}: not in any of the torrents", Escaped(path))?;
        }
        if self.extra.len() > max_extra {
            let more = self.extra.len() - max_extra;
            writeln!(to, "{more} more not listed; --verbose lists all")?;
        }
        if quiet && self.status == COMPLETE && self.extra.is_empty() {
            return Ok(());
        }
        let counts = self.counts();
        write!(to, "{}: {} complete", plural(counts.torrents, "torrent"), counts.complete)?;
        let others = [
            (counts.right_sizes, Verdict::RightSizes),
            (counts.damaged, Verdict::Damaged),
            (counts.missing, Verdict::Missing),
            (counts.unreadable, Verdict::Unreadable),
            (counts.cancelled, Verdict::Cancelled),
        ];
        for (count, verdict) in others.into_iter().filter(|(count, _)| *count > 0) {
            write!(to, ", {count} {}", verdict.name())?;
        }
        let duration = style::duration(counts.seconds);
        writeln!(to, "; {} checked in {duration}", bytes(counts.bytes_checked))
    }

    /// Writes the counts as one object on one line.
    pub(super) fn write_json(&self, to: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(
            &mut *to,
            &SummaryJson { schema: json::VERSION, summary: self.counts() },
        )?;
        to.write_all(b"\n")
    }
}
