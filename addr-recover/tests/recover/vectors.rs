//! Vectors from outside, in the folder that the environment variable `HASHLANES_VECTORS` names.
//!
//! All rows of version 0 whose answer differs from the question in nothing but case. They take some 0.5 billion hashes: run them
//! with `cargo test --release -p addr-recover -- --ignored`.

use std::fs;
use std::path::PathBuf;

use crate::recover;

/// The rows of a file, split at the tabs, without the comments.
fn rows(name: &str) -> Vec<Vec<String>> {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    let path = PathBuf::from(folder).join("addr").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Returns how many rows were of version 0.
fn assert_pairs_recovered(name: &str, version: usize, damaged: usize, address: usize) -> usize {
    let mut rows = rows(name);
    rows.retain(|row| row[version] == "0");
    for row in &rows {
        let found = recover(&row[damaged]).addresses;
        assert!(found.contains(&row[address]), "{row:?}: {found:?}");
    }
    rows.len()
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn real_pairs() {
    assert!(assert_pairs_recovered("pairs.tsv", 2, 1, 0) >= 20);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn made_pairs() {
    assert!(assert_pairs_recovered("synthetic_pairs.tsv", 1, 2, 3) >= 20);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn special_cases_with_all_their_answers() {
    let mut tried = 0;
    for row in rows("special_cases.tsv") {
        let (damaged, version, expected) = (&row[0], &row[1], &row[2]);
        let expected: Vec<&str> = if expected == "-" { Vec::new() } else { expected.split('|').collect() };
        if version == "0" && expected.iter().all(|address| address.eq_ignore_ascii_case(damaged)) {
            assert_eq!(recover(damaged).addresses, expected, "{row:?}");
            tried += 1;
        }
    }
    assert!(tried >= 8);
}
