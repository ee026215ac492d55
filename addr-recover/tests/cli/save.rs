//! Where progress is saved, and what happens if it cannot be.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::process::Stdio;

#[cfg(unix)]
use crate::running::{LONG, Running, SLOWLY, on_full_disk, saved, saved_hashes, stopped_by};
use crate::{
    ADDRESS, SHORT, TWO, assert_prints, assert_says, code, folder, names, run, run_with_input,
    stderr, stdout, tool_in,
};

#[cfg(unix)]
#[test]
fn only_the_resumed_file_is_overwritten() {
    let folder = folder("many-resumes");
    let other = "addr-recover.resume.part";
    fs::write(folder.join(other), "of another program").unwrap();
    for (name, arguments) in [
        ("addr-recover.resume", vec![LONG]),
        ("addr-recover-2.resume", vec![LONG]),
        ("own.saved.json", vec![LONG, "--save", "own.saved.json"]),
    ] {
        assert_eq!(code(&stopped_by("-INT", &folder.join(name), &arguments, b"")), 130);
    }
    let expected = ["addr-recover-2.resume", "addr-recover.resume", other, "own.saved.json"];
    assert_eq!(names(&folder), expected);
    let file = folder.join(expected[0]);
    let output = stopped_by("-INT", &file, &["--resume", expected[0]], b"");
    assert_eq!(code(&output), 130);
    assert_eq!(names(&folder), expected);
    assert_eq!(fs::read_to_string(folder.join(other)).unwrap(), "of another program");
}

#[test]
fn a_file_that_cannot_be_written_is_noticed_before_the_search() {
    let absent = "/no/such/folder/x.resume";
    let reason = fs::File::open(absent).unwrap_err().to_string()
        + "; --save takes the name of a file in an existing folder";
    for arguments in [vec!["batch", "-"], vec![SHORT]] {
        for (file, reason) in [(absent, &*reason), ("/", "is a directory")] {
            let arguments = [&arguments[..], &["--save", file]].concat();
            let output = run_with_input(arguments, format!("{SHORT}\n").as_bytes());
            assert_prints(&output, 2, "");
            let message = format!("error: cannot save progress: {file}: {reason}\n");
            assert_eq!(stderr(&output), message);
        }
    }
    // The file of a search that ends is gone.
    let folder = folder("saved-and-ended");
    let output = tool_in(&folder).args([SHORT, "--save", "x"]).output().unwrap();
    assert_eq!((code(&output), names(&folder)), (0, vec![]), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_empty_files() {
    use std::io::{BufRead, BufReader};

    let folder = folder("full");
    let mut search = on_full_disk(&folder, &[LONG], b"");
    let mut warning = String::new();
    BufReader::new(search.0.stderr.as_mut().unwrap()).read_line(&mut warning).unwrap();
    let name = folder.join("addr-recover.resume");
    let message = format!("cannot save progress: {}: ", name.display());
    assert!(warning.starts_with(&format!("warning: {message}")), "{warning}");
    search.signal("-TERM");
    let output = search.output();
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with(&format!("error: {message}")), "{}", stderr(&output));
    assert_eq!(names(&folder), [""; 0]);

    let output = on_full_disk(&folder, &[LONG, "--save", "x"], b"").output();
    assert_eq!((code(&output), names(&folder)), (2, vec![]), "{}", stderr(&output));
}

/// After a signal no further line is answered, and a list of any length takes little room.
#[cfg(unix)]
#[test]
fn a_long_batch_stops_at_once() {
    use std::io::{BufRead, BufReader};

    let lines = 20_000;
    let folder = folder("long-batch");
    let mut command = tool_in(&folder);
    command.args(["batch", "-"]);
    let mut batch = Running::of(&mut command, format!("{ADDRESS}\n").repeat(lines).as_bytes());
    // The pipe has room for a thousand answers. Then the tool waits for them to be read.
    let mut first = String::new();
    BufReader::new(batch.0.stdout.as_mut().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("1\tvalid\t"), "{first}");
    batch.signal("-TERM");
    let output = batch.output();
    assert_eq!(code(&output), 130);
    assert!(!stdout(&output).contains(&format!("\n{lines}\t")));
    let saved = saved(&folder.join("addr-recover.resume"));
    let saved = saved["lines"].as_array().unwrap();
    assert!((1..4000).contains(&saved.len()), "{}", saved.len());
    assert!(saved[saved.len() - 1]["report"].is_null());
}

/// A broken pipe, as after `head`.
#[test]
fn unprinted_answers_are_saved_after_a_broken_pipe() {
    let folder = folder("closed-output");
    let batch = format!("1lbc!\n{SHORT}\n{TWO}\n");
    for (arguments, lines) in [(vec!["batch", "-"], 3), (vec![SHORT], 1)] {
        let mut child = tool_in(&folder)
            .args(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let _ = child.stdin.take().unwrap().write_all(batch.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 141);
        let save = folder.join("addr-recover.resume");
        let resume =
            format!("interrupted; resume with: addr-recover --resume {}\n", save.display());
        assert_eq!(stderr(&output), resume);
        let output = run([OsStr::new("--resume"), save.as_os_str()]);
        assert_eq!(stdout(&output).lines().count(), lines, "{}", stderr(&output));
        assert_eq!(names(&folder), [""; 0]);
    }
    // Here there is nothing to save.
    let arguments = ["estimate", SHORT];
    let mut child = tool_in(&folder).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(141));
}

/// A full disk does not make a finished search run again.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_kept() {
    let folder = folder("full-disk");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = tool_in(&folder).arg(SHORT).stdout(full).output().unwrap();
    assert_eq!(code(&output), 2);
    assert_says(&output, "error: cannot write the result: No space left");
    let save = folder.join("addr-recover.resume");
    assert_eq!(saved(&save)["lines"][0]["report"]["hits"][0]["address"], ADDRESS);
    let output = run([OsStr::new("--resume"), save.as_os_str()]);
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
}

