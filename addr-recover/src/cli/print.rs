//! Prints reports and comments on them.

use std::io::{self, IsTerminal, Write};

use addr_recover::DOUBTFUL;

use super::report::{KeySearch, Next, Report, Status};
use super::{Failure, counted, note, say};

/// With fewer addresses or keys expected by chance, the odds need no figures.
pub(crate) const NO_DOUBT: f64 = 1e-5;

pub(crate) fn addresses(report: &Report) -> Result<(), Failure> {
    to_stdout(|stdout| report.hits.iter().try_for_each(|hit| writeln!(stdout, "{}", *hit.address)))
}

/// Prints a line of a batch as tab-separated columns.
pub(crate) fn columns(report: &Report) -> Result<(), Failure> {
    let line = report.line.unwrap_or(1);
    let addresses: Vec<&str> = report.hits.iter().map(|hit| hit.address.as_str()).collect();
    let last = report.error.as_ref().map_or(addresses.join(" "), |error| error.message.clone());
    let (status, input) = (report.status.name(), printable(&report.input));
    to_stdout(|stdout| writeln!(stdout, "{line}\t{status}\t{input}\t{last}"))
}

/// Prints a JSON object on a line of its own, in one write: a process that is killed leaves no part
/// of a line behind.
pub(crate) fn object(object: &impl serde::Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(object)? + "\n";
    to_stdout(|stdout| stdout.write_all(line.as_bytes()))
}

/// Writes to stdout, and flushes it.
pub(crate) fn to_stdout(
    write: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    write(&mut stdout).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => error.into(),
        _ => format!("cannot write the result: {error}").into(),
    })
}

/// Waits until everything written to stdout is on the disk, if it is a file.
pub(crate) fn sync() {
    // Pipes and terminals cannot be synced.
    #[cfg(unix)]
    if let Ok(stdout) = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned() {
        let _ = std::fs::File::from(stdout).sync_all();
    }
}

/// Replaces characters that would end the column or the line, or control the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Prints on stderr what an answer is worth.
pub(crate) fn comment(report: &Report) {
    if let Some(error) = &report.error {
        return say(&format!("error: {}", error.message));
    }
    if report.status == Status::None {
        return say(&none(report));
    }
    // On a terminal, stdout has just shown the address.
    let is_shown = io::stdout().is_terminal() && io::stderr().is_terminal();
    for hit in &report.hits {
        let is_hidden = is_shown || report.key.is_some();
        let address = if is_hidden { String::new() } else { format!("{}: ", *hit.address) };
        note(&format!("{address}{}", hit.description()));
    }
    caveats(report, true).for_each(|caveat| note(&caveat));
    note(&verdict(report));
}

/// Prints on stderr what the answer to a line of a batch assumes.
pub(crate) fn comment_on_line(report: &Report) {
    let line = report.line.unwrap_or(1);
    caveats(report, false).for_each(|caveat| note(&format!("line {line}: {caveat}")));
}

/// What an answer assumes, and what was tried before if that is wanted.
fn caveats(report: &Report, is_long: bool) -> impl Iterator<Item = String> {
    let is_marked = report.status == Status::Several;
    let (_, nouns) = report.nouns();
    let what_to_do = match &report.key {
        None => "what was found may be none of yours; compare it with what you know".to_owned(),
        Some(_) => format!("{} whether it is yours", report.what_tells()),
    };
    let doubt = report.doubt().filter(|_| is_marked).map(|expected| {
        format!(
            "uncertain: about {expected:.2} {nouns} are expected to fit by chance; {what_to_do}"
        )
    });
    report.note.clone().into_iter().chain(assumption(report, is_long)).chain(doubt)
}

/// Says what was tried if nothing was found, and what to try next.
fn none(report: &Report) -> String {
    let (_, nouns) = report.nouns();
    let written = report.candidates.as_deref().filter(|&candidates| candidates != "0");
    let mut tried: Vec<(&str, &str)> =
        written.map(|it| ("the text as written", it)).into_iter().collect();
    tried.extend(report.tried.iter().map(|it| (&*it.damage, &*it.candidates)));
    let mut parts = Vec::new();
    if written.is_none() {
        parts.push(no_candidates(report));
    }
    if !tried.is_empty() {
        let describe =
            |(damage, candidates)| format!("{damage} ({})", counted(candidates, "candidate"));
        let tried: Vec<String> = tried.into_iter().map(describe).collect();
        parts.push(format!("tried {}", tried.join(", ")));
    }
    parts.extend(report.note.clone());
    if let Some(Next { damage, options, seconds, expected_by_chance }) = &report.next {
        let text = report.read.as_deref().unwrap_or(report.input.trim());
        let command = match &report.key {
            None => format!("{options} '{text}'"),
            Some(_) => format!("key {options}"),
        };
        let by_chance = if *expected_by_chance < DOUBTFUL {
            String::new()
        } else {
            format!(", but about {expected_by_chance:.2} {nouns} fit by chance")
        };
        let time = time(*seconds);
        parts.push(format!("next: addr-recover {command} ({damage}: {time}{by_chance})"));
    }
    format!("not found: {}", parts.join("; "))
}

