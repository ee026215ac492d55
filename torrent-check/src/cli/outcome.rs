//! What a check has found, as the exit status and the reports say it.

use torrent_check::{Layout, Outcome, Report};

use super::status::{COMPLETE, FAILED, INCOMPLETE, INTERRUPTED};

/// How a check was made, and how long it took.
pub(super) struct Run {
    pub(super) seconds: f64,
    pub(super) backend: &'static str,
    /// Only the lengths of files were checked.
    pub(super) sizes_only: bool,
    /// Whether results are kept for the next check.
    pub(super) keeps_state: bool,
    /// What `--link` has done.
    pub(super) layout: Option<Layout>,
}

/// What to list.
#[derive(Clone, Copy)]
pub(crate) struct Detail {
    /// Only files that are known not to be good, and nothing if all are good.
    pub(crate) quiet: bool,
    /// Everything, however long the lists become.
    pub(crate) verbose: bool,
}

/// The exit status for a layout.
fn layout_status(layout: &Layout) -> u8 {
    let has = |is: fn(&Outcome) -> bool| layout.files.iter().any(|file| is(&file.outcome));
    match () {
        () if layout.is_cancelled => INTERRUPTED,
        () if has(|outcome| matches!(outcome, Outcome::Failed(_))) => FAILED,
        () if layout.is_complete() => COMPLETE,
        () => INCOMPLETE,
    }
}

/// The exit status for a report: that of the layout, if there is one.
pub(super) fn status(report: &Report<'_>, run: &Run) -> u8 {
    match () {
        () if report.is_cancelled => INTERRUPTED,
        () if run.layout.is_some() => run.layout.as_ref().map_or(FAILED, layout_status),
        () if report.has_unreadable_files() || report.has_unfollowed_links() => FAILED,
        () if is_fine(report, run) => COMPLETE,
        () => INCOMPLETE,
    }
}

/// Whether nothing is known to be wrong but links that are not followed.
pub(super) fn is_unknown_behind_links(report: &Report<'_>) -> bool {
    let counts = report.counts();
    report.has_unfollowed_links() && counts.bad + counts.missing == 0
}

/// Whether the content is as it should be, as far as was asked.
pub(super) fn is_fine(report: &Report<'_>, run: &Run) -> bool {
    if run.sizes_only { report.has_right_lengths() } else { report.is_complete() }
}
