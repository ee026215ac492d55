//! Checks that the tests notice changed code.

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::check::Outcome;
use crate::tools;

/// The number of parts of each package's mutants; each gate run takes another one.
const SHARDS: u64 = 200;

/// Changes the code in small ways, one at a time, and fails if no test notices. The file
/// `.cargo/mutants.toml` says which code is changed, and which changes make no difference.
///
/// `--sample` takes a part that depends on the number of commits; other arguments go to
/// cargo-mutants. Running all mutants takes hours.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    tools::install(sh, "cargo-mutants", "27.1.0")?;
    let shard = format!("{}/{SHARDS}", tools::commits(sh)? % SHARDS);
    let sample = ["--shard", &shard];
    let arguments = if arguments == ["--sample"] { &sample[..] } else { arguments };

    // Each mutant is built in a copy of the tree. Dependencies are compiled once.
    let target = tools::target(sh).join("mutation");
    sh.create_dir(&target)?;
    let _target = sh.push_env("CARGO_TARGET_DIR", &target);
    let mut missed = Vec::new();
    // The engine that all hashes share is also tested through a hash.
    for (package, tests) in [
        ("hash-lanes", &["--test-package", "hash-lanes", "--test-package", "sha1-multi"][..]),
        ("merkle-lanes", &[]),
        ("addr-recover", &[]),
        ("sumhash512", &[]),
    ] {
        let output = target.join(package);
        let command =
            cmd!(sh, "cargo mutants -p {package} --output {output} {tests...} {arguments...}");
        let status = std::process::Command::from(command).status()?;
        // 3: some tests timed out, so they noticed the change.
        if !matches!(status.code(), Some(0 | 3)) {
            missed.push(package);
        }
    }
    if !missed.is_empty() {
        bail!("no test notices some mutants of {}", missed.join(", "));
    }
    Ok(Outcome::Passed)
}
