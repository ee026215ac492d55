//! Chooses the deep checks of each gate run, and records those that passed.
//!
//! `ci/deep-checks.txt` has a line for each check that passed: a digest of its subject (the files
//! whose change makes it necessary), the seconds it took, the date and the CPU. If the digest has
//! changed, the check is due. The gate spends ten minutes on those that are due; if they do not all
//! fit, they take turns by the commit count. `.github/workflows/deep.yml` runs all of them weekly.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::checks::{CHECKS, Check, Deep, Outcome};
use crate::tools;

const RECORD: &str = "ci/deep-checks.txt";
const HEADER: &str = "# Deep checks that passed: name, digest of the subject, seconds, date, CPU. \
    Written by `cargo xtask`.\n";

/// The time that one gate run spends on deep checks.
const BUDGET: Duration = Duration::from_secs(600);

/// The assumed time of a check without a record.
const UNKNOWN: Duration = Duration::from_secs(300);

/// A line of the record.
struct Passed {
    subject: String,
    time: Duration,
    rest: String,
}

/// Runs a check, and records the pass if it ran in full.
pub(crate) fn run_and_record(sh: &Shell, check: &Check, arguments: &[&str]) -> Result<Outcome> {
    match &check.deep {
        Some(deep) if arguments == deep.arguments => run_one(sh, check, deep),
        _ => check.run(sh, arguments),
    }
}

/// Runs a check in full and records the pass.
pub(crate) fn run_one(sh: &Shell, check: &Check, deep: &Deep) -> Result<Outcome> {
    let begin = Instant::now();
    let subject = subject(sh, deep)?;
    let outcome = check.run(sh, deep.arguments)?;
    // If files changed during the run, nobody knows which version was checked.
    if matches!(outcome, Outcome::Passed) && subject == self::subject(sh, deep)? {
        record(sh, check.name, subject, begin.elapsed())?;
    }
    Ok(outcome)
}

pub(crate) fn all() -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().filter(|check| check.deep.is_some())
}

/// The checks whose subject has changed since they last passed.
pub(crate) fn due(sh: &Shell) -> Result<Vec<&'static Check>> {
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

/// The deep checks of one gate run.
pub(crate) struct Plan {
    pub(crate) chosen: Vec<&'static Check>,
    /// Due checks that do not fit in this run.
    pub(crate) left: Vec<&'static Check>,
}

/// Chooses from the due checks those of a gate run at this commit count.
pub(crate) fn choose(sh: &Shell, commits: u64) -> Result<Plan> {
    let record = read(sh)?;
    let time = |check: &Check| record.get(check.name).map_or(UNKNOWN, |passed| passed.time);
    Ok(in_turn(due(sh)?, usize::try_from(commits)?, time))
}

/// Takes checks from this turn on, as many as fit in the budget, but at least one.
fn in_turn(mut due: Vec<&'static Check>, turn: usize, time: impl Fn(&Check) -> Duration) -> Plan {
    if !due.is_empty() {
        let first = turn % due.len();
        due.rotate_left(first);
    }
    let (mut plan, mut spent) = (Plan { chosen: Vec::new(), left: Vec::new() }, Duration::ZERO);
    for check in due {
        if plan.chosen.is_empty() || spent + time(check) <= BUDGET {
            spent += time(check);
            plan.chosen.push(check);
        } else {
            plan.left.push(check);
        }
    }
    plan
}

/// All deep checks, for `HASHLANES_CI=full`.
pub(crate) fn everything() -> Plan {
    Plan { chosen: all().collect(), left: Vec::new() }
}

/// A digest of the subject's files in the working tree.
fn subject(sh: &Shell, deep: &Deep) -> Result<String> {
    let paths = deep.subject;
    let files =
        cmd!(sh, "git ls-files --cached --others --exclude-standard --deduplicate -- {paths...}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn due_checks_take_turns_within_the_budget() {
        let seconds = |check: &Check| Duration::from_secs(100 + 37 * check.name.len() as u64);
        let due: Vec<_> = all().collect();
        for turn in 0..2 * due.len() {
            let plan = in_turn(due.clone(), turn, seconds);
            assert_eq!(plan.chosen[0].name, due[turn % due.len()].name);
            let spent: Duration = plan.chosen.iter().map(|check| seconds(check)).sum();
            assert!(plan.chosen.len() == 1 || spent <= BUDGET, "{spent:?}");
            assert_eq!(plan.chosen.len() + plan.left.len(), due.len());
        }
        let plan = in_turn(due, 0, |_| BUDGET + Duration::from_secs(1));
        assert_eq!(plan.chosen.len(), 1);
        assert!(in_turn(Vec::new(), 7, seconds).chosen.is_empty());
    }

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
        assert!(subject(&sh, &Deep { subject: &["absent*"], arguments: &[] }).is_err());
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
    }
}
