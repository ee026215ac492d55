//! What a search would cost, and what its answer would be worth: `--estimate` and `key --estimate`.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use addr_recover::{Backend, Certainty, Estimate, Evidence, Limits, NOISE, Search};
use console::Term;
use serde::Serialize;

use super::args::{MachineArgs, RunArgs, Settings};
use super::report::{Report, SCHEMA, SECRET, Status};
use super::session::Session;
use super::settings::AskArgs;
use super::{Failure, counted, on_threads, print, read_address, wrapped};

/// The width of the names of figures.
const NAMES: usize = 16;

/// The object that is printed as JSON.
#[derive(Serialize)]
struct EstimateObject<'a> {
    schema: u32,
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<&'a str>,
    estimate: Figures,
}

#[derive(Serialize)]
struct Figures {
    candidates: String,
    kinds: Vec<KindFigures>,
    hashes: f64,
    seconds: f64,
    threads: usize,
    backend: &'static str,
    expected_by_chance: f64,
    /// That of a single hit; `none` without candidates, and `noise` if the search is refused.
    certainty: &'static str,
    probability: f64,
    /// What damage that nobody described may take, if nothing is found.
    ladder: LadderFigures,
}

#[derive(Serialize)]
struct KindFigures {
    version: String,
    kinds: Vec<&'static str>,
    candidates: String,
}

#[derive(Serialize)]
struct LadderFigures {
    hashes: f64,
    seconds: f64,
}

pub(crate) fn run(
    address: &[OsString],
    ask: AskArgs,
    machine: MachineArgs,
    is_json: bool,
) -> Result<u8, Failure> {
    let run = RunArgs { machine, ..RunArgs::default() };
    let session = Session::new(Settings { ask, run, ..Settings::default() })?;
    let bytes = read_address(address)?;
    let begin = Instant::now();
    let (report, open) = session.question(None, &String::from_utf8_lossy(&bytes));
    let Some(open) = open else {
        if is_json {
            print::object(&report)?;
        } else {
            print::comment(&report);
        }
        return Ok(report.status.exit_code());
    };
    // A search reads the text first.
    let set_up = begin.elapsed();
    let threads = session.run.machine.threads();
    let speed = on_threads(threads, || Search::new(&open.space).measure())?;
    let estimate = open.space.estimate();
    let time = set_up.saturating_add(estimate.duration(speed, threads));
    let ladder = Estimate { hashes: Limits::new().hashes_left(), ..estimate };
    let of_ladder = Some(ladder.duration(speed, threads)).filter(|time| !time.is_zero());
    let kinds = open.space.kinds();
    let (status, certainty, _) = verdict(&estimate, &report);
    if is_json {
        let kind = |(version, kinds, candidates): &(_, Vec<_>, f64)| KindFigures {
            version: format!("{version}"),
            kinds: kinds.clone(),
            candidates: format!("{candidates:.0}"),
        };
        print::object(&EstimateObject {
            schema: SCHEMA,
            input: &report.input,
            read: report.read.as_deref(),
            estimate: Figures {
                candidates: format!("{:.0}", estimate.candidates),
                kinds: kinds.iter().map(kind).collect(),
                hashes: estimate.hashes,
                seconds: time.as_secs_f64(),
                threads,
                backend: Backend::detect().name(),
                expected_by_chance: estimate.expected_by_chance,
                certainty,
                probability: evidence(&estimate).probability(),
                ladder: LadderFigures {
                    hashes: ladder.hashes,
                    seconds: of_ladder.unwrap_or_default().as_secs_f64(),
                },
            },
        })?;
        return Ok(status.exit_code());
    }
    let address = if report.input == SECRET { SECRET } else { open.pattern.address() };
    let mut lines = format!("address         {address}\n");
    lines += &format!("candidates      {:.0}\n", estimate.candidates);
    for (version, names, candidates) in kinds {
        let name = if names.is_empty() { format!("version {version}") } else { names.join(" or ") };
        lines += &format!("  {name:<30} {candidates:.0}\n");
    }
    let verdict = verdict(&estimate, &report);
    show_all(&lines, &estimate, time, of_ladder, threads, verdict, &report)
}

/// The evidence of a single hit.
fn evidence(estimate: &Estimate) -> Evidence {
    let expected_by_chance = estimate.expected_by_chance;
    Evidence { hits: 1, expected_by_chance, likelihood: 1.0 }
}

/// The exit status, one word, and a sentence on what an answer would be worth.
fn verdict(estimate: &Estimate, report: &Report) -> (Status, &'static str, String) {
    let (noun, _) = report.nouns();
    let evidence = evidence(estimate);
    let certainty = evidence.certainty();
    match estimate.expected_by_chance {
        0.0 => (Status::None, "none", print::no_candidates(report)),
        expected if expected > NOISE => {
            let why = format!("noise: the checksum cannot tell the right {noun}");
            (Status::Refused, "noise", why)
        }
        _ => {
            let worth =
                if certainty == Certainty::Uncertain { "doubtful" } else { "worth a search" };
            let right = print::percentage(&evidence);
            let why = format!("{worth}: a single hit is {}, right with {right}", certainty.name());
            (Status::Unique, certainty.name(), why)
        }
    }
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
    let has_address = report.key.as_ref().is_some_and(|key| key.address.is_some());
    let verdict = match too_long {
        Some(why) if estimate.expected_by_chance <= NOISE || has_address => {
            (Status::Refused, "refused", why)
        }
        _ => verdict(estimate, report),
    };
    show_all(lines, estimate, time, None, threads, verdict, report)
}

fn show_all(
    lines: &str,
    estimate: &Estimate,
    time: Duration,
    of_ladder: Option<Duration>,
    threads: usize,
    (status, _, verdict): (Status, &'static str, String),
    report: &Report,
) -> Result<u8, Failure> {
    let (_, nouns) = report.nouns();
    let (time, expected) = (print::time(time.as_secs_f64()), estimate.expected_by_chance);
    let (backend, threads) = (Backend::detect().name(), counted(threads, "thread"));
    let mut figures = vec![
        ("hashes", format!("about {:.0}", estimate.hashes)),
        ("time", format!("{time} ({backend}, {threads})")),
        ("by chance", format!("{expected:.4} {nouns} expected to fit")),
        ("verdict", verdict),
    ];
    if status != Status::Refused {
        let most = Limits::new().hashes_left();
        let more = of_ladder
            .map_or(String::new(), |time| format!(", about {}", print::time(time.as_secs_f64())));
        let then = format!(
            "likely damage is tried, unless --exact: at most 2^{} hashes{more}",
            most.log2()
        );
        figures.push(("if none fits", then));
    }
    let stdout = io::stdout();
    let columns = Term::stdout().size_checked().filter(|_| stdout.is_terminal());
    let columns = columns.map(|(_, columns)| usize::from(columns).saturating_sub(NAMES).max(1));
    print::to_stdout(|stdout| {
        write!(stdout, "{lines}")?;
        for (name, figure) in figures {
            let figure = wrapped(&figure, columns).replace('\n', &format!("\n{:NAMES$}", ""));
            writeln!(stdout, "{name:<NAMES$}{figure}")?;
        }
        Ok(())
    })?;
    Ok(status.exit_code())
}
