//! Answers many lines on all threads.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::args::RunArgs;
use super::ask::Asker;
use super::bar::Bar;
use super::job::{Job, Line};
use super::save::ProgressFile;
use super::settings::DamageArgs;
use super::{CANCELLED, Failure, is_cancelled, read_input};

/// Lines with more hashes than this are searched one after another, each by all threads. The others
/// take one thread each.
const LARGE: f64 = 4e6;

/// Lines whose answers may wait for a long search of one of them.
const CHUNK: usize = 256;

/// Answers the lines of a file, or of standard input if it is `-`.
pub(crate) fn run(file: &Path, damage: DamageArgs, run: RunArgs) -> Result<u8, Failure> {
    let lines = lines(&read_input(file)?);
    if lines.is_empty() {
        return Err(Failure::Message(
            "the batch is empty: expected one address per line".to_owned(),
        ));
    }
    let file = ProgressFile::of(&run);
    Job::new(true, damage, run, lines).finish(file, answer)
}

/// The lines of a file that are neither blank nor comments, without the carriage returns that end
/// them on Windows.
fn lines(bytes: &[u8]) -> Vec<Line> {
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let has_address = |line: &[u8]| {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_start_matches('\u{feff}').trim();
        !text.is_empty() && !text.starts_with('#')
    };
    let lines = (1..).zip(lines).filter(|(_, line)| has_address(line));
    lines.map(|(number, line)| Line::unread(number, line.to_vec())).collect()
}

/// Answers all lines that are not done, some after some, and the longest searches of these last.
pub(crate) fn answer(asker: &Asker, job: &Job) -> Result<(), Failure> {
    let todo: Vec<&Line> = job.lines.iter().filter(|line| line.is_todo()).collect();
    let bar = Bar::of_lines(job.quiet(), todo.len());
    let outcome = todo.chunks(CHUNK).try_for_each(|lines| answer_some(asker, job, lines, &bar));
    bar.end();
    outcome
}

fn answer_some(asker: &Asker, job: &Job, lines: &[&Line], bar: &Bar) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    // The search spaces of all would take too much memory.
    let large = Mutex::new(Vec::new());
    let answer_small = |_: rayon::BroadcastContext<'_>| {
        while !is_cancelled() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(line) = lines.get(at) else { break };
            let outcome = job.ask(asker, line, bar).and_then(|open| match open {
                Some(open) if open.estimate.hashes() > LARGE => {
                    large.lock().unwrap_or_else(PoisonError::into_inner).push(at);
                    Ok(())
                }
                Some(open) => job.search(asker, line, &open, true, bar),
                None => Ok(()),
            });
            // If an answer cannot be printed, further searches are pointless, but progress is kept.
            outcome.inspect_err(|_| CANCELLED.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    };
    rayon::broadcast(answer_small).into_iter().collect::<Result<(), Failure>>()?;
    let mut large = large.into_inner().unwrap_or_else(PoisonError::into_inner);
    large.sort_unstable();
    for at in large {
        if is_cancelled() {
            break;
        }
        if let Some(open) = job.ask(asker, lines[at], bar)? {
            job.search(asker, lines[at], &open, false, bar)?;
        }
    }
    Ok(())
}
