//! Checks that do little more than run a program.

use std::fs;
use std::process::Command;

use anyhow::{Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::workspace::{self, MANIFESTS, checked_by, obstacle_to_watching, options, published};
use crate::{examples, names, readmes, tools, width};

/// The status of a script in `ci` that cannot check anything on this machine.
const SKIPPED: i32 = 77;

pub(crate) fn format(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    for manifest in MANIFESTS {
        cmd!(sh, "cargo fmt --all --manifest-path {manifest} --check").run()?;
    }
    width::check(sh)?;
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
    readmes::check(sh)?;
    names::check(sh)?;
    if tools::has("python3") {
        cmd!(sh, "python3 merkle/docs/shapes.py --check").run()?;
    }
    let _flags = sh.push_env("RUSTDOCFLAGS", "-D warnings");
    doc(sh, &[])
}

/// Builds the documentation of the published crates, as docs.rs does: with all features.
///
/// rustdoc links only to crates whose documentation exists, and cargo documents the members of a
/// workspace in any order. So each crate is documented after those that it depends on.
pub(crate) fn doc(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let folder = tools::target(sh).join("doc");
    let published = published(sh)?;
    let build = || -> Result<Vec<String>> {
        for packages in published.chunk_by(|a, b| a.level == b.level) {
            let packages = options(packages);
            cmd!(sh, "cargo doc {packages...} --no-deps --all-features").run()?;
        }
        Ok(readmes::dead_links(&folder)?)
    };
    let mut dead = build()?;
    if !dead.is_empty() {
        // Pages of an earlier `cargo doc` may be left, with other features.
        sh.remove_path(&folder)?;
        dead = build()?;
    }
    ensure!(dead.is_empty(), "the documentation has dead links:\n{}", dead.join("\n"));
    println!("{}", folder.join("hashlanes/index.html").display());
    Ok(Outcome::Passed)
}

pub(crate) fn test(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let readme = fs::read_to_string(sh.current_dir().join("README.md"))?;
    // Without the checks, whose tests few readers need.
    ensure!(readme.contains("\ncargo test\n"), "README.md no longer shows `cargo test`");
    // Without it a test is skipped.
    let _ = tools::install_debian(sh, "parallel", "parallel");
    cmd!(sh, "cargo test --workspace").envs(examples::recording(sh)?).run()?;
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
    let packages = checked_by(sh, "stack")?;
    let packages = options(&packages);
    let targets = ["--test", "it", "--test", "conformance"];
    let command = cmd!(sh, "cargo test --release {packages...} --all-features {targets...} stack");
    ensure_tested(&tools::run_and_read(command)?)?;
    Ok(Outcome::Passed)
}

/// Leaves out the rivals that need a C compiler. Only Criterion accepts `--noplot`, so `cargo
/// bench` fails if it runs the tests of a library as benches.
pub(crate) fn benches(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    cmd!(sh, "cargo bench -- --noplot --test").run()?;
    cmd!(sh, "cargo run --release -p hashlanes-benches --bin ratios -- --check").run()?;
    Ok(Outcome::Passed)
}

/// Runs the tests and the examples that compare with crates for Ethereum and Bitcoin.
pub(crate) fn adapters(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if !tools::has("cc") {
        return Ok(Outcome::Skipped("the crate bitcoin needs a C compiler".into()));
    }
    let package = ["-p", "hashlanes-benches", "--features", "adapters"];
    cmd!(sh, "cargo test {package...} --test bitcoin --test keccak --test tree_hash").run()?;
    cmd!(sh, "cargo run {package...} --example tree_hash_container").run()?;
    Ok(Outcome::Passed)
}

/// Runs the tests of the crates with `unsafe`, and of the engine below them, with AddressSanitizer
/// and debug assertions, which include the standard library's checks for undefined behaviour.
///
/// Miri would see more, but it cannot execute the kernels that need `unsafe`.
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
    let packages = checked_by(sh, "sanitize")?;
    let packages = options(&packages);
    // Naming the target keeps the flag away from build scripts and macros.
    let folder = tools::target(sh).join("sanitize");
    let options = ["--all-features", "--lib", "--tests", "--target", &host, "--target-dir"];
    let command = cmd!(sh, "cargo test {packages...} {options...} {folder}");
    ensure_tested(&tools::run_and_read(command)?)?;
    Ok(Outcome::Passed)
}

