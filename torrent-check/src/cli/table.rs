//! The report as a table. It is written while it is made.

use std::fmt::Write as _;
use std::io::{self, Write};

use torrent_check::{
    Content, Counts, Damage, Escaped, FileKind, FileReport, FileVerdict, PieceVerdict, Report,
    WrongHash,
};

use super::Run;
use super::info::version;

/// The width of a file's bar, in characters.
const BAR: u64 = 24;

/// The maximum number of damaged places shown per file, and of other files named per place.
const MAX_PLACES: usize = 4;
const MAX_FILES: usize = 3;

/// The maximum number of good files listed.
const MAX_GOOD: usize = 100;

/// The maximum length of the name of another file, in characters. Each of many files may name it.
const MAX_NAME: usize = 80;

/// The maximum width of the path column: longer paths stick out.
const MAX_PATH_WIDTH: usize = 48;

/// Writes the report, one line per file. If `quiet`, only files that are not good, and nothing if
/// all are.
pub(crate) fn write(
    report: &Report<'_>,
    run: &Run,
    quiet: bool,
    to: &mut impl Write,
) -> io::Result<()> {
    if !quiet {
        write_head(to, report)?;
    }
    let good = report.files().iter().filter(|file| file.verdict == FileVerdict::Good).count();
    let lists_good = !quiet && good <= MAX_GOOD;
    let shown: Vec<usize> =
        (0..report.files().len()).filter(|&file| is_shown(report, file, lists_good)).collect();
    let path = |file: usize| report.torrent().files()[file].path().to_string();
    let width = shown.iter().map(|&file| path(file).chars().count()).max().unwrap_or(0);
    let width = width.min(MAX_PATH_WIDTH);
    let mut causes = Causes::default();
    for &file in &shown {
        let found = &report.files()[file];
        let length = bytes(report.torrent().files()[file].length());
        write!(to, "{:width$}  {length:>10}  [{}]  ", path(file), bar(report, file))?;
        writeln!(to, "{}", verdict(found))?;
        write_details(to, report, file, &mut causes)?;
    }
    if !quiet && !lists_good {
        let others = if shown.is_empty() { "" } else { " other" };
        writeln!(to, "{good}{others} files are good and not listed; --json lists all files")?;
    }
    if !quiet || !report.is_complete() {
        if !quiet {
            writeln!(to)?;
        }
        write_summary(to, report)?;
    }
    if !quiet {
        writeln!(to, "{}", effort(report, run))?;
    }
    Ok(())
}

fn is_shown(report: &Report<'_>, file: usize, lists_good: bool) -> bool {
    match report.files()[file].verdict {
        FileVerdict::Pad | FileVerdict::Skipped => false,
        FileVerdict::Good => lists_good,
        _ => true,
    }
}

fn write_head(to: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let torrent = report.torrent();
    let files = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad);
    let count = files.clone().count();
    let total = bytes(files.map(|file| file.length()).sum());
    let pieces = plural(report.counts().total(), "piece");
    writeln!(
        to,
        "{}: {}, {}, {total}, {pieces} of {}",
        torrent.name(),
        version(torrent),
        plural(count as u64, "file"),
        bytes(torrent.piece_length()),
    )?;
    if let Some(hash) = torrent.info_hash_v1() {
        writeln!(to, "  info hash v1  {}", hex::encode(hash))?;
    }
    if let Some(hash) = torrent.info_hash_v2() {
        writeln!(to, "  info hash v2  {}", hex::encode(hash))?;
    }
    let note = match report.content() {
        Content::FolderItself(_) => " (the folder itself, which has the torrent's name)",
        Content::Absent(_) => " (not found)",
        Content::Unusable { error, .. } => &format!(" ({error})"),
        _ => "",
    };
    writeln!(to, "  content       {}{note}\n", Escaped(report.content().path()))
}

/// A bar of the file's pieces: each character shows the worst piece of its range.
fn bar(report: &Report<'_>, file: usize) -> String {
    let own = report.pieces_of(file);
    let count = own.end - own.start;
    if count == 0 {
        let is_good = report.files()[file].verdict == FileVerdict::Good;
        return if is_good { "█" } else { "·" }.repeat(BAR as usize);
    }
    let cell = |cell: u64| {
        let begin = own.start + cell * count / BAR;
        let end = (own.start + (cell + 1) * count / BAR).max(begin + 1);
        let pieces = &report.pieces()[begin as usize..end as usize];
        pieces.iter().map(|&verdict| rank(verdict)).max().unwrap_or_default().1
    };
    (0..BAR).map(cell).collect()
}

