//! Damage that nobody described.

use serde_json::json;

use crate::{ADDRESS, SHORT, code, file, reports, run, run_with_input, stderr, stdout};

/// Damaged once, with the name and the options of what happened to it.
const DAMAGED: [(&str, &str, &str); 9] = [
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
];

#[test]
fn common_damage_is_found_undescribed() {
    for (text, damage, options) in DAMAGED {
        let output = run([text]);
        assert_eq!(stdout(&output), format!("{ADDRESS}\n"), "{text}: {}", stderr(&output));
        assert_eq!(code(&output), 0);
        let assumption = format!("found only with {damage} ({options}), so it is less certain");
        assert!(stderr(&output).contains(&assumption), "{text}: {}", stderr(&output));
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
    // The candidates of the first search are among those of the others, and count once.
    let first = count(&report["candidates"]);
    let of_all = tried.iter().map(|tried| count(&tried["candidates"]) - first).sum::<f64>();
    let expected = (first + of_all) / 2_f64.powi(32);
    let stated = report["expected_by_chance"].as_f64().unwrap();
    assert!((stated / expected - 1.0).abs() < 1e-9, "{stated} {expected}");
    let ratio = report["likelihood_ratio"].as_f64().unwrap();
    assert!((ratio * stated - 1.0).abs() < 1e-9, "{ratio} {stated}");
    let before = [
        "one look-alike character",
        "two swapped characters",
        "one extra character",
        "two look-alike characters",
        "look-alikes of 0 and 1",
    ];
    let before = format!("nothing was found as written, with {}", before.join(", with "));
    assert!(stderr(&run([text])).contains(&before), "{}", stderr(&run([text])));
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
        let output = run([text]);
        assert_eq!(stdout(&output), format!("{address}\n"), "{}", stderr(&output));
        let damage = "found only with one wrong character (--case kept --typos 1";
        assert!(stderr(&output).contains(damage), "{}", stderr(&output));
        assert_eq!(stdout(&run([text, "--exact"])), by_chance);
    }
    // What looks like an l is read so unasked.
    let output = run(["1Lbcfr7sAHTD9CgdQo3HTMTkV8IK4ZnX71"]);
    assert_eq!(stdout(&output), format!("{ADDRESS}\n"));
    assert!(stderr(&output).contains("leaves no doubt"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("found only"), "{}", stderr(&output));
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
    // If that finds nothing, what is less likely comes after it.
    let none = ["1BLOGc9ln4oPDCRunz3qo1YSA133e9agg9", "--kind", "bitcoin-p2pkh", "--json"];
    let report = reports(&run(none)).remove(0);
    let tried = report["tried"].as_array().unwrap();
    let at = tried.iter().position(|tried| tried["damage"] == lost["damage"]).unwrap();
    let count = |of: &serde_json::Value| of["candidates"].as_str().unwrap().parse::<u64>().unwrap();
    let counts: Vec<u64> = tried.iter().map(count).collect();
    assert!(at > 0 && at + 1 < counts.len(), "{tried:?}");
    assert!(counts[..at].iter().all(|count| *count < counts[at]), "{counts:?}");
    assert!(counts[at + 1..].iter().all(|count| *count >= counts[at]), "{counts:?}");
    let first = count(&report);
    let more: u64 = counts.iter().map(|count| count - first).sum();
    let all = (first + more) as f64 / 2_f64.powi(32);
    assert!((report["expected_by_chance"].as_f64().unwrap() / all - 1.0).abs() < 1e-9);
}

#[test]
fn a_small_budget_names_the_next_step() {
    let none = SHORT.replace("71", "72");
    let output = run([&*none, "--budget", "0.000001"]);
    assert_eq!((code(&output), stdout(&output)), (1, ""));
    let start = "not found: tried the text as written (8388608 candidates); next: addr-recover \
                 --confuse=0oO,1IlLi,2Zz,5Ss,7T,8B --max-confused 1 \
                 '1lbcfr7sahtd9cgdqo3htmtkv8lk4znx72' (one look-alike character: ";
    assert!(stderr(&output).starts_with(start), "{}", stderr(&output));
    let report = reports(&run([&none, "--budget", "1e-6s", "--json"])).remove(0);
    let options = "--confuse=0oO,1IlLi,2Zz,5Ss,7T,8B --max-confused 1";
    assert_eq!(report["next"]["options"], options);
    assert!(report["next"]["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(report.get("tried"), None);
}

#[test]
fn only_the_described_damage_is_tried_if_that_is_asked_for() {
    let (text, ..) = DAMAGED[4];
    for arguments in [vec![text, "--exact"], vec![text, "--shard", "1/1", "--quiet"]] {
        let output = run(&arguments);
        assert!(!stdout(&output).contains(ADDRESS), "{arguments:?}");
    }
    assert_eq!(code(&run([text, "--exact"])), 1);
    assert_eq!(code(&run([text, "--exact", "--budget", "1s"])), 2);
}

#[test]
fn one_look_alike_in_lower_case_text_is_found() {
    let output = run(["3ah5tesj57vmda4qz3vyqxrsmzpqg3attb"]);
    assert_eq!(stdout(&output), "3Ah5tESJ5TvmDA4QZ3vyQxrSmzpQG3aTTb\n", "{}", stderr(&output));
    let damage = "found only with one look-alike character (--confuse=";
    assert!(stderr(&output).contains(damage), "{}", stderr(&output));
}

#[test]
fn what_may_well_fit_by_chance_is_marked() {
    // One character is wrong. The last five are cheap to search.
    let text = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LX4?n?[23456789]?";
    let output = run([text]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stdout(&output).contains(ADDRESS), "{}", stderr(&output));
    let warning = "uncertain: about 0.";
    assert!(stderr(&output).contains(warning), "{}", stderr(&output));
    let report = reports(&run([text, "--json"])).remove(0);
    assert_eq!(report["status"], "several");
    // Nobody looks at each answer of a batch.
    let batch = run_with_input(["batch", "--quiet"], format!("{text}\n").as_bytes());
    assert_eq!(stdout(&batch), format!("1\tnone\t{text}\t\n"));
}

#[test]
fn damage_that_fits_too_often_by_chance_is_named() {
    for (end, reason, force) in [
        ("3????", "s, but about 4.3 addresses fit by chance)", ""),
        ("[346]????", "s, but about 12.6 addresses fit by chance)", " --force"),
    ] {
        let text = format!("1CDEFGHJKMNPQRUVWXYacdefghjkm{end}");
        let output = run([&*text]);
        let command = format!("; next: addr-recover --case kept --typos 1{force} '{text}' (one ");
        assert!(stderr(&output).contains(&command), "{}", stderr(&output));
        assert!(stderr(&output).trim_end().ends_with(reason), "{}", stderr(&output));
    }
}

/// What was described is part of everything that is tried.
#[test]
fn described_damage_is_kept() {
    let text = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4nZ71";
    let output = run([text, "--missing", "--kind", "bitcoin-p2pkh"]);
    assert_eq!(stdout(&output), format!("{ADDRESS}\n"), "{}", stderr(&output));
    let options = "(--case kept --missing --swapped --kind bitcoin-p2pkh)";
    assert!(stderr(&output).contains(options), "{}", stderr(&output));
}

#[test]
fn known_addresses_answer_other_damage_too() {
    let list = file("known-of-ladder.txt", &format!("{ADDRESS}\n"));
    let (text, ..) = DAMAGED[4];
    let report = reports(&run([text, "--json", "--known", list.to_str().unwrap()])).remove(0);
    assert_eq!(
        (&report["hits"][0]["address"], &report["hits"][0]["known"]),
        (&json!(ADDRESS), &json!(true))
    );
}

#[test]
fn known_addresses_answer_damage_that_would_take_too_long() {
    let list = file("known of 'skipped'.txt", &format!("{ADDRESS}\n"));
    let known = ["--budget", "0.000001", "--known", list.to_str().unwrap()];
    let (text, damage, options) = DAMAGED[4];
    let report = reports(&run([&[text, "--json"], &known[..]].concat())).remove(0);
    assert_eq!(report["hits"][0]["address"], ADDRESS);
    assert_eq!(report["tried"][0]["damage"], damage);
    assert_eq!((&report["from_known"], report.get("likelihood_ratio")), (&json!(true), None));
    let output = run([&[text], &known[..]].concat());
    assert!(stderr(&output).contains(&format!("found only with {damage} ({options})")));
    assert!(stderr(&output).ends_with("found in the list of known addresses, without a search\n"));
    let anyway = run([&[text, "--search-anyway"], &known[..]].concat());
    assert_eq!((code(&anyway), stdout(&anyway)), (1, ""));

    let none = SHORT.replace("71", "72").replace("lbcfr7", "zzzzzz");
    let quoted = list.display().to_string().replace('\'', r"'\''");
    let one = "--confuse=0oO,1IlLi,2Zz,5Ss,7T,8B --max-confused 1";
    let next = format!("{one} --known '{quoted}'");
    let report = reports(&run([&[&*none, "--json"], &known[..]].concat())).remove(0);
    assert_eq!(report["next"]["options"], next);
    let output = run([&[&*none], &known[..]].concat());
    let command = format!("next: addr-recover {next} '{none}' (");
    assert!(stderr(&output).contains(&command), "{}", stderr(&output));
}

#[test]
fn lines_of_a_batch_have_a_small_budget() {
    let (text, ..) = DAMAGED[2];
    let output = run_with_input(["batch", "--quiet"], format!("{text}\n").as_bytes());
    assert_eq!(stdout(&output), format!("1\tunique\t{text}\t{ADDRESS}\n"));
}

/// The time of some steps is beyond any figure.
#[test]
fn steps_without_end_are_skipped() {
    let endless = "L????????????????????????htmtkv8l";
    let output = run([endless]);
    assert_eq!((code(&output), stdout(&output)), (1, ""), "{}", stderr(&output));
    assert!(!stderr(&output).contains("next:"), "{}", stderr(&output));
    let batch = run_with_input(["batch"], format!("{endless}\n{SHORT}\n").as_bytes());
    let answers = format!("1\tnone\t{endless}\t\n2\tunique\t{SHORT}\t{ADDRESS}\n");
    assert_eq!((code(&batch), stdout(&batch)), (1, &*answers), "{}", stderr(&batch));
}
