//! What a search would cost, and what its answer would be worth: `estimate` and `key --estimate`.

use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

use addr_recover::{Backend, DOUBTFUL, Estimate, NOISE, Search};

use super::args::{MachineArgs, RunArgs, Settings};
use super::report::{Report, Status};
use super::session::Session;
use super::settings::AskArgs;
use super::{Failure, counted, on_threads, print, read_address};

pub(crate) fn run(address: &[OsString], ask: AskArgs, machine: MachineArgs) -> Result<u8, Failure> {
    let run = RunArgs { machine, ..RunArgs::default() };
    let session = Session::new(Settings { ask, run, ..Settings::default() })?;
    let bytes = read_address(address)?;
    let begin = Instant::now();
    let (report, open) = session.question(None, &bytes);
    let Some(open) = open else {
        print::comment(&report);
        return Ok(report.status.exit_code());
    };
    // A search reads the text first.
    let set_up = begin.elapsed();
    let threads = session.run.machine.threads();
    let speed = on_threads(threads, || Search::new(&open.space).measure())?;
    let estimate = open.space.estimate();
    let time = set_up.saturating_add(estimate.duration(speed, threads));
    let mut lines = format!("address         {}\n", open.pattern.address());
    lines += &format!("candidates      {:.0}\n", estimate.candidates);
    for (version, names, candidates) in open.space.kinds() {
        let name = if names.is_empty() { format!("version {version}") } else { names.join(" or ") };
        lines += &format!("  {name:<30} {candidates:.0}\n");
    }
    show(&lines, &estimate, time, threads, None, &report)
}

/// Prints an estimate after some lines, and why not to search if it takes too long. Returns the
/// exit status.
pub(crate) fn show(
    lines: &str,
    estimate: &Estimate,
    time: Duration,
    threads: usize,
    too_long: Option<String>,
    report: &Report,
) -> Result<u8, Failure> {
    let expected = estimate.expected_by_chance;
    let (noun, nouns) = report.nouns();
    let (status, verdict) = match expected {
        _ if expected <= NOISE && too_long.is_some() => {
            (Status::Refused, too_long.unwrap_or_default())
        }
        0.0 => (Status::None, print::no_candidates(report)),
        _ if expected < print::NO_DOUBT => (
            Status::Unique,
            "worth a search: the checksum leaves no doubt that a single hit is right".to_owned(),
        ),
        _ if expected <= NOISE => {
            let worth = if expected < DOUBTFUL { "worth a search" } else { "doubtful" };
            let odds = print::ratio(1.0 / expected);
            (Status::Unique, format!("{worth}: the odds are {odds} that a single hit is right"))
        }
        _ => (Status::Refused, format!("noise: the checksum cannot tell the right {noun}")),
    };
    print::to_stdout(|stdout| {
        let time = print::time(time.as_secs_f64());
        let (backend, threads) = (Backend::detect().name(), counted(threads, "thread"));
        writeln!(stdout, "{lines}hashes          about {:.0}", estimate.hashes)?;
        writeln!(stdout, "time            {time} ({backend}, {threads})")?;
        writeln!(stdout, "by chance       {expected:.4} {nouns} expected to fit")?;
        writeln!(stdout, "verdict         {verdict}")
    })?;
    Ok(status.exit_code())
}
