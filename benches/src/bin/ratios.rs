//! Compares our backends with their rivals, interleaved in one process.
//!
//! On a machine with other work, rows timed one after another cannot be compared, because the load
//! changes between them. Here the candidates of a shape take short turns, and the shortest turn of
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

/// Compares our backends with their rivals, interleaved in one process.
#[derive(Parser)]
struct Args {
    /// Measure only this set, operation or shape. May be given more than once.
    ///
    /// The sets are: pairs, small, double, long, after-lanes (SHA-256); sha1-long, sha1-small,
    /// sha1-single; ripemd160-digests, ripemd160-small, ripemd160-long, ripemd160-single;
    /// hash160-keys, hash160-small, hash160-single; pbkdf2; sumhash512; trees, tree-scaling;
    /// addr-recover. Operations and shapes are named as above their tables.
    #[arg(long, value_name = "NAME")]
    shape: Vec<String>,

    /// Seconds for each shape; a small batch gets a quarter of that.
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,

    /// Write the measurements to this file.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number from 0 to 3600".to_owned()),
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
            "The only rivals are sha1, sha2, ripemd and sumhash; build with `--features rivals` \
             for more."
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

/// The workload of one table.
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

    /// The name of its set.
    fn set(&self) -> Option<String> {
        let name = |set: Option<PossibleValue>| set.map(|set| set.get_name().to_owned());
        match self {
            Self::Lanes(shape) => name(shape.set.to_possible_value()),
            Self::Sumhash512(_) => Some("sumhash512".to_owned()),
            Self::Tree(shape) => name(shape.set.to_possible_value()),
            Self::AddrRecover => Some("addr-recover".to_owned()),
        }
    }

    /// Whether it is one of many small batches, printed on one line.
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

/// The work with these names, or all work without names. Exits the program on an unknown name.
fn chosen(names: &[String]) -> Vec<Work> {
    let named = |work: &Work, name: &str| {
        work.set().is_some_and(|set| set == name) || work.operation() == name || work.name() == name
    };
    let mut all = Work::all();
    for name in names {
        if !all.iter().any(|work| named(work, name)) {
            let known: Vec<String> = all.iter().map(Work::name).collect();
            eprintln!("error: unknown shape {name:?}; the shapes are:\n{}", known.join("\n"));
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

/// The row of the default backend.
fn auto(rows: &[Row]) -> &Row {
    rows.iter().find(|row| row.role == "auto").expect("the detected backend is available")
}

/// Prints all candidates of a shape, one per line.
fn print_table(rows: &[Row]) {
    let auto = auto(rows);
    let mean = auto.bytes as f64 / auto.messages as f64;
    println!("\n{}: {} messages per call, {mean:.0} bytes on average", auto.shape, auto.messages);
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

/// Prints all candidates of a shape on one line, below a header if the candidates changed.
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
