//! `--resume`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

#[cfg(unix)]
use crate::running::{LONG, Running, saved, saved_hashes, stopped_by};
use crate::{
    ADDRESS, SHORT, assert_says, code, file, folder, names, reports, run, statuses, stderr, stdout,
};

/// Writes a resume file with this content and a correct checksum.
fn forged(name: &str, content: &Value) -> PathBuf {
    let content = content.to_string();
    let sum = hex::encode(Sha256::digest(&content));
    file(name, &format!("addr-recover {} {sum}\n{content}", env!("CARGO_PKG_VERSION")))
}

fn assert_not_resumed(file: &Path, message: &str) {
    let output = run([OsStr::new("--resume"), file.as_os_str()]);
    assert_eq!((code(&output), stdout(&output)), (2, ""), "{message}");
    assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
}

#[test]
fn only_resume_files_are_resumed() {
    for content in ["{}", "", "[1", "{}\n{}\n", "addr-recover\n{}"] {
        assert_not_resumed(&file("no-resume", content), "not a resume file");
    }
    assert_not_resumed(
        &file("other-resume", "addr-recover 0.0.1 00\n{}"),
        "written by addr-recover 0.0.1",
    );
    assert_not_resumed(&forged("empty-resume", &json!({})), "not a resume file");
}

/// A pipe that nobody writes to would block, and a device has no end.
#[cfg(unix)]
#[test]
fn only_regular_files_are_resumed() {
    let pipe = folder("pipe-resume").join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // If the tool opened the pipe, this would be its writer, and the tool would read the end.
    let output = std::thread::scope(|scope| {
        let tool = scope.spawn(|| run([OsStr::new("--resume"), pipe.as_os_str()]));
        while !tool.is_finished() {
            let script = "timeout 0.1 sh -c ': > \"$0\"' \"$0\"";
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", script]).arg(&pipe).status().unwrap();
        }
        tool.join().unwrap()
    });
    assert_eq!((code(&output), stdout(&output)), (2, ""), "{}", stderr(&output));
    assert_says(&output, "not a regular file");
    assert_not_resumed(Path::new("/dev/zero"), "not a regular file");
    assert_not_resumed(Path::new("/"), "is a directory");
}

#[test]
fn a_resumed_search_keeps_its_options() {
    let file = file("options.resume", "{}");
    for option in [
        &["--typos", "1"][..],
        &["--exact"],
        &["--kind", "bitcoin"],
        &["--version-byte", "0"],
        &["--known", "x"],
        &["--blocks"],
        &["--save", "x"],
        &["--force"],
        &["--budget", "5s"],
    ] {
        let output = run([&["--resume", file.to_str().unwrap()], option].concat());
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{option:?}");
        assert_says(&output, "cannot be used with");
    }
    let output = run(["--resume", file.to_str().unwrap(), "--threads", "1", "--json", "-q"]);
    assert_says(&output, "not a resume file");
}

