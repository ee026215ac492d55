//! Damage that nobody described.

use serde_json::{Value, json};

use crate::{
    ADDRESS, SHORT, assert_prints, assert_says, code, file, reports, run, run_with_input, stderr,
    stdout,
};

/// Damaged once, with the name and the options of what happened to it.
const DAMAGED: [(&str, &str, &str); 21] = [
    (
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8iK4ZnX71",
        "one look-alike character",
        "--case kept --confuse=0oO,1IlLi,2Zz,5Ss,7T,8B --max-confused 1",
    ),
    (
        "1LbcfrTsAHTD9CgdQo3HTMTkVBLK4ZnX71",
        "two look-alike characters",
        "--case kept --confuse=0oO,1IlLi,2Zz,5Ss,7T,8B --max-confused 2",
    ),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4nZX71", "two swapped characters", "--case kept --swapped"),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnXX71", "one extra character", "--case kept --surplus"),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271", "one wrong character", "--case kept --typos 1"),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn71", "one missing character", "--case kept --missing"),
    ("3Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271", "two wrong characters", "--case kept --typos 2"),
    (
        "1ibcfr7sAHTD9CgdQo3HTMTkV8iK4ZnX7L",
        "look-alikes of 0 and 1",
        "--case kept --confuse=0oO,1IlLi",
    ),
    (
        "1LbcfrTsAHTD9CgdQo3HTMTkVBLK42nX71",
        "look-alike characters",
        "--case kept --confuse=0oO,1IlLi,2Zz,5Ss,7T,8B",
    ),
    (
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4YnX71",
        "letters of a German keyboard",
        "--case kept --confuse=y=z",
    ),
    (
        "1Lbcfr7sQHTD9CgdAo3HTMTkV8LK4WnX71",
        "letters of a French keyboard",
        "--case kept --confuse=aw=qz",
    ),
    (
        "1Lbcfr7sQHTD9CgdAo3HTMTkV8LK4ZnX71",
        "some letters of other keyboards",
        "--case kept --confuse=yz,YZ,aq,AQ,wz,WZ",
    ),
    (
        "1Lbcfr7sAHTDAHTD9CgdQo3HTMTkV8LK4ZnX71",
        "swapped or repeated blocks",
        "--case kept --blocks",
    ),
    ("1Lbcfr7szAHTD9CgdQzo3HTMTkV8LK4ZznX71", "three extra characters", "--case kept --surplus=3"),
    (
        "1bcfr7sAHTD9CgdQo3HTMTkV8LK4ZnXX71",
        "one missing and one extra character",
        "--case kept --missing --surplus",
    ),
    (
        "1bLcfr7sAHTD9CgdQo3HTMTkV8LK4nZX71",
        "two pairs of swapped characters",
        "--case kept --swapped=2",
    ),
    ("1Lbckfr7sAHTD9CgdQo3HTMTkV8LK4ZznX71", "two extra characters", "--case kept --surplus=2"),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LKnX71", "two missing characters", "--case kept --missing=2"),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Z", "characters cut off at an end", "--case kept --cut 4"),
    (
        "1Lbckfr7sAHTD9CgdQo3HTMTkV8LK4nZX71",
        "one extra and two swapped characters",
        "--case kept --surplus --swapped",
    ),
    ("1Lbcfr7sTMTk9CgdQo3HAHTDV8LK4ZnX71", "swapped or repeated blocks", "--case kept --blocks"),
];

#[test]
fn common_damage_is_found_undescribed() {
    for (text, damage, options) in DAMAGED {
        let output = run([text, "--verbose"]);
        assert_eq!(stdout(&output), format!("{ADDRESS}\n"), "{text}: {}", stderr(&output));
        assert_eq!(code(&output), 0);
        // As written, some have the form of no address, which may be of any network.
        let said = stderr(&output).replace(" --kind any)", ")");
        let assumption = format!("found with {damage} ({options}); nothing was found as written");
        assert!(said.contains(&assumption), "{text}: {said}");
        // The options describe the damage.
        let described = run(options.split(' ').chain([text, "--exact"]));
        assert_eq!(stdout(&described), format!("{ADDRESS}\n"), "{text}");
    }
}

#[test]
fn the_odds_count_everything_that_was_tried() {
    let (text, damage, options) = DAMAGED[4];
    let report = reports(&run([text, "--json"])).remove(0);
    let tried = report["tried"].as_array().unwrap();
    let last = tried.last().unwrap();
    assert_eq!((&last["damage"], &last["options"]), (&json!(damage), &json!(options)));
    let count =
        |candidates: &serde_json::Value| -> f64 { candidates.as_str().unwrap().parse().unwrap() };
    // The candidates of the first search are among those of the others, and count once. Exchanged
    // letters have other candidates.
    let first = count(&report["candidates"]);
    let is_exchange = |tried: &Value| tried["damage"].as_str().unwrap().ends_with("keyboard");
    let more = |it: &Value| count(&it["candidates"]) - if is_exchange(it) { 0.0 } else { first };
    let of_all = tried.iter().map(more).sum::<f64>();
    let expected = (first + of_all) / 2_f64.powi(32);
    let stated = report["expected_by_chance"].as_f64().unwrap();
    assert!((stated / expected - 1.0).abs() < 1e-9, "{stated} {expected}");
    let before = "nothing was found as written, with one look-alike character, with two swapped \
                  characters, with one extra character, with swapped or repeated blocks, with ";
    assert_says(&run([text, "--verbose"]), before);
    // One line says what was wrong, and no list what it was not.
    let said = run([text]);
    assert!(!stderr(&said).contains("nothing was found"), "{}", stderr(&said));
    assert_says(&said, "\n1 character was wrong: ...4Zn271 -> ...4ZnX71\ncertain, over");
    assert_eq!(
        report["change"],
        json!({ "what": "1 character was wrong", "before": "...4Zn271", "after": "...4ZnX71" })
    );
}

