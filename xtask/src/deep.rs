//! Deep checks: which of them a run of the gate takes, and the record of those that passed.
//!
//! `ci/deep-checks.txt` has a line for each check that passed: a digest of its subject (the files whose
//! change makes it necessary), the seconds it took, the date and the CPU. Where the digest is another
//! now, the check is due, and the gate runs it. The gate spends what is left of ten minutes on others
//! in rotation, starting at a place that depends on the number of commits.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::{CHECKS, Check, Deep, Outcome};
use crate::{gate, tools};

const RECORD: &str = "ci/deep-checks.txt";
const HEADER: &str = "# Deep checks that passed: name, digest of the subject, seconds, date, CPU. \
    Written by `cargo xtask`.\n";

/// How long the gate spends on deep checks in rotation.
const BUDGET: Duration = Duration::from_secs(600);

/// Assumed of a check that was never recorded.
const UNKNOWN: Duration = Duration::from_secs(300);

/// A line of the record.
struct Passed {
    subject: String,
    time: Duration,
    rest: String,
}

/// `[--all]`: the deep checks that are due, or all of them.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<()> {
    ensure!(arguments.is_empty() || arguments == ["--all"], "usage: cargo xtask deep [--all]");
    let chosen = if arguments == ["--all"] { all().collect() } else { due(sh)? };
    if chosen.is_empty() {
        println!("no subject of a deep check has changed");
        return Ok(());
    }
    gate::run_steps(sh, &gate::deep_steps(&chosen))
}

/// Runs a check in full and records it.
pub(crate) fn run_one(sh: &Shell, check: &Check, deep: &Deep) -> Result<Outcome> {
    let begin = Instant::now();
    let subject = subject(sh, deep)?;
    let outcome = check.run(sh, deep.arguments)?;
    // What was read while it changed is not known.
    if matches!(outcome, Outcome::Passed) && subject == self::subject(sh, deep)? {
        record(sh, check.name, subject, begin.elapsed())?;
    }
    Ok(outcome)
}

fn all() -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().filter(|check| check.deep.is_some())
}

/// The checks whose subject is not that of their last success.
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

/// The checks for one run of the gate, `commits` being the number of commits.
pub(crate) fn choose(sh: &Shell, commits: u64) -> Result<Vec<&'static Check>> {
    let record = read(sh)?;
    let time = |check: &Check| record.get(check.name).map_or(UNKNOWN, |passed| passed.time);
    let mut chosen = due(sh)?;
    let mut spent: Duration = chosen.iter().map(|check| time(check)).sum();
    let checks: Vec<&Check> = all().collect();
    let start = usize::try_from(commits)? % checks.len();
    for check in checks[start..].iter().chain(&checks[..start]) {
        if chosen.iter().any(|other| other.name == check.name) {
            continue;
        }
        if spent + time(check) > BUDGET {
            break;
        }
        spent += time(check);
        chosen.push(check);
    }
    Ok(chosen)
}

/// All deep checks, for `HASHLANES_CI=full`.
pub(crate) fn every() -> Vec<&'static Check> {
    all().collect()
}

pub(crate) fn commits(sh: &Shell) -> Result<u64> {
    Ok(cmd!(sh, "git rev-list --count HEAD").quiet().read()?.parse()?)
}

/// A digest of the files of a check's subject as they are in the working tree.
fn subject(sh: &Shell, deep: &Deep) -> Result<String> {
    let paths = deep.subject;
    let files = cmd!(sh, "git ls-files --cached --others --exclude-standard --deduplicate -- {paths...}")
        .quiet()
        .read()?;
    let files: &[&str] = &files.lines().filter(|file| sh.path_exists(file)).collect::<Vec<_>>();
    if files.is_empty() {
        bail!("no file matches {paths:?}");
    }
    let digests = cmd!(sh, "git hash-object -- {files...}").quiet().read()?;
    let mut list = String::new();
    for (file, digest) in files.iter().zip(digests.lines()) {
        writeln!(list, "{file} {digest}")?;
    }
    let digest = cmd!(sh, "git hash-object --stdin").stdin(list).quiet().read()?;
    Ok(digest[..16].to_owned())
}

fn read(sh: &Shell) -> Result<BTreeMap<String, Passed>> {
    if !sh.path_exists(RECORD) {
        return Ok(BTreeMap::new());
    }
    let text = sh.read_file(RECORD)?;
    let mut record = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.splitn(4, '\t');
        let mut word = || words.next().unwrap_or_default().to_owned();
        let (name, subject) = (word(), word());
        let time = Duration::from_secs(word().parse()?);
        record.insert(name, Passed { subject, time, rest: word() });
    }
    Ok(record)
}

fn record(sh: &Shell, name: &str, subject: String, time: Duration) -> Result<()> {
    let mut record = read(sh)?;
    let date = cmd!(sh, "date -u +%Y-%m-%d").quiet().read()?;
    let rest = format!("{date}\t{}", tools::cpu());
    record.insert(name.to_owned(), Passed { subject, time, rest });
    let mut text = HEADER.to_owned();
    for (name, Passed { subject, time, rest }) in &record {
        writeln!(text, "{name}\t{subject}\t{}\t{rest}", time.as_secs())?;
    }
    Ok(sh.write_file(RECORD, text)?)
}
