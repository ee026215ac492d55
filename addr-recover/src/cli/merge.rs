//! `addr-recover merge`: joins the outputs of shards.

use std::collections::BTreeMap;
use std::path::PathBuf;

use addr_recover::Shard;

use super::print::Form;
use super::report::{End, Report, Status};
use super::{FORMAT, Failure, counted, print, read_input};

/// The outputs of the shards of a search.
#[derive(Default)]
struct Parts {
    /// The reports for each line, with the shard that each comes from.
    lines: BTreeMap<Option<usize>, Vec<(Shard, Report)>>,
    /// What each shard claims to have.
    ends: Vec<(Shard, Counts)>,
}

/// How much a shard has found.
#[derive(Default)]
struct Counts {
    lines: usize,
    hits: usize,
}

pub(crate) fn run(files: &[PathBuf], json: bool) -> Result<u8, Failure> {
    let mut parts = Parts::default();
    for file in files {
        let bytes = read_input(file)?;
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            if !line.iter().all(u8::is_ascii_whitespace) {
                parts.add(line).map_err(|what| {
                    Failure::Message(format!("{}, line {number}: {what}", file.display()))
                })?;
            }
        }
    }
    parts.check().map_err(Failure::Message)?;
    let mut joined = Vec::new();
    for (line, reports) in parts.lines {
        let report = join(reports).map_err(|what| {
            Failure::Message(line.map_or(what.to_owned(), |line| format!("line {line}: {what}")))
        })?;
        let form = match line {
            _ if json => Form::Json,
            Some(_) => Form::Columns,
            None => Form::Addresses,
        };
        print::print(&report, form)?;
        match form {
            Form::Columns => print::comment_on_line(&report),
            _ if line.is_none() => print::comment(&report, false),
            Form::Json | Form::Addresses => {}
        }
        joined.push(report);
    }
    Ok(Report::exit_code_of_all(joined.iter()))
}

impl Parts {
    /// Reads one object of a shard's output.
    fn add(&mut self, line: &[u8]) -> Result<(), String> {
        if let Ok(end) = serde_json::from_slice::<End>(line) {
            let counts = Counts { lines: end.lines, hits: end.hits };
            self.ends.push((shard(Some(&end.shard), Some(&end.format))?, counts));
            return Ok(());
        }
        let report: Report =
            serde_json::from_slice(line).map_err(|error| format!("not a report: {error}"))?;
        let shard = shard(report.shard.as_deref(), report.format.as_deref())?;
        let reports = self.lines.entry(report.line).or_default();
        // A shard that was killed and resumed may have printed its last answers twice.
        match reports.iter().find(|(other, _)| *other == shard) {
            None => reports.push((shard, report)),
            Some((_, before)) if without_cost(before) == without_cost(&report) => {}
            Some(_) => {
                let of_line = report.line.map_or(String::new(), |line| format!(" of line {line}"));
                return Err(format!(
                    "shard {shard} has another answer{of_line} before; use the output of one search"
                ));
            }
        }
        Ok(())
    }

    /// Checks that all shards of one search are present and complete.
    fn check(&self) -> Result<(), String> {
        let reports = || self.lines.values().flatten();
        let mut shards =
            reports().map(|(shard, _)| *shard).chain(self.ends.iter().map(|(shard, _)| *shard));
        let Some(first) = shards.next() else {
            return Err("nothing to merge: the input contains no shards".to_owned());
        };
        if let Some(other) = shards.find(|other| other.count() != first.count()) {
            return Err(format!("{first} and {other} are shards of different searches"));
        }
        for index in 1..=first.count() {
            let name = format!("shard {index}/{}", first.count());
            let mut found = Counts::default();
            for (_, report) in reports().filter(|(shard, _)| shard.index() == index) {
                found.lines += 1;
                found.hits += report.hits.len();
            }
            let mut ends = self.ends.iter().filter(|(shard, _)| shard.index() == index);
            match ends.next() {
                None if found.lines == 0 => return Err(format!("{name} is missing")),
                None => {
                    return Err(format!(
                        "{name} is truncated after {}",
                        counted(found.lines, "line")
                    ));
                }
                Some(_) if ends.next().is_some() => return Err(format!("{name} appears twice")),
                Some((_, claimed)) if claimed.lines != found.lines => {
                    return Err(format!(
                        "{name} is incomplete: found {} of {}",
                        found.lines,
                        counted(claimed.lines, "line")
                    ));
                }
                Some((_, claimed)) if claimed.hits != found.hits => {
                    return Err(format!(
                        "{name} was changed: it has {} instead of the {} that were found",
                        counted(found.hits, "hit"),
                        claimed.hits
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

/// The answer of a report, which is the same if the search is repeated.
fn without_cost(report: &Report) -> Report {
    Report { hashes: 0, seconds: 0.0, backend: None, ..report.clone() }
}

/// The shard that an object comes from.
fn shard(shard: Option<&str>, format: Option<&str>) -> Result<Shard, String> {
    let (Some(shard), Some(format)) = (shard, format) else {
        return Err("not the output of a shard: it was not searched with --shard".to_owned());
    };
    if format != FORMAT {
        return Err(format!("written by {format}, but this is {FORMAT}"));
    }
    shard.parse().map_err(|error: addr_recover::ShardError| error.to_string())
}

/// Joins the reports of all shards for one line into the report of the whole search.
fn join(mut reports: Vec<(Shard, Report)>) -> Result<Report, &'static str> {
    const MISMATCH: Result<Report, &str> =
        Err("the shards searched for different addresses or with different options");
    reports.sort_by_key(|(shard, _)| shard.index());
    let is_one_of_each = reports.iter().zip(1..).all(|((shard, _), index)| shard.index() == index)
        && reports.first().is_some_and(|(shard, _)| shard.count() == reports.len());
    let mut reports = reports.into_iter().map(|(_, report)| report);
    let Some(mut whole) = reports.next().filter(|_| is_one_of_each) else { return MISMATCH };
    for other in reports {
        if other.question != whole.question {
            return MISMATCH;
        }
        match (whole.status, other.status) {
            (Status::Part, Status::Part) => {
                whole.hits.extend(other.hits);
                whole.hashes += other.hashes;
                whole.seconds += other.seconds;
            }
            // One shard had more hits than an answer may have.
            (Status::Part, Status::Refused) => whole = other,
            (Status::Refused, Status::Part) => {}
            // All shards answer alike if no search is needed.
            _ if other.status == whole.status && other.hits == whole.hits => {}
            _ => return MISMATCH,
        }
    }
    let whole = Report { shard: None, format: None, question: None, ..whole };
    Ok(if whole.status == Status::Part { whole.concluded() } else { whole })
}