/// A list of addresses is nobody else's business.
#[cfg(unix)]
#[test]
fn only_the_owner_reads_saved_progress() {
    use std::os::unix::fs::PermissionsExt;

    let file = folder("mode").join("addr-recover.resume");
    for arguments in [vec![LONG], vec!["--resume", "addr-recover.resume"]] {
        stopped_by("-INT", &file, &arguments, b"");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

/// The search goes on, but the user knows before it is interrupted.
#[cfg(unix)]
#[test]
fn a_state_folder_that_cannot_be_written_is_named_at_the_start() {
    let folder = folder("no-state");
    fs::write(folder.join("file"), "").unwrap();
    let mut command = tool_in(&folder);
    command.arg(SHORT).env("XDG_STATE_HOME", folder.join("file"));
    let output = command.output().unwrap();
    assert_prints(&output, 0, &format!("{ADDRESS}\n"));
    let warning = format!("warning: cannot save progress: {}", folder.display());
    assert!(stderr(&output).starts_with(&warning), "{}", stderr(&output));
    assert_says(&output, "--save FILE names another place");
}

#[cfg(unix)]
#[test]
fn progress_is_kept_in_the_state_folder() {
    let folder = folder("state");
    let state = folder.join("not/yet/there");
    let mut command = tool_in(&folder);
    command.args([LONG]).args(SLOWLY).env("XDG_STATE_HOME", &state);
    let mut search = Running::of(&mut command, b"");
    let file = state.join("addr-recover.resume");
    search.wait_until(|| saved_hashes(&file) > 0);
    // While it runs, there may be a temporary file, too.
    search.signal("-INT");
    assert_eq!(code(&search.output()), 130);
    assert_eq!(
        (names(&folder), names(&state)),
        (vec!["not".into()], vec!["addr-recover.resume".into()])
    );
    // Only an absolute path counts.
    let mut command = tool_in(&folder);
    command.args([LONG]).args(SLOWLY).env("XDG_STATE_HOME", "relative").env("HOME", &folder);
    let mut search = Running::of(&mut command, b"");
    let file = folder.join(".local/state/addr-recover.resume");
    search.wait_until(|| saved_hashes(&file) > 0);
}
