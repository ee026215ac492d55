//! Writes records as Markdown.

use std::fmt::Write as _;

use crate::machine;
use crate::record::{Record, Row};

/// The README of the repository, which also has figures in its first sentences, and links.
pub const ROOT: &str = "README.md";

/// The READMEs that show a record, and the rows of each: work and shape.
pub const READMES: [(&str, &[(&str, &str)]); 6] = [
    (
        ROOT,
        &[
            ("SHA-256, `digest_many` of 1000 messages of 32 bytes, each", "digest_many/1000x32B"),
            ("SHA-256, 4096 nodes of 64 bytes, each", "hash_pairs/4096"),
            ("SHA-256, a single node", "hash_pairs/small-1"),
            ("SHA-1, 256 pieces of 256 KiB, each", "sha1_many/256x256KiB"),
            ("HASH160, 4096 keys of 33 bytes, each", "hash160_many/4096x33B"),
            ("sumhash512, 600 bytes", "sumhash512_digest/1x600B"),
            ("SSZ root of 2^20 chunks, each", "ssz_root/2^20"),
        ],
    ),
    (
        "sha1-multi/README.md",
        &[
            ("64 messages of 1 KiB, each", "sha1_many/64x1KiB"),
            ("16 messages of 16 KiB, each", "sha1_many/16x16KiB"),
            ("256 messages of 256 KiB, each", "sha1_many/256x256KiB"),
            ("256 messages of 0 to 4096 bytes, each", "sha1_many/ragged-256"),
            ("one message of 16 KiB", "sha1/1x16KiB"),
            ("PBKDF2 of 64 passwords, 1000 rounds, each", "pbkdf2_sha1_many/64x12B"),
        ],
    ),
    (
        "sha256-multi/README.md",
        &[
            ("4096 nodes of 64 bytes, each", "hash_pairs/4096"),
            ("1000 messages of 32 bytes, each", "hash_many/1000x32B"),
            ("64 messages of 1 KiB, each", "hash_many/64x1KiB"),
            ("256 messages of 0 to 4096 bytes, each", "hash_many/ragged-256"),
            ("1000 messages of 80 bytes hashed twice, each", "double_hash_many/1000x80B"),
            ("one message of 1 MiB", "hash_many/1x1MiB"),
            ("PBKDF2 of 64 passwords, 1000 rounds, each", "pbkdf2_sha256_many/64x12B"),
        ],
    ),
    (
        "ripemd-multi/README.md",
        &[
            ("RIPEMD-160 of 4096 messages of 32 bytes, each", "ripemd160_many/4096x32B"),
            ("RIPEMD-160 of 64 messages of 1 KiB, each", "ripemd160_many/64x1KiB"),
            ("HASH160 of 4096 keys of 33 bytes, each", "hash160_many/4096x33B"),
            ("HASH160 of 4096 keys of 65 bytes, each", "hash160_many/4096x65B"),
            ("HASH160 of one key of 33 bytes", "hash160/1x33B"),
        ],
    ),
    (
        "sumhash/README.md",
        &[
            ("one message of 83 bytes", "sumhash512_digest/1x83B"),
            ("one message of 600 bytes", "sumhash512_digest/1x600B"),
            ("64 messages of 1805 bytes, each", "sumhash512_hash_many/64x1805B"),
        ],
    ),
    (
        "merkle/README.md",
        &[
            ("SSZ root of 2^10 chunks, each", "ssz_root/2^10"),
            ("SSZ root of 2^20 chunks, each", "ssz_root/2^20"),
            ("Bitcoin root of 3000 transaction ids, each", "bitcoin_root/3000"),
            ("RFC 6962 root of 2^16 entries of 32 bytes, each", "rfc6962_root/2^16"),
            ("1000 SSZ proofs from a tree of 2^20, `verify_many`, each", "ssz_verify/1000-in-2^20"),
            ("1000 RFC 6962 proofs from a tree of 2^20, each", "rfc6962_verify/1000-in-2^20"),
            ("one RFC 6962 proof from a tree of 2^16", "rfc6962_verify/1-in-2^16"),
            ("1 % of 2^20 chunks replaced (the rival rebuilds), each", "ssz_update/10485-of-2^20"),
            ("persistent list of 2^20 numbers: append, each", "persistent_push/2^20"),
            ("the same, and the root, each", "persistent_root/2^20"),
            ("clone, 1 % replaced, and the root, each", "persistent_update/10485-of-2^20"),
            ("clone, `rebase_on` an equal list, each", "persistent_rebase_equal/2^20"),
        ],
    ),
];

const BEGIN: &str = "<!-- record: ";

/// Replaces what is between the markers of a README: the table of this record, and in that of the
/// repository the first figures and links to the newest record of every CPU. Returns `None` if
/// markers are missing, or rows of the first figures.
#[must_use]
pub fn rewrite_readme(
    name: &str,
    rows: &[(&str, &str)],
    readme: &str,
    stem: &str,
    record: &Record,
    all: &[(String, Record)],
) -> Option<String> {
    let shown = record_of_readme(readme)?;
    let table = format!(
        "\nOne thread, {}, {},\n{}, release build of the repository\n\
         (`benches/results/{stem}.md` has all rows):\n\n{}\n",
        machine::full_name(&record.cpu),
        record.compiler(),
        record.date,
        table(record, rows.iter().copied()),
    );
    let readme = replace(readme, &format!("{BEGIN}{shown} -->"), "record", &table)?;
    let readme = readme.replacen(shown, stem, 1);
    if name != ROOT {
        return Some(readme);
    }
    let readme = replace(&readme, "<!-- benefit -->", "benefit", &benefit(record)?)?;
    replace(&readme, "<!-- records -->", "records", &newest(all))
}

/// Replaces what is between two markers.
fn replace(text: &str, begin: &str, name: &str, new: &str) -> Option<String> {
    let end = format!("<!-- end of {name} -->");
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{new}{end}{after}"))
}

/// Links to the newest record of each CPU, a line each.
fn newest(newest_first: &[(String, Record)]) -> String {
    let mut seen = Vec::new();
    let mut lines = Vec::new();
    for (stem, record) in newest_first {
        if !seen.contains(&&record.cpu) {
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
        Some(format!("{:.2}", rival.min_ns / ours.min_ns))
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
    fn the_readmes_and_the_page_show_one_record() {
        let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
        let results = benches.join("results");
        let all = Record::all(&results).unwrap();
        let read = |name| fs::read_to_string(benches.join("..").join(name)).unwrap();
        let root = read(ROOT);
        let stem = record_of_readme(&root).expect("the README has the markers");
        let (_, record) = all.iter().find(|(name, _)| name == stem).unwrap();
        for (name, rows) in READMES {
            let readme = read(name);
            let expected = rewrite_readme(name, rows, &readme, stem, record, &all);
            assert_eq!(expected.as_ref(), Some(&readme), "{name}");
        }

        let shown = fs::read_to_string(results.join(format!("{stem}.md"))).unwrap();
        assert_eq!(shown, page(stem, record));
    }
}
