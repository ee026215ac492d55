//! The summary of a check of many torrents.

use std::io::{self, Write};
use std::path::PathBuf;

use super::json::{filled, line, texts};
use super::outcome::Detail;
use super::status::{COMPLETE, FAILED, INCOMPLETE, INTERRUPTED};
use super::table::write_extra;
use super::terminal::style::{self, Tone, bytes, plural};

/// The result for a torrent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Complete,
    /// Nothing was hashed.
    RightSizes,
    Damaged,
    /// There is nothing with the torrent's name.
    Missing,
    /// Nor here, but a search has found pieces in other files.
    Elsewhere,
    /// Links in the content are not followed, so it is not known.
    Linked,
    /// The torrent, the folder or a file in it cannot be read.
    Unreadable,
    Cancelled,
}

const VERDICTS: [Verdict; 8] = [
    Verdict::Complete,
    Verdict::RightSizes,
    Verdict::Damaged,
    Verdict::Missing,
    Verdict::Elsewhere,
    Verdict::Linked,
    Verdict::Unreadable,
    Verdict::Cancelled,
];

/// The line about a torrent.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) verdict: Verdict,
    pub(super) bytes: u64,
    pub(super) seconds: f64,
    /// The exit status of its layout, if it has one.
    pub(super) status: Option<u8>,
}

/// The lines about all torrents.
#[derive(Default)]
pub(super) struct Summary {
    rows: Vec<Row>,
    /// Torrents that were not begun.
    skipped: u64,
    /// What is beneath the roots, but belongs to no torrent.
    pub(super) extra: Vec<PathBuf>,
    /// The worst exit status: a larger one is worse.
    status: u8,
}

impl Verdict {
    /// The name, the tone and the exit status.
    fn about(self) -> (&'static str, Tone, u8) {
        match self {
            Self::Complete => ("complete", Tone::Good, COMPLETE),
            Self::RightSizes => ("right sizes", Tone::Good, COMPLETE),
            Self::Damaged => ("damaged", Tone::Bad, INCOMPLETE),
            Self::Missing => ("missing", Tone::Bad, INCOMPLETE),
            Self::Elsewhere => ("elsewhere", Tone::Unknown, INCOMPLETE),
            Self::Linked => ("links", Tone::Unknown, FAILED),
            Self::Unreadable => ("unreadable", Tone::Bad, FAILED),
            Self::Cancelled => ("cancelled", Tone::Unknown, INTERRUPTED),
        }
    }
}

impl Summary {
    pub(super) fn add(&mut self, row: Row) {
        self.worsen(row.status.unwrap_or(row.verdict.about().2));
        self.rows.push(row);
    }

    /// Counts a torrent that was not begun because the check was cancelled.
    pub(super) fn skip(&mut self) {
        self.worsen(INTERRUPTED);
        self.skipped += 1;
    }

    /// Records that the list of what belongs to no torrent was cancelled.
    pub(super) fn cancel(&mut self) {
        self.worsen(INTERRUPTED);
    }

    /// Records that something failed besides the checks.
    pub(super) fn fail(&mut self) {
        self.worsen(FAILED);
    }

    fn worsen(&mut self, status: u8) {
        self.status = self.status.max(status);
    }

    /// The worst exit status.
    pub(super) fn status(&self) -> u8 {
        self.status
    }

    /// The number of torrents with a verdict.
    fn count(&self, verdict: Verdict) -> u64 {
        let skipped = if verdict == Verdict::Cancelled { self.skipped } else { 0 };
        self.rows.iter().filter(|row| row.verdict == verdict).count() as u64 + skipped
    }

    /// The number of torrents, of bytes checked and of seconds.
    fn totals(&self) -> (u64, u64, f64) {
        let rows = &self.rows;
        let bytes = rows.iter().map(|row| row.bytes).sum();
        (rows.len() as u64 + self.skipped, bytes, rows.iter().map(|row| row.seconds).sum())
    }

    /// Writes a line about each torrent and one about all. If `quiet`, only lines about torrents
    /// with something wrong, and nothing if there are none.
    pub(super) fn write(&self, detail: Detail, to: &mut impl Write) -> io::Result<()> {
        let Detail { quiet, verbose } = detail;
        let to = &mut style::Wrapped::new(to, style::columns());
        for row in &self.rows {
            let (name, tone, status) = row.verdict.about();
            if quiet && status == COMPLETE {
                continue;
            }
            let verdict = style::paint(tone, &format!("{name:<11}"));
            // Nothing of the torrent was read.
            let bytes = if row.bytes == 0 { "-".to_owned() } else { bytes(row.bytes) };
            let duration = style::duration(row.seconds);
            writeln!(to, "{verdict}  {bytes:>10}  {duration:>12}  {}", row.name)?;
        }
        write_extra(to, &self.extra, "not in any of the torrents", verbose)?;
        if quiet && self.status == COMPLETE && self.extra.is_empty() {
            return Ok(());
        }
        let (torrents, checked, seconds) = self.totals();
        let complete = self.count(Verdict::Complete);
        write!(to, "{}: {complete} complete", plural(torrents, "torrent"))?;
        for &verdict in &VERDICTS[1..] {
            match self.count(verdict) {
                0 => {}
                count => write!(to, ", {count} {}", verdict.about().0)?,
            }
        }
        writeln!(to, "; {} checked in {}", bytes(checked), style::duration(seconds))
    }

    /// Writes the counts as one object on one line.
    pub(super) fn write_json(&self, to: &mut impl Write) -> io::Result<()> {
        let (torrents, checked, seconds) = self.totals();
        line(to, |json| {
            json.key("summary")?;
            json.object(|json| {
                json.field("torrents", torrents)?;
                for verdict in VERDICTS {
                    // What is elsewhere is missing here.
                    let elsewhere = self.count(Verdict::Elsewhere);
                    let more = if verdict == Verdict::Missing { elsewhere } else { 0 };
                    let name = verdict.about().0.replace(' ', "_");
                    json.field(&name, self.count(verdict) + more)?;
                }
                json.field("bytes_checked", checked)?;
                json.field("seconds", seconds)?;
                json.optional("extra", filled(texts(&self.extra)))
            })
        })
    }
}
