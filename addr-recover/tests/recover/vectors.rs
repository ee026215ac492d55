//! External test vectors, in the folder named by the environment variable `HASHLANES_VECTORS`.
//!
//! They take some billions of hashes: run `cargo test --release -p addr-recover -- --ignored`.

use std::fs;
use std::path::PathBuf;

use addr_recover::{Case, Damage, Hit, Version};

use crate::{addresses, recover, search, space};

fn file(name: &str) -> String {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    let path = PathBuf::from(folder).join("addr").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of a tab-separated file, without comments.
fn rows(name: &str) -> Vec<Vec<String>> {
    let text = file(name);
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// The text with every other letter in upper case.
fn mixed(text: &str) -> String {
    let every_other = |(at, c): (usize, char)| {
        if at % 2 == 0 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    text.chars().enumerate().map(every_other).collect()
}

fn assert_pairs_recovered(name: &str, version: usize, address: usize) -> usize {
    let rows = rows(name);
    for row in &rows {
        let address = &row[address];
        let version: Version = row[version].parse().unwrap();
        assert_eq!(Hit::of(address).map(|hit| hit.format), Some(version), "{row:?}");
        let lowered = search(&space(&address.to_ascii_lowercase(), Damage::default(), &[version]));
        assert!(addresses(&lowered).contains(&address.as_str()), "{row:?}: {lowered:?}");
        // Other cases have the same search space; a few candidates suffice to show that.
        let estimate = space(address, Damage::default(), &[version]).estimate();
        if estimate.hashes < 1e6 {
            let raised = address.to_ascii_uppercase();
            assert_eq!(search(&space(&raised, Damage::default(), &[version])), lowered, "{raised}");
            // In mixed-case text, an l may also be a 1.
            for damaged in [mixed(address), address.clone()] {
                let outcome = search(&space(&damaged, Damage::default(), &[version]));
                assert!(
                    lowered.hits.iter().all(|hit| outcome.hits.contains(hit)),
                    "{damaged}: {outcome:?}"
                );
            }
        }
    }
    rows.len()
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn real_pairs() {
    assert!(assert_pairs_recovered("pairs.tsv", 2, 0) >= 30);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn made_pairs() {
    assert!(assert_pairs_recovered("synthetic_pairs.tsv", 1, 3) >= 50);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn special_cases_with_all_their_answers() {
    let mut tried = 0;
    for row in rows("special_cases.tsv") {
        let (damaged, version, expected) = (&row[0], &row[1], &row[2]);
        let expected: Vec<&str> =
            if expected == "-" { Vec::new() } else { expected.split('|').collect() };
        let versions = match version.as_str() {
            "any" => (0..=255).map(Version::byte).collect(),
            version => vec![version.parse().unwrap()],
        };
        if damaged != THREE_WRONG_CHARACTERS {
            let outcome = search(&space(damaged, Damage::default(), &versions));
            assert_eq!(addresses(&outcome), expected, "{row:?}");
            tried += 1;
        }
    }
    assert!(tried >= 10);
}

/// From bitcoin.stackexchange.com/q/28244.
const THREE_WRONG_CHARACTERS: &str = "1a8LDh3qtCdMSAgRXzMr4zB8w1EG4h1Xi";

/// A billion hashes.
#[test]
#[ignore = "takes long"]
fn three_wrong_characters_long() {
    let damage = Damage { case: Case::Kept, typos: 3, ..Damage::default() };
    let outcome = search(&space(THREE_WRONG_CHARACTERS, damage, &[Version::byte(0)]));
    assert!(addresses(&outcome).contains(&"1a8LDh3qtCdMFAgRXzMrdvB8w1EG4h1Xi"), "{outcome:?}");
}

/// Another program counted the hashes of the longest searches for a lost case.
#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn longest_searches_for_a_lost_case() {
    for (text, hashes, known) in [
        ("1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 142_854_000, "1AAAaAAaaAAaAaaaaAAAaAAAaAaaaAAAaa"),
        ("thesvzdaaxxxtdekaskptzndhugqnwuhwf", 143_214_378, "THesVZdaaXXxtdEkaskpTzndHugQnwUHwF"),
    ] {
        let outcome = recover(text);
        assert_eq!(outcome.hashes, hashes);
        assert!(addresses(&outcome).contains(&known), "{outcome:?}");
    }
}

/// The addresses and keys that Bitcoin Core's tests accept and reject.
#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn bitcoin_core_vectors() {
    let valid: serde_json::Value =
        serde_json::from_str(&file("bitcoin_key_io_valid.json")).unwrap();
    let mut addresses = 0;
    for entry in valid.as_array().unwrap() {
        let (text, details) = (entry[0].as_str().unwrap(), &entry[2]);
        let is_key = details["isPrivkey"].as_bool().unwrap();
        let is_bech32 = ["bc1", "tb1", "bcrt1"]
            .iter()
            .any(|&prefix| text.to_ascii_lowercase().starts_with(prefix));
        let version = Hit::<Version>::of(text).map(|hit| hit.format);
        assert_eq!(version.is_some(), !is_key && !is_bech32, "{text}");
        addresses += usize::from(version.is_some());
    }
    assert!(addresses > 5);
    let invalid: serde_json::Value =
        serde_json::from_str(&file("bitcoin_key_io_invalid.json")).unwrap();
    for entry in invalid.as_array().unwrap() {
        let text = entry[0].as_str().unwrap();
        // Some are addresses of other networks.
        let bitcoin = [0, 5, 111, 196].map(Version::byte);
        assert!(Hit::of(text).is_none_or(|hit| !bitcoin.contains(&hit.format)), "{text}");
    }
}
