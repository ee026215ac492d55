//! Times our backends and their rivals by turns in one process and prints how they compare.
//!
//! On a machine with other work, rows that are timed one after another cannot be compared: each
//! meets another load. Here the candidates of a shape take short turns, and the shortest turn of
//! each counts.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Parser, ValueEnum as _};
use hashlanes_benches::addr_recover;
use hashlanes_benches::batch::Input;
use hashlanes_benches::candidate::candidates;
use hashlanes_benches::interleave::interleave;
use hashlanes_benches::machine;
use hashlanes_benches::record::{Record, Row};
use hashlanes_benches::shape::{Set, Shape};
use hashlanes_benches::{sumhash, trees};

/// Times our backends and their rivals by turns and prints how they compare.
#[derive(Parser)]
struct Args {
    /// Only these: a set (of SHA-256: pairs, small, double, long, after-lanes; else sha1-long,
    /// -small, -single, ripemd160-digests, -small, -long, -single, hash160-keys, -small,
    /// -single, sumhash512; trees, tree-scaling; addr-recover), or an operation or a shape as
    /// it is named above its table. May be given more than once.
    #[arg(long, value_name = "NAME")]
    shape: Vec<String>,

    /// Seconds for each shape; a small batch gets a quarter of it.
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,

    /// Write the measurements here.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("not a number from 0 to 3600".to_owned()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let works = chosen(&args.shape);

    let mut record = Record {
        cpu: machine::cpu(),
        date: machine::today(),
        rustc: machine::rustc(),
        rows: Vec::new(),
    };
    println!("{}, {}, {}", record.cpu, record.rustc, record.date);
    if cfg!(not(feature = "rivals")) {
        println!(
            "Only sha1, sha2, ripemd and sumhash are compared with: built without `--features rivals`."
        );
    }

    let mut header = String::new();
    for work in works {
        let part = if work.is_small() { 0.25 } else { 1.0 };
        let rows = work.measure(Duration::from_secs_f64(args.seconds * part));
        if work.is_small() {
            print_line(&rows, &mut header);
        } else {
            header.clear();
            print_table(&rows);
        }
        record.rows.extend(rows);
    }