/// One character of each was changed. Another spelling of the first one passes the checksum by
/// chance. The network of the second one has no address that begins like it if all cases count.
#[test]
fn mixed_case_text_keeps_its_case_first() {
    for (text, address, by_chance) in [
        (
            "1NbnnW6ZQSzMRMo7L6gUnc5E7MX4VefAXb",
            "1NbnnW6ZQSz7RMo7L6gUnc5E7MX4VefAXb",
            "1NBNNW6ZqsZMrmo7L6gunc5E7mx4VeFaxB\n",
        ),
        ("6jwf2K5nFs2pfJLpK1deER5ZfTS6iCvgYj", "6jwfgK5nFs2pfJLpK1deER5ZfTS6iCvgYj", ""),
    ] {
        let output = run([text, "--verbose"]);
        assert_eq!(stdout(&output), format!("{address}\n"), "{}", stderr(&output));
        let damage = "found with one wrong character (--case kept --typos 1";
        assert_says(&output, damage);
        assert_eq!(stdout(&run([text, "--exact"])), by_chance);
    }
    // What looks like an l is read so unasked.
    let output = run(["1Lbcfr7sAHTD9CgdQo3HTMTkV8IK4ZnX71"]);
    assert_eq!(stdout(&output), format!("{ADDRESS}\n"));
    assert_says(&output, "certain, over 99.9 % likely to be right: 1 in ");
    assert!(!stderr(&output).contains("nobody described"), "{}", stderr(&output));
}

#[test]
fn letters_in_the_wrong_case_are_found_among_other_damage() {
    let text = "1LBCfR7sahtd9CGDqO3HTmTKv8Lk4znx71";
    let report = reports(&run([text, "--json"])).remove(0);
    assert_eq!(report["hits"][0]["address"], ADDRESS);
    let tried = report["tried"].as_array().unwrap();
    let lost = json!({
        "damage": "letters in the wrong case",
        "options": "--case lost",
        "candidates": "8388608",
    });
    assert_eq!((tried.last().unwrap(), &report["candidates"]), (&lost, &json!("1")));
    assert!(tried.len() > 5, "{tried:?}");
    assert_eq!(stdout(&run(["--case", "lost", "--exact", text])), format!("{ADDRESS}\n"));
}

/// What is skipped depends on the number of hashes, and the cheapest of it is named. A budget is
/// for what is estimated to end within it.
#[test]
fn a_budget_is_for_what_was_skipped() {
    // No address is like this. Some of what is skipped takes less than a second.
    let text = SHORT.replace("71", "72");
    let batch = |budget: &[&str]| {
        let arguments = ["batch", "--json"].iter().chain(budget);
        reports(&run_with_input(arguments, format!("{text}\n").as_bytes())).remove(0)
    };
    let tried = |report: &Value| report["tried"].as_array().unwrap().len();
    let (default, short, long) =
        (batch(&[]), batch(&["--budget", "1e-6s"]), batch(&["--budget", "10s"]));
    for report in [&default, &short] {
        assert_eq!((&report["status"], &report["hashes"]), (&json!("none"), &default["hashes"]));
        assert_eq!(report["next"]["options"], "--cut 4");
    }
    assert!(tried(&short) == tried(&default) && tried(&long) > tried(&default), "{long}");
}

#[test]
fn only_the_described_damage_is_tried_if_that_is_asked_for() {
    let (text, ..) = DAMAGED[4];
    let output = run([text, "--exact"]);
    assert_eq!((code(&output), stdout(&output).contains(ADDRESS)), (1, false));
    assert_eq!(code(&run([text, "--exact", "--budget", "1s"])), 2);
}

#[test]
fn what_may_well_fit_by_chance_is_marked() {
    // One character is wrong. The last five are cheap to search.
    let text = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LX4?n?[23456789]?";
    let output = run([text]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).starts_with(&format!("10 %: {ADDRESS}\n")), "{}", stderr(&output));
    let warning = "uncertain, ";
    assert_says(&output, warning);
    let report = reports(&run([text, "--json"])).remove(0);
    assert_eq!(report["status"], "several");
    // The rule for batches is the same.
    let batch = run_with_input(["batch", "--json"], format!("{text}\n").as_bytes());
    assert_eq!((code(&batch), &reports(&batch)[0]["status"]), (3, &json!("several")));
    // With odds of 47 to 1 it is likely if the text shows the damage, with 68 to 1 it is not if
    // the damage is a guess.
    let output = run(["1Lbcfr7sAHTD9CgdQo3HTMTkV8LK????[23456789]1"]);
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
    let output = run(["1Lbcfr7sAHTD9CgdQo3HTMTkV8LX4?n?[23456789]1"]);
    assert_prints(&output, 3, &format!("{ADDRESS}\n"));
    assert_says(&output, "uncertain, ");
}

