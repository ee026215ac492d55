//! Runs the tests on other processors, through the scripts in `ci/cross`.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::check::Outcome;

pub(crate) fn run(sh: &Shell, script: &str, arguments: &[&str]) -> Result<Outcome> {
    cmd!(sh, "bash ci/cross/{script} {arguments...}").run()?;
    Ok(Outcome::Passed)
}