/// Why an address or a key cannot be one of these kinds.
pub(crate) fn no_candidates(report: &Report) -> String {
    let (noun, _) = report.nouns();
    // Of other lengths, some damage has candidates.
    let may_be_mini = |key: &KeySearch| key.address.is_none() && report.tried.is_empty();
    let is_mini = report.key.as_ref().is_some_and(may_be_mini);
    let mini = if is_mini { "; to recover a mini key (S...), pass --address" } else { "" };
    format!("no {noun} of these kinds has this length and these first characters{mini}")
}

/// How much more likely the input was what it was taken for than anything else.
///
/// A damaged address yields itself and a Poisson-distributed number of others, anything else only
/// the others. The quotient of the two probabilities is the number of hits by that expected.
fn odds(report: &Report) -> String {
    let (hits, expected) = (report.hits.len(), report.expected_by_chance.unwrap_or_default());
    let what = if report.key.is_some() { "a key" } else { "an address" };
    if expected < NO_DOUBT {
        return format!("the checksum leaves no doubt that the input was {what}");
    }
    let places = if expected < 0.0005 { 6 } else { 3 };
    let odds = ratio(hits as f64 / expected);
    format!("{expected:.places$} expected by chance: {odds} that the input was {what}")
}

pub(crate) fn ratio(odds: f64) -> String {
    let places = if odds < 10.0 { 1 } else { 0 };
    format!("{odds:.places$} to 1")
}

pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.2} s"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s if s < 6e7 => format!("{:.0} days", s / 86_400.0),
        s => format!("{:.0} years", s / 31_557_600.0),
    }
}

/// Says which damage the answer assumes, if nobody described it.
fn assumption(report: &Report, is_long: bool) -> Option<String> {
    let (found_with, before) = report.tried.split_last().filter(|_| !report.hits.is_empty())?;
    // No options describe what the checksum of another format restores, and the note says it.
    if found_with.options.is_empty() {
        return None;
    }
    let found = format!("found only with {} ({})", found_with.damage, found_with.options);
    if !is_long {
        return Some(found);
    }
    let mut before: Vec<&str> = before.iter().map(|tried| tried.damage.as_str()).collect();
    before.insert(0, "as written");
    let before = before.join(", with ");
    Some(format!("{found}, so it is less certain; nothing was found {before}"))
}

fn verdict(report: &Report) -> String {
    if report.status == Status::Valid {
        return "the input is already a valid address".to_owned();
    }
    if report.from_known {
        return "found in the list of known addresses, without a search".to_owned();
    }
    let count = report.hits.len();
    let work = match &report.key {
        Some(key) if key.secrets > 0 => format!("{} private keys", key.secrets),
        _ => counted(report.hashes, "hash"),
    };
    // A repaired address takes no search.
    let is_searched = report.hashes > 0 || report.key.is_some();
    let cost =
        if is_searched { format!(" ({work}, {})", time(report.seconds)) } else { String::new() };
    let of_address = report.key.as_ref().filter(|key| key.is_proven);
    if let Some(address) = of_address.and_then(|key| key.address.as_ref()) {
        return format!("{count} found for {address}{cost}");
    }
    let are_equal = || report.hits.iter().all(|hit| hit.known == report.hits[0].known);
    let equal = match &report.key {
        _ if count == 1 => String::new(),
        Some(_) => format!("; {} which of them was meant", report.what_tells()),
        None if are_equal() => "; the checksum cannot tell which of them was meant".to_owned(),
        None => String::new(),
    };
    format!("{count} found, {}{equal}{cost}", odds(report))
}

/// Prints the address that was found in a text, if it differs from the text.
pub(crate) fn reading(report: &Report) {
    if let Some(read) = &report.read {
        let line = report.line.map_or(String::new(), |line| format!("line {line} "));
        note(&format!("note: {line}read as {read}"));
    }
}
