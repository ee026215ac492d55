//! Runs everything that must pass before a change lands, and prints a table of times at the end.

use std::env;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::{CHECKS, Check, Outcome};
use crate::{deep, tools};

/// A check, in its gate form or its deep form.
struct Step {
    check: &'static Check,
    is_deep: bool,
}

/// The gate: each check of the first tier, then deep checks that are due (see [`deep`]). The
/// environment variable `HASHLANES_CI=full` selects all deep checks.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<()> {
    ensure!(arguments.is_empty(), "usage: cargo xtask gate");
    machine(sh)?;
    let is_full = env::var("HASHLANES_CI").is_ok_and(|value| value == "full");
    let plan = if is_full { deep::everything() } else { deep::choose(sh, tools::commits(sh)?)? };
    println!("deep checks of this run: {}; due later: {}", names(&plan.chosen), names(&plan.left));
    let gate = CHECKS.iter().filter(|check| check.gate.is_some());
    let mut steps: Vec<Step> = gate.map(|check| Step { check, is_deep: false }).collect();
    steps.extend(deep_steps(&plan.chosen));
    run_steps(sh, &steps)?;
    println!("deep checks due but not run: {}", names(&plan.left));
    Ok(())
}

/// `[--all | --list | NAME...]`: the deep checks that are due, all of them, or the named ones.
/// `--list` prints the names of all as JSON, for the matrix of `.github/workflows/deep.yml`.
pub(crate) fn run_deep(sh: &Shell, arguments: &[&str]) -> Result<()> {
    let chosen = match arguments {
        [] => deep::due(sh)?,
        ["--all"] => deep::all().collect(),
        ["--list"] => {
            let names: Vec<_> = deep::all().map(|check| check.name).collect();
            println!("{}", serde_json::to_string(&names)?);
            return Ok(());
        }
        names => {
            let named = |name| deep::all().find(|check| check.name == name);
            let find = |&name| named(name).with_context(|| format!("`{name}` is no deep check"));
            names.iter().map(find).collect::<Result<_>>()?
        }
    };
    if chosen.is_empty() {
        println!("no deep check is due: no subject has changed");
        return Ok(());
    }
    run_steps(sh, &deep_steps(&chosen))
}

fn names(checks: &[&Check]) -> String {
    let names: Vec<_> = checks.iter().map(|check| check.name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn deep_steps(checks: &[&'static Check]) -> Vec<Step> {
    checks.iter().map(|check| Step { check, is_deep: true }).collect()
}

/// Prints the compiler and the CPU, which the results depend on.
fn machine(sh: &Shell) -> Result<()> {
    cmd!(sh, "rustc --version").run()?;
    println!("CPU: {}", tools::cpu());
    Ok(())
}

/// Prints the backends of this machine, if the check `examples` has built the program that lists
/// them.
fn backends(sh: &Shell) -> Result<()> {
    let program = tools::target(sh).join("debug/examples/backends");
    if program.is_file() {
        println!();
        cmd!(sh, "{program}").quiet().run()?;
    }
    Ok(())
}

/// Runs the steps until one fails, and prints a table of them.
fn run_steps(sh: &Shell, steps: &[Step]) -> Result<()> {
    let begin = Instant::now();
    let mut table: Vec<(String, Duration, String)> = Vec::new();
    let mut failure = None;
    for Step { check, is_deep } in steps {
        let name = if *is_deep { format!("{} (deep)", check.name) } else { check.name.to_owned() };
        println!("\n=== {name}: {}", check.proves);
        let begin = Instant::now();
        let result = match (is_deep, check.gate, &check.deep) {
            (true, _, Some(deep)) => deep::run_one(sh, check, deep),
            (_, arguments, _) => check.run(sh, arguments.unwrap_or_default()),
        };
        let time = begin.elapsed();
        let (text, is_failure) = match result {
            Ok(Outcome::Passed) => ("passed".to_owned(), false),
            Ok(Outcome::Skipped(reason)) => (format!("skipped: {reason}"), false),
            Err(error) => (format!("FAILED: {error:#}"), true),
        };
        println!("=== {name}: {text}, {} s", time.as_secs());
        table.push((name.clone(), time, text));
        if is_failure {
            failure = Some(name);
            break;
        }
    }

    backends(sh)?;
    println!("\n{:<24} {:>7}", "step", "seconds");
    for (name, time, text) in &table {
        println!("{name:<24} {:>7}   {}", time.as_secs(), text.lines().next().unwrap_or_default());
    }
    println!("{:<24} {:>7}", "all", begin.elapsed().as_secs());
    if let Some(name) = failure {
        bail!(
            "{name} failed; run it alone with `cargo xtask {}`",
            name.trim_end_matches(" (deep)")
        );
    }
    Ok(())
}
