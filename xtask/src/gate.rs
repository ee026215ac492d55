//! Runs the checks: those of every gate, and the deep checks that are due.
//!
//! `ci/deep-checks.txt` has a line for each deep check that passed: a digest of its subject (the
//! files whose change makes it necessary), the seconds that it took, and the date. If the digest has
//! changed, the check is due. The gate runs those that fit into ten seconds, the shortest first.
//! `.github/workflows/deep.yml` runs all of them weekly.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::{CHECKS, Check, Deep, Outcome};
use crate::tools;

const RECORD: &str = "ci/deep-checks.txt";
const HEADER: &str = "# Deep checks that passed: name, digest of the subject, seconds, date. \
    Written by `cargo xtask`.\n";

/// The seconds that one gate run spends on deep checks.
const BUDGET: u64 = 10;

/// The assumed seconds of a check without a record.
const UNKNOWN: u64 = 300;

/// A check, in its gate form or its deep form.
struct Step {
    check: &'static Check,
    is_deep: bool,
}

/// Each check of the first tier, then the deep checks that are due and fit into the budget.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<()> {
    ensure!(arguments.is_empty(), "usage: cargo xtask gate");
    cmd!(sh, "rustc --version").run()?;
    let record = read(sh)?;
    let mut due = due(sh)?;
    let seconds = |check: &Check| record.get(check.name).map_or(UNKNOWN, |passed| passed.seconds);
    due.sort_by_key(|check| seconds(check));
    let mut spent = 0;
    let (chosen, left): (Vec<_>, Vec<_>) = due.into_iter().partition(|check| {
        spent += seconds(check);
        spent <= BUDGET
    });
    println!("deep checks of this run: {}; left: {}", names(&chosen), names(&left));
    let gate = CHECKS.iter().filter(|check| check.gate.is_some());
    let mut steps: Vec<Step> = gate.map(|check| Step { check, is_deep: false }).collect();
    steps.extend(deep_steps(&chosen));
    run_steps(sh, &steps)?;
    println!("deep checks due but not run: {}", names(&left));
    Ok(())
}

/// `[--all | --due | --list | NAME...]`: runs the deep checks that are due, all of them, or the named
/// ones. `--due` only prints the names of those that are due, and `--list` those of all, as JSON for
/// the matrix of `.github/workflows/deep.yml`.
pub(crate) fn run_deep(sh: &Shell, arguments: &[&str]) -> Result<()> {
    let chosen: Vec<_> = match arguments {
        [] => due(sh)?,
        ["--all"] => all().collect(),
        ["--due"] => {
            due(sh)?.iter().for_each(|check| println!("{}", check.name));
            return Ok(());
        }
        ["--list"] => {
            println!("{:?}", all().map(|check| check.name).collect::<Vec<_>>());
            return Ok(());
        }
        names => {
            let named = |name| all().find(|check| check.name == name);
            let find = |&name| named(name).with_context(|| format!("`{name}` is not a deep check"));
            names.iter().map(find).collect::<Result<_>>()?
        }
    };
    if chosen.is_empty() {
        println!("no deep check is due: no subject has changed");
        return Ok(());
    }
    run_steps(sh, &deep_steps(&chosen))
}

/// Runs a check by its name, and records the pass if it ran in full.
pub(crate) fn run_one(sh: &Shell, check: &Check, arguments: &[&str]) -> Result<Outcome> {
    match &check.deep {
        Some(deep) if arguments == deep.arguments => run_and_record(sh, check, deep),
        _ => check.run(sh, arguments),
    }
}

fn run_and_record(sh: &Shell, check: &Check, deep: &Deep) -> Result<Outcome> {
    let begin = Instant::now();
    let subject = subject(sh, deep)?;
    let outcome = check.run(sh, deep.arguments)?;
    // If files changed during the run, the checked version is unknown.
    if matches!(outcome, Outcome::Passed) && subject == self::subject(sh, deep)? {
        let date = cmd!(sh, "date -u +%Y-%m-%d").quiet().read()?;
        let mut record = read(sh)?;
        let passed = Passed { subject, seconds: begin.elapsed().as_secs(), date };
        record.insert(check.name.to_owned(), passed);
        let mut text = HEADER.to_owned();
        for (name, Passed { subject, seconds, date }) in &record {
            writeln!(text, "{name}\t{subject}\t{seconds}\t{date}")?;
        }
        sh.write_file(RECORD, text)?;
    }
    Ok(outcome)
}

fn all() -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().filter(|check| check.deep.is_some())
}

