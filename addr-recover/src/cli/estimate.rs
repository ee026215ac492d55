//! `addr-recover estimate`: what a search would cost, and what its answer would be worth.

use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

use addr_recover::{Backend, DOUBTFUL, NOISE, Search};

use super::args::{AskArgs, MachineArgs, RunArgs, SearchArgs};
use super::ask::Asked;
use super::report::{self, Status};
use super::session::Session;
use super::{Failure, counted, on_threads, print, read_address};

pub(crate) fn run(address: &[OsString], ask: AskArgs, machine: MachineArgs) -> Result<u8, Failure> {
    let (search, run) = (SearchArgs::default(), RunArgs { machine, ..RunArgs::default() });
    let session = Session::new(false, ask, search, run, Vec::new())?;
    let machine = &session.run.machine;
    let bytes = read_address(address)?;
    if let Asked::Answered(report) = session.question(None, &bytes)
        && report.status != Status::Refused
    {
        print::comment(&report, machine.quiet);
        return Ok(report.exit_code());
    }
    let begin = Instant::now();
    let (pattern, space) = session.read(&bytes)?;
    let estimate = space.estimate();
    // A search builds the space and counts its hashes first.
    let set_up = begin.elapsed();
    let threads = machine.threads();
    let speed = on_threads(threads, || Ok(Search::new(&space).measure()))?;
    let time = set_up.saturating_add(estimate.duration(speed, threads));
    let expected = estimate.expected_by_chance();
    let verdict = Verdict::of(expected);
    let mut kinds = String::new();
    for (version, names, candidates) in space.kinds() {
        let name = if names.is_empty() { format!("version {version}") } else { names.join(" or ") };
        kinds += &format!("  {name:<30} {candidates:.0}\n");
    }
    let (places, length) = (pattern.ambiguous_places(), pattern.length());
    let lines = lines(&estimate.candidates(), &kinds, estimate.hashes(), time, threads);
    print::to_stdout(|stdout| {
        writeln!(stdout, "address         {}", pattern.address())?;
        writeln!(stdout, "ambiguous       {places} of {length} characters")?;
        writeln!(stdout, "{lines}{}", conclusion(verdict, expected, "address"))
    })
    .map(|()| verdict.exit_code())
}

/// The lines on what a search costs. `kinds` are the lines on the candidates of each kind.
pub(crate) fn lines(
    candidates: &str,
    kinds: &str,
    hashes: f64,
    time: Duration,
    threads: usize,
) -> String {
    let (time, backend) = (print::time(time.as_secs_f64()), Backend::detect().name());
    let threads = counted(threads, "thread");
    format!(
        "candidates      {candidates}\n{kinds}hashes          about {hashes:.0}\n\
         time            {time} ({backend}, {threads})\n"
    )
}

/// The lines on what the answer is worth. What is wanted is an `address` or a `key`.
pub(crate) fn conclusion(verdict: Verdict, expected: f64, noun: &str) -> String {
    let nouns = if noun == "key" { "keys" } else { "addresses" };
    format!(
        "by chance       {expected:.4} {nouns} expected to fit\n\
         verdict         {}",
        verdict.sentence(expected, noun)
    )
}

/// Whether to search.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    None,
    Worthwhile,
    Doubtful,
    Noise,
}

impl Verdict {
    /// The verdict on a search with this number of hits expected by chance.
    pub(crate) fn of(expected: f64) -> Self {
        match expected {
            0.0 => Self::None,
            expected if expected <= DOUBTFUL => Self::Worthwhile,
            expected if expected <= NOISE => Self::Doubtful,
            _ => Self::Noise,
        }
    }

    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Worthwhile | Self::Doubtful => 0,
            Self::None => report::NONE,
            Self::Noise => report::REFUSED,
        }
    }

    /// What is wanted is an `address` or a `key`.
    pub(crate) fn sentence(self, expected: f64, what: &str) -> String {
        match self {
            Self::None => print::no_candidates(what),
            Self::Worthwhile if expected < print::NO_DOUBT => {
                "worth a search: the checksum leaves no doubt that a single hit is right".to_owned()
            }
            Self::Worthwhile => format!(
                "worth a search: the odds are {:.0} to 1 that a single hit is right",
                1.0 / expected
            ),
            Self::Doubtful => "doubtful: a hit may well fit by chance".to_owned(),
            Self::Noise => format!(
                "noise: the checksum cannot tell the right {what} from those that fit by chance"
            ),
        }
    }
}
