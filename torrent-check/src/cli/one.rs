//! Runs the check of a torrent as the arguments say.

use std::path::Path;
use std::time::{Duration, Instant};

use torrent_check::{Backend, Check, Escaped, LayOut, Layout, Link, Place, Report, State, Torrent};

use super::args::{CheckArgs, LinkKind, Selection};
use super::failure::Failure;
use super::input::read_torrent;
use super::interrupt::{CANCELLED, handle_ctrl_c};
use super::outcome::{Run, status};
use super::state::{self, StateFile};
use super::terminal::bar::{Bar, ProgressDisplay};
use super::terminal::output::{log, print};
use super::{json, table};

/// The time between two writes of the state.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);

/// Checks the torrent in this file, and prints the report.
pub(super) fn check(args: &CheckArgs, file: &Path, place: Place<'_>) -> Result<u8, Failure> {
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
    let report = report?;
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
    std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, error))?;
    let how = LayOut { kinds, likely: args.link_likely, cancel: Some(&CANCELLED) };
    Ok(Some(report.lay_out(folder, &how)?))
}
