//! Builds the C library as its README says, and tests it from C with the compiler's sanitizers.

use anyhow::{Context as _, Result, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::tools;

/// Relative to the root of the workspace.
const FOLDER: &str = "bindings/c";

pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if !cfg!(target_os = "linux") || !tools::has("cc") {
        return Ok(Outcome::Skipped("it needs Linux and a C compiler".into()));
    }
    tools::install(sh, "cbindgen", "0.29.2")?;
    let target = tools::target(sh).join("bindings");
    let _folder = sh.push_dir(FOLDER);
    let _target = sh.push_env("CARGO_TARGET_DIR", &target);

    cmd!(sh, "cargo clippy --release --all-features --locked -- -D warnings").run()?;
    let current = sh.read_file("hashlanes.h")?;
    let generated =
        cmd!(sh, "cbindgen --quiet --config cbindgen.toml --crate hashlanes-c").read()?;
    ensure!(
        current.trim_end() == generated.trim_end(),
        "{FOLDER}/hashlanes.h is not current: run the command of cbindgen in {FOLDER}/README.md"
    );

    let library = target.join("release/libhashlanes.a");
    let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"];
    let warnings = ["-std=c11", "-Wall", "-Wextra", "-Werror"];
    let system = ["-lpthread", "-ldl", "-lm"];
    let program = target.join("test");
    for (features, define) in
        [(&["--features", "hashtree"][..], &["-DHASHLANES_HASHTREE"][..]), (&[], &[])]
    {
        cmd!(sh, "cargo build --release --locked {features...}").run()?;
        let options = warnings.iter().chain(&sanitizers).chain(define);
        cmd!(sh, "cc {options...} -I. tests/test.c {library} {system...} -o {program}").run()?;
        cmd!(sh, "{program}").run()?;
    }

    let options = warnings;
    cmd!(sh, "cc {options...} -I. examples/node.c {library} {system...} -o {program}").run()?;
    let output = cmd!(sh, "{program}").read()?;
    let digest = output.lines().last().context("node.c prints nothing")?;
    // The first of Ethereum's zero hashes.
    ensure!(
        digest == "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b",
        "node.c prints {digest}"
    );
    Ok(Outcome::Passed)
}
