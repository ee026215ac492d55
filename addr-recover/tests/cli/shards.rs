//! `--shard` and `merge`.

use std::process::Output;

use serde_json::{Value, json};

use crate::batch::{BATCH, STATUSES};
use crate::schema;
use crate::{ADDRESS, SHORT, TWO, code, file, reports, run, run_with_input, stderr, stdout};

#[test]
pub(super) fn merged_shards_equal_the_whole() {
    let without_time = |mut reports: Vec<Value>| {
        reports.iter_mut().for_each(|report| report["seconds"] = json!(0));
        reports
    };
    let whole = without_time(reports(&run_with_input(["batch", "-", "--json", "--exact"], BATCH)));
    let mut names = vec!["merge".to_owned(), "--json".to_owned()];
    for index in 1..=3 {
        let shard = format!("{index}/3");
        let output = run_with_input(["batch", "-", "--shard", &shard], BATCH);
        let (ends, parts): (Vec<Value>, Vec<Value>) =
            reports(&output).into_iter().partition(|report| report["status"] == "end");
        assert_eq!(parts.len(), STATUSES.len());
        let end = json!({
            "schema": 1,
            "status": "end",
            "shard": shard,
            "format": concat!("addr-recover ", env!("CARGO_PKG_VERSION")),
            "lines": STATUSES.len(),
            "hits": parts.iter().map(|part| part["hits"].as_array().unwrap().len()).sum::<usize>(),
        });
        assert_eq!(ends, [end]);
        let hits = parts.iter().filter(|part| part["status"] == "part");
        let mut hits = hits.flat_map(|part| part["hits"].as_array().unwrap());
        assert!(hits.all(|hit| hit.get("probability").is_none()));
        let name = format!("shard-{index}-of-3.jsonl");
        names.push(file(&name, stdout(&output)).to_str().unwrap().to_owned());
    }
    let merged = run(&names);
    assert_eq!(code(&merged), 2);
    assert_eq!(without_time(reports(&merged)), whole);
    let missing = run(&names[..names.len() - 1]);
    assert_eq!(code(&missing), 2);
    assert!(stderr(&missing).contains("shard 3/3 is missing"), "{}", stderr(&missing));
    names.push(names[2].clone());
    assert!(stderr(&run(&names)).contains("appears twice"));
    let single: Vec<String> = (1..=2)
        .map(|index| {
            let output = run([TWO, "--shard", &format!("{index}/2")]);
            let found = reports(&output)[0]["hits"].as_array().unwrap().len();
            assert_eq!(code(&output), if found > 0 { 0 } else { 5 });
            file(&format!("single-{index}.json"), stdout(&output)).to_str().unwrap().to_owned()
        })
        .collect();
    let merged = run(["merge", &single[0], &single[1]]);
    assert_eq!(code(&merged), 3);
    assert_eq!(stdout(&merged).lines().count(), 2);
}

/// The outputs of both shards of a search space.
fn two_shards(text: &str, options: &[&str]) -> [String; 2] {
    ["1/2", "2/2"].map(|shard| {
        stdout(&run([text, "--shard", shard, "--quiet"].iter().chain(options))).to_owned()
    })
}

pub(super) fn merged(parts: &[&str]) -> Output {
    run_with_input(["merge", "-"], parts.concat().as_bytes())
}

