//! The lines about the damage to a file.

use std::io::{self, Write};

use torrent_check::{Damage, FileVerdict, PieceVerdict, Report, WrongHash};

use crate::cli::terminal::style::plural;

/// The maximum number of damaged places shown per file unless the report is verbose, and of other
/// files named per place.
const MAX_PLACES: usize = 4;
const MAX_FILES: usize = 3;

/// The maximum length of the name of another file, in characters. Each of many files may name it.
const MAX_NAME: usize = 80;

/// Writes the lines about the damage to files.
pub(super) struct Details<'r> {
    report: &'r Report<'r>,
    /// The maximum number of damaged places shown per file.
    max_places: usize,
    /// The piece whose first causes were looked up last, and these causes: a piece may have bytes
    /// of a million files, and each of their lines lists the causes.
    causes: Option<(u64, Vec<usize>)>,
}

impl<'r> Details<'r> {
    pub(super) fn new(report: &'r Report<'r>, verbose: bool) -> Self {
        let max_places = if verbose { usize::MAX } else { MAX_PLACES };
        Self { report, max_places, causes: None }
    }

    /// Writes which places of a file are damaged, and which other files are the cause.
    pub(super) fn write(&mut self, to: &mut impl Write, file: usize) -> io::Result<()> {
        let report = self.report;
        let is_plain = matches!(
            report.files[file].verdict,
            FileVerdict::Good
                | FileVerdict::Missing
                | FileVerdict::NotAFile(_)
                | FileVerdict::EscapesRoot
        );
        if is_plain {
            return Ok(());
        }
        let damage = report.damage(file);
        for place in damage.iter().take(self.max_places) {
            writeln!(to, "    {}", self.describe(file, place))?;
        }
        if damage.len() > self.max_places {
            let more = (damage.len() - self.max_places) as u64;
            writeln!(to, "    and {}", plural(more, "more place"))?;
        }
        Ok(())
    }

    fn describe(&mut self, file: usize, damage: &Damage) -> String {
        let report = self.report;
        let last = damage.pieces.end - 1;
        let pieces = if damage.pieces.start == last {
            format!("piece {last}")
        } else {
            format!("pieces {} to {last}", damage.pieces.start)
        };
        let place = format!("bytes {} to {} ({pieces})", damage.bytes.start, damage.bytes.end - 1);
        // Only the first and last pieces of a file may have bytes of other files.
        let ends = [damage.pieces.start, last];
        let ends = &ends[..if damage.pieces.start == last { 1 } else { 2 }];
        match damage.verdict {
            PieceVerdict::Bad(wrong) => {
                let what = match wrong {
                    WrongHash::All => "bad",
                    WrongHash::OnlyV1 => "v2 good, v1 bad",
                    WrongHash::OnlyV2 => "v1 good, v2 bad",
                };
                let touched = ends
                    .iter()
                    .flat_map(|&piece| report.torrent.parts(piece).map(|part| part.file));
                match names(report, file, touched, |_| "") {
                    Some(names) => format!("{place}: {what}, here or in {names}"),
                    None => format!("{place}: {what}"),
                }
            }
            PieceVerdict::Missing => format!("{place}: missing"),
            _ => {
                let causes: Vec<usize> =
                    ends.iter().flat_map(|&piece| self.causes(piece).to_vec()).collect();
                let end = report.files[file].found_length.filter(|end| damage.bytes.contains(end));
                // If the file itself cannot be read here, the other files make no difference.
                let others =
                    if end.is_none() && causes.contains(&file) { Vec::new() } else { causes };
                let shared =
                    names(report, file, others.into_iter(), |cause| fault(report.cause(cause)));
                let shared =
                    shared.map_or(String::new(), |names| format!(", shares a piece with {names}"));
                let end = end.map_or(String::new(), |end| format!(", the file ends at byte {end}"));
                format!("{place}: unverifiable{end}{shared}")
            }
        }
    }

    /// The first causes of an unverifiable piece.
    fn causes(&mut self, piece: u64) -> &[usize] {
        let known = self.causes.take().filter(|(known, _)| *known == piece);
        // One of them may be the file itself.
        let first = || self.report.causes(piece).take(MAX_FILES + 1).collect();
        &self.causes.insert(known.unwrap_or_else(|| (piece, first()))).1
    }
}

/// What is wrong with a file that shares a piece with another, as an attribute of its name.
fn fault(verdict: &FileVerdict) -> &'static str {
    match verdict {
        FileVerdict::Missing => "missing ",
        FileVerdict::TooShort { .. } => "truncated ",
        FileVerdict::Unreadable(_) => "unreadable ",
        FileVerdict::Changed => "changed ",
        _ => "unavailable ",
    }
}

/// The names of the first few files other than `file`, if there are any.
fn names(
    report: &Report<'_>,
    file: usize,
    files: impl Iterator<Item = usize>,
    attribute: impl Fn(usize) -> &'static str,
) -> Option<String> {
    let mut others: Vec<usize> = Vec::new();
    for other in files {
        if other != file && !others.contains(&other) {
            if others.len() == MAX_FILES {
                break;
            }
            others.push(other);
        }
    }
    let name = |&other: &usize| {
        let path = report.torrent.files()[other].path().to_string();
        let end = path.char_indices().nth(MAX_NAME).map(|(end, _)| end);
        let (path, rest) = end.map_or((&path[..], ""), |end| (&path[..end], "..."));
        format!("{}{path}{rest}", attribute(other))
    };
    (!others.is_empty()).then(|| others.iter().map(name).collect::<Vec<_>>().join(", "))
}
