//! Runs the checks: those of every gate, and the deep checks that are due.
//!
//! `ci/deep-checks.txt` has a line for each deep check that passed: a digest of its subject (the
//! packages that it tests, with all local packages below them), the seconds that it took, and the
//! date. If the digest has changed, the check is due. The gate names those that are, `cargo xtask
//! deep` runs them, and `.github/workflows/deep.yml` runs all of them weekly.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::{CHECKS, Check, Deep, Outcome, Subject};
use crate::workspace::{Graph, checked_by};

const RECORD: &str = "ci/deep-checks.txt";
const HEADER: &str = "# Deep checks that passed: name, digest of the subject, seconds, date. \
    Written by `cargo xtask`.\n";

/// Each check of the first tier. Names the deep checks that are due.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<()> {
    ensure!(arguments.is_empty(), "usage: cargo xtask gate");
    cmd!(sh, "rustc --version").run()?;
    let gate: Vec<_> = CHECKS.iter().filter(|check| check.gate.is_some()).collect();
    run_steps(&gate, |check| check.run(sh, check.gate.unwrap_or_default()))?;
    let due: Vec<_> = due(sh)?.iter().map(|check| check.name).collect();
    println!("deep checks that are due (cargo xtask deep): {}", due.join(", "));
    Ok(())
}

/// `[--all | --due | --list | NAME...]`: runs the deep checks that are due, all of them, or the
/// named ones. `--due` only prints the names of those that are due, and `--list` those of all, as
/// JSON for the matrix of `.github/workflows/deep.yml`.
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
    run_steps(&chosen, |check| match &check.deep {
        Some(deep) => run_and_record(sh, check, deep),
        None => check.run(sh, &[]),
    })
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
    let graph = Graph::read(sh)?;
    let subject = subject(sh, &graph, deep)?;
    let outcome = check.run(sh, deep.arguments)?;
    // If files changed during the run, the checked version is unknown.
    if matches!(outcome, Outcome::Passed) && subject == self::subject(sh, &graph, deep)? {
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
    let graph = Graph::read(sh)?;
    let mut due = Vec::new();
    for check in all() {
        let Some(deep) = &check.deep else { continue };
        if record.get(check.name).map(|passed| &passed.subject) != Some(&subject(sh, &graph, deep)?)
        {
            due.push(check);
        }
    }
    Ok(due)
}

/// A digest of the subject's files in the working tree.
fn subject(sh: &Shell, graph: &Graph, deep: &Deep) -> Result<String> {
    let mut paths = Vec::new();
    for &part in deep.subject {
        match part {
            Subject::Files(pathspec) => paths.push(pathspec.to_owned()),
            Subject::Package(name) => paths.extend(graph.folders_below(name)?),
            Subject::Marked(check) => {
                for package in checked_by(sh, check)? {
                    paths.extend(graph.folders_below(&package.name)?);
                }
            }
            Subject::Workspace => paths.extend(graph.folders_of_workspace()),
        }
    }
    digest(sh, &paths)
}

/// A digest of the files that match these pathspecs.
///
/// Markdown counts only where it is named itself: each gate checks it and runs its examples, and a
/// sentence would otherwise make hours of emulation due.
fn digest(sh: &Shell, paths: &[String]) -> Result<String> {
    let files =
        cmd!(sh, "git ls-files --cached --others --exclude-standard --deduplicate -- {paths...}")
            .quiet()
            .read()?;
    let is_subject = |file: &str| !file.ends_with(".md") || paths.iter().any(|path| path == file);
    let files = files.lines().filter(|file| sh.path_exists(file) && is_subject(file));
    let files: &[&str] = &files.collect::<Vec<_>>();
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

/// Runs the checks until one fails, and prints a table of them.
fn run_steps(checks: &[&Check], run: impl Fn(&Check) -> Result<Outcome>) -> Result<()> {
    let begin = Instant::now();
    let mut table = String::new();
    let mut failure = None;
    for check in checks {
        let name = check.name;
        println!("\n=== {name}: {}", check.proves);
        let begin = Instant::now();
        let result = run(check);
        let seconds = begin.elapsed().as_secs();
        let text = match &result {
            Ok(Outcome::Passed) => "passed".to_owned(),
            Ok(Outcome::Skipped(reason)) => format!("skipped: {reason}"),
            Err(error) => format!("FAILED: {error:#}"),
        };
        println!("=== {name}: {text}, {seconds} s");
        writeln!(table, "{name:<24} {seconds:>7}   {}", text.lines().next().unwrap_or_default())?;
        if result.is_err() {
            failure = Some(name);
            break;
        }
    }

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
    use crate::tools;

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
        sh.write_file("code.md", "one").unwrap();
        let code = ["code*".to_owned()];
        let text = ["code.md".to_owned()];
        let before = digest(&sh, &code).unwrap();
        let text_before = digest(&sh, &text).unwrap();
        sh.write_file("other.rs", "two").unwrap();
        sh.write_file("code.md", "two").unwrap();
        assert_ne!(digest(&sh, &text).unwrap(), text_before);
        assert_eq!(digest(&sh, &code).unwrap(), before);
        sh.write_file("code.rs", "two").unwrap();
        assert_ne!(digest(&sh, &code).unwrap(), before);
    }

    #[test]
    fn every_subject_exists() {
        // The sources may have been unpacked without their git history.
        if !tools::has("git") || !crate::root().join(".git").exists() {
            return;
        }
        let sh = Shell::new().unwrap();
        sh.change_dir(crate::root());
        let graph = Graph::read(&sh).unwrap();
        for check in all() {
            subject(&sh, &graph, check.deep.as_ref().unwrap()).unwrap();
        }
        read(&sh).unwrap();
    }
}
