//! `addr-recover estimate`.

use std::ffi::OsStr;
use std::io::Write;

use addr_recover::{DOUBTFUL, Estimate, NOISE, Pattern, Question, Speed};
use serde_json::json;

use super::args::RunArgs;
use super::report::{Report, Status};
use super::settings::DamageArgs;
use super::{Failure, print};

pub(crate) fn run(address: &OsStr, damage: &DamageArgs, run: &RunArgs) -> Result<u8, Failure> {
    let bytes = address.as_encoded_bytes();
    let versions = damage.versions()?;
    let parsed = Pattern::from_utf8(bytes, damage.damage());
    let parsed = parsed.and_then(|pattern| Ok((Question::new(&pattern, &versions)?, pattern)));
    let (question, pattern) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let report = Report::malformed(None, &String::from_utf8_lossy(bytes), &error);
            if run.json {
                print::print(&report, true)?;
            }
            print::comment(&report, run.quiet);
            return Ok(Status::Malformed.exit_code());
        }
    };
    let estimate = question.estimate();
    let speed = Speed::measure(run.backend());
    let threads = match run.threads {
        Some(threads) => threads.get(),
        None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    };
    let seconds = estimate.duration(speed, threads).as_secs_f64();
    let verdict = verdict(&estimate);
    if run.json {
        let kind = |(version, names, candidates): &(addr_recover::Version, Vec<&str>, f64)| json!({ "version": version.to_string(), "kinds": names, "candidates": candidates });
        let report = json!({
            "input": pattern.as_str(),
            "status": "estimate",
            "verdict": verdict.0,
            "ambiguous_places": pattern.ambiguous_places(),
            "candidates": estimate.candidates(),
            "hashes": estimate.hashes().round(),
            "seconds": seconds,
            "threads": threads,
            "nanoseconds_per_hash": speed.nanoseconds(),
            "backend": run.backend().name(),
            "expected_by_chance": estimate.expected_by_chance(),
            "versions": question.kinds().iter().map(kind).collect::<Vec<_>>(),
        });
        return print::object(&report).map(|()| verdict.1);
    }
    let mut lines = vec![
        format!("address         {}", pattern.address()),
        format!("places in doubt {} of {}", pattern.ambiguous_places(), pattern.length()),
        format!("candidates      {}", estimate.candidates()),
    ];
    for (version, names, candidates) in question.kinds() {
        let name = if names.is_empty() { format!("version {version}") } else { names.join(" or ") };
        lines.push(format!("  {name:<30} {candidates:.0}"));
    }
    lines.extend([
        format!("hashes          {:.0}", estimate.hashes()),
        format!(
            "time            {} ({:.1} ns a hash with {}, {threads} thread{})",
            time(seconds),
            speed.nanoseconds(),
            run.backend().name(),
            if threads == 1 { "" } else { "s" }
        ),
        format!("by chance       {:.4} addresses expected to fit", estimate.expected_by_chance()),
        format!("verdict         {}", sentence(&estimate)),
    ]);
    print::to_stdout(|stdout| writeln!(stdout, "{}", lines.join("\n"))).map(|()| verdict.1)
}

/// The verdict in a word, and the exit code that goes with it.
fn verdict(estimate: &Estimate) -> (&'static str, u8) {
    match estimate.expected_by_chance() {
        0.0 => ("none", Status::None.exit_code()),
        expected if expected <= DOUBTFUL => ("worthwhile", 0),
        expected if expected <= NOISE => ("doubtful", 0),
        _ => ("noise", Status::Refused.exit_code()),
    }
}

fn sentence(estimate: &Estimate) -> String {
    let expected = estimate.expected_by_chance();
    match verdict(estimate).0 {
        "none" => "no address of these kinds has this length and these first characters".to_owned(),
        "worthwhile" => format!("worth a search: a single hit is {:.0} to 1 the right one", 1.0 / expected),
        "doubtful" => "doubtful: a hit may well be there by chance".to_owned(),
        _ => "noise: nothing would tell the right one from those that fit by chance".to_owned(),
    }
}

/// A duration in the unit that suits it.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.2} s"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s if s < 6e7 => format!("{:.0} days", s / 86_400.0),
        s => format!("{:.0} years", s / 31_557_600.0),
    }
}