/// Runs the portable kernels in Miri: dependents can test with it, too. It takes minutes for tests
/// of many messages, so these are the engine's unit tests and short examples.
pub(crate) fn miri(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if cmd!(sh, "cargo +nightly miri --version").quiet().ignore_stderr().read().is_err() {
        return Ok(Outcome::Skipped("the toolchain `nightly` has no component `miri`".into()));
    }
    let folder = tools::target(sh).join("miri");
    let miri = ["+nightly", "miri", "test", "--target-dir"];
    cmd!(sh, "cargo {miri...} {folder} -p hash-lanes --lib").run()?;
    let hashes = checked_by(sh, "miri")?;
    let hashes = options(&hashes);
    // Too long for Miri: whole READMEs, many rounds, and a message of a megabyte.
    let skipped = ["--skip", "README", "--skip", "pbkdf2", "--skip", "kt::KtLanes"];
    cmd!(sh, "cargo {miri...} {folder} {hashes...} --doc -- {skipped...}").run()?;
    Ok(Outcome::Passed)
}

/// Checks that no branch or address depends on hashed data, except in the lookup tables of
/// sumhash512, where it must find the dependency. xtask/docs/checks.md says how.
pub(crate) fn constant_time(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if let Some(obstacle) = workspace::obstacle_to_watching(sh)? {
        return Ok(Outcome::Skipped(obstacle));
    }
    if fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope")
        .is_ok_and(|scope| scope.trim() == "3")
    {
        return Ok(Outcome::Skipped(
            "ptrace_scope is 3: the kernel lets no process trace another".into(),
        ));
    }
    workspace::build_release(sh)?;
    let program = tools::target(sh).join("release/constant-time");
    cmd!(sh, "{program}").run()?;
    Ok(Outcome::Passed)
}

/// Runs a script of `ci`. Most run the tests on other processors.
pub(crate) fn script(sh: &Shell, script: &str, arguments: &[&str]) -> Result<Outcome> {
    let command = cmd!(sh, "bash ci/{script} {arguments...}");
    eprintln!("$ {command}");
    let status = Command::from(command).status()?;
    match status.code() {
        Some(0) => Ok(Outcome::Passed),
        Some(SKIPPED) => Ok(Outcome::Skipped("the output above says why".into())),
        _ => bail!("ci/{script} failed: {status}"),
    }
}

/// Checks the workflows with actionlint, built with Go, and the shell scripts with shellcheck. Runs
/// the recipes for several machines.
pub(crate) fn workflows(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if !tools::has("go") || !tools::install_debian(sh, "shellcheck", "shellcheck")? {
        return Ok(Outcome::Skipped("it needs Go, and shellcheck".into()));
    }
    let scripts = cmd!(sh, "git ls-files -- *.sh .ci/run ci/release/PKGBUILD").quiet().read()?;
    let scripts = scripts.lines();
    let options = ["--external-sources", "--source-path=SCRIPTDIR", "--severity=warning"];
    cmd!(sh, "shellcheck {options...} {scripts...}").run()?;
    ensure_pinned(sh)?;
    let actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
    cmd!(sh, "go run {actionlint}").run()?;
    script(sh, "recipes.sh", &[])
}

/// Fails if a workflow uses an action by a tag, which its owner can move, and not by a commit.
fn ensure_pinned(sh: &Shell) -> Result<()> {
    for file in sh.read_dir(".github/workflows")? {
        for line in sh.read_file(&file)?.lines() {
            let Some((_, action)) = line.split_once("uses: ") else { continue };
            let commit = action.split(['@', ' ']).nth(1).unwrap_or_default();
            let is_pinned = commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit());
            ensure!(is_pinned, "{} does not name the commit of {action}", file.display());
        }
    }
    Ok(())
}

/// Fails if no test ran, in which case cargo succeeds.
fn ensure_tested(log: &str) -> Result<()> {
    let is_tested = log.lines().any(|line| {
        line.strip_prefix("test result: ok. ").is_some_and(|rest| !rest.starts_with("0 "))
    });
    ensure!(is_tested, "no test was run");
    Ok(())
}
