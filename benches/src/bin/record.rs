//! Measures every set, and writes the record, its page, the chart, and the tables of the READMEs.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use hashlanes_benches::harness::{Shape, seconds};
use hashlanes_benches::record::Record;
use hashlanes_benches::{chart, machine, report};

/// Measures every set, and writes the record, its page, the chart, and the tables of the READMEs.
///
/// The files are benches/results/DATE-NAME.csv and .md. The chart shows the records of all CPUs.
#[derive(Parser)]
struct Args {
    /// The CPU's name in the files' names, such as `amd-zen4`.
    #[arg(long, required_unless_present = "from", value_parser = name)]
    name: Option<String>,

    /// Seconds for each shape; a small batch gets a quarter of that.
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,

    /// Measure nothing; draw what this file records.
    #[arg(long, value_name = "CSV", conflicts_with_all = ["name", "seconds"])]
    from: Option<PathBuf>,

    /// Leave the READMEs as they are.
    #[arg(long)]
    keep_readme: bool,
}

fn name(text: &str) -> Result<String, String> {
    let valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if text.is_empty() || !text.chars().all(valid) {
        return Err("expected lower-case letters, digits and hyphens".to_owned());
    }
    Ok(text.to_owned())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    let results = benches.join("results");
    if args.name.is_some() && !args.keep_readme && cfg!(not(feature = "rivals")) {
        return Err(
            "the READMEs show rivals: build with `--features rivals`, or --keep-readme".into()
        );
    }
    let (stem, record) = match (&args.name, &args.from) {
        (Some(name), _) => {
            let record = measure(args.seconds);
            let stem = format!("{}-{name}", record.date);
            let path = results.join(format!("{stem}.csv"));
            write(&path, &record.to_string())?;
            // With the digits of the file, so that all figures are the same.
            (stem, Record::read(&path)?)
        }
        (None, Some(path)) => {
            let stem = path.file_stem().unwrap_or_default().display().to_string();
            (stem, Record::read(path)?)
        }
        (None, None) => unreachable!("clap requires one of them"),
    };

    write(&results.join(format!("{stem}.md")), &report::page(&stem, &record))?;
    let all = Record::all(&results)?;
    write(&results.join(chart::FILE), &chart::draw(&all))?;
    if !args.keep_readme {
        let rewrite = |name, new: &dyn Fn(&str) -> Option<String>| -> Result<(), Box<dyn Error>> {
            let path = benches.join("..").join(name);
            let readme = new(&fs::read_to_string(&path)?);
            let readme = readme.ok_or_else(|| format!("{name} has no markers of a record"))?;
            Ok(write(&path, &readme)?)
        };
        rewrite(report::ROOT, &|readme| report::rewrite_root(readme, &all))?;
        for (name, rows) in report::READMES {
            rewrite(name, &|readme| report::rewrite_readme(rows, readme, &stem, &record))?;
        }
    }
    Ok(())
}

fn measure(seconds: f64) -> Record {
    let mut record = machine::empty_record();
    println!("{}, {}, {}", record.cpu, record.rustc, record.date);
    for shape in Shape::all() {
        println!("{}", shape.name());
        record.rows.extend(shape.measure(seconds));
    }
    record
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    println!("{}", path.display());
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
