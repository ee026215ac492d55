//! Writes records as Markdown.

use std::fmt::Write as _;

use crate::record::{Record, Row};
use crate::{chart, machine};

/// The rows of the README's table: work and shape.
const README_ROWS: [(&str, &str); 7] = [
    ("SHA-256, `digest_many` of 1000 messages of 32 bytes, each", "digest_many/1000x32B"),
    ("SHA-256, 4096 nodes of 64 bytes, each", "hash_pairs/4096"),
    ("SHA-256, a single node", "hash_pairs/small-1"),
    ("SHA-1, 256 pieces of 256 KiB, each", "sha1_many/256x256KiB"),
    ("HASH160, 4096 keys of 33 bytes, each", "hash160_many/4096x33B"),
    ("sumhash512, 600 bytes", "sumhash512_digest/1x600B"),
    ("SSZ root of 2^20 chunks, each", "ssz_root/2^20"),
];

const BEGIN: &str = "<!-- record: ";
const END: &str = "<!-- end of record -->";

const BEGIN_BENEFIT: &str = "<!-- benefit -->\n";
const END_BENEFIT: &str = "<!-- end of benefit -->";

/// Replaces what is between the markers of `readme`: a sentence, and the table of this record
/// between the chart of all and links to those of other CPUs. Returns `None` if markers are
/// missing, or rows of the sentence.
#[must_use]
pub fn rewrite_readme(
    readme: &str,
    stem: &str,
    record: &Record,
    all: &[(String, Record)],
) -> Option<String> {
    let (before, rest) = readme.split_once(BEGIN_BENEFIT)?;
    let (_, after) = rest.split_once(END_BENEFIT)?;
    let benefit = benefit(record)?;
    let readme = format!("{before}{BEGIN_BENEFIT}{benefit}{END_BENEFIT}{after}");

    let (before, rest) = readme.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    let table = table(record, README_ROWS);
    let cpu = machine::full_name(&record.cpu);
    let (date, compiler) = (&record.date, record.compiler());
    let others = others(&record.cpu, all);
    Some(format!(
        "{before}{BEGIN}{stem} -->\n![our time over that of the fastest other crate, on each CPU]\
         (benches/results/{})\n\nOne thread, {cpu}, {compiler},\n{date}, release build of this \
         workspace\n([all rows](benches/results/{stem}.md)):\n\n{table}\nOther CPUs:\n{others}{END}\
         {after}",
        chart::FILE
    ))
}

/// Links to the newest records of the other CPUs, a line each.
fn others(cpu: &str, newest_first: &[(String, Record)]) -> String {
    let mut seen = vec![cpu];
    let mut lines = Vec::new();
    for (stem, record) in newest_first {
        if !seen.contains(&&*record.cpu) {
            seen.push(&record.cpu);
            let name = machine::ordinary_name(&record.cpu).unwrap_or(&record.cpu);
            lines.push(format!("[{name}](benches/results/{stem}.md)"));
        }
    }
    lines.join(",\n") + ".\n"
}

/// The README's first figures: how much faster ours are than the fastest rival.
fn benefit(record: &Record) -> Option<String> {
    let speedup = |shape: &str| {
        let (ours, rival) = (record.auto(shape)?, record.fastest_rival(shape)?);
        Some(format!("{:.1}", rival.min_ns / ours.min_ns))
    };
    Some(format!(
        "On an {}, it is {} times as fast as the fastest other crate for tree nodes,\n{} times for \
         torrent pieces and {} times for public keys.\n",
        machine::ordinary_name(&record.cpu).unwrap_or(&record.cpu),
        speedup("hash_pairs/4096")?,
        speedup("sha1_many/256x256KiB")?,
        speedup("hash160_many/4096x33B")?
    ))
}

/// The name of the record that `readme` shows.
#[must_use]
pub fn record_of_readme(readme: &str) -> Option<&str> {
    readme.split_once(BEGIN)?.1.split_once(" -->").map(|(stem, _)| stem)
}

/// A page with a table of all shapes but the small batches.
#[must_use]
pub fn page(stem: &str, record: &Record) -> String {
    let mut text = format!(
        "# {}\n\nOne thread, {}, {}, the shortest of many interleaved turns in one run. The \
         [record]({stem}.csv) also has all backends, rivals and small batches.\n\n",
        machine::full_name(&record.cpu),
        record.compiler(),
        record.date,
    );
    let mut shapes: Vec<&str> = Vec::new();
    for row in &record.rows {
        let shape = row.shape.as_str();
        // The last two are only in older records.
        let is_left_out = shape.contains("/small-")
            || shape.contains("/scaling-")
            || shape.starts_with("default-profile/");
        if !is_left_out && shapes.last() != Some(&shape) {
            shapes.push(shape);
        }
    }
    text += &table(record, shapes.into_iter().map(|shape| (shape, shape)));
    text + &threads(record)
}

/// A section about the trees that were hashed by several threads, or nothing if there are none.
fn threads(record: &Record) -> String {
    let mut text = String::new();
    for several in &record.rows {
        let Some((_, threads)) = several.candidate.split_once(":parallel-") else { continue };
        let Some(one) = record.auto(&several.shape).filter(|_| threads != "1") else { continue };
        if text.is_empty() {
            text = "\n## Several threads\n\n| | one thread | several | several / one thread |\n\
                    |---|---|---|---|\n"
                .to_owned();
        }
        let (one, several_ns) = (one.min_ns, several.min_ns);
        writeln!(
            text,
            "| {}, {threads} threads | {} | {} | {:.2} |",
            several.shape,
            time(one),
            time(several_ns),
            several_ns / one
        )
        .expect("strings can be written to");
    }
    text
}

/// A table of the shapes that the record has. The shortest time is bold.
fn table<'a>(record: &Record, rows: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = "| | ours | ours without AVX-512 | fastest rival | ours / rival |\n\
                    |---|---|---|---|---|\n"
        .to_owned();
    for (work, shape) in rows {
        let Some(ours) = record.auto(shape) else { continue };
        let without = record.without_avx512(shape);
        let rival = record.fastest_rival(shape);

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
        let all = Record::all(&results).unwrap();
        let (_, record) = all.iter().find(|(name, _)| name == stem).unwrap();
        assert_eq!(rewrite_readme(&readme, stem, record, &all).as_ref(), Some(&readme));

        let shown = fs::read_to_string(results.join(format!("{stem}.md"))).unwrap();
        assert_eq!(shown, page(stem, record));
    }
}
