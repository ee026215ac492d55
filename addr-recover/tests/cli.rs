//! The command-line tool: what it prints where, and its exit status.

#![cfg(feature = "cli")]

use std::ffi::OsStr;
use std::process::{Command, Output};

const SHORT: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
const ADDRESS: &str = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";

fn tool() -> Command {
    Command::new(env!("CARGO_BIN_EXE_addr-recover"))
}

fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    tool().args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn the_address_is_printed_and_nothing_else() {
    for arguments in [vec![SHORT], vec![SHORT, "--quiet"], vec!["--threads", "2", SHORT]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stdout(&output), format!("{ADDRESS}\n"));
        assert_eq!(stderr(&output), "");
    }
}

#[test]
fn every_backend_can_be_asked_for() {
    for backend in addr_recover::Backend::available() {
        let output = run(["--json", "--backend", backend.name(), SHORT]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["backend"], backend.name());
        assert_eq!(report["addresses"], serde_json::json!([ADDRESS]));
    }
}

#[test]
fn json_is_one_object_on_one_line() {
    let output = run([SHORT, "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output).lines().count(), 1);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = serde_json::json!({
        "input": SHORT,
        "input_is_valid": false,
        "addresses": [ADDRESS],
        "hashes": 1_118_736,
        "backend": addr_recover::Backend::detect().name(),
    });
    assert_eq!(report, expected);

    let output = run([&SHORT.replace("71", "72"), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["addresses"], serde_json::json!([]));
}

#[test]
fn when_there_is_none_that_is_said_to_be_certain() {
    for (text, reason) in [
        (SHORT.replace("71", "72"), "the search was exhaustive"),
        ("3j98t1wpez73cnmqviecrnyiwrnqrhwnly".to_owned(), "begins with 1"),
    ] {
        let output = run([&text]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stdout(&output), "");
        assert_eq!(stderr(&output).lines().count(), 1);
        assert!(stderr(&output).contains("no such address exists"), "{}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
}

#[test]
fn an_input_that_is_an_address_already_is_noted() {
    let output = run([ADDRESS]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), format!("{ADDRESS}\n"));
    assert_eq!(stderr(&output), "note: the input is a valid address as it stands\n");
    assert_eq!(stderr(&run([ADDRESS, "--quiet"])), "");
}

#[test]
fn several_addresses_are_noted_to_be_equally_valid() {
    let output = run(["1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "1GVgBo6WVFZRRGcR9spduYYTSrTFjVFtTz\n1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ\n");
    assert_eq!(stderr(&output).lines().count(), 1);
    assert!(stderr(&output).contains("2 addresses found, all equally valid"));
}

fn assert_refused(argument: &OsStr, message: &str) {
    let output = run([argument]);
    assert_eq!(output.status.code(), Some(2), "{argument:?}");
    assert_eq!(stdout(&output), "", "{argument:?}");
    assert_eq!(stderr(&output).lines().count(), 1, "{argument:?}: {}", stderr(&output));
    assert!(stderr(&output).contains(message), "{argument:?}: {}", stderr(&output));
}

#[test]
fn bad_input_is_refused_in_one_line_that_names_the_place() {
    let long = "z".repeat(100_000);
    for (argument, message) in [
        ("", "26 to 34 characters, 0 given"),
        ("1", "26 to 34 characters, 1 given"),
        ("1lbcfr7sahtd9cgdqo3htmtkv", "26 to 34 characters, 25 given"),
        ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx711", "26 to 34 characters, 35 given"),
        (&long, "26 to 34 characters, 100000 given"),
        ("1lbcfr7sahtd9cgdq03htmtkv8lk4znx71", "'0' at position 18"),
        ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7!", "'!' at position 34"),
        (" 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", "' ' at position 1"),
        ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71\n", r"'\n' at position 35"),
        ("1lbcfr7sahtd9\ncgdqo3htmtkv8lk4znx71", r"'\n' at position 14"),
        ("1lbcfr7sahtd9\u{1b}[31mcgdqo3htmtkv8lk4znx71", r"'\u{1b}' at position 14"),
        ("1lbcfr7sähtd9cgdqo3htmtkv8lk4znx7!", "'ä' at position 9"),
        ("1lbcfr7sahtd9cgd\u{200b}qo3htmtkv8lk4znx71", r"'\u{200b}' at position 17"),
        ("1lbcfr7sahtd9cgdqo3htmt\u{212a}v8lk4znx71", "'\u{212a}' at position 24"),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "'0' at position 7"),
    ] {
        assert_refused(OsStr::new(argument), message);
    }
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_named() {
    use std::os::unix::ffi::OsStrExt;

    assert_refused(OsStr::from_bytes(b"1lbcfr7\xffsahtd9"), "byte 0xff at position 8");
    assert_refused(OsStr::from_bytes(b"\xc3"), "byte 0xc3 at position 1");
}

#[test]
fn bad_usage_is_refused() {
    for arguments in [
        vec![],
        vec![SHORT, SHORT],
        vec!["--backend", "abacus", SHORT],
        vec!["--threads", "0", SHORT],
        vec!["--threads", "many", SHORT],
        vec!["--no-such-option", SHORT],
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "");
        assert!(
            stderr(&output).contains("Usage") || stderr(&output).contains("--help"),
            "{}",
            stderr(&output)
        );
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_with_130_and_no_answer() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    // 143 million hashes on one thread: seconds on any machine, and the handler is set in the first milliseconds.
    let child = tool()
        .args(["--threads", "1", "1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let sent = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < Duration::from_secs(1));
    assert_eq!(output.status.code(), Some(130));
    assert_eq!((stdout(&output), stderr(&output)), ("", ""));
}
