//! Writes records as Markdown.

use std::fmt::Write as _;

use crate::record::{Record, Row};

/// The rows of the README's table: work and shape.
const README_ROWS: [(&str, &str); 6] = [
    ("SHA-256, 4096 nodes of 64 bytes, each", "hash_pairs/4096"),
    ("SHA-256, a single node", "hash_pairs/small-1"),
    ("SHA-1, 256 pieces of 256 KiB, each", "sha1_many/256x256KiB"),
    ("HASH160, 4096 keys of 33 bytes, each", "hash160_many/4096x33B"),
    ("sumhash512, 600 bytes", "sumhash512_digest/1x600B"),
    ("SSZ root of 2^20 chunks, each", "ssz_root/2^20"),
];

/// What users of CPUs without AVX-512 get, the better one first. sumhash512 has no SHA.
const WITHOUT_AVX512: [&str; 2] = ["avx2+sha", "avx2"];

const BEGIN: &str = "<!-- record: ";
const END: &str = "<!-- end of record -->";

/// Replaces what is between the markers of `readme` by a chart and the table of this record.
/// Returns `None` if there are no markers.
#[must_use]
pub fn rewrite_readme(readme: &str, stem: &str, record: &Record) -> Option<String> {
    let (before, rest) = readme.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    let table = table(record, README_ROWS);
    let (cpu, date, compiler) = (&record.cpu, &record.date, record.compiler());
    Some(format!(
        "{before}{BEGIN}{stem} -->\n![root of 2^20 leaves, ns per leaf]\
         (benches/results/{stem}-root.svg)\n\nOne thread, {cpu}, {compiler}, {date}:\n\n{table}\n\
         [All rows and charts](benches/results/{stem}.md).\n{END}{after}"
    ))
}

/// The name of the record that `readme` shows.
#[must_use]
pub fn record_of_readme(readme: &str) -> Option<&str> {
    readme.split_once(BEGIN)?.1.split_once(" -->").map(|(stem, _)| stem)
}

/// A page with the charts and a table of all shapes but the small batches.
#[must_use]
pub fn page(stem: &str, record: &Record, charts: &[(&str, String)]) -> String {
    let mut text = format!(
        "# {}\n\nOne thread, {}, {}, the shortest of many interleaved turns in one run. The \
         [record]({stem}.csv) also has all backends, rivals and small batches.\n\n",
        record.cpu,
        record.compiler(),
        record.date,
    );
    for (title, file) in charts {
        writeln!(text, "![{title}]({file})\n").expect("strings can be written to");
    }
    let mut shapes: Vec<&str> = Vec::new();
    for row in &record.rows {
        let shape = row.shape.as_str();
        let one_of_many = shape.contains("/small-") || shape.contains("/scaling-");
        if !one_of_many && shapes.last() != Some(&shape) {
            shapes.push(shape);
        }
    }
    text + &table(record, shapes.into_iter().map(|shape| (shape, shape)))
}

/// A table of the shapes that the record has. The shortest time is bold.
fn table<'a>(record: &Record, rows: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = "| | ours | ours without AVX-512 | fastest rival | ours / rival |\n\
                    |---|---|---|---|---|\n"
        .to_owned();
    for (work, shape) in rows {
        let of_shape = || record.rows.iter().filter(|row| row.shape == shape);
        let Some(ours) = of_shape().find(|row| row.role == "auto") else { continue };
        let without = WITHOUT_AVX512.iter().find_map(|name| {
            of_shape().find(|row| row.role == "backend" && row.candidate == *name)
        });
        let rivals = of_shape().filter(|row| row.role == "rival");
        let rival = rivals.min_by(|a, b| a.min_ns.total_cmp(&b.min_ns));

        let wins = rival.is_none_or(|rival| ours.min_ns <= rival.min_ns);
        let without = without.map_or("–".to_owned(), |row| time(row.min_ns));
        let (name, ratio) = match rival {
            Some(rival) => (named(rival, !wins), format!("{:.2}", ours.min_ns / rival.min_ns)),
            None => ("–".to_owned(), "–".to_owned()),
        };
        let ours = bold_if(wins, &time(ours.min_ns));
        writeln!(text, "| {work} | {ours} | {without} | {name} | {ratio} |")
            .expect("strings can be written to");
    }
    text
}

fn named(rival: &Row, bold: bool) -> String {
    format!("{}, {}", bold_if(bold, &time(rival.min_ns)), rival.candidate)
}

fn bold_if(bold: bool, text: &str) -> String {
    if bold { format!("**{text}**") } else { text.to_owned() }
}

/// Three digits and a unit.
fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        _ => (ns / 1e6, "ms"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn times_have_three_digits() {
        for (ns, expected) in [
            (4.256, "4.26 ns"),
            (42.56, "42.6 ns"),
            (425.6, "426 ns"),
            (4_256.0, "4.26 µs"),
            (4_256_000.0, "4.26 ms"),
        ] {
            assert_eq!(time(ns), expected);
        }
    }

    #[test]
    fn the_readme_and_the_page_show_their_record() {
        let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
        let readme = fs::read_to_string(benches.join("../README.md")).unwrap();
        let stem = record_of_readme(&readme).expect("the README has the markers");
        let results = benches.join("results");
        let record = fs::read_to_string(results.join(format!("{stem}.csv"))).unwrap();
        let record = record.parse().unwrap();
        assert_eq!(rewrite_readme(&readme, stem, &record).as_ref(), Some(&readme));

        let shown = fs::read_to_string(results.join(format!("{stem}.md"))).unwrap();
        assert!(shown.ends_with(&page(stem, &record, &[]).split_once("\n\n|").unwrap().1));
    }
}