/// The severity of a verdict, and its character in a bar.
fn rank(verdict: PieceVerdict) -> (u8, char) {
    match verdict {
        PieceVerdict::Good | PieceVerdict::Trusted => (0, '█'),
        PieceVerdict::Skipped => (1, ' '),
        PieceVerdict::Missing => (3, '·'),
        PieceVerdict::Unverifiable => (4, '?'),
        PieceVerdict::Bad(_) => (5, '×'),
        _ => (2, ' '),
    }
}

fn verdict(found: &FileReport) -> String {
    let counts = &found.counts;
    let mut text = match &found.verdict {
        FileVerdict::Good if found.is_copy => "good, a copy in the place of a link".to_owned(),
        FileVerdict::Good => "good".to_owned(),
        FileVerdict::Bad => format!("bad: {}", pieces_good(counts)),
        FileVerdict::Missing => "missing".to_owned(),
        FileVerdict::InvalidName(name) => format!("refused: {name}"),
        FileVerdict::TooShort { by } => {
            format!("{} too short, {}", plural(*by, "byte"), pieces_good(counts))
        }
        FileVerdict::TooLong { by } => {
            format!("{} too long, {}", plural(*by, "byte"), pieces_good(counts))
        }
        FileVerdict::Unreadable(error) => format!("cannot be read: {error}"),
        FileVerdict::Changed => "changed while being read".to_owned(),
        FileVerdict::NotAFile(what) => format!("expected a file, found {what}"),
        FileVerdict::NotALink(what) => format!("expected a link, found {what}"),
        FileVerdict::EscapesRoot => "a link that leads out of the folder, not followed".to_owned(),
        FileVerdict::WrongLink(target) => format!("wrong link target: {}", Escaped(target)),
        FileVerdict::Unverifiable => format!("unverifiable: {}", pieces_good(counts)),
        // A link.
        FileVerdict::Unchecked if counts.total() == 0 => "not checked".to_owned(),
        _ => format!("not fully checked: {}", pieces_good(counts)),
    };
    // Writing to a string does not fail.
    if let Some(place) = &found.saved_as {
        let _ = write!(text, "; saved as {}", Escaped(place));
    }
    for place in &found.found_as {
        let _ = write!(text, "; found as {}", Escaped(place));
    }
    text
}

/// How many pieces of a file are good: `all pieces good`, `15 of 16 pieces good`.
fn pieces_good(counts: &Counts) -> String {
    let total = counts.total();
    if counts.good == total {
        "all pieces good".to_owned()
    } else {
        format!("{} of {} good", counts.good, plural(total, "piece"))
    }
}

/// Writes which places of a file are damaged, and which other files are the cause.
fn write_details(
    to: &mut impl Write,
    report: &Report<'_>,
    file: usize,
    causes: &mut Causes,
) -> io::Result<()> {
    let is_plain = matches!(
        report.files()[file].verdict,
        FileVerdict::Good
            | FileVerdict::Missing
            | FileVerdict::InvalidName(_)
            | FileVerdict::NotAFile(_)
            | FileVerdict::EscapesRoot
    );
    if is_plain {
        return Ok(());
    }
    let damage = report.damage(file);
    for place in damage.iter().take(MAX_PLACES) {
        writeln!(to, "    {}", describe(report, file, place, causes))?;
    }
    if damage.len() > MAX_PLACES {
        writeln!(to, "    and {} more places", damage.len() - MAX_PLACES)?;
    }
    Ok(())
}

