//! Writes records as Markdown.

use std::fmt::Write as _;

use crate::gains::{JOBS, newest};
use crate::machine;
use crate::record::{Record, Row};

/// The README of the repository, which shows the gains of all records.
pub const ROOT: &str = "README.md";

/// The READMEs that show a record, and the rows of each: work and shape.
pub const READMES: [(&str, &[(&str, &str)]); 8] = [
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
        "sha3-multi/README.md",
        &[
            ("Keccak-256 of one message of 32 bytes", "keccak256_many/1x32B"),
            ("of 4 messages of 32 bytes, each", "keccak256_many/4x32B"),
            ("of 8 messages of 32 bytes, each", "keccak256_many/8x32B"),
            ("of 1024 messages of 32 bytes, each", "keccak256_many/1024x32B"),
            ("the same by `digest_many`, each", "keccak256_digest_many/1024x32B"),
            ("of 1024 messages of 64 bytes, each", "keccak256_many/1024"),
            ("of 1024 messages of 136 bytes, two blocks, each", "keccak256_many/1024x136B"),
            ("of 64 messages of 1 KiB, each", "keccak256_many/64x1KiB"),
            ("of 256 messages of 0 to 4096 bytes, each", "keccak256_many/ragged-256"),
        ],
    ),
    (
        "sha512-multi/README.md",
        &[
            ("1024 messages of 32 bytes, each", "sha512_many/1024x32B"),
            ("the same by `digest_many`, each", "sha512_digest_many/1024x32B"),
            ("64 messages of 1 KiB, each", "sha512_many/64x1KiB"),
            ("4 messages of 1 KiB, each", "sha512_many/4x1KiB"),
            ("one message of 1 KiB", "sha512_many/1x1KiB"),
            ("256 messages of 0 to 4096 bytes, each", "sha512_many/ragged-256"),
            ("PBKDF2 of 8 passwords, 1000 rounds, each", "pbkdf2_sha512_many/8x12B"),
            ("PBKDF2 of one password, 1000 rounds", "pbkdf2_sha512_many/1x12B"),
        ],
    ),
    (
        "slh-dsa-multi/README.md",
        &[
            ("`Sha2_128f`: key", "slh_dsa_keygen/sha2-128f"),
            ("`Sha2_128f`: sign", "slh_dsa_sign/sha2-128f"),
            ("`Sha2_128f`: verify", "slh_dsa_verify/sha2-128f"),
            ("`Sha2_128s`: key", "slh_dsa_keygen/sha2-128s"),
            ("`Sha2_128s`: sign", "slh_dsa_sign/sha2-128s"),
            ("`Sha2_128s`: verify", "slh_dsa_verify/sha2-128s"),
            ("`Sha2_192f`: key", "slh_dsa_keygen/sha2-192f"),
            ("`Sha2_192f`: sign", "slh_dsa_sign/sha2-192f"),
            ("`Sha2_192f`: verify", "slh_dsa_verify/sha2-192f"),
            ("`Shake128f`: key", "slh_dsa_keygen/shake-128f"),
            ("`Shake128f`: sign", "slh_dsa_sign/shake-128f"),
            ("`Shake128f`: verify", "slh_dsa_verify/shake-128f"),
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

/// Replaces the table of a record in a README. Returns `None` if markers are missing.
#[must_use]
pub fn rewrite_readme(
    rows: &[(&str, &str)],
    readme: &str,
    stem: &str,
    record: &Record,
) -> Option<String> {
    let shown = record_of_readme(readme)?;
    let table = format!(
        "\nOne thread, {},\n{}, {}, release build of the repository\n\
         (`benches/results/{stem}.md` has all rows):\n\n{}\n",
        machine::full_name(&record.cpu),
        record.compiler(),
        record.date,
        table(record, rows.iter().copied()),
    );
    let readme = replace(readme, &format!("{BEGIN}{shown} -->"), "record", &table)?;
    Some(readme.replacen(shown, stem, 1))
}

/// Replaces the gains in the repository's README: those of the first sentences and the table, with
/// links to the newest record of each CPU. Returns `None` if markers are missing, or rows of the
/// first sentences.
#[must_use]
pub fn rewrite_root(readme: &str, all: &[(String, Record)]) -> Option<String> {
    let records = newest(all);
    let readme = replace(readme, "<!-- lead -->", "lead", &lead(&records)?)?;
    let specialists = specialists(&records)?;
    let readme = replace(&readme, "<!-- specialists -->", "specialists", &specialists)?;
    replace(&readme, "<!-- gains -->", "gains", &gains(&records))
}

/// Replaces what is between two markers.
fn replace(text: &str, begin: &str, name: &str, new: &str) -> Option<String> {
    let end = format!("<!-- end of {name} -->");
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{new}{end}{after}"))
}

/// The README's first figures: the gains over the crates for one message, from the lowest to the
/// highest of all CPUs.
fn lead(records: &[&(String, Record)]) -> Option<String> {
    let range = |shape: &str| {
        let job = JOBS.iter().find(|job| job.shape == shape)?;
        range(records.iter().filter_map(|(_, record)| job.gain(record)), 1)
    };
    Some(format!(
        "- **Merkle tree nodes {} times** as fast as `sha2` 0.11\n\
         - **1,000 short messages {} times** as fast as `sha2` 0.11\n\
         - **Bitcoin's HASH160 {} times** as fast as `sha2` and `ripemd`\n\
         - **torrent pieces {} times** as fast as `sha1` or `aws-lc-rs`\n\
         - **Keccak-256 {} times** as fast as `sha3` 0.12\n",
        range("hash_pairs/4096")?,
        range("digest_many/1000x32B")?,
        range("hash160_many/4096x33B")?,
        range("sha1_many/256x256KiB")?,
        range("keccak256_many/1024x32B")?,
    ))
}

/// The README's sentence on the crates that are made for one shape.
fn specialists(records: &[&(String, Record)]) -> Option<String> {
    let of = |name: &str, shape: &str| {
        let ratios = records.iter().filter_map(|(_, record)| {
            let rival = record.rivals(shape).find(|row| row.candidate.starts_with(name))?;
            Some(rival.min_ns / record.auto(shape)?.min_ns)
        });
        range(ratios, 2)
    };
    Some(format!(
        "Crates that are made for one shape are closer. `p3-sha256` takes {} times as long as\n\
         ours for the nodes, and {} times for the 1,000 short messages. `hashtree-rs` takes\n\
         {} times as long for the nodes, `p3-keccak` {} times for Keccak-256.\n",
        of("p3-sha256", "hash_pairs/4096")?,
        of("p3-sha256", "digest_many/1000x32B")?,
        of("hashtree-rs", "hash_pairs/4096")?,
        of("p3-keccak", "keccak256_many/1024x32B")?,
    ))
}

/// The least and the greatest, or the only one.
fn range(values: impl Iterator<Item = f64> + Clone, decimals: usize) -> Option<String> {
    let (least, most) = (values.clone().reduce(f64::min)?, values.reduce(f64::max)?);
    let (least, most) = (format!("{least:.decimals$}"), format!("{most:.decimals$}"));
    Some(if least == most { least } else { format!("{least} to {most}") })
}

/// The gains of each job on each CPU.
fn gains(records: &[&(String, Record)]) -> String {
    let mut heads = String::from("| | against |");
    for (stem, record) in records {
        let name = machine::ordinary_name(&record.cpu).unwrap_or(&record.cpu);
        let without = if record.has_avx512() { "" } else { ", no AVX-512" };
        write!(heads, " [{name}](benches/results/{stem}.md){without} |")
            .expect("strings can be written to");
    }
    let mut text = format!("\n{heads}\n|---|---|{}\n", "---|".repeat(records.len()));
    for job in &JOBS {
        write!(text, "| {} | {} |", job.name, job.crates).expect("strings can be written to");
        for (_, record) in records {
            let cell = job.gain(record).zip(job.gain_over_all(record));
            let cell = cell.map_or("–".to_owned(), |(gain, over_all)| {
                format!("**{gain:.1}** · {over_all:.2}")
            });
            write!(text, " {cell} |").expect("strings can be written to");
        }
        text.push('\n');
    }
    text.push('\n');
    text
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
    if let Some(note) = machine::note(&record.cpu) {
        text += &format!("{note}\n\n");
    }
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
    let mut text = "| | ours | ours, AVX-512 off | fastest rival, nothing off | ours / rival |\n\
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
        assert_eq!(rewrite_root(&root, &all).as_ref(), Some(&root));
        let first = read(READMES[0].0);
        let stem = record_of_readme(&first).expect("the README has the markers");
        let (_, record) = all.iter().find(|(name, _)| name == stem).unwrap();
        for (name, rows) in READMES {
            let readme = read(name);
            let expected = rewrite_readme(rows, &readme, stem, record);
            assert_eq!(expected.as_ref(), Some(&readme), "{name}");
        }

        let shown = fs::read_to_string(results.join(format!("{stem}.md"))).unwrap();
        assert_eq!(shown, page(stem, record));
    }
}
