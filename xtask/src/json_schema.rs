//! Validates the JSON of both tools with a program that is not part of this workspace.

use anyhow::{Context as _, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::check::Outcome;
use crate::tools;

/// The tools, and the variables that name the files to which their tests append what they print.
const TOOLS: [(&str, &str); 2] =
    [("addr-recover", "ADDR_RECOVER_JSON_LINES"), ("torrent-check", "TORRENT_CHECK_JSON_LINES")];

/// Runs the tests of the tools, which record what they print with `--json`, and validates that with
/// Python's `jsonschema`.
pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let Some(python) = python(sh)? else {
        return Ok(Outcome::Skipped("Python's jsonschema is not installed".into()));
    };
    // With `-p`, cargo would build the dependencies again, with fewer features.
    let build = cmd!(sh, "cargo test --workspace --test cli --no-run --message-format json");
    let messages = build.read()?;
    for (tool, variable) in TOOLS {
        let manifest = format!("/{tool}/Cargo.toml");
        let tests = messages.lines().find_map(|line| {
            let message: Value = serde_json::from_str(line).ok()?;
            // Cargo also builds the tools.
            let is_ours = message["target"]["name"] == "cli"
                && message["manifest_path"].as_str()?.ends_with(&manifest);
            message["executable"].as_str().filter(|_| is_ours).map(str::to_owned)
        });
        let tests = tests.with_context(|| format!("cargo built no tests of {tool}"))?;
        let folder = sh.create_temp_dir()?;
        let lines = folder.path().join("lines");
        cmd!(sh, "{tests} --quiet").env(variable, &lines).run()?;
        let schema = format!("{tool}/schema/{tool}.v1.schema.json");
        cmd!(sh, "{python} ci/json-schema.py {schema} {lines}").run()?;
    }
    Ok(Outcome::Passed)
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
