//! The command-line tool: what it prints where, and its exit status.

#![cfg(feature = "cli")]
#![cfg_attr(not(target_os = "linux"), allow(unused_imports, reason = "of some tests"))]

mod answers;
mod batch;
mod damaged;
mod estimate;
mod ethereum;
mod generate;
mod given;
mod input;
mod key_answers;
mod key_owners;
mod keys;
mod ladder;
mod resume;
#[cfg(unix)]
mod running;
mod save;
mod schema;
#[cfg(target_os = "linux")]
mod secrecy;
mod shard;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const SHORT: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
const ADDRESS: &str = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
const TWO: &str = "1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz";

/// The tool, in a folder where it may leave files.
fn tool() -> Command {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_addr-recover"));
    let folder = env!("CARGO_TARGET_TMPDIR");
    tool.current_dir(folder).env("XDG_STATE_HOME", folder);
    tool
}

/// The tool in a folder of its own, which is also where it saves its progress.
fn tool_in(folder: &Path) -> Command {
    let mut tool = tool();
    tool.current_dir(folder).env("XDG_STATE_HOME", folder);
    tool
}

fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    tool().args(arguments).output().unwrap()
}

fn run_with_input<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>, input: &[u8]) -> Output {
    let pipes = || Stdio::piped();
    let mut child =
        tool().args(arguments).stdin(pipes()).stdout(pipes()).stderr(pipes()).spawn().unwrap();
    // It may refuse its arguments without reading the input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

#[track_caller]
fn assert_prints(output: &Output, status: i32, text: &str) {
    assert_eq!((code(output), stdout(output)), (status, text), "{}", stderr(output));
}

/// Fails unless stderr has a text.
#[track_caller]
fn assert_says(output: &Output, text: &str) {
    assert!(stderr(output).contains(text), "no {text:?} in {}", stderr(output));
}

/// The JSON objects on stdout, by line number.
fn reports(output: &Output) -> Vec<Value> {
    let mut reports: Vec<Value> = stdout(output).lines().map(schema::parse).collect();
    reports.sort_by_key(|report| report["line"].as_u64());
    reports
}

/// Writes a file, under a name that only one test uses.
fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

fn statuses(reports: &[Value]) -> Vec<(u64, &str)> {
    reports
        .iter()
        .map(|report| (report["line"].as_u64().unwrap(), report["status"].as_str().unwrap()))
        .collect()
}

/// An empty folder, under a name that only one test uses.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
