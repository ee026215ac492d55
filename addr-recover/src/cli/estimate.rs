//! What a search would cost, and what its answer would be worth: `estimate` and `key --estimate`.

use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

use addr_recover::{Backend, Estimate, Search};

use super::args::{MachineArgs, RunArgs, Settings};
use super::report::{Report, Status, Worth};
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
        return Ok(report.exit_code());
    };
    // A search reads the text first.
    let set_up = begin.elapsed();
    let threads = session.run.machine.threads();
    let speed = on_threads(threads, || Search::new(&open.space).measure())?;
    let time = set_up.saturating_add(open.estimate.duration(speed, threads));
    let (places, length) = (open.pattern.ambiguous_places(), open.pattern.length());
    let mut lines = format!(
        "address         {}\nambiguous       {places} of {length} characters\n",
        open.pattern.address()
    );
    lines += &format!("candidates      {}\n", open.estimate.candidates());
    for (version, names, candidates) in open.space.kinds() {
        let name = if names.is_empty() { format!("version {version}") } else { names.join(" or ") };
        lines += &format!("  {name:<30} {candidates:.0}\n");
    }
    show(&lines, &open.estimate, time, threads, &report)
}

/// Prints an estimate after some lines, and returns the exit status.
pub(crate) fn show(
    lines: &str,
    estimate: &Estimate,
    time: Duration,
    threads: usize,
    report: &Report,
) -> Result<u8, Failure> {
    let expected = estimate.expected_by_chance();
    let (worth, (noun, nouns)) = (Worth::of(expected), report.nouns());
    let verdict = match worth {
        Worth::Nothing => print::no_candidates(noun),
        Worth::Certain if expected < print::NO_DOUBT => {
            "worth a search: the checksum leaves no doubt that a single hit is right".to_owned()
        }
        Worth::Certain => format!(
            "worth a search: the odds are {:.0} to 1 that a single hit is right",
            1.0 / expected
        ),
        Worth::Doubtful => "doubtful: a hit may well fit by chance".to_owned(),
        Worth::Noise => format!(
            "noise: the checksum cannot tell the right {noun} from those that fit by chance"
        ),
    };
    print::to_stdout(|stdout| {
        let time = print::time(time.as_secs_f64());
        let (backend, threads) = (Backend::detect().name(), counted(threads, "thread"));
        writeln!(stdout, "{lines}hashes          about {:.0}", estimate.hashes())?;
        writeln!(stdout, "time            {time} ({backend}, {threads})")?;
        writeln!(stdout, "by chance       {expected:.4} {nouns} expected to fit")?;
        writeln!(stdout, "verdict         {verdict}")
    })?;
    Ok(match worth {
        Worth::Certain | Worth::Doubtful => 0,
        Worth::Nothing => Status::None.exit_code(),
        Worth::Noise => Status::Refused.exit_code(),
    })
}
