//! The report as a table, which is streamed.

mod damage;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use torrent_check::{
    Content, Counts, Escaped, File, FileKind, FileReport, FileVerdict, Finding, Layout, Outcome,
    PartialCopy, PieceVerdict, Report, SearchLimit, SearchLimitKind, WrongHash,
};

use super::json::{file_verdict, outcome, version};
use super::outcome::{Detail, Run, is_fine, is_unknown_behind_links};
use super::terminal::style::{self, Tone, bytes, plural};
use damage::Details;

/// The width of a file's bar, in characters. On a narrow terminal, it is shorter.
const BAR: u64 = 24;
const MIN_BAR: u64 = 6;

/// The maximum number of files listed with the same verdict, of places where a file was found, and
/// of files that do not belong to the torrent. With more good files, none is listed.
const MAX_FILES: usize = 100;
const MAX_FOUND: usize = 4;

/// The maximum number of files that are named because a piece lacks their bytes.
const MAX_NAMED: usize = 3;

/// The width of the path column. On a terminal, it leaves room for the rest of the line of a good
/// or missing file.
const MAX_PATH_WIDTH: usize = 48;
const MIN_PATH_WIDTH: usize = 16;
const REST_WIDTH: usize = 50;

/// Writes the report, one line per file.
pub(crate) fn write(
    report: &Report<'_>,
    run: &Run,
    detail: Detail,
    to: &mut impl Write,
) -> io::Result<()> {
    let Detail { quiet, verbose } = detail;
    let to = &mut style::Wrapped::new(to, style::columns());
    if let Content::Found(path) = &report.content
        && (!quiet || !is_fine(report, run))
    {
        writeln!(to, "content found in {}", Escaped(path))?;
    }
    if !quiet {
        write_head(to, report)?;
    }
    let list = List::new(report, run, detail);
    list.write(to, report, run, verbose)?;
    if let Content::Unsure { suggestions, .. } = &report.content {
        for place in suggestions {
            writeln!(to, "if this is the content: --content {}", quoted(place))?;
        }
    }
    if !is_fine(report, run) {
        report.search_limits.iter().try_for_each(|limit| search_limit(to, limit))?;
    }
    let files = &report.client_files;
    for file in files.iter().filter(|file| file.extension().is_some_and(|last| last == "parts")) {
        writeln!(to, "pieces of files that the client does not want: in {}", Escaped(file))?;
    }
    list.write_counts(to, detail)?;
    write_hints(to, report, run, quiet)?;
    write_extra(to, &report.extra, "not in the torrent", verbose)?;
    if !quiet || !is_fine(report, run) {
        if !quiet && (list.has_lines() || !report.extra.is_empty()) {
            writeln!(to)?;
        }
        write_summary(to, report, run)?;
    }
    if !quiet {
        write_effort(to, report, run)?;
    }
    run.layout.iter().try_for_each(|layout| write_layout(to, layout, detail))
}

