//! `addr-recover merge`: joining shards.

use std::collections::BTreeMap;
use std::path::PathBuf;

use addr_recover::Shard;

use super::report::{Report, Status};
use super::{Failure, print, read_input};

pub(crate) fn run(files: &[PathBuf], json: bool) -> Result<u8, Failure> {
    let mut by_question: BTreeMap<(Option<usize>, String), Vec<Report>> = BTreeMap::new();
    for file in files {
        let bytes = read_input(file)?;
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let report: Report = serde_json::from_slice(line).map_err(|error| {
                Failure::Because(format!("{}, line {number}: not a report: {error}", file.display()))
            })?;
            by_question.entry((report.line, report.input.clone())).or_default().push(report);
        }
    }
    let mut statuses = Vec::new();
    for ((line, input), reports) in by_question {
        let report = joined(reports).map_err(|what| {
            let place = line.map_or(String::new(), |line| format!("line {line}, "));
            Failure::Because(format!("{place}{input:?}: {what}"))
        })?;
        if json || line.is_some() || !report.hits.is_empty() {
            print::print(&report, json)?;
        }
        if line.is_none() {
            print::comment(&report, false);
        }
        statuses.push(report.status);
    }
    Ok(Status::exit_code_of_all(statuses.into_iter()))
}

/// The report that a search of everything would have made.
fn joined(reports: Vec<Report>) -> Result<Report, String> {
    let mut reports = reports.into_iter();
    let Some(mut whole) = reports.next() else { return Err("no report".to_owned()) };
    if whole.status != Status::Part {
        // What needs no search is answered the same by every shard.
        return match reports.find(|other| other.status != whole.status || other.hits != whole.hits) {
            Some(_) => Err("the shards were asked differently".to_owned()),
            None => Ok(whole),
        };
    }
    let first = shard_of(&whole)?;
    let mut is_there = vec![false; first.count()];
    is_there[first.index() - 1] = true;
    for other in reports {
        let shard = shard_of(&other)?;
        if shard.count() != first.count() || other.candidates != whole.candidates {
            return Err("the shards were asked differently".to_owned());
        }
        if std::mem::replace(&mut is_there[shard.index() - 1], true) {
            return Err(format!("shard {shard} is there twice"));
        }
        whole.hits.extend(other.hits);
        whole.hashes += other.hashes;
        whole.seconds += other.seconds;
    }
    if let Some(missing) = is_there.iter().position(|&is_there| !is_there) {
        return Err(format!("shard {}/{} is missing", missing + 1, first.count()));
    }
    whole.shard = None;
    Ok(whole.concluded())
}

fn shard_of(report: &Report) -> Result<Shard, String> {
    let text = report.shard.as_deref().ok_or("a report of something else than a shard")?;
    text.parse().map_err(|error: addr_recover::ShardError| error.to_string())
}
