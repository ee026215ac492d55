//! Ethereum addresses, whose checksum is short: what is found is as sure as it says.

use serde_json::json;

use crate::{assert_prints, assert_says, code, file, reports, run, stderr, stdout};

/// From EIP-55. It has 18 letters.
const ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// The spelling of 0xdeadbeef, five times, which has only letters.
const LETTERS: &str = "0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF";

/// The contract of the token Dai. It has 14 letters.
const FEW_LETTERS: &str = "0x6B175474E89094C44Da98b954EedeAC495271d0F";

#[test]
fn one_fault_is_found() {
    for (text, change) in [
        (ADDRESS.replace("ed", "ee"), "1 character was wrong: ...eAee -> ...eAed\n"),
        (ADDRESS.replace("0x5aA", "0x5aa"), "1 character was wrong: 0x5aaeb6... -> 0x5aAeb6...\n"),
        (ADDRESS.replace("BeA", "eBA"), "2 characters were swapped: ...Ef1eBAed -> ...Ef1BeAed\n"),
        (ADDRESS[..41].to_owned(), "...eAe -> ...eAed\n"),
        (ADDRESS[..40].to_owned(), "characters cut off at an end: ...BeA -> ...BeAed\n"),
        (ADDRESS.replacen("5a", "", 1), "characters cut off at an end: 0xAeb... -> 0x5aAeb...\n"),
        (ADDRESS.replacen("0x5a", "0x5aa", 1), "1 character was extra: "),
        (ADDRESS[2..].replace("ed", "ee"), "1 character was wrong: ...eAee -> ...eAed\n"),
        ("0x5aAe b605 3F3E 94C9 b9A0 9f33 6694 35E7 Ef1B eAee".to_owned(), "...eAee -> ...eAed\n"),
    ] {
        let output = run([&text]);
        assert_eq!(stdout(&output), format!("{ADDRESS}\n"), "{text}: {}", stderr(&output));
        assert!(stderr(&output).contains(change), "{text}: {}", stderr(&output));
    }
    // 14 letters are not enough for a guess.
    let output = run([&FEW_LETTERS.replace("271d", "281d")]);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains(FEW_LETTERS), "{}", stdout(&output));
    assert_says(&output, "uncertain, ");
}

#[test]
fn two_wrong_digits_are_a_list_unless_most_digits_are_letters() {
    let two = FEW_LETTERS.replace("271d", "331d");
    // Nothing else fits, and letters in the wrong case are as likely.
    let output = run([&two]);
    assert_prints(&output, 3, "");
    assert_says(&output, "3 %: 0x6B175474e89094c44Da98b954eedEaC495331d0f\n");
    assert_says(&output, "letters in the wrong case: ");
    assert_says(&output, "uncertain, 3 % likely to be right");
    let refused = run([&two, "--typos", "2"]);
    assert_prints(&refused, 4, "");
    assert_says(&refused, "the answer would be noise: about 20 addresses fit by chance");
    let forced = run([&two, "--typos", "2", "--force"]);
    assert_eq!(code(&forced), 3);
    assert!(stdout(&forced).lines().any(|line| line == FEW_LETTERS), "{}", stdout(&forced));
    assert!(stdout(&forced).lines().count() > 5, "{}", stdout(&forced));
    assert_says(&forced, "uncertain, each ");
    let output = run([LETTERS.replace("deadbeEF", "de0dbe1F")]);
    assert_prints(&output, 0, &format!("{LETTERS}\n"));
    assert_says(&output, "2 characters were wrong: ");
    // Two letters have the wrong case.
    let output = run([LETTERS.replace("deadbeEF", "dEadBeEF")]);
    assert_prints(&output, 0, &format!("{LETTERS}\n"));
}

#[test]
#[ignore = "takes long"]
fn three_wrong_digits_are_restored_if_all_are_letters_long() {
    let output = run([LETTERS.replace("deadbeEF", "d0a0b1EF")]);
    assert_prints(&output, 0, &format!("{LETTERS}\n"));
    assert_says(&output, "3 characters were wrong: ");
}

