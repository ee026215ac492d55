//! Runs a check as the arguments say.

use std::path::Path;
use std::time::{Duration, Instant};

use torrent_check::{Backend, Check, Report, Resume, Torrent};

use super::args::{CheckArgs, Place, Selection};
use super::bar::Bar;
use super::{CANCELLED, COMPLETE, Failure, INCOMPLETE, INTERRUPTED, resume, terminal};

/// The time between two writes of the resume file.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);

/// How a check was made, and how long it took.
pub(super) struct Run {
    pub(super) seconds: f64,
    pub(super) backend: &'static str,
    /// Only the lengths of files were checked.
    pub(super) sizes_only: bool,
}

/// Checks a torrent, shows the progress, and keeps the resume file up to date.
pub(super) fn run<'t>(
    args: &CheckArgs,
    bar: Bar<'_>,
    torrent: &'t Torrent,
    place: Place<'_>,
    files: &Selection,
    before: Option<&Resume>,
    resume_file: Option<&Path>,
) -> Result<(Report<'t>, Run), Failure> {
    let hidden = (!args.quiet).then(terminal::hide_ctrl_c);
    let progress = |progress| bar.advance(progress);
    let is_requested = |file: &torrent_check::File| files.is_match(file);
    let (folder, content) = match place {
        Place::Below(folder) => (folder, None),
        Place::Content(content) => (content, Some(content)),
    };
    let mut check = Check::new(torrent, folder)
        .files(&is_requested)
        .order(args.order.into())
        .find_renamed(args.find_renamed)
        .list_extra(args.extra)
        .fail_fast(args.fail_fast)
        .lengths_only(args.sizes_only)
        .progress(&progress)
        .cancel(&CANCELLED);
    if let Some(threads) = args.threads {
        check = check.threads(threads);
    }
    if let Some(rate) = args.limit {
        check = check.limit(rate);
    }
    if let Some(content) = content {
        check = check.content(content);
    }
    if let Some(before) = before {
        check = check.resume(before);
    }
    let save = |resume: &Resume| {
        if let Some(path) = resume_file {
            // If the last write fails too, that is an error.
            let _ = resume::save(resume, path);
        }
    };
    if resume_file.is_some() {
        check = check.save_every(SAVE_INTERVAL, &save);
    }
    let begin = Instant::now();
    let report = check.run();
    bar.clear();
    drop(hidden);
    let (seconds, backend) = (begin.elapsed().as_secs_f64(), Backend::detect().name());
    Ok((report?, Run { seconds, backend, sizes_only: args.sizes_only }))
}

/// The exit status for a report.
pub(super) fn status(report: &Report<'_>, run: &Run) -> u8 {
    match () {
        () if report.is_cancelled() => INTERRUPTED,
        () if is_fine(report, run) => COMPLETE,
        () => INCOMPLETE,
    }
}

/// Whether the content is as it should be, as far as was asked.
pub(super) fn is_fine(report: &Report<'_>, run: &Run) -> bool {
    if run.sizes_only { report.has_right_lengths() } else { report.is_complete() }
}