    if let Some(path) = args.csv {
        fs::write(&path, record.to_string())
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// What is measured in one table: batches for the hashes with lanes, messages for sumhash512, a
/// tree, or the search of addr-recover.
enum Work {
    Lanes(Shape),
    Sumhash512(sumhash::Shape),
    Tree(trees::Shape),
    AddrRecover,
}

impl Work {
    fn all() -> Vec<Self> {
        let lanes = Set::value_variants().iter().flat_map(|set| set.shapes()).map(Self::Lanes);
        let sumhash512 = sumhash::Shape::all().into_iter().map(Self::Sumhash512);
        let trees = trees::Shape::all().into_iter().map(Self::Tree);
        lanes.chain(sumhash512).chain(trees).chain([Self::AddrRecover]).collect()
    }

    /// The name of the set that it belongs to.
    fn set(&self) -> Option<String> {
        let name = |set: Option<PossibleValue>| set.map(|set| set.get_name().to_owned());
        match self {
            Self::Lanes(shape) => name(shape.set.to_possible_value()),
            Self::Sumhash512(_) => Some("sumhash512".to_owned()),
            Self::Tree(shape) => name(shape.set.to_possible_value()),
            Self::AddrRecover => Some("addr-recover".to_owned()),
        }
    }

    /// Whether it is one of many small batches, printed in a line.
    fn is_small(&self) -> bool {
        matches!(self, Self::Lanes(shape) if shape.set.is_small())
    }

    fn operation(&self) -> &str {
        match self {
            Self::Lanes(shape) => shape.operation.name(),
            Self::Sumhash512(shape) => shape.operation(),
            Self::Tree(shape) => shape.operation(),
            Self::AddrRecover => addr_recover::NAME,
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Lanes(shape) => shape.name(),
            Self::Sumhash512(shape) => shape.name(),
            Self::Tree(shape) => shape.name(),
            Self::AddrRecover => addr_recover::NAME.to_owned(),
        }
    }

    fn measure(&self, budget: Duration) -> Vec<Row> {
        match self {
            Self::Lanes(shape) => measure(shape, budget),
            Self::Sumhash512(shape) => sumhash::measure(shape, budget),
            Self::Tree(shape) => trees::measure(shape, budget),
            Self::AddrRecover => addr_recover::measure(budget),
        }
    }
}

/// The work of these names, or all; ends the program on a name that is none.
fn chosen(names: &[String]) -> Vec<Work> {
    let named = |work: &Work, name: &str| {
        work.set().is_some_and(|set| set == name) || work.operation() == name || work.name() == name
    };
    let mut all = Work::all();
    for name in names {
        if !all.iter().any(|work| named(work, name)) {
            let known: Vec<String> = all.iter().map(Work::name).collect();
            eprintln!("error: no shape is named {name:?}; there are:\n{}", known.join("\n"));
            std::process::exit(2);
        }
    }
    all.retain(|work| names.is_empty() || names.iter().any(|name| named(work, name)));
    all
}

fn measure(shape: &Shape, budget: Duration) -> Vec<Row> {
    let input = Input::new(shape.messages);
    let batch = input.batch();
    let mut candidates = candidates(shape);
    candidates.iter_mut().for_each(|candidate| candidate.check(&batch));

    let hashes: Vec<usize> =
        candidates.iter().map(|candidate| candidate.hashes_timed(&batch)).collect();
    let mut digests = candidates.first().map(|first| first.digests(&batch)).unwrap_or_default();
    let timings =
        interleave(&hashes, |at, calls| candidates[at].time(&batch, &mut digests, calls), budget);
    let row = |(candidate, timing): (_, hashlanes_benches::interleave::Timing)| {
        let candidate: &hashlanes_benches::candidate::Candidate = candidate;
        Row {
            shape: shape.name(),
            candidate: candidate.name.clone(),
            role: candidate.role.name().to_owned(),
            messages: batch.messages.len(),
            bytes: batch.bytes.len(),
            min_ns: timing.min,
            median_ns: timing.median,
        }
    };
    candidates.iter().zip(timings).map(row).collect()
}

/// The row of the backend that a user gets who names none.
fn auto(rows: &[Row]) -> &Row {
    rows.iter().find(|row| row.role == "auto").expect("the detected backend is an available one")
}

/// All candidates of a shape, one a line.
fn print_table(rows: &[Row]) {
    let auto = auto(rows);
    let mean = auto.bytes as f64 / auto.messages as f64;
    println!(
        "\n{}: calls of {} messages, on average of {mean:.0} bytes",
        auto.shape, auto.messages
    );
    println!(
        "  {:<42} {:>11} {:>11} {:>7} {:>9}",
        "ns per message", "min", "median", "GB/s", "auto/this"
    );
    for row in rows {
        println!(
            "  {:<42} {:>11.1} {:>11.1} {:>7.2} {:>9.3}",
            named(row),
            row.min_ns,
            row.median_ns,
            row.gb_per_s(),
            auto.min_ns / row.min_ns
        );
    }
}

/// All candidates of a shape in one line, under a header when that is not the one printed last.
fn print_line(rows: &[Row], header: &mut String) {
    let auto = auto(rows);
    let (operation, _) = auto.shape.split_once('/').unwrap_or_default();
    let mut names = format!(
        "{operation} of {}-byte messages: min ns per message\n   n",
        auto.bytes / auto.messages
    );
    let mut line = format!("{:>4}", auto.messages);
    for row in rows {
        let name = named(row);
        let width = name.len().max(6);
        // Writing to a string cannot fail.
        let _ = write!(names, " {name:>width$}");
        let _ = write!(line, " {:>width$.1}", row.min_ns);
    }
    if names != *header {
        println!("\n{names}");
        *header = names;
    }
    println!("{line}");
}

fn named(row: &Row) -> String {
    if row.role == "auto" { format!("{} (auto)", row.candidate) } else { row.candidate.clone() }
}
