//! Validates the JSON of both tools with a program that is not part of this workspace.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::check::Outcome;
use crate::tools;

/// The tools, and the variables that name the files to which their tests append what they print.
const TOOLS: [(&str, &str); 2] =
    [("addr-recover", "ADDR_RECOVER_JSON_LINES"), ("torrent-check", "TORRENT_CHECK_JSON_LINES")];

/// Validates what the tools print with `--json` in their tests with Python's `jsonschema`.
///
/// `--recorded` validates what the check `test` recorded, without running the tests again.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    let is_recorded = arguments == ["--recorded"];
    ensure!(is_recorded || arguments.is_empty(), "usage: cargo xtask json-schema [--recorded]");
    let Some(python) = python(sh)? else {
        return Ok(Outcome::Skipped("Python's jsonschema is not installed".into()));
    };
    if !is_recorded {
        // With `-p`, cargo would build the dependencies again, with fewer features.
        let test = cmd!(sh, "cargo test --workspace --test cli");
        test.envs(recording(sh)?).run()?;
    }
    for (tool, _) in TOOLS {
        let lines = lines(sh, tool);
        let schema = format!("{tool}/schema/{tool}.v1.schema.json");
        cmd!(sh, "{python} ci/json-schema.py {schema} {lines}").run()?;
    }
    Ok(Outcome::Passed)
}

/// The environment in which the tests record what the tools print. Forgets earlier records.
pub(crate) fn recording(sh: &Shell) -> Result<[(&'static str, PathBuf); 2]> {
    for (tool, _) in TOOLS {
        sh.remove_path(lines(sh, tool))?;
    }
    Ok(TOOLS.map(|(tool, variable)| (variable, lines(sh, tool))))
}

/// The record of a tool.
fn lines(sh: &Shell, tool: &str) -> PathBuf {
    tools::target(sh).join(format!("{tool}.jsonl"))
}

/// A Python that can import `jsonschema`.
fn python(sh: &Shell) -> Result<Option<&'static str>> {
    let imports =
        |python| cmd!(sh, "{python} -c 'import jsonschema'").quiet().ignore_stderr().run().is_ok();
    if imports("python3") {
        return Ok(Some("python3"));
    }
    // Debian's package is for Debian's Python.
    tools::install_debian(sh, "/usr/bin/jsonschema", "python3-jsonschema")?;
    Ok(imports("/usr/bin/python3").then_some("/usr/bin/python3"))
}
