//! What a check is.

use anyhow::Result;
use xshell::Shell;

/// The outcome of a check that did not fail.
pub(crate) enum Outcome {
    Passed,
    /// The machine lacks something, which the text names.
    Skipped(String),
}

/// A check, run by its name.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    /// One line for the list.
    pub(crate) proves: &'static str,
    /// Its arguments in every run of the gate; `None` if the gate does not always run it.
    pub(crate) gate: Option<&'static [&'static str]>,
    pub(crate) deep: Option<Deep>,
    pub(crate) run: fn(&Shell, &[&str]) -> Result<Outcome>,
}

/// A check that takes minutes. The gate runs it in rotation, and when its subject has changed.
pub(crate) struct Deep {
    /// Git pathspecs: a change of these files makes the check due.
    pub(crate) subject: &'static [&'static str],
    pub(crate) arguments: &'static [&'static str],
}

impl Check {
    pub(crate) fn run(&self, sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
        (self.run)(sh, arguments)
    }
}
