//! `addr-recover merge`: joining shards.

use std::collections::BTreeMap;
use std::path::PathBuf;

use addr_recover::Shard;

use super::report::{End, Report, Status};
use super::{FORMAT, Failure, print, read_input};

/// What the shards of a search have printed.
#[derive(Default)]
struct Parts {
    /// The reports of each line, with the shard that each is of.
    lines: BTreeMap<Option<usize>, Vec<(Shard, Report)>>,
    /// How many reports each shard says that it has.
    ends: Vec<(Shard, usize)>,
}

pub(crate) fn run(files: &[PathBuf], json: bool) -> Result<u8, Failure> {
    let mut parts = Parts::default();
    for file in files {
        let bytes = read_input(file)?;
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            if !line.iter().all(u8::is_ascii_whitespace) {
                parts.add(line).map_err(|what| {
                    Failure::Because(format!("{}, line {number}: {what}", file.display()))
                })?;
            }
        }
    }
    parts.check().map_err(Failure::Because)?;
    let mut statuses = Vec::new();
    for (line, reports) in parts.lines {
        let report = joined(reports).map_err(|what| {
            Failure::Because(line.map_or(what.to_owned(), |line| format!("line {line}: {what}")))
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

impl Parts {
    /// Reads one object that a shard has printed.
    fn add(&mut self, line: &[u8]) -> Result<(), String> {
        if let Ok(end) = serde_json::from_slice::<End>(line) {
            self.ends.push((shard(Some(&end.shard), Some(&end.format))?, end.lines));
            return Ok(());
        }
        let report: Report =
            serde_json::from_slice(line).map_err(|error| format!("not a report: {error}"))?;
        let shard = shard(report.shard.as_deref(), report.format.as_deref())?;
        self.lines.entry(report.line).or_default().push((shard, report));
        Ok(())
    }

    /// Whether all shards are there, whole, and of one search.
    fn check(&self) -> Result<(), String> {
        let reports = || self.lines.values().flatten().map(|(shard, _)| *shard);
        let mut shards = reports().chain(self.ends.iter().map(|(shard, _)| *shard));
        let Some(first) = shards.next() else {
            return Err("nothing to merge: no shard is there".to_owned());
        };
        if let Some(other) = shards.find(|other| other.count() != first.count()) {
            return Err(format!("{first} and {other} are not shards of one search"));
        }
        for index in 1..=first.count() {
            let name = format!("shard {index}/{}", first.count());
            let there = reports().filter(|shard| shard.index() == index).count();
            let mut ends = self.ends.iter().filter(|(shard, _)| shard.index() == index);
            match (ends.next(), there) {
                (None, 0) => return Err(format!("{name} is missing")),
                (None, there) => return Err(format!("{name} is cut off after {there} lines")),
                _ if ends.next().is_some() => return Err(format!("{name} is there twice")),
                (Some((_, lines)), there) if *lines != there => {
                    return Err(format!("{name} is not whole: {there} of {lines} lines are there"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The shard that an object says it is of.
fn shard(shard: Option<&str>, format: Option<&str>) -> Result<Shard, String> {
    let (Some(shard), Some(format)) = (shard, format) else {
        return Err("a report of something else than a shard".to_owned());
    };
    if format != FORMAT {
        return Err(format!("written by {format}, this is {FORMAT}"));
    }
    shard.parse().map_err(|error: addr_recover::ShardError| error.to_string())
}

/// The report that a search of everything would have made.
fn joined(mut reports: Vec<(Shard, Report)>) -> Result<Report, &'static str> {
    const OTHERWISE: Result<Report, &str> = Err("the shards were asked differently");
    reports.sort_by_key(|(shard, _)| shard.index());
    let is_one_of_each = reports.iter().zip(1..).all(|((shard, _), index)| shard.index() == index)
        && reports.first().is_some_and(|(shard, _)| shard.count() == reports.len());
    let mut reports = reports.into_iter().map(|(_, report)| report);
    let Some(mut whole) = reports.next().filter(|_| is_one_of_each) else { return OTHERWISE };
    for other in reports {
        if other.space != whole.space {
            return OTHERWISE;
        }
        match (whole.status, other.status) {
            (Status::Part, Status::Part) => {
                whole.hits.extend(other.hits);
                whole.hashes += other.hashes;
                whole.seconds += other.seconds;
            }
            // One shard alone has more hits than an answer may have.
            (Status::Part, Status::Refused) => whole = other,
            (Status::Refused, Status::Part) => {}
            // What needs no search is answered the same by every shard.
            _ if other.status == whole.status && other.hits == whole.hits => {}
            _ => return OTHERWISE,
        }
    }
    let whole = Report { shard: None, format: None, space: None, ..whole };
    Ok(if whole.status == Status::Part { whole.concluded() } else { whole })
}
