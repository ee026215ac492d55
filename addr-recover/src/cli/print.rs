//! Prints reports and comments on them.

use std::io::{self, IsTerminal, Write};

pub(crate) use addr_recover::time_in_words as time;
use addr_recover::{Certainty, DOUBTFUL, Evidence, FROM_KNOWN, approximately, left_out_in_words};
use console::style;

use super::report::{ChangeReport, HitReport, Next, Report, SECRET, Status};
use super::terminal::{Failure, counted, is_verbose, note, say};

/// Prints the answer on stdout, which may be archived. A [`guess`] goes to stderr, with its
/// percentage first.
pub(crate) fn addresses(report: &Report) -> Result<(), Failure> {
    if let Some(evidence) = guess(report) {
        say_guess(report, &evidence);
        return Ok(());
    }
    to_stdout(|stdout| report.hits.iter().try_for_each(|hit| writeln!(stdout, "{}", *hit.address)))
}

/// The least probability of an answer on stdout that assumes damage that nobody described.
const MIN_ON_STDOUT: f64 = 0.5;

/// What an answer is worth that assumes damage that nobody described, and is more likely wrong than
/// right. Not of a key, which goes to stdout and nowhere else.
fn guess(report: &Report) -> Option<Evidence> {
    let evidence = report.evidence().filter(|_| report.key.is_none())?;
    let is_guess = evidence.likelihood < 1.0 && evidence.probability() < MIN_ON_STDOUT;
    is_guess.then_some(evidence)
}

fn say_guess(report: &Report, evidence: &Evidence) {
    let line = report.line.map_or(String::new(), |line| format!("line {line}: "));
    let percentage = evidence.percentage();
    for hit in &report.hits {
        say(&format!("{line}{percentage}: {}", *hit.address));
    }
}

/// Prints a line of a batch as tab-separated columns.
pub(crate) fn columns(report: &Report) -> Result<(), Failure> {
    let line = report.line.unwrap_or(1);
    let guess = guess(report);
    let hits = report.hits.iter().filter(|_| guess.is_none());
    let addresses: Vec<&str> = hits.map(|hit| hit.address.as_str()).collect();
    let last = report.error.as_ref().map_or(addresses.join(" "), |error| error.message.clone());
    let (status, input) = (report.status.name(), printable(&report.input));
    let sure = report.evidence().map_or(String::new(), |evidence| evidence.percentage());
    to_stdout(|stdout| writeln!(stdout, "{line}\t{status}\t{input}\t{last}\t{sure}"))?;
    if let Some(evidence) = guess {
        say_guess(report, &evidence);
    }
    Ok(())
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
        return say(&format!("error{}: {}", of_several(report), error.message));
    }
    if report.status == Status::None {
        return say(&none(report));
    }
    descriptions(report).iter().for_each(|line| note(line));
    caveats(report).for_each(|caveat| note(&caveat));
    note(&verdict(report));
}

/// What the addresses or keys are. A terminal has just shown the addresses.
fn descriptions(report: &Report) -> Vec<String> {
    let is_on_terminal = guess(report).is_some() || io::stdout().is_terminal();
    let is_shown = is_on_terminal && io::stderr().is_terminal();
    let mut lines: Vec<String> = report.hits.iter().map(HitReport::description).collect();
    let are_equal = lines.iter().all(|line| *line == lines[0]);
    if report.key.is_some() {
        return lines;
    }
    if is_shown && are_equal {
        lines.truncate(1);
        return lines;
    }
    for (line, hit) in lines.iter_mut().zip(&report.hits) {
        let address = &*hit.address;
        let begin = address.get(..8).filter(|_| is_shown);
        *line = match begin {
            Some(begin) => format!("{begin}...: {line}"),
            None => format!("{address}: {line}"),
        };
    }
    lines
}

/// Prints on stderr what the answer to a line of a batch assumes.
pub(crate) fn comment_on_line(report: &Report) {
    let line = report.line.unwrap_or(1);
    let doubt = report.evidence().filter(|it| it.certainty() == Certainty::Uncertain);
    let doubt = doubt.map(|evidence| worth(report, &evidence));
    caveats(report).chain(doubt).for_each(|caveat| note(&format!("line {line}: {caveat}")));
}

/// What an answer assumes.
fn caveats(report: &Report) -> impl Iterator<Item = String> {
    // What was wrong says more than where.
    let note = report.note.clone().filter(|_| report.change.is_none());
    note.into_iter().chain(assumption(report)).chain(not_found_before(report))
}

/// The maximum number of kinds of damage that are listed without `--verbose`.
const MAX_LISTED: usize = 3;

/// Says what was tried if nothing was found, and what to try next.
fn none(report: &Report) -> String {
    let (_, nouns) = report.nouns();
    let written = report.candidates.as_deref().filter(|&candidates| candidates != "0");
    let mut tried: Vec<(&str, &str)> =
        written.map(|it| ("the text as written", it)).into_iter().collect();
    tried.extend(report.tried.iter().map(|it| (&*it.damage, &*it.candidates)));
    let mut parts = Vec::new();
    if written.is_none() {
        parts.extend(report.note.clone());
    }
    let describe = |(damage, candidates): (&str, &str)| {
        format!("{damage} ({})", counted(candidates, "candidate"))
    };
    // The others are likely damage that nobody described.
    let first = if is_verbose() { tried.len() } else { MAX_LISTED.min(tried.len()) };
    let more = tried.split_off(first);
    if !tried.is_empty() {
        let listed: Vec<String> = tried.into_iter().map(describe).collect();
        let and = if more.is_empty() {
            String::new()
        } else {
            let kinds = counted(more.len(), "kind");
            let all = more.iter().filter_map(|(_, candidates)| candidates.parse::<f64>().ok());
            let all = approximately(all.sum());
            format!(" and {kinds} of other damage ({all} candidates; --verbose lists them)")
        };
        parts.push(format!("tried {}{and}", listed.join(", ")));
    }
    parts.extend(report.note.clone().filter(|_| written.is_some()));
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
    let place = report.part.as_ref().map_or(String::new(), |part| format!(" in {part}"));
    format!("not found{}{place}: {}", of_several(report), parts.join("; "))
}

