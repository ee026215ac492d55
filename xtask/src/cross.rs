//! Tests on other processors: `ci/cross` calls the compilers and emulators.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::checks::Outcome;

pub(crate) fn run(sh: &Shell, script: &str, arguments: &[&str]) -> Result<Outcome> {
    cmd!(sh, "bash ci/cross/{script} {arguments...}").run()?;
    Ok(Outcome::Passed)
}