/// What was described is part of everything that is tried.
#[test]
fn described_damage_is_kept() {
    let text = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4nZ71";
    let output = run([text, "--missing", "--kind", "bitcoin-p2pkh", "--verbose"]);
    assert_eq!(stdout(&output), format!("{ADDRESS}\n"), "{}", stderr(&output));
    let options = "(--case kept --missing --swapped --kind bitcoin-p2pkh)";
    assert_says(&output, options);
}

#[test]
fn known_addresses_answer_damage_that_would_take_too_long() {
    let list = file("known of 'skipped'.txt", &format!("{ADDRESS}\n"));
    let known = ["--known", list.to_str().unwrap()];
    let (text, damage, options) = DAMAGED[4];
    let report = reports(&run([&[text, "--json"], &known[..]].concat())).remove(0);
    let hit = &report["hits"][0];
    assert_eq!((&hit["address"], &hit["known"]), (&json!(ADDRESS), &json!(true)));
    let tried = report["tried"].as_array().unwrap();
    assert!(tried.iter().any(|rung| rung["damage"] == damage), "{tried:?}");
    assert_eq!(report["from_known"], true);
    let output = run([&[text, "-v"], &known[..]].concat());
    assert_says(&output, &format!("found with {damage} ({options})"));
    assert!(stderr(&output).ends_with("found in the list of known addresses, without a search\n"));
}

/// Five characters are wrong, two are missing, and the case is lost.
#[test]
fn the_nearest_known_address_is_an_answer() {
    let list = file("nearest.txt", &format!("{ADDRESS}\n3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n"));
    let text = "1lxcfr7sahxd9cgxqo3htmtxv8l4znx";
    let known = ["--known", list.to_str().unwrap(), "--json"];
    let output = run_with_input(["batch"].iter().chain(&known), format!("{text}\n").as_bytes());
    let report = reports(&output).remove(0);
    assert_eq!((code(&output), &report["status"]), (0, &json!("unique")), "{report}");
    assert_eq!(report["hits"][0]["address"], ADDRESS);
    let note = "the nearest in the list of known addresses; 7 characters differ";
    assert_eq!((&report["note"], &report["from_known"]), (&json!(note), &json!(true)));
    // An address that fits by chance, with two characters swapped, is no better answer.
    let text = "1lbcfraaahtd9cgdqo3htmyyv8lk4znx71";
    assert!(reports(&run([text, "--json"]))[0]["hits"][0]["address"] != ADDRESS);
    assert_prints(&run([text, known[0], known[1]]), 0, &format!("{ADDRESS}\n"));
    let noise = run([&ADDRESS.replace("HTMT", "????"), "--case", "lost", known[0], known[1]]);
    assert_prints(&noise, 0, &format!("{ADDRESS}\n"));
}

#[test]
fn letters_in_the_wrong_case_are_found_beside_an_unreadable_character() {
    let output = run(["Dl669eiuo1f3ukc6chnc6bzapfgcj7p?nf"]);
    assert!(!stdout(&output).is_empty(), "{}", stderr(&output));
    let lost = run(["Dl669eiuo1f3ukc6chnc6bzapfgcj7p?nf", "--case", "lost", "--exact"]);
    assert_eq!(stdout(&output), stdout(&lost));
    let output = run(["1LBcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX?1"]);
    assert!(stdout(&output).contains(ADDRESS), "{}", stderr(&output));
    assert_says(&output, "\n1 character was wrong: 1LBcfr... -> 1Lbcfr...\ncertain, ");
}

/// Half of all texts fit such a question by chance.
#[test]
fn what_fits_by_chance_is_marked_even_if_described() {
    let text = format!("1{}", "a".repeat(33));
    let output = run([&*text, "--exact"]);
    assert!(matches!(code(&output), 1 | 3), "{}", stderr(&output));
    let output = run(["1Lbcfr7sAHTD9CgdQo3HTMTkV8LK?????1", "--exact"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert_says(&output, "uncertain, each 46 % likely to be right: 1 in 7 random texts");
}

/// The time of some steps is beyond any figure.
#[test]
fn steps_without_end_are_skipped() {
    let endless = "L????????????????????????htmtkv8l";
    let output = run([endless]);
    assert_prints(&output, 1, "");
    assert!(!stderr(&output).contains("next:"), "{}", stderr(&output));
    let batch = run_with_input(["batch"], format!("{endless}\n{SHORT}\n").as_bytes());
    let answers = format!("1\tnone\t(not shown)\t\t\n2\tunique\t{SHORT}\t{ADDRESS}\t99.8 %\n");
    assert_prints(&batch, 1, &answers);
}