#[cfg(unix)]
#[test]
fn progress_is_saved_and_resumed() {
    let whole = reports(&run([LONG, "--json"])).remove(0);
    for signal in ["-INT", "-TERM", "-HUP", "-KILL"] {
        let folder = folder(&format!("single{signal}"));
        let name = "addr-recover.resume";
        let save = folder.join(name);
        let output = stopped_by(signal, &save, &[LONG], b"");
        assert_eq!(stdout(&output), "");
        if signal == "-KILL" {
            assert_eq!(output.status.code(), None);
        } else {
            assert_eq!(code(&output), 130, "{signal}");
            assert_eq!(
                stderr(&output),
                format!("interrupted; resume with: addr-recover --resume {}\n", save.display())
            );
            assert_eq!(names(&folder), [name]);
        }
        if signal == "-HUP" {
            continue;
        }
        let output = run([OsStr::new("--resume"), save.as_os_str(), OsStr::new("--json")]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let report = reports(&output).remove(0);
        assert_eq!(report["hits"].as_array().unwrap().len(), 1);
        assert_eq!(report["hashes"], whole["hashes"]);
        assert_eq!(report["hits"], whole["hits"]);
        assert!(!save.exists());
    }
}

/// A search that is killed, whenever that is, and resumed gives the answers of one that is not.
#[cfg(unix)]
#[test]
#[ignore = "takes long"]
fn a_search_that_is_killed_at_any_moment_is_resumed_long() {
    let folder = folder("killed");
    let (list, save) = (folder.join("list"), folder.join("addr-recover.resume"));
    fs::write(&list, format!("{LONG}\n{SHORT}\n{}\n", LONG.replace("71", "72"))).unwrap();
    let batch = ["batch", list.to_str().unwrap(), "--json", "--exact"];
    let answer =
        |report: &Value| [&report["line"], &report["hits"], &report["hashes"]].map(Value::clone);
    let answers: Vec<_> = reports(&run(batch)).iter().map(answer).collect();
    let mut resumed = 0;
    for round in 0..20_u64 {
        let mut search = Running::search(&folder, &batch, b"");
        std::thread::sleep(std::time::Duration::from_millis(round * 7919 % 6007));
        // It may have ended.
        let _ = search.0.kill();
        let mut found = reports(&search.output());
        if save.exists() {
            let rest = run([OsStr::new("--resume"), save.as_os_str(), OsStr::new("--json")]);
            found.extend(reports(&rest));
            resumed += 1;
        } else {
            assert!(found.is_empty() || found.len() == answers.len(), "{found:?}");
        }
        // Answers that were printed, but not yet saved as printed, are printed again.
        let mut found: Vec<_> = found.iter().map(answer).collect();
        found.sort_by_key(|[line, ..]| line.as_u64());
        found.dedup();
        assert!(found.is_empty() || found == answers, "{found:?}");
        assert!(!save.exists());
    }
    assert!(resumed > 0);
}

#[cfg(unix)]
#[test]
fn a_file_in_use_is_not_resumed() {
    let folder = folder("twice");
    let file = folder.join("addr-recover.resume");
    for arguments in [vec![LONG], vec!["--resume", "addr-recover.resume"]] {
        let before = saved_hashes(&file);
        let mut first = Running::search(&folder, &arguments, b"");
        first.wait_until(|| saved_hashes(&file) > before);
        assert_not_resumed(&file, "addr-recover.resume: another process is continuing this search");
        first.signal("-INT");
        assert_eq!(code(&first.output()), 130);
        assert_eq!(names(&folder), ["addr-recover.resume"]);
    }
}

#[cfg(unix)]
#[test]
fn damaged_and_foreign_resume_files_are_refused() {
    let folder = folder("damaged-resume");
    let save = folder.join("addr-recover.resume");
    stopped_by("-INT", &save, &[LONG, "--kind", "bitcoin-p2pkh"], b"");
    let text = fs::read_to_string(&save).unwrap();
    let damaged = text.replace("\"hashes\":", "\"hashes\":1");
    assert_ne!(damaged, text);
    assert_not_resumed(&file("damaged.resume", &damaged), "its checksum is wrong");
    assert_not_resumed(&file("short.resume", &text[..text.len() - 1]), "its checksum is wrong");

    let content = saved(&save);
    for (field, value, message) in [
        ("/lines/0/done", json!([0, 1_000_000_000]), "more units than the search space"),
        (
            "/lines/0/hits",
            json!(["1BLogC9LN4oPDcruNz3qo1ysa133E9AGg8"]),
            "an address that the search space does not allow",
        ),
        ("/lines/0/hits", json!(["1Lbc"]), "\"1Lbc\" is not an address"),
        ("/ask/kind", json!(["bitcoin-p2tr"]), "unknown kind \"bitcoin-p2tr\""),
        ("/ask/kind", json!(["256"]), "unknown kind \"256\""),
    ] {
        let mut content = content.clone();
        *content.pointer_mut(field).unwrap() = value;
        assert_not_resumed(&forged("forged.resume", &content), message);
    }
}

#[cfg(unix)]
#[test]
fn a_resumed_batch_prints_no_line_twice() {
    let folder = folder("batch-resume");
    // A private key from Bitcoin's wiki.
    let key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
    let batch = format!("1lbc!\n{LONG}\n{key}\n{SHORT}\n");
    let save = folder.join("addr-recover.resume");
    let first = stopped_by("-INT", &save, &["batch", "-", "--json"], batch.as_bytes());
    assert_eq!(code(&first), 130, "{}", stderr(&first));
    // The third line is answered, but it is not its turn.
    assert_eq!(statuses(&reports(&first)), [(1, "malformed")]);
    let saved = saved(&save);
    let lines = saved["lines"].as_array().unwrap();
    let line = lines.iter().find(|line| line["number"] == 3).unwrap();
    assert_eq!(line["report"]["status"], "malformed");
    assert_eq!(line["given"], "", "the key is not saved");
    let second = run([OsStr::new("--resume"), save.as_os_str(), OsStr::new("--json")]);
    assert_eq!(code(&second), 2);
    assert_eq!(statuses(&reports(&second)), [(2, "unique"), (3, "malformed"), (4, "unique")]);
}

/// More lines than are read ahead: the list is read again, and has to be the same.
#[cfg(unix)]
#[test]
fn a_long_batch_is_resumed_with_the_same_list() {
    let folder = folder("long-batch-resume");
    let lines = |more: &str| format!("{LONG}\n{}", format!("{more}\n").repeat(3000));
    let (one, other) = (ADDRESS, "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH");
    let numbers: Vec<u64> = (1..=3001).collect();
    let (list, save) = (folder.join("list"), folder.join("addr-recover.resume"));
    for input in ["list", "-"] {
        fs::write(&list, lines(one)).unwrap();
        let given = if input == "-" { lines(one) } else { String::new() };
        let batch = ["batch", input, "--json"];
        let first = stopped_by("-INT", &save, &batch, given.as_bytes());
        assert_eq!(code(&first), 130, "{}", stderr(&first));
        assert_eq!(stderr(&first).contains("resume < LIST, the same list\n"), input == "-");
        let resume = |input: &str| {
            let mut command = crate::tool_in(&folder);
            command.args(["--resume", "addr-recover.resume", "--json"]);
            Running::of(&mut command, input.as_bytes()).output()
        };
        // Another list, and one that ends too early.
        for other in [lines(other), LONG.to_owned()] {
            fs::write(&list, &other).unwrap();
            let output = resume(if input == "-" { &other } else { "" });
            assert_eq!((code(&output), stdout(&output)), (2, ""), "{}", stderr(&output));
            assert_says(&output, "is not the one that the search began with: pass the same list");
        }
        fs::write(&list, lines(one)).unwrap();
        let rest = resume(if input == "-" { &given } else { "" });
        assert_eq!(code(&rest), 0, "{}", stderr(&rest));
        let mut answers = reports(&first);
        answers.extend(reports(&rest));
        let found: Vec<u64> = answers.iter().map(|it| it["line"].as_u64().unwrap()).collect();
        assert_eq!(found, numbers);
        assert_eq!(names(&folder), ["list"]);
    }
}
