//! Checks one torrent.

use std::path::Path;
use std::time::Instant;

use torrent_check::{Check, Escaped, Report, Resume, Torrent};

use super::args::{CheckArgs, Place, Selection};
use super::{
    CANCELLED, COMPLETE, Failure, INCOMPLETE, INTERRUPTED, bar, handle_ctrl_c, json, log, print,
    read_torrent, resume, table, terminal,
};

/// How a check was made, and how long it took.
pub(super) struct Run {
    pub(super) seconds: f64,
    pub(super) backend: &'static str,
    /// Only the lengths of files were checked.
    pub(super) sizes_only: bool,
}

/// Checks the torrent in this file, and prints the report.
pub(super) fn check(args: &CheckArgs, file: &Path, place: Place<'_>) -> Result<u8, Failure> {
    let torrent = read_torrent(file)?;
    warn(args, file, &torrent);
    let files = args.selection(&torrent)?;
    let before = match &args.resume_file {
        None => None,
        Some(path) => {
            let before = resume::read(&torrent, path)?;
            resume::try_to_write(path)?;
            before
        }
    };
    handle_ctrl_c();
    let (report, run) = run(args, &torrent, place, &files, before.as_ref())?;
    if args.json {
        print(|to| json::write(&report, &run, None, to))?;
    } else {
        print(|to| table::write(&report, &run, args.quiet, to))?;
    }
    if let Some(path) = &args.resume_file {
        resume::write(&report, path)?;
    }
    Ok(status(&report, &run))
}

/// Logs the oddities of a torrent.
pub(super) fn warn(args: &CheckArgs, file: &Path, torrent: &Torrent) {
    if !args.quiet {
        for warning in torrent.warnings() {
            log(&format!("warning: {}: {warning}", Escaped(file)));
        }
    }
}

/// Checks a torrent, with a progress bar.
pub(super) fn run<'t>(
    args: &CheckArgs,
    torrent: &'t Torrent,
    place: Place<'_>,
    files: &Selection,
    before: Option<&Resume>,
) -> Result<(Report<'t>, Run), Failure> {
    let hidden = (!args.quiet).then(terminal::hide_ctrl_c);
    let bar = bar::draw(args.quiet);
    let progress = |progress| bar::advance(&bar, progress);
    let is_requested = |file: &torrent_check::File| files.is_match(file);
    let (folder, content) = match place {
        Place::Below(folder) => (folder, None),
        Place::Content(content) => (content, Some(content)),
    };
    let mut check = Check::new(torrent, folder)
        .files(&is_requested)
        .backend(args.backend())
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
    let begin = Instant::now();
    let report = check.run();
    bar.finish_and_clear();
    drop(hidden);
    let (seconds, backend) = (begin.elapsed().as_secs_f64(), args.backend().name());
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
