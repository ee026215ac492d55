//! Runs the check of a torrent as the arguments say.

use std::path::Path;
use std::time::{Duration, Instant};

use torrent_check::{
    Backend, Check, CheckError, Escaped, LayOut, Layout, Link, Outcome, Place, Report, State,
    Torrent,
};

use super::args::{CheckArgs, LinkKind, Selection};
use super::bar::{Bar, ProgressDisplay};
use super::state::StateFile;
use super::{
    CANCELLED, COMPLETE, FAILED, Failure, INCOMPLETE, INTERRUPTED, handle_ctrl_c, json, log, print,
    read_torrent, state, table,
};

/// The time between two writes of the state.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);

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

/// Checks the torrent in this file, and prints the report.
pub(super) fn check_one(args: &CheckArgs, file: &Path, place: Place<'_>) -> Result<u8, Failure> {
    let torrent = read_torrent(file)?;
    warn(args, file, &torrent);
    let files = args.selection(&torrent)?;
    if let Some(folder) = &args.state {
        state::prepare_folder(folder)?;
    }
    let state = args.state_of(&torrent)?;
    handle_ctrl_c();
    let display = ProgressDisplay::new(args.quiet, args.progress, false);
    let bar = display.bar(torrent.name().to_string());
    let (report, run) = run(args, bar, &torrent, place, Some(&files), state.as_ref())?;
    if args.json {
        print(|to| json::write(&report, &run, None, to))?;
    } else {
        print(|to| table::write(&report, &run, args.detail(), to))?;
    }
    if let Some(state) = state {
        state.finish(&report)?;
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

/// Checks a torrent, shows the progress, and keeps the saved state up to date.
pub(super) fn run<'t>(
    args: &CheckArgs,
    bar: Bar<'_>,
    torrent: &'t Torrent,
    place: Place<'_>,
    files: Option<&Selection<'_>>,
    state: Option<&StateFile>,
) -> Result<(Report<'t>, Run), Failure> {
    let progress = |progress| bar.advance(progress);
    let is_requested =
        |file: &torrent_check::File| files.is_none_or(|selection| selection.is_match(file));
    let save = |results: &State| {
        if let Some(state) = state {
            // If the last write fails too, that is an error.
            let _ = state.save(results);
        }
    };
    let check = Check {
        files: Some(&is_requested),
        threads: args.threads,
        order: args.order,
        state: state.and_then(|state| state.before.as_ref()),
        trust_modified: args.trust_modified,
        save_every: state.map(|_| (SAVE_INTERVAL, &save as &(dyn Fn(&State) + Sync))),
        find_renamed: args.find_renamed || args.link.is_some(),
        list_extra: args.extra,
        follow_links: args.follow_links,
        fail_fast: args.fail_fast,
        lengths_only: args.sizes_only,
        limit: args.limit,
        progress: Some(&progress),
        cancel: Some(&CANCELLED),
        ..Check::new(torrent, place)
    };
    let begin = Instant::now();
    let report = check.run();
    bar.clear();
    let (seconds, backend) = (begin.elapsed().as_secs_f64(), Backend::detect().name());
    let report = report.map_err(|error| match error {
        CheckError::ContentEscapes(_) => Failure(format!("{error}; --follow-links follows it")),
        error => error.into(),
    })?;
    let layout = lay_out(args, &report)?;
    Ok((
        report,
        Run { seconds, backend, sizes_only: args.sizes_only, keeps_state: state.is_some(), layout },
    ))
}

/// Lays the torrent out as `--link` says.
fn lay_out(args: &CheckArgs, report: &Report<'_>) -> Result<Option<Layout>, Failure> {
    let Some(folder) = args.link.as_ref().filter(|_| !report.is_cancelled) else { return Ok(None) };
    let kinds = match (args.link_kind, args.link_likely) {
        (Some(LinkKind::Reflink), _) => &[Link::Reflink][..],
        (Some(LinkKind::Hard), _) => &[Link::Hard],
        (Some(LinkKind::Symbolic), _) => &[Link::Symbolic],
        (Some(LinkKind::Copy), _) => &[Link::Copy],
        (None, false) => &[Link::Reflink, Link::Hard, Link::Symbolic],
        // Files that are only likely right are copied where reflinks are not possible.
        (None, true) => &[Link::Reflink, Link::Hard, Link::Symbolic, Link::Copy],
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure(format!("cannot create {}: {error}", Escaped(folder))))?;
    let how = LayOut { kinds, likely: args.link_likely, cancel: Some(&CANCELLED) };
    Ok(Some(report.lay_out(folder, &how)?))
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