/// Which address a message is about, if a text has several.
fn of_several(report: &Report) -> String {
    match (&report.line, report.read.as_deref().unwrap_or(report.input.trim())) {
        (Some(_), address) if address != SECRET => format!(" for {address}"),
        _ => String::new(),
    }
}

/// What an answer is worth, in words, as a percentage, and beside chance.
fn worth(report: &Report, evidence: &Evidence) -> String {
    let (noun, nouns) = report.nouns();
    let are_equal = report.hits.iter().all(|hit| hit.known == report.hits[0].known);
    let advice = match &report.key {
        None if evidence.hits > 1 && are_equal => {
            format!("; the checksum cannot tell which {noun} was meant")
        }
        Some(_) if evidence.hits > 1 => format!("; {} which {noun} was meant", report.what_tells()),
        None if evidence.certainty() == Certainty::Uncertain => {
            "; compare it with what you know".to_owned()
        }
        Some(_) if evidence.certainty() == Certainty::Uncertain => {
            format!("; {} whether it is yours", report.what_tells())
        }
        _ => String::new(),
    };
    evidence.in_words(nouns) + &advice
}

/// `2774`, `5.4`, `0.03`, `under 0.001`: a number of addresses.
pub(crate) fn few(number: f64) -> String {
    match number {
        it if it >= 10.0 => format!("{it:.0}"),
        it if it >= 1.0 => format!("{it:.1}"),
        it if it >= 0.001 => format!("{it:.3}"),
        _ => "under 0.001".to_owned(),
    }
}

/// Says in one line what was wrong, if nobody described it.
fn assumption(report: &Report) -> Option<String> {
    let found_with = report.tried.last().filter(|_| !report.hits.is_empty())?;
    let Some(ChangeReport { what, before, after }) = &report.change else {
        return Some(format!("assumes {}", found_with.damage));
    };
    if before.is_empty() && after.is_empty() {
        return Some(format!("assumes {what}"));
    }
    let [old, new] = marked(before, after);
    Some(format!("{what}: {old} -> {new}"))
}

/// Two texts, with what differs in colour on a terminal.
fn marked(before: &str, after: &str) -> [String; 2] {
    let pairs = || before.chars().zip(after.chars());
    let begin = pairs().take_while(|(a, b)| a == b).count();
    let reversed = before.chars().rev().zip(after.chars().rev());
    let end = reversed.take_while(|(a, b)| a == b).count();
    let paint = |text: &str, is_new: bool| {
        let length = text.chars().count();
        let end = end.min(length.saturating_sub(begin));
        let part = |from: usize, to: usize| text.chars().skip(from).take(to - from).collect();
        let [first, middle, last]: [String; 3] =
            [part(0, begin), part(begin, length - end), part(length - end, length)];
        let middle = style(middle).for_stderr().bold();
        let middle = if is_new { middle.green() } else { middle.red() };
        format!("{first}{middle}{last}")
    };
    [paint(before, false), paint(after, true)]
}

/// What was tried without an answer, and what describes the damage of the answer, if the user wants
/// to know.
fn not_found_before(report: &Report) -> Option<String> {
    let is_wanted = is_verbose() && !report.hits.is_empty();
    let (found_with, before) = report.tried.split_last().filter(|_| is_wanted)?;
    // No options describe what the checksum of another format restores.
    if found_with.options.is_empty() {
        return None;
    }
    let mut before: Vec<&str> = before.iter().map(|tried| tried.damage.as_str()).collect();
    before.insert(0, "as written");
    let (damage, options) = (&found_with.damage, &found_with.options);
    let before = before.join(", with ");
    Some(format!("found with {damage} ({options}); nothing was found {before}"))
}

fn verdict(report: &Report) -> String {
    if report.status == Status::Valid {
        return "the input is already a valid address".to_owned();
    }
    if report.from_known {
        return FROM_KNOWN.to_owned();
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
    if let Some(part) = &report.part {
        let rest = if report.key.is_some() { "" } else { "; `addr-recover merge` rates all parts" };
        return format!("{count} found in {part}{rest}{cost}");
    }
    match report.evidence() {
        Some(evidence) => worth(report, &evidence) + &cost,
        None => format!("{count} found, of which some are known{cost}"),
    }
}

/// Prints the address that was found in a text, if it differs from the text, and what was left out.
pub(crate) fn reading(report: &Report) {
    if report.left_out > 0 {
        let line = report.line.map_or(String::new(), |line| format!("line {line}: "));
        note(&format!("note: {line}{}", left_out_in_words(report.left_out)));
    }
    if let Some(read) = &report.read {
        let line = report.line.map_or(String::new(), |line| format!("line {line} "));
        note(&format!("note: {line}read as {read}"));
    }
}
