//! Answers many lines on all threads.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::args::RunArgs;
use super::ask::{Asked, Asker};
use super::job::{Job, Line};
use super::save::ProgressFile;
use super::settings::DamageArgs;
use super::{CANCELLED, Failure, bar, is_cancelled, print, read_input};

/// Lines with more hashes than this are searched one after another, each by all threads. The others
/// take one thread each.
const LARGE: f64 = 4e6;

/// How long other damage is tried for each line.
const BUDGET: Duration = Duration::from_secs(1);

/// Answers the lines of a file, or of standard input if it is `-`.
pub(crate) fn run(file: &Path, damage: DamageArgs, run: RunArgs) -> Result<u8, Failure> {
    let lines = lines(&read_input(file)?);
    if lines.is_empty() {
        return Err(Failure::Message(
            "the batch is empty: expected one address per line".to_owned(),
        ));
    }
    let file = ProgressFile::of(&run);
    let budget = run.budget.unwrap_or(BUDGET);
    Job::new(true, damage, RunArgs { budget: Some(budget), ..run }, lines).finish(file, answer)
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

/// Answers all lines that are not done, longest searches first.
pub(crate) fn answer(asker: &Asker, job: &Job) -> Result<(), Failure> {
    let mut todo = Vec::new();
    for line in &job.lines {
        if is_cancelled() {
            return Ok(());
        }
        if !line.is_todo() {
            continue;
        }
        let asked = asker.ask(job.number(line), &line.bytes);
        print::reading(job.number(line), asked.reading(), job.quiet());
        match asked {
            Asked::Answered(report) => job.print(line, report)?,
            // Thousands of search spaces would take too much memory, so only their cost is kept.
            Asked::Open(open) => todo.push((line, open.estimate.hashes())),
        }
    }
    todo.sort_by(|a, b| b.1.total_cmp(&a.1));
    let expected = todo.iter().map(|(_, hashes)| hashes).sum::<f64>() / asker.shards();
    let bar = bar::draw(job.quiet(), expected, "hashes");
    let search = |line: &Line, single_threaded: bool| -> Result<(), Failure> {
        let Asked::Open(open) = asker.ask(job.number(line), &line.bytes) else { return Ok(()) };
        let outcome = job.search(asker, line, &open, single_threaded, &bar);
        // If an answer cannot be printed, further searches are pointless, but progress is kept.
        outcome.inspect_err(|_| CANCELLED.store(true, Ordering::Relaxed))
    };
    let (large, small) = todo.split_at(todo.partition_point(|(_, hashes)| *hashes > LARGE));
    let search_all = || {
        for (line, _) in large {
            if is_cancelled() {
                return Ok(());
            }
            search(line, false)?;
        }
        let next = AtomicUsize::new(0);
        let search_small = |_: rayon::BroadcastContext<'_>| {
            while !is_cancelled() {
                let Some((line, _)) = small.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                search(line, true)?;
            }
            Ok(())
        };
        rayon::broadcast(search_small).into_iter().collect()
    };
    let outcome = search_all();
    bar.finish_and_clear();
    outcome
}
