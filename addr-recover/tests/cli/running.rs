//! Searches that are interrupted.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::tool_in;

/// The content of a resume file.
pub(super) fn saved(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap();
    serde_json::from_str(text.split_once('\n').unwrap().1).unwrap()
}

/// A process, which is killed if the test fails.
pub(super) struct Running(pub(super) Child);

impl Running {
    /// Starts a search on two slow threads, which saves its progress often.
    pub(super) fn search(folder: &Path, arguments: &[&str], input: &[u8]) -> Self {
        let mut command = tool_in(folder);
        command.args(arguments).args(SLOWLY);
        Self::of(&mut command, input)
    }

    pub(super) fn of(command: &mut Command, input: &[u8]) -> Self {
        let pipes = || Stdio::piped();
        let mut child = command.stdin(pipes()).stdout(pipes()).stderr(pipes()).spawn().unwrap();
        let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_owned());
        // It may wait for its output to be read, or end before it has read everything.
        std::thread::spawn(move || drop(stdin.write_all(&input)));
        Self(child)
    }

    /// Waits until something is the case, however long that takes.
    pub(super) fn wait_until(&mut self, mut is_so: impl FnMut() -> bool) {
        while !is_so() {
            assert_eq!(self.0.try_wait().unwrap(), None, "ended too early");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    pub(super) fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    pub(super) fn output(mut self) -> Output {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        self.0.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
        self.0.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
        Output { status: self.0.wait().unwrap(), stdout, stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(super) const SLOWLY: [&str; 6] =
    ["--threads", "2", "--backend", "portable", "--save-every", "0.02"];

/// Starts a long search, waits until it has saved some progress, and sends a signal.
pub(super) fn stopped_by(signal: &str, file: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let before = saved_hashes(file);
    let mut search = Running::search(file.parent().unwrap(), arguments, input);
    search.wait_until(|| saved_hashes(file) > before);
    search.signal(signal);
    search.output()
}

/// The hashes in a resume file, if there is one.
pub(super) fn saved_hashes(file: &Path) -> u64 {
    if !file.exists() {
        return 0;
    }
    let saved = saved(file);
    let lines = saved["lines"].as_array().unwrap();
    lines.iter().map(|line| line["hashes"].as_u64().unwrap()).sum()
}

/// 11 million candidates: takes seconds on one thread of portable code.
pub(super) const LONG: &str = "1Lbcfr7sAHTD9C????3HTMTkV8LK4ZnX71";

/// Starts a search that cannot write files. A limit on their size stands for a full disk.
pub(super) fn on_full_disk(folder: &Path, arguments: &[&str], input: &[u8]) -> Running {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]);
    command.arg(env!("CARGO_BIN_EXE_addr-recover")).args(arguments).args(SLOWLY);
    command.current_dir(folder).env("XDG_STATE_HOME", folder);
    Running::of(&mut command, input)
}