/// A part must not pass for the whole.
#[test]
fn only_whole_shards_of_one_search_space_are_merged() {
    let [first, second] = two_shards(SHORT, &[]);
    let [of_first, of_second] = [&first, &second].map(|part| {
        let line: Value = schema::parse(part.lines().next().unwrap());
        line["question"].clone()
    });
    assert!(of_first.is_string());
    assert_eq!(of_first, of_second);
    let output = merged(&[&first, &second]);
    assert_eq!((code(&output), stdout(&output)), (0, &*format!("{ADDRESS}\n")));
    let [_, dash] = two_shards(SHORT, &["--kind", "dash-p2pkh"]);
    let [_, typo] = two_shards(SHORT, &["--case", "kept"]);
    let [_, other] = two_shards(&SHORT.replace("71", "72"), &[]);
    let without_end = first.split_inclusive('\n').next().unwrap();
    let only_end = &first[without_end.len()..];
    let without_hits = |part: &str| -> String {
        let mut objects: Vec<Value> = part.lines().map(schema::parse).collect();
        objects[0]["hits"] = json!([]);
        objects.iter().map(|object| format!("{object}\n")).collect()
    };
    let removed = [&first, &second].map(|part| without_hits(part));
    let older = first.replace(env!("CARGO_PKG_VERSION"), "0.0.1");
    let whole = run([SHORT, "--json"]);
    for (parts, message) in [
        (vec![], "nothing to merge: the input contains no shards"),
        (vec!["\n"], "nothing to merge: the input contains no shards"),
        (vec![&*first], "shard 2/2 is missing"),
        (vec![&first, &second, &first], "shard 1/2 appears twice"),
        (vec![without_end, &second], "shard 1/2 is truncated after 1 line"),
        (vec![only_end, &second], "shard 1/2 is incomplete: found 0 of 1 line"),
        (vec![&first, &dash], "searched for different addresses or with different options"),
        (vec![&first, &typo], "searched for different addresses or with different options"),
        (vec![&first, &other], "searched for different addresses or with different options"),
        (
            vec![&removed[0], &removed[1]],
            "was changed: it has 0 hits instead of the 1 that were found",
        ),
        (vec![&older, &second], "-, line 1: written by addr-recover 0.0.1"),
        (vec![stdout(&whole)], "not the output of a shard"),
    ] {
        let output = merged(&parts);
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{message}");
        assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
    }
}

/// A scheduler kills a shard, and starts it again with the same file for its output.
#[test]
fn repeated_answers_of_a_shard_are_ignored_unless_they_differ() {
    let [first, second] =
        ["1/2", "2/2"].map(|shard| run_with_input(["batch", "-", "--shard", shard], BATCH));
    let [first, second] = [stdout(&first), stdout(&second)];
    let whole = merged(&[first, second]);
    let lines: Vec<&str> = first.split_inclusive('\n').collect();
    let answers: Vec<Value> = first.lines().map(schema::parse).collect();
    let part = answers.iter().find(|answer| answer["status"] == "part").unwrap();
    let again = |field: &str, value: Value| {
        let mut again = part.clone();
        again[field] = value;
        format!("{again}\n")
    };
    // On another machine, at another speed.
    let elsewhere = again("backend", json!("portable")) + &again("seconds", json!(99.5));
    let output = merged(&[lines[0], lines[1], &elsewhere, first, second]);
    assert_eq!(stdout(&output), stdout(&whole), "{}", stderr(&output));
    assert_eq!(code(&output), code(&whole));
    let unlike = part["hits"].as_array().unwrap().is_empty();
    let hits = if unlike { json!([some_hit(second)]) } else { json!([]) };
    for contradiction in [again("hits", hits), again("question", json!("0123456789abcdef"))] {
        let output = merged(&[&contradiction, first, second]);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        let message = format!("shard 1/2 has another answer of line {} before", part["line"]);
        assert!(stderr(&output).contains(&message), "{}", stderr(&output));
    }
}

/// A hit in a shard's output.
fn some_hit(part: &str) -> Value {
    let hit = |line| schema::parse(line)["hits"].get(0).cloned();
    part.lines().find_map(hit).unwrap()
}

#[test]
fn too_many_hits_in_one_shard_are_too_many_for_all() {
    let [mut first, second] = two_shards("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK??????", &["--force"]);
    assert_eq!(code(&merged(&[&first, &second])), 3);
    // Forged, instead of searching for a hundred thousand hits.
    let mut report: Value = schema::parse(first.lines().next().unwrap());
    report["status"] = json!("refused");
    report["hits"] = json!([]);
    report["error"] = json!({ "message": "more than 100000 addresses fit" });
    let mut end: Value = schema::parse(first.lines().nth(1).unwrap());
    end["hits"] = json!(0);
    first = format!("{report}\n{end}\n");
    for parts in [[&*first, &*second], [&*second, &*first]] {
        let output = merged(&parts);
        assert_eq!((code(&output), stdout(&output)), (4, ""));
        assert_eq!(stderr(&output), "error: more than 100000 addresses fit\n");
    }
}

#[test]
fn only_reports_are_merged() {
    for content in ["{}\n", "nonsense\n", "{\"input\":1}\n"] {
        let path = file("no-report.json", content);
        let output = run(["merge", path.to_str().unwrap()]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("line 1: not a report"), "{}", stderr(&output));
    }
}