/// The files to list.
struct List {
    shown: Vec<usize>,
    /// The number of missing files that are only counted.
    missing: u64,
    /// The number of files with each verdict.
    numbers: Vec<(&'static str, usize)>,
    /// The number of good files, and whether they are listed.
    good: usize,
    lists_good: bool,
}

impl List {
    fn new(report: &Report<'_>, run: &Run, Detail { quiet, verbose }: Detail) -> Self {
        let is_good = |file: &&FileReport| file.verdict == FileVerdict::Good;
        let good = report.files.iter().filter(is_good).count();
        let lists_good = !quiet && (verbose || good <= MAX_FILES);
        // The summary counts the pieces of files that were not begun.
        let is_unread = |file: usize| {
            let FileReport { verdict, counts, .. } = &report.files[file];
            *verdict == FileVerdict::Unchecked && counts.unchecked == counts.total()
        };
        let is_shown = |&file: &usize| {
            is_shown(report, run, file, lists_good)
                && (!quiet || run.sizes_only || !is_unread(file))
        };
        let mut shown: Vec<usize> = (0..report.files.len()).filter(is_shown).collect();
        let before = shown.len();
        let is_absent = matches!(report.content, Content::Absent(_) | Content::Unsure { .. });
        if before > 1 && !verbose && is_absent {
            shown.retain(|&file| {
                let found = &report.files[file];
                found.verdict != FileVerdict::Missing
                    || found.finding.is_some()
                    || !found.copies.is_empty()
            });
        }
        let missing = (before - shown.len()) as u64;
        // The number of files with each verdict.
        let mut numbers: Vec<(&'static str, usize)> = Vec::new();
        shown.retain(|&file| {
            let name = file_verdict(&report.files[file].verdict);
            let place = numbers.iter().position(|(known, _)| *known == name);
            let place = place.unwrap_or_else(|| {
                numbers.push((name, 0));
                numbers.len() - 1
            });
            numbers[place].1 += 1;
            verbose || numbers[place].1 <= MAX_FILES
        });
        Self { shown, missing, numbers, good, lists_good }
    }

    /// Whether there is anything to list.
    fn has_lines(&self) -> bool {
        !self.shown.is_empty() || self.missing > 0 || !self.lists_good
    }

    /// Writes a line about each file, and on the places where it is damaged.
    fn write(
        &self,
        to: &mut impl Write,
        report: &Report<'_>,
        run: &Run,
        verbose: bool,
    ) -> io::Result<()> {
        let path = |file: usize| report.torrent.files()[file].path().to_string();
        let columns = style::columns();
        let room = columns.map_or(MAX_PATH_WIDTH, |columns| columns.saturating_sub(REST_WIDTH));
        let room = room.clamp(MIN_PATH_WIDTH, MAX_PATH_WIDTH);
        // Longer paths do not fit, however wide the column is.
        let widths = self.shown.iter().map(|&file| style::width(&path(file)));
        let width = widths.filter(|&width| width <= room).max().unwrap_or(0);
        // There, a path has its own line, and so has a verdict that does not fit.
        let narrow = columns.filter(|columns| *columns < MIN_PATH_WIDTH + REST_WIDTH);
        let width = if narrow.is_some() { 0 } else { width };
        let bar_width = narrow.map_or(BAR, |columns| {
            let rest = REST_WIDTH - BAR as usize;
            (columns.saturating_sub(rest) as u64).clamp(MIN_BAR, BAR)
        });
        let mut details = Details::new(report, verbose);
        for &file in &self.shown {
            let found = &report.files[file];
            let length = bytes(report.torrent.files()[file].length());
            let (mut path, bar) = (path(file), bar(report, file, bar_width));
            // Elsewhere, as in files and mails, a file has one line.
            if columns.is_some() && style::width(&path) > width {
                writeln!(to, "{path}")?;
                path.clear();
            }
            let line = format!("{}  {length:>10}  [{bar}]", style::pad(&path, width));
            let verdict = verdict(report, found, run);
            let is_too_long =
                |columns: usize| style::width(&line) + 2 + style::width(&verdict) > columns;
            let gap = if narrow.is_some_and(is_too_long) { "\n    " } else { "  " };
            writeln!(to, "{line}{gap}{}", style::paint(tone(&found.verdict), &verdict))?;
            details.write(to, file)?;
        }
        if self.missing > 0 {
            let (files, path) =
                (plural(self.missing, "missing file"), Escaped(report.content.path()));
            writeln!(to, "{files}: there is no {path}; --verbose lists all")?;
        }
        Ok(())
    }

    /// Says how many files are not listed.
    fn write_counts(
        &self,
        to: &mut impl Write,
        Detail { quiet, verbose }: Detail,
    ) -> io::Result<()> {
        for (name, number) in &self.numbers {
            if *number > MAX_FILES && !verbose {
                let more = *number - MAX_FILES;
                writeln!(
                    to,
                    "{} not listed: {}; --verbose lists all",
                    plural(more as u64, "more file"),
                    name.replace('_', " ")
                )?;
            }
        }
        if !quiet && !self.lists_good {
            let others = if self.shown.is_empty() { "" } else { " other" };
            writeln!(
                to,
                "{}{others} files are good and not listed; --verbose lists all",
                self.good
            )?;
        }
        Ok(())
    }
}

/// Says what may be done about files that are not good.
fn write_hints(to: &mut impl Write, report: &Report<'_>, run: &Run, quiet: bool) -> io::Result<()> {
    let unsearchable = report.files.iter().filter(|file| file.is_unsearchable).count() as u64;
    if !quiet && report.has_unfollowed_links() {
        writeln!(to, "links out of the folder are not followed; --follow-links reads them")?;
    }
    if unsearchable > 0 {
        let files = plural(unsearchable, "file");
        let which = if unsearchable == 1 { "it" } else { "them" };
        let why = format!("every piece of {which} also covers a file that is missing or wrong");
        writeln!(to, "{files} cannot be checked alone: {why}; --json names {which}")?;
    }
    if report.pieces_found > 0 {
        let pieces = plural(report.pieces_found, "piece");
        let all = if report.has_all_pieces() { "all pieces exist: " } else { "" };
        let proven = report.files.iter().any(|file| !file.found_as().is_empty());
        let hint = match proven && run.layout.is_none() {
            true => "; --link DIR lays out the files that are proven",
            false => "",
        };
        writeln!(to, "{all}{pieces} found elsewhere{hint}")?;
    }
    Ok(())
}

/// Says how much was read.
fn write_effort(to: &mut impl Write, report: &Report<'_>, run: &Run) -> io::Result<()> {
    if report.bytes_checked > 0 {
        writeln!(to, "{}", effort(report, run))?;
    }
    if report.bytes_searched > 0 {
        writeln!(to, "{} read to search for files", bytes(report.bytes_searched))?;
    }
    if run.keeps_state {
        for (system, &files) in &report.without_times {
            let files = plural(files, "file");
            writeln!(to, "{files} on {system} read again: its times do not show every change")?;
        }
    }
    Ok(())
}

/// Writes what `--link` has done: how many files are laid out, and which are not.
fn write_layout(to: &mut impl Write, layout: &Layout, detail: Detail) -> io::Result<()> {
    let count = |wanted: &str| {
        layout.files.iter().filter(|file| outcome(&file.outcome) == wanted).count() as u64
    };
    let kinds = [
        ("reflink", "reflink"),
        ("hard", "hard link"),
        ("symbolic", "symbolic link"),
        ("copy", "copy"),
        ("created", "created"),
        ("already_there", "already there"),
    ];
    let there: u64 = kinds.iter().map(|(kind, _)| count(kind)).sum();
    let kinds = kinds.into_iter().filter(|(kind, _)| count(kind) > 0);
    let kinds: Vec<String> = kinds
        .map(|(kind, what)| match kind {
            "created" | "already_there" => format!("{} {what}", count(kind)),
            "copy" if count(kind) > 1 => format!("{} copies", count(kind)),
            _ => plural(count(kind), what),
        })
        .collect();
    let others = layout.files.iter().filter(|file| !file.outcome.is_there());
    let max = if detail.verbose { usize::MAX } else { MAX_FILES };
    for file in others.clone().take(max) {
        let why = match &file.outcome {
            Outcome::NotFound => "not found".to_owned(),
            Outcome::OnlyLikely => {
                "only likely right; --link-likely lays it out as a reflink or copy".to_owned()
            }
            Outcome::Conflict => "something else is in its place".to_owned(),
            Outcome::Failed(error) => format!("cannot be laid out: {error}"),
            _ => continue,
        };
        writeln!(to, "not laid out: {}: {why}", Escaped(&file.path))?;
    }
    if let Some(more @ 1..) = others.count().checked_sub(max) {
        writeln!(to, "{} not laid out; --verbose lists all", plural(more as u64, "more file"))?;
    }
    let is_shown = !detail.quiet || !layout.is_complete();
    let how = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    let cancelled = if layout.is_cancelled { ", cancelled" } else { "" };
    let all = plural(layout.files.len() as u64, "file");
    if is_shown {
        let folder = Escaped(&layout.folder);
        writeln!(to, "laid out in {folder}: {there} of {all}{how}{cancelled}")?;
    }
    Ok(())
}

/// Says which limit a search has reached.
pub(super) fn search_limit(to: &mut impl Write, limit: &SearchLimit) -> io::Result<()> {
    let max = limit.max;
    let what = match limit.kind {
        SearchLimitKind::Depth => format!("only {max} folders deep"),
        SearchLimitKind::SameName => format!("only {max} files or folders with one name"),
        SearchLimitKind::SameLength => {
            format!("only {max} files of one length for a file without a piece of its own")
        }
        SearchLimitKind::Bytes => {
            format!("only {} to find out which file is which", bytes(max as u64))
        }
        SearchLimitKind::Combinations => format!("only {max} combinations of files"),
        _ => format!("only {max} files and folders"),
    };
    writeln!(to, "searched {what}, not {}", Escaped(&limit.at))
}

/// Lists files that do not belong to a torrent.
pub(super) fn write_extra(
    to: &mut impl Write,
    extra: &[PathBuf],
    what: &str,
    verbose: bool,
) -> io::Result<()> {
    let max = if verbose { usize::MAX } else { MAX_FILES };
    for path in extra.iter().take(max) {
        writeln!(to, "{}: {what}", Escaped(path))?;
    }
    match extra.len().saturating_sub(max) {
        0 => Ok(()),
        more => writeln!(to, "{more} more {what}; --verbose lists all"),
    }
}

fn is_shown(report: &Report<'_>, run: &Run, file: usize, lists_good: bool) -> bool {
    match report.files[file].verdict {
        FileVerdict::Pad | FileVerdict::Skipped => false,
        // Its size is right.
        FileVerdict::Unchecked if run.sizes_only => report.files[file].unfinished_by.is_some(),
        FileVerdict::Good => lists_good,
        _ => true,
    }
}

fn write_head(to: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let torrent = report.torrent;
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
    let note = match &report.content {
        Content::Absent(_) | Content::Unsure { .. } => " (not found)",
        Content::Unusable { error, .. } => &format!(" ({error})"),
        Content::Given(path) if !path.exists() => " (not found)",
        _ => "",
    };
    writeln!(to, "  content       {}{note}\n", Escaped(report.content.path()))
}

/// A bar of the file's pieces: each character shows the worst piece of its range.
fn bar(report: &Report<'_>, file: usize, width: u64) -> String {
    let own = report.torrent.pieces().of_file(file);
    let count = own.end - own.start;
    if count == 0 {
        let is_good = report.files[file].verdict == FileVerdict::Good;
        return if is_good { "█" } else { "·" }.repeat(width as usize);
    }
    let cell = |cell: u64| {
        let begin = own.start + cell * count / width;
        let end = (own.start + (cell + 1) * count / width).max(begin + 1);
        let pieces = &report.pieces[begin as usize..end as usize];
        pieces.iter().map(|&verdict| rank(verdict)).max().unwrap_or_default().1
    };
    (0..width).map(cell).collect()
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

fn tone(verdict: &FileVerdict) -> Tone {
    match verdict {
        FileVerdict::Good => Tone::Good,
        FileVerdict::Unverifiable
        | FileVerdict::Unchecked
        | FileVerdict::Changed
        | FileVerdict::EscapesRoot => Tone::Unknown,
        _ => Tone::Bad,
    }
}

fn verdict(report: &Report<'_>, found: &FileReport, run: &Run) -> String {
    let counts = &found.counts;
    let and_pieces =
        || if run.sizes_only { String::new() } else { format!(", {}", pieces_good(counts)) };
    let mut text = match &found.verdict {
        FileVerdict::Good => "good".to_owned(),
        FileVerdict::Bad if counts.missing > 0 => format!("bad: {}", unfinished(counts)),
        FileVerdict::Bad => format!("bad: {}", pieces_good(counts)),
        FileVerdict::Unfinished => unfinished(counts),
        FileVerdict::Missing => match &found.expected_at {
            Some(path) => format!("missing: there is no {}", Escaped(path)),
            None => "missing".to_owned(),
        },
        FileVerdict::TooShort { by } => {
            format!("{} too short{}", plural(*by, "byte"), and_pieces())
        }
        FileVerdict::TooLong { by } => {
            format!("{} too long{}", plural(*by, "byte"), and_pieces())
        }
        FileVerdict::Unreadable(error) => format!("cannot be read: {error}"),
        FileVerdict::Changed => "changed while being read".to_owned(),
        FileVerdict::NotAFile(what) => format!("expected a file, found {what}"),
        FileVerdict::NotALink(what) => format!("expected a link, found {what}"),
        FileVerdict::EscapesRoot => "a link, not followed".to_owned(),
        FileVerdict::WrongLink(target) => format!("wrong link target: {}", Escaped(target)),
        FileVerdict::Unverifiable => format!("unverifiable: {}", pieces_good(counts)),
        FileVerdict::Unchecked if counts.unchecked == counts.total() => "not checked".to_owned(),
        _ => format!("not fully checked: {}", pieces_good(counts)),
    };
    // Writing to a string does not fail.
    if let Some(place) = &found.saved_as {
        let _ = write!(text, "; saved as {}", Escaped(place));
    }
    if let Some(client) = found.unfinished_by {
        let _ = write!(text, "; {client} has not finished this file");
    }
    write_finding(report, found, &mut text);
    let is_named = |copy: &&PartialCopy| {
        found.finding.iter().flat_map(Finding::paths).any(|path| path == copy.path)
    };
    for copy in found.copies.iter().filter(|copy| !is_named(copy)).take(MAX_FOUND) {
        let pieces = plural(copy.pieces.iter().map(|run| run.end - run.start).sum(), "good piece");
        let _ = write!(text, "; {pieces} in {}", Escaped(&copy.path));
    }
    if found.copies.len() > MAX_FOUND {
        let _ = write!(text, " and {} more", found.copies.len() - MAX_FOUND);
    }
    text
}

/// Says what a search found out about a file.
fn write_finding(report: &Report<'_>, found: &FileReport, text: &mut String) {
    // Writing to a string does not fail.
    match &found.finding {
        Some(Finding::Proven { paths, more }) => {
            for place in paths.iter().take(MAX_FOUND) {
                let _ = write!(text, "; found as {}", Escaped(place));
            }
            if paths.len() + more > MAX_FOUND {
                let _ = write!(text, " and {} more", paths.len() + more - MAX_FOUND);
            }
        }
        Some(Finding::Likely { path, good, total, unproven }) => {
            let of = plural(*total, "piece");
            let _ = write!(text, "; likely {}, {good} of {of} verified", Escaped(path));
            let mut lacking: Vec<usize> =
                unproven.iter().flat_map(|it| it.because_of.iter().copied()).collect();
            lacking.dedup();
            let name = |&file: &usize| report.torrent.files()[file].path().to_string();
            let names: Vec<String> = lacking.iter().take(MAX_NAMED).map(name).collect();
            let names = match lacking.len().saturating_sub(MAX_NAMED) {
                0 => names.join(", "),
                more => format!("{} and {more} more", names.join(", ")),
            };
            let is_wrong = unproven.iter().any(|it| it.because_of.is_empty());
            let _ = match (is_wrong, lacking.is_empty()) {
                (false, false) => write!(text, ": shares a piece with {names}, not found"),
                _ => write!(text, ": it or a neighbour is wrong where they share a piece"),
            };
        }
        Some(Finding::Disproven { path, good, total }) => {
            let of = plural(*total, "piece");
            let _ = write!(text, "; {} is damaged, {good} of {of} good", Escaped(path));
        }
        _ => {}
    }
}

fn unfinished(counts: &Counts) -> String {
    let percent = counts.missing * 100 / counts.total();
    format!("{percent} % not downloaded yet, {}", pieces_good(counts))
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

fn write_summary(to: &mut impl Write, report: &Report<'_>, run: &Run) -> io::Result<()> {
    let counts = report.counts();
    let headline = match (run.sizes_only, is_fine(report, run)) {
        _ if report.is_cancelled => "cancelled",
        (false, false) if is_unknown_behind_links(report) => "not followed",
        (false, true) => "complete",
        (false, false) => "incomplete",
        (true, true) => "all sizes are right",
        (true, false) => "wrong sizes",
    };
    let tone = match is_fine(report, run) {
        _ if report.is_cancelled => Tone::Unknown,
        false if is_unknown_behind_links(report) => Tone::Unknown,
        true => Tone::Good,
        false => Tone::Bad,
    };
    let headline = style::paint(tone, headline);
    let files = report.torrent.files().iter().zip(&report.files);
    let files = files
        .filter(|(_, found)| !matches!(found.verdict, FileVerdict::Pad | FileVerdict::Skipped));
    let all = plural(files.clone().count() as u64, "file");
    let is_good = |found: &FileReport| found.verdict == FileVerdict::Good;
    if run.sizes_only {
        let is_right = |file: &File, found: &FileReport| {
            is_good(found) || found.found_length == Some(file.length())
        };
        let right = files.filter(|(file, found)| is_right(file, found)).count();
        return writeln!(to, "{headline}: {right} of {all} right");
    }
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
    let good = files.filter(|(_, found)| is_good(found)).count();
    writeln!(to, "; {good} of {all} good")?;
    let contradictions =
        |wrong| report.pieces.iter().filter(|v| **v == PieceVerdict::Bad(wrong)).count() as u64;
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
    let (checked, holes) = (report.bytes_checked, report.bytes_in_holes);
    let rate = style::rate(checked - holes, run.seconds);
    let rate = rate.map_or(String::new(), |rate| format!(", {rate}"));
    let holes =
        if holes > 0 { format!(", {} of it in holes", bytes(holes)) } else { String::new() };
    format!(
        "{} checked in {}{holes}{rate} ({})",
        bytes(checked),
        style::duration(run.seconds),
        run.backend
    )
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = Escaped(path).to_string();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,=@%:".contains(&byte);
    if text.bytes().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