/// The checks whose subject has changed since they last passed.
fn due(sh: &Shell) -> Result<Vec<&'static Check>> {
    let record = read(sh)?;
    let mut due = Vec::new();
    for check in all() {
        let Some(deep) = &check.deep else { continue };
        if record.get(check.name).map(|passed| &passed.subject) != Some(&subject(sh, deep)?) {
            due.push(check);
        }
    }
    Ok(due)
}

/// A digest of the subject's files in the working tree.
fn subject(sh: &Shell, deep: &Deep) -> Result<String> {
    let paths = deep.subject;
    let files =
        cmd!(sh, "git ls-files --cached --others --exclude-standard --deduplicate -- {paths...}")
            .quiet()
            .read()?;
    let files: &[&str] = &files.lines().filter(|file| sh.path_exists(file)).collect::<Vec<_>>();
    ensure!(!files.is_empty(), "no file matches {paths:?}");
    let digests = cmd!(sh, "git hash-object -- {files...}").quiet().read()?;
    let mut list = String::new();
    for (file, digest) in files.iter().zip(digests.lines()) {
        writeln!(list, "{file} {digest}")?;
    }
    let digest = cmd!(sh, "git hash-object --stdin").stdin(list).quiet().read()?;
    Ok(digest[..16].to_owned())
}

/// A line of the record, without the name.
struct Passed {
    subject: String,
    seconds: u64,
    date: String,
}

fn read(sh: &Shell) -> Result<BTreeMap<String, Passed>> {
    let mut record = BTreeMap::new();
    let text = if sh.path_exists(RECORD) { sh.read_file(RECORD)? } else { String::new() };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let &[name, subject, seconds, date] = &*line.split('\t').collect::<Vec<_>>() else {
            bail!("{RECORD} has a line without four columns: {line}");
        };
        let (subject, date) = (subject.to_owned(), date.to_owned());
        record.insert(name.to_owned(), Passed { subject, seconds: seconds.parse()?, date });
    }
    Ok(record)
}

fn names(checks: &[&Check]) -> String {
    let names: Vec<_> = checks.iter().map(|check| check.name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn deep_steps(checks: &[&'static Check]) -> Vec<Step> {
    checks.iter().map(|check| Step { check, is_deep: true }).collect()
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
    let mut table = String::new();
    let mut failure = None;
    for Step { check, is_deep } in steps {
        let name = if *is_deep { format!("{} (deep)", check.name) } else { check.name.to_owned() };
        println!("\n=== {name}: {}", check.proves);
        let begin = Instant::now();
        let result = match (is_deep, check.gate, &check.deep) {
            (true, _, Some(deep)) => run_and_record(sh, check, deep),
            (_, arguments, _) => check.run(sh, arguments.unwrap_or_default()),
        };
        let seconds = begin.elapsed().as_secs();
        let text = match &result {
            Ok(Outcome::Passed) => "passed".to_owned(),
            Ok(Outcome::Skipped(reason)) => format!("skipped: {reason}"),
            Err(error) => format!("FAILED: {error:#}"),
        };
        println!("=== {name}: {text}, {seconds} s");
        writeln!(table, "{name:<24} {seconds:>7}   {}", text.lines().next().unwrap_or_default())?;
        if result.is_err() {
            failure = Some(check.name);
            break;
        }
    }

    backends(sh)?;
    println!(
        "\n{:<24} {:>7}\n{table}{:<24} {:>7}",
        "step",
        "seconds",
        "all",
        begin.elapsed().as_secs()
    );
    if let Some(name) = failure {
        bail!("{name} failed; run it alone with `cargo xtask {name}`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_subject_changes_the_digest() {
        if !tools::has("git") {
            return;
        }
        let sh = Shell::new().unwrap();
        let folder = sh.create_temp_dir().unwrap();
        sh.change_dir(folder.path());
        cmd!(sh, "git init -q").run().unwrap();
        sh.write_file("code.rs", "one").unwrap();
        sh.write_file("other.rs", "one").unwrap();
        let deep = Deep { subject: &["code*"], arguments: &[] };
        let before = subject(&sh, &deep).unwrap();
        sh.write_file("other.rs", "two").unwrap();
        assert_eq!(subject(&sh, &deep).unwrap(), before);
        sh.write_file("code.rs", "two").unwrap();
        assert_ne!(subject(&sh, &deep).unwrap(), before);
    }

    #[test]
    fn every_subject_exists() {
        // The sources may have been unpacked without their git history.
        if !tools::has("git") || !crate::root().join(".git").exists() {
            return;
        }
        let sh = Shell::new().unwrap();
        sh.change_dir(crate::root());
        for check in all() {
            subject(&sh, check.deep.as_ref().unwrap()).unwrap();
        }
        read(&sh).unwrap();
    }
}