fn describe(report: &Report<'_>, file: usize, damage: &Damage, causes: &mut Causes) -> String {
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
            let touched = ends.iter().flat_map(|&piece| report.parts(piece).map(|part| part.file));
            match names(report, file, touched, |_| "") {
                Some(names) => format!("{place}: {what}, here or in {names}"),
                None => format!("{place}: {what}"),
            }
        }
        PieceVerdict::Missing => format!("{place}: missing"),
        _ => {
            let causes: Vec<usize> =
                ends.iter().flat_map(|&piece| causes.of(report, piece).to_vec()).collect();
            let end = report.files()[file].found_length.filter(|end| damage.bytes.contains(end));
            // If the file itself cannot be read here, the other files make no difference.
            let others = if end.is_none() && causes.contains(&file) { Vec::new() } else { causes };
            let shared =
                names(report, file, others.into_iter(), |cause| fault(&report.cause(cause)));
            let shared =
                shared.map_or(String::new(), |names| format!(", shares a piece with {names}"));
            let end = end.map_or(String::new(), |end| format!(", the file ends at byte {end}"));
            format!("{place}: unverifiable{end}{shared}")
        }
    }
}

/// A cache of the first causes of one piece: a piece may have bytes of a million files, and each of
/// their lines lists the causes.
#[derive(Default)]
struct Causes {
    piece: Option<u64>,
    files: Vec<usize>,
}

impl Causes {
    fn of(&mut self, report: &Report<'_>, piece: u64) -> &[usize] {
        if self.piece != Some(piece) {
            // One of them may be the file itself.
            self.files = report.causes(piece).take(MAX_FILES + 1).collect();
            self.piece = Some(piece);
        }
        &self.files
    }
}

/// What is wrong with a file that shares a piece with another, as an attribute of its name.
fn fault(verdict: &FileVerdict) -> &'static str {
    match verdict {
        FileVerdict::Missing | FileVerdict::InvalidName(_) => "missing ",
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
        let path = report.torrent().files()[other].path().to_string();
        let end = path.char_indices().nth(MAX_NAME).map(|(end, _)| end);
        let (path, rest) = end.map_or((&path[..], ""), |end| (&path[..end], "..."));
        format!("{}{path}{rest}", attribute(other))
    };
    (!others.is_empty()).then(|| others.iter().map(name).collect::<Vec<_>>().join(", "))
}

fn write_summary(to: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let counts = report.counts();
    let headline = if report.is_cancelled() {
        "cancelled"
    } else if report.is_complete() {
        "complete"
    } else {
        "incomplete"
    };
    write!(to, "{headline}: {} of {} good", counts.good, plural(counts.total(), "piece"))?;
    let parts = [
        (counts.trusted, "trusted from an earlier check"),
        (counts.bad, "bad"),
        (counts.missing, "missing"),
        (counts.unverifiable, "unverifiable"),
        (counts.skipped, "skipped"),
        (counts.unchecked, "not checked"),
    ];
    for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
        write!(to, ", {count} {what}")?;
    }
    let all = report
        .files()
        .iter()
        .filter(|file| !matches!(file.verdict, FileVerdict::Pad | FileVerdict::Skipped));
    let good = all.clone().filter(|file| file.verdict == FileVerdict::Good).count();
    writeln!(to, "; {good} of {} good", plural(all.count() as u64, "file"))?;
    let contradictions =
        |wrong| report.pieces().iter().filter(|v| **v == PieceVerdict::Bad(wrong)).count() as u64;
    let (only_v1, only_v2) = (contradictions(WrongHash::OnlyV1), contradictions(WrongHash::OnlyV2));
    if only_v2 > 0 {
        writeln!(
            to,
            "v1 good, v2 bad: {} with the right SHA-1 but the wrong SHA-256; the torrent \
             contradicts itself, or this is a SHA-1 collision",
            plural(only_v2, "piece")
        )?;
    }
    if only_v1 > 0 {
        writeln!(
            to,
            "v2 good, v1 bad: {}; the torrent contradicts itself",
            plural(only_v1, "piece")
        )?;
    }
    Ok(())
}

/// How much was checked, and how fast.
fn effort(report: &Report<'_>, run: &Run) -> String {
    let (checked, holes) = (report.bytes_checked(), report.bytes_in_holes());
    let rate = (checked - holes) as f64 / f64::from(1 << 30) / run.seconds.max(1e-9);
    let holes =
        if holes > 0 { format!(", {} of it in holes", bytes(holes)) } else { String::new() };
    format!(
        "{} checked in {:.2} s{holes}, {rate:.2} GiB/s ({})",
        bytes(checked),
        run.seconds,
        run.backend
    )
}

fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A number of bytes, human-readable.
fn bytes(count: u64) -> String {
    indicatif::BinaryBytes(count).to_string()
}
