//! What a search would cost, and what its answer would be worth: `--estimate` and `key --estimate`.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::iter::repeat;
use std::time::{Duration, Instant};

use addr_recover::{Backend, Certainty, Estimate, Evidence, Limits, NOISE, Skipped, Version};
use console::Term;
use serde::Serialize;

use super::args::{MachineArgs, SearchArgs};
use super::ask::Asker;
use super::climb::RungCost;
use super::report::{Report, SCHEMA, SECRET, Status};
use super::settings::AskArgs;
use super::terminal::{Failure, counted, on_threads, wrapped};
use super::{input, print};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
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
    machine: &MachineArgs,
    is_json: bool,
) -> Result<u8, Failure> {
    machine.apply()?;
    let asker = Asker::new(ask, SearchArgs::default()).prepared()?;
    let text = input::read_address(address)?;
    let begin = Instant::now();
    let (report, open) = asker.question(None, &text);
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
    let threads = machine.threads();
    let speed = on_threads(threads, || open.question.space.measure())?;
    let estimate = open.question.estimate;
    let time = set_up.saturating_add(estimate.duration(speed, threads));
    let ladder = Estimate { hashes: Limits::new().hashes_left(), ..estimate };
    let of_ladder = Some(ladder.duration(speed, threads)).filter(|time| !time.is_zero());
    let kinds = open.question.space.kinds();
    let (status, certainty, _) = verdict(&estimate, &report);
    if is_json {
        let kind = |(version, kinds, candidates): &(Option<Version>, Vec<&'static str>, f64)| {
            KindFigures {
                version: version.map(|version| version.to_string()),
                kinds: kinds.clone(),
                candidates: format!("{candidates:.0}"),
            }
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
    let rungs = open.rungs(speed, threads);
    let text = &open.question.text;
    let address = if *report.input == SECRET { SECRET } else { text };
    let mut lines = format!("address         {address}\n");
    lines += &format!("candidates      {:.0}\n", estimate.candidates);
    for (version, names, candidates) in kinds {
        let name = match version {
            Some(version) if names.is_empty() => format!("version {version}"),
            _ => names.join(" or "),
        };
        lines += &format!("  {name:<30} {candidates:.0}\n");
    }
    let mut verdict = verdict(&estimate, &report);
    // Its checksum is wrong, or there would be nothing to estimate.
    if !rungs.is_empty() && estimate.candidates <= 1.0 {
        verdict.2 = "not an address as written".to_owned();
    }
    let then = if rungs.is_empty() { Then::AtMost(of_ladder) } else { Then::Rungs(rungs) };
    show_all(&lines, &estimate, time, &then, threads, verdict, &report)
}

/// What is tried if nothing is found.
enum Then {
    /// Likely damage, which takes at most this long.
    AtMost(Option<Duration>),
    /// Each of these.
    Rungs(Vec<RungCost>),
}

fn in_words(rung: &RungCost) -> String {
    let &RungCost { name, candidates, expected_by_chance, time, skipped } = rung;
    let skipped = match skipped {
        None => "",
        Some(Skipped::Noise) => ": skipped, too many",
        Some(Skipped::Long) => ": skipped, too long",
    };
    let (by_chance, time) = (print::few(expected_by_chance), print::time(time.as_secs_f64()));
    format!("{name}: {candidates:.0} candidates, {time}, {by_chance} by chance{skipped}")
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
        0.0 => (Status::None, "none", report.note.clone().unwrap_or_default()),
        expected if expected > NOISE => {
            let why = format!("noise: the checksum cannot tell the right {noun}");
            (Status::Refused, "noise", why)
        }
        _ => {
            let worth =
                if certainty == Certainty::Uncertain { "doubtful" } else { "worth a search" };
            let why = format!("{worth}: a single hit is {}", evidence.rating());
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
    let verdict =
        too_long.map_or_else(|| verdict(estimate, report), |why| (Status::Refused, "refused", why));
    show_all(lines, estimate, time, &Then::AtMost(None), threads, verdict, report)
}

fn show_all(
    lines: &str,
    estimate: &Estimate,
    time: Duration,
    then: &Then,
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
    match then {
        _ if status == Status::Refused => {}
        Then::AtMost(time) => {
            let most = Limits::new().hashes_left();
            let more = time.map_or(String::new(), |time| {
                format!(", about {}", print::time(time.as_secs_f64()))
            });
            let then = format!(
                "likely damage is tried, unless --exact: at most 2^{} hashes{more}",
                most.log2()
            );
            figures.push(("if none fits", then));
        }
        Then::Rungs(rungs) => {
            let names = ["if none fits"].into_iter().chain(repeat(""));
            figures.extend(names.zip(rungs.iter().map(in_words)));
        }
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
