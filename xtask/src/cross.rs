//! Runs the tests on other processors, through the scripts in `ci/cross`.

use std::process::Command;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::check::Outcome;

/// The status of a script that cannot check anything on this machine.
const SKIPPED: i32 = 77;

pub(crate) fn run(sh: &Shell, script: &str, arguments: &[&str]) -> Result<Outcome> {
    let command = cmd!(sh, "bash ci/cross/{script} {arguments...}");
    eprintln!("$ {command}");
    let status = Command::from(command).status()?;
    match status.code() {
        Some(0) => Ok(Outcome::Passed),
        Some(SKIPPED) => Ok(Outcome::Skipped("the output above says why".into())),
        _ => bail!("ci/cross/{script} failed: {status}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_exist() {
        // The sources may have been unpacked without their git history.
        if !crate::tools::has("git") || !crate::root().join(".git").exists() {
            return;
        }
        let sh = Shell::new().unwrap();
        sh.change_dir(crate::root());
        let scripts = ["tools.sh", "wasm.sh"].map(|name| format!("ci/cross/{name}"));
        let scripts = scripts.map(|file| sh.read_file(file).unwrap()).concat();
        let mut words = scripts.split_whitespace();
        let mut count = 0;
        while words.by_ref().any(|word| word == "--skip") {
            let name = words.next().unwrap();
            let item = match name.strip_suffix("::") {
                Some(module) => format!("mod {module}"),
                None => format!("fn {}", name.rsplit("::").next().unwrap()),
            };
            cmd!(sh, "git grep -q {item} -- *.rs").run().unwrap();
            count += 1;
        }
        assert!(count > 20, "{count}");
    }
}
