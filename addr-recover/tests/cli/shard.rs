//! `--shard` and `merge`.

use std::process::Command;

use serde_json::Value;

use crate::keys::KEY;
use crate::{
    ADDRESS, SHORT, assert_prints, assert_says, code, file, folder, reports, run, run_with_input,
    stderr, stdout,
};

const TEXT: &str = "1Lbcfr7sAHTD9Cg???3HTMTkV8LK4ZnX71";
#[cfg(unix)]
const SCALING: &str = include_str!("../../docs/scaling.md");

/// The JSON of all parts, one a file.
fn parts(name: &str, count: usize, text: &str) -> Vec<String> {
    let part = |index: usize| {
        let output = run([text, "--json", "--shard", &format!("{index}/{count}")]);
        assert!([1, 3].contains(&code(&output)), "{}", stderr(&output));
        assert_eq!(reports(&output).len(), 1);
        let path = file(&format!("{name}-{index}"), stdout(&output));
        path.to_str().unwrap().to_owned()
    };
    (1..=count).map(part).collect()
}

fn merge(files: &[String]) -> std::process::Output {
    run([&["merge".to_owned(), "--json".to_owned()], files].concat())
}

#[test]
fn all_parts_make_the_answer_of_the_whole_search() {
    for (text, status) in [(TEXT, 0), (crate::TWO, 3), (&*TEXT.replace("71", "72"), 1)] {
        let whole = reports(&run([text, "--json", "--exact"])).remove(0);
        for count in [1, 3, 50] {
            let mut files = parts("part", count, text);
            files.reverse();
            let output = merge(&files);
            assert_eq!(code(&output), status, "{}", stderr(&output));
            let merged = reports(&output).remove(0);
            let fields = |report: &Value| {
                ["input", "status", "hits", "hashes", "expected_by_chance", "candidates"]
                    .map(|field| report[field].clone())
            };
            assert_eq!(fields(&merged), fields(&whole));
            assert!(merged["shard"].is_null());
        }
    }
    let files = parts("shown", 2, TEXT);
    let output = run([&["merge".to_owned()], &files[..]].concat());
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
}

#[test]
fn parts_that_are_not_all_of_one_search_are_no_answer() {
    let files = parts("of-three", 3, TEXT);
    let other = parts("of-other", 3, crate::TWO);
    let of_two = parts("of-two", 2, TEXT);
    let whole = file("whole.json", stdout(&run([SHORT, "--json"])));
    let noise = format!("{}{}", &TEXT[..24], "?".repeat(10));
    let refused = file("refused.json", stdout(&run([&noise, "--json", "--shard", "1/1"])));
    let path = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    for (files, message) in [
        (files[1..].to_vec(), "1 of 3 parts are missing, first part 1"),
        (vec![files[0].clone(), files[0].clone()], "2 of 3 parts are missing, first part 2"),
        (vec![files[0].clone(), other[1].clone()], "part 2 of 3 of another search than part 1"),
        (vec![files[0].clone(), of_two[1].clone()], "part 2 of 2 of another search than part 1"),
        (vec![path(&whole)], "not a part of a search with --shard"),
        (vec![path(&refused)], "was not searched"),
        (vec![path(&file("no.json", "{}"))], "not the --json output of a search"),
        (vec![path(&file("empty.json", ""))], "no parts to merge"),
    ] {
        let output = merge(&files);
        assert_prints(&output, 2, "");
        assert_says(&output, message);
    }
    for shard in ["0/3", "4/3", "1", "1/0", "1/99999999", "a/b", "-1/3"] {
        let output = run([SHORT, &format!("--shard={shard}")]);
        assert_prints(&output, 2, "");
        assert_says(&output, "such as 3/8");
    }
    let output = run_with_input(["batch", "--shard", "1/2"], SHORT.as_bytes());
    assert_prints(&output, 2, "");
}

#[test]
fn one_part_finds_the_key() {
    let text = format!("{}???{}", &KEY[..20], &KEY[23..]);
    let of_address = format!("{}...", &KEY[..43]);
    let address = "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH";
    for (text, options, status) in
        [(&text, &[][..], 3), (&of_address, &["--address", address][..], 0)]
    {
        let of_part = |index: usize| {
            let shard = format!("{index}/3");
            run_with_input([&["key", "--shard", &shard], options].concat(), text.as_bytes())
        };
        let outputs = [1, 2, 3].map(of_part);
        let found = outputs.iter().filter(|output| stdout(output) == format!("{KEY}\n"));
        assert!(found.clone().all(|output| code(output) == status));
        assert_eq!(found.count(), 1);
        let empty = outputs.iter().filter(|output| stdout(output).is_empty());
        assert!(empty.clone().all(|output| code(output) == 1));
        assert!(empty.clone().all(|output| stderr(output).contains("not found in part ")));
        assert_eq!(empty.count(), 2);
    }
}

/// The recipe as it is in the docs. `ci/recipes.sh` runs the others.
#[cfg(unix)]
#[test]
fn gnu_parallel_runs_the_recipe() {
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).contains("GNU parallel")) {
        println!("skipped: there is no GNU parallel");
        return;
    }
    let recipe = SCALING.split("```sh\n# recipe: parallel\n").nth(1).unwrap();
    let recipe = recipe.split("```").next().unwrap();
    let folder = folder("parallel");
    let tool = std::path::Path::new(env!("CARGO_BIN_EXE_addr-recover")).parent().unwrap();
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap());
    let shell = |address: Option<&str>| {
        let mut shell = Command::new("sh");
        shell.args(["-ec", recipe]).current_dir(&folder).env("HOME", &folder).env("PATH", &path);
        match address {
            Some(address) => shell.env("ADDRESS", address),
            None => shell.env_remove("ADDRESS"),
        };
        shell.output().unwrap()
    };
    assert_prints(&shell(Some(TEXT)), 0, &format!("{ADDRESS}\n"));
    for address in [None, Some("")] {
        let output = shell(address);
        assert_prints(&output, 2, "");
        assert_says(&output, "ADDRESS: ");
        assert_says(&output, "no parts to merge");
    }
}

#[test]
fn parts_come_through_a_pipe() {
    let part = |index: usize| run([TEXT, "--json", "--shard", &format!("{index}/3")]);
    let lines: Vec<Vec<u8>> = [2, 3, 1].map(|index| part(index).stdout).into();
    let output = run_with_input(["merge", "-"], &lines.concat());
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
    let output = run_with_input(["merge", "-"], &lines[..2].concat());
    assert_prints(&output, 2, "");
    assert_says(&output, "1 of 3 parts are missing, first part 1");
}
