//! The checks of this workspace: `cargo xtask` lists them, `cargo xtask NAME` runs one.

#![forbid(unsafe_code)]

mod bindings;
mod budget;
mod checks;
mod commands;
mod contract;
mod dependencies;
mod examples;
mod gate;
mod machine_code;
mod names;
mod package;
mod readmes;
mod tools;
mod width;
mod workspace;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use xshell::Shell;

use crate::checks::Outcome;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let sh = Shell::new()?;
    sh.change_dir(root());
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some((&name, arguments)) = arguments.split_first() else {
        list();
        return Ok(());
    };
    match name {
        "gate" => gate::run(&sh, arguments),
        "deep" => gate::run_deep(&sh, arguments),
        _ => {
            let Some(check) = checks::find(name) else {
                bail!("no check is named `{name}`; `cargo xtask` lists them");
            };
            match gate::run_one(&sh, check, arguments).with_context(|| format!("{name} failed"))? {
                Outcome::Passed => println!("{name}: passed"),
                Outcome::Skipped(reason) => println!("{name}: skipped: {reason}"),
            }
            Ok(())
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    // Not canonicalised: on Windows, `/` does not separate the parts of such a path.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder").to_owned()
}

fn list() {
    println!("cargo xtask NAME [ARGUMENTS]\n");
    println!("  {:<20} everything that must pass before a change lands (.ci/run)", "gate");
    println!("  {:<20} the deep checks whose subject changed; --all: all of them", "deep");
    for (title, is_listed) in [
        ("In the gate:", (|check| check.gate.is_some()) as fn(&checks::Check) -> bool),
        ("Deep checks:", |check| check.gate.is_none() && check.deep.is_some()),
        ("By hand:", |check| check.gate.is_none() && check.deep.is_none()),
    ] {
        let mut checks = checks::CHECKS.iter().filter(|check| is_listed(check)).peekable();
        if checks.peek().is_some() {
            println!("\n{title}");
        }
        for check in checks {
            println!("  {:<20} {}", check.name, check.proves);
        }
    }
}
