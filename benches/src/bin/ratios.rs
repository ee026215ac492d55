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

use clap::Parser;
use hash_lanes::Backend;
use hashlanes_benches::harness::{Set, Shape, seconds};
use hashlanes_benches::machine;
use hashlanes_benches::record::Row;

/// Compares our backends with their rivals, interleaved in one process.
#[derive(Parser)]
struct Args {
    /// Measure only this set, operation or shape. May be given more than once.
    #[arg(long, value_name = "NAME")]
    shape: Vec<String>,

    /// Print the shapes of each set, and measure nothing.
    #[arg(long)]
    list: bool,

    /// Compare with this backend, instead of the fastest on this machine.
    #[arg(long, value_name = "NAME")]
    backend: Option<Backend>,

    /// Seconds for each shape; a small batch gets a quarter of that.
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,

    /// Only check what all candidates compute.
    #[arg(long, conflicts_with_all = ["seconds", "csv"])]
    check: bool,

    /// Write the measurements to this file.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    if let Some(backend) = args.backend {
        backend.set_default()?;
    }
    let shapes = Shape::chosen(&args.shape).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        std::process::exit(2);
    });

    if args.list {
        print_list(&shapes);
        return Ok(());
    }
    if args.check {
        shapes.iter().for_each(Shape::check);
        println!("{} shapes: all candidates are right", shapes.len());
        return Ok(());
    }

    let mut record = machine::empty_record();
    println!("{}, {}, {}", record.cpu, record.rustc, record.date);
    if cfg!(not(feature = "rivals")) {
        println!(
            "The only rivals are sha1, sha2, ripemd and sumhash; build with `--features rivals` \
             for more."
        );
    }

    let mut header = String::new();
    for shape in shapes {
        let rows = shape.measure(args.seconds);
        if shape.is_small() {
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

/// Prints the names of the shapes, a line for each set.
fn print_list(shapes: &[Shape]) {
    for set in Set::all() {
        let shapes = shapes.iter().filter(|shape| shape.set().is_some_and(|it| it == set));
        let names: Vec<String> = shapes.map(Shape::name).collect();
        if !names.is_empty() {
            println!("{}: {}", set.name, names.join(", "));
        }
    }
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
