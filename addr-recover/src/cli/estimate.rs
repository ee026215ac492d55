//! `addr-recover estimate`: what a search would cost, and what its answer would be worth.

use std::ffi::OsString;
use std::io::Write;
use std::time::Instant;

use addr_recover::{Backend, DOUBTFUL, NOISE, Search, Version};
use serde_json::{Value, json};

use super::args::{CommonArgs, RunArgs};
use super::print::Form;
use super::report::{self, Report, SCHEMA};
use super::session::Session;
use super::settings::DamageArgs;
use super::{Failure, counted, on_threads, other, print, read_address, threads};

pub(crate) fn run(
    address: &[OsString],
    damage: DamageArgs,
    common: CommonArgs,
) -> Result<u8, Failure> {
    let run = RunArgs { common, ..RunArgs::default() };
    let session = Session::new(false, damage, run, Vec::new())?;
    let run = &session.run.common;
    let bytes = read_address(address)?;
    let begin = Instant::now();
    let (pattern, space) = match session.read(&bytes) {
        Ok(read) => read,
        Err(error) => {
            let input = String::from_utf8_lossy(&bytes);
            let report = other::report(None, &input, &session.damage)
                .unwrap_or_else(|| Report::malformed(None, &input, &error));
            if run.json {
                print::print(&report, Form::Json)?;
            }
            if !(run.json && run.quiet) {
                print::comment(&report, run.quiet);
            }
            return Ok(report.exit_code());
        }
    };
    let estimate = space.estimate();
    // A search builds the space and counts its hashes first.
    let set_up = begin.elapsed();
    let threads = threads(run.threads, run.quiet);
    let speed = on_threads(threads, || Ok(Search::new(&space).measure()))?;
    let seconds = set_up.saturating_add(estimate.duration(speed, threads)).as_secs_f64();
    let verdict = if session.undamaged(&pattern).is_some() {
        Verdict::Valid
    } else if !session.known_answers(&space).is_empty() {
        Verdict::Known
    } else {
        Verdict::of(estimate.expected_by_chance())
    };
    if run.json {
        let kind = |(version, names, candidates): &(Version, Vec<&str>, f64)| {
            json!({
                "version": version.to_string(),
                "kinds": names,
                "candidates": integer(*candidates),
            })
        };
        let report = json!({
            "schema": SCHEMA,
            "input": pattern.as_str(),
            "read": pattern.address(),
            "status": "estimate",
            "verdict": verdict.name(),
            "ambiguous_places": pattern.ambiguous_places(),
            "candidates": estimate.candidates(),
            "hashes": integer(estimate.hashes()),
            "seconds": seconds,
            "threads": threads,
            "nanoseconds_per_hash": speed.nanoseconds(),
            "backend": Backend::detect().name(),
            "expected_by_chance": estimate.expected_by_chance(),
            "versions": space.kinds().iter().map(kind).collect::<Vec<_>>(),
        });
        return print::object(&report).map(|()| verdict.exit_code());
    }
    let mut lines = vec![
        format!("address         {}", pattern.address()),
        format!(
            "ambiguous       {} of {} characters",
            pattern.ambiguous_places(),
            pattern.length()
        ),
        format!("candidates      {}", estimate.candidates()),
    ];
    for (version, names, candidates) in space.kinds() {
        let name = if names.is_empty() { format!("version {version}") } else { names.join(" or ") };
        lines.push(format!("  {name:<30} {candidates:.0}"));
    }
    lines.extend([
        format!("hashes          about {:.0}", estimate.hashes()),
        format!(
            "time            {} ({:.1} ns per hash with {}, {})",
            print::time(seconds),
            speed.nanoseconds(),
            Backend::detect().name(),
            counted(threads, "thread")
        ),
        format!("by chance       {:.4} addresses expected to fit", estimate.expected_by_chance()),
        format!("verdict         {}", verdict.sentence(estimate.expected_by_chance(), "address")),
    ]);
    print::to_stdout(|stdout| writeln!(stdout, "{}", lines.join("\n")))
        .map(|()| verdict.exit_code())
}

/// The integer next to a number, in a string if it is not exact in JSON.
fn integer(number: f64) -> Value {
    let number = number.round();
    if number < 2_f64.powi(53) { json!(number as u64) } else { json!(format!("{number}")) }
}

/// Whether to search.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    Valid,
    Known,
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

    fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Known => "known",
            Self::None => "none",
            Self::Worthwhile => "worthwhile",
            Self::Doubtful => "doubtful",
            Self::Noise => "noise",
        }
    }

    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Valid | Self::Known | Self::Worthwhile | Self::Doubtful => 0,
            Self::None => report::NONE,
            Self::Noise => report::REFUSED,
        }
    }

    /// What is wanted is an `address` or a `key`.
    pub(crate) fn sentence(self, expected: f64, what: &str) -> String {
        match self {
            Self::Valid => format!("already a valid {what}: no search is needed"),
            Self::Known => "in the list of known addresses: no search is needed".to_owned(),
            Self::None => {
                format!("no {what} of these kinds has this length and these first characters")
            }
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
