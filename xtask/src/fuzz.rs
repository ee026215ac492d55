//! Runs the fuzz targets, starting from their seeds and earlier findings.
//!
//! The stable compiler can instrument the code for libFuzzer. AddressSanitizer is left to
//! `cargo xtask sanitize`, which runs the tests of the few functions that need it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread::{self, available_parallelism};

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::tools;

/// Edge counters, and the operands of comparisons.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// `SECONDS [TARGET...]`: the time for all targets together, on all cores.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    if !tools::has("c++") {
        return Ok(Outcome::Skipped("libFuzzer needs a C++ compiler".into()));
    }
    let (seconds, names) = arguments.split_first().unwrap_or((&"600", &[]));
    let seconds: usize = seconds.parse().context("usage: cargo xtask fuzz SECONDS [TARGET...]")?;
    let all = targets(sh)?;
    for name in names {
        ensure!(
            all.iter().any(|target| target == name),
            "no fuzz target is named {name}; there are {all:?}"
        );
    }
    let names =
        if names.is_empty() { all.iter().map(String::as_str).collect() } else { names.to_vec() };

    let folder = tools::target(sh).join("fuzz");
    // Naming the target keeps the flags away from build scripts.
    let host = tools::host(sh)?;
    let build =
        ["build", "-q", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", &host];
    cmd!(sh, "cargo {build...} --target-dir {folder}").env("RUSTFLAGS", COVERAGE).run()?;

    // Each target runs on one thread.
    let cores = available_parallelism()?.get();
    let each = (seconds * cores / names.len()).max(1);
    println!("{} targets, {each} s each", names.len());
    let root = sh.current_dir();
    let waiting = Mutex::new(names.iter());
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let Some(name) = waiting.lock().unwrap().next() else { break };
                    let program = folder.join(&host).join("release").join(name);
                    if let Err(error) = fuzz(&program, name, each, &folder, &root) {
                        println!("{error:#}");
                        failed.lock().unwrap().push(*name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    if !failed.is_empty() {
        bail!("these targets found something: {}", failed.join(", "));
    }
    Ok(Outcome::Passed)
}

fn targets(sh: &Shell) -> Result<Vec<String>> {
    let files = sh.read_dir("fuzz/fuzz_targets")?;
    let mut names: Vec<String> = files
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// New inputs and crashes go to the target's own folder.
fn fuzz(program: &Path, name: &str, seconds: usize, folder: &Path, root: &Path) -> Result<()> {
    let found = folder.join("found").join(name);
    fs::create_dir_all(&found)?;
    let output = Command::new(program)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .arg(&found)
        .arg(root.join("fuzz/seeds").join(name))
        .output()
        .with_context(|| program.display().to_string())?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "--- {name}\n{log}");
    println!("--- {name}: {}", log.lines().last().unwrap_or_default());
    Ok(())
}
