//! Checks that do little more than call cargo.

use std::fs;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::check::Outcome;
use crate::workspace::{MANIFESTS, obstacle_to_watching, published};
use crate::{json_schema, tools};

pub(crate) fn format(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    for manifest in MANIFESTS {
        cmd!(sh, "cargo fmt --all --manifest-path {manifest} --check").run()?;
    }
    Ok(Outcome::Passed)
}

/// All features, because the examples enable them; `package` lints with the default features. The
/// feature `rivals` of the benches is left out, because it needs a C compiler.
pub(crate) fn lint(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let watcher = ["--features", "xtask/constant-time"];
    let watcher = if obstacle_to_watching(sh)?.is_none() { &watcher[..] } else { &[] };
    cmd!(sh, "cargo clippy --workspace --all-targets {watcher...} -- -D warnings").run()?;
    Ok(Outcome::Passed)
}

pub(crate) fn docs(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let _flags = sh.push_env("RUSTDOCFLAGS", "-D warnings");
    cmd!(sh, "cargo doc --workspace --no-deps").run()?;
    let published = published();
    cmd!(sh, "cargo doc {published...} --no-deps --all-features").run()?;
    Ok(Outcome::Passed)
}

pub(crate) fn test(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let readme = fs::read_to_string(sh.current_dir().join("README.md"))?;
    ensure!(
        readme.contains("\ncargo test --workspace\n"),
        "README.md no longer shows `cargo test --workspace`"
    );
    cmd!(sh, "cargo test --workspace").envs(json_schema::recording(sh)?).run()?;
    Ok(Outcome::Passed)
}

pub(crate) fn check(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    format(sh, &[])?;
    cmd!(sh, "cargo clippy --workspace --all-targets -- -D warnings").run()?;
    test(sh, &[])
}

/// Runs the tests with large vectors, which are otherwise ignored, in the build of the ordinary
/// tests.
pub(crate) fn vectors(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if sh.var_os("HASHLANES_VECTORS").is_none() {
        return Ok(Outcome::Skipped("HASHLANES_VECTORS is not set".into()));
    }
    let command = cmd!(sh, "cargo test --workspace --lib --bins --tests -- --ignored --skip _long");
    ensure_tested(&tools::run_and_read(command)?)?;
    Ok(Outcome::Passed)
}

/// Runs the long variants of random tests, which are otherwise ignored.
pub(crate) fn long_tests(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let command = cmd!(sh, "cargo test --workspace --lib --bins --tests -- --ignored _long");
    ensure_tested(&tools::run_and_read(command)?)?;
    Ok(Outcome::Passed)
}

/// Runs the tests of stack use as users build the crates: for that the READMEs promise 32 KiB.
pub(crate) fn stack(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let crates = ["sha1-multi", "sha256-multi", "ripemd-multi", "sumhash512", "merkle-lanes"];
    let packages = crates.iter().flat_map(|name| ["-p", name]);
    let command = cmd!(sh, "cargo test --release {packages...} --test it stack::");
    ensure_tested(&tools::run_and_read(command)?)?;
    Ok(Outcome::Passed)
}

/// Leaves out the rivals that need a C compiler.
pub(crate) fn benches(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    cmd!(sh, "cargo bench -p hashlanes-benches --benches -- --test").run()?;
    Ok(Outcome::Passed)
}

/// Runs the tests and the examples that compare with crates for Ethereum and Bitcoin.
pub(crate) fn adapters(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if !tools::has("cc") {
        return Ok(Outcome::Skipped("the crate bitcoin needs a C compiler".into()));
    }
    let package = ["-p", "hashlanes-benches", "--features", "adapters"];
    cmd!(sh, "cargo test {package...} --test bitcoin --test tree_hash").run()?;
    for example in ["bitcoin_types", "tree_hash_container"] {
        cmd!(sh, "cargo run {package...} --example {example}").run()?;
    }
    Ok(Outcome::Passed)
}

/// Runs the tests of the crates with `unsafe`, and of the engine below them, with AddressSanitizer
/// and debug assertions, which include the standard library's checks for undefined behaviour.
///
/// Miri would see more, but it stops at the assembly that detects CPU features, and it cannot
/// execute the kernels that need `unsafe`.
pub(crate) fn sanitize(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let host = tools::host(sh)?;
    if host != "x86_64-unknown-linux-gnu" {
        return Ok(Outcome::Skipped(format!(
            "it needs x86_64-unknown-linux-gnu, and this is {host}"
        )));
    }
    // The stable compiler ships the sanitizer's runtime, but does not accept the option without
    // this.
    let _bootstrap = sh.push_env("RUSTC_BOOTSTRAP", "1");
    let _flags = sh.push_env("RUSTFLAGS", "-Zsanitizer=address");
    // The plans of a test's hash are leaked on purpose, and tests ask for too much memory.
    let _options = sh.push_env(
        "ASAN_OPTIONS",
        "detect_stack_use_after_return=1:detect_leaks=0:allocator_may_return_null=1",
    );
    let crates = ["hash-lanes", "sha1-multi", "sha256-multi", "ripemd-multi", "sumhash512"];
    let packages = crates.iter().flat_map(|name| ["-p", name]);
    // Naming the target keeps the flag away from build scripts and macros.
    let folder = tools::target(sh).join("sanitize");
    let command = cmd!(
        sh,
        "cargo test {packages...} --all-features --lib --tests --target {host} --target-dir {folder}"
    );
    let log = tools::run_and_read(command)?;
    ensure_tested(&log)?;
    // A program built without the sanitizer would pass, too.
    for line in log.lines().filter(|line| line.trim_start().starts_with("Running ")) {
        let Some((_, program)) = line.trim_end_matches(')').rsplit_once('(') else { continue };
        let bytes = fs::read(sh.current_dir().join(program))?;
        let symbol = b"__asan_report_load";
        ensure!(
            bytes.windows(symbol.len()).any(|window| window == symbol),
            "{program} was built without AddressSanitizer"
        );
    }
    Ok(Outcome::Passed)
}

/// Fails if no test ran, in which case cargo succeeds.
fn ensure_tested(log: &str) -> Result<()> {
    let is_tested = log.lines().any(|line| {
        line.strip_prefix("test result: ok. ").is_some_and(|rest| !rest.starts_with("0 "))
    });
    ensure!(is_tested, "no test was run");
    Ok(())
}