#[test]
fn three_wrong_digits_are_estimated_and_refused() {
    let text = ADDRESS.replace("1BeAed", "1B2A22");
    let output = run(["--estimate", "--typos", "3", &text]);
    assert_eq!(code(&output), 4);
    for line in [
        &format!("address         {text}\n"),
        "candidates      33521101\n",
        "  Ethereum                       33521101\n",
        "hashes          about 33521101\n",
        "verdict         noise: the checksum cannot tell the right address\n",
    ] {
        assert!(stdout(&output).contains(line), "{}", stdout(&output));
    }
    assert!(stdout(&output).contains("addresses expected to fit\n"));
    // What is tried if nothing is found, and what it costs.
    let output = run(["--estimate", &text]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("\nverdict         not an address as written\n"));
    assert!(stdout(&output).contains("\nif none fits    two swapped characters: "));
    for damage in ["two", "three"] {
        let is_skipped =
            |line: &str| line.contains(&format!("{damage} wrong")) && line.ends_with("too many");
        assert!(stdout(&output).lines().any(is_skipped), "{}", stdout(&output));
    }
    let output = run(["--estimate", "--json", "--typos", "2", &LETTERS.replace("de", "d0")]);
    let report = &reports(&output)[0]["estimate"];
    assert_eq!(report["candidates"], "176101");
    assert_eq!(report["kinds"], json!([{ "kinds": ["Ethereum"], "candidates": "176101" }]));
    assert_eq!(report["certainty"], "certain");
    assert_prints(&run([&text, "--typos", "3"]), 4, "");
}

/// Whatever the checksum leaves open, a list of addresses that exist may answer.
#[test]
fn a_list_of_known_addresses_answers() {
    let other = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    let bech32 = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    let list = file("known-ethereum.txt", &format!("{other}\n{ADDRESS}\n{bech32}\n"));
    let known = ["--known", list.to_str().unwrap()];
    for wrong in ["1B2A2d", "1B2A22", "122222"] {
        let text = ADDRESS.replace("1BeAed", wrong);
        let output = run([&[&*text], &known[..]].concat());
        assert_prints(&output, 0, &format!("{ADDRESS}\n"));
        // Once something fits by chance, the nearest address is the answer.
        let is_said = ["characters differ\n", "characters were wrong: "]
            .iter()
            .any(|how| stderr(&output).contains(how));
        assert!(is_said, "{text}: {}", stderr(&output));
        assert_says(&output, "found in the list of known addresses");
    }
    let two = ADDRESS.replace("1BeAed", "1B2A2d");
    let output = run([&[&*two, "--typos", "2", "--json"], &known[..]].concat());
    let report = &reports(&output)[0];
    assert_eq!(report["from_known"], true);
    assert_eq!(report["hits"][0]["address"], ADDRESS);
    assert_eq!(report["hits"][0]["kinds"], json!(["Ethereum"]));
    // More than the checksum of Bech32 restores.
    let text = bech32.replace("xtdg4y5r3", "xtdg2222z");
    let output = run([&[&*text], &known[..]].concat());
    assert_prints(&output, 0, &format!("{bech32}\n"));
}

#[test]
fn other_damage_and_options_are_named() {
    let text = ADDRESS.replace("ed", "ee");
    let output = run([&text, "--confuse=8B"]);
    assert_prints(&output, 2, "");
    assert_says(&output, "for one wrong, missing, extra or swapped character");
    let output = run([&text, "--kind", "bitcoin"]);
    assert_prints(&output, 2, "");
    assert_says(&output, "this is an address of another kind (Ethereum)");
    assert_prints(&run([&text, "--exact"]), 1, "");
    let output = run([&text, "--shard", "1/2"]);
    assert_prints(&output, 2, "");
    assert_says(&output, "--shard does not divide the search for an Ethereum address");
    let output = run([&text, "--estimate", "--exact"]);
    assert_says(&output, "cannot be used with 'options of a search'");
    // A set is any digit.
    let output = run([ADDRESS.replace("BeA", "[Bb8]eA")]);
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
    let output = run(["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f[39]t4"]);
    assert_prints(&output, 0, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n");
}
