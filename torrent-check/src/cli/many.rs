//! Checks many torrents, one after another, each with all threads. So a rotating disk reads one
//! file at a time.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use torrent_check::{Content, Escaped, Resume, Torrent};

use super::args::{CheckArgs, Place, Selection};
use super::run::{is_fine, run};
use super::summary::{Row, Summary, Verdict};
use super::{
    CANCELLED, Failure, IS_OUTPUT_CLOSED, handle_ctrl_c, json, log, print, read_torrent, resume,
    single, sources, table,
};

/// Checks all torrents, prints a report on each and a summary, and returns the worst exit status.
pub(super) fn check(args: &CheckArgs, roots: &[PathBuf]) -> Result<u8, Failure> {
    let torrents = sources::torrents(&args.paths, args.torrents_from.as_deref())?;
    if let Some(folder) = &args.state {
        resume::prepare_folder(folder)?;
    }
    handle_ctrl_c();
    let mut summary = Summary::default();
    for file in &torrents {
        if IS_OUTPUT_CLOSED.load(Ordering::Relaxed) {
            break;
        }
        if CANCELLED.load(Ordering::Relaxed) {
            summary.skip();
            continue;
        }
        let row = match one(args, roots, file) {
            Ok(row) => row,
            Err(Failure(message)) => {
                log(&format!("error: {message}"));
                if args.json {
                    print(|to| json::write_error(Some(file), &message, to))?;
                }
                Row::unreadable(file)
            }
        };
        summary.add(row);
    }
    if args.json {
        print(|to| summary.write_json(to))?;
    } else {
        print(|to| summary.write(args.quiet, to))?;
    }
    Ok(summary.status())
}

/// Checks one torrent and prints the report.
fn one(args: &CheckArgs, roots: &[PathBuf], file: &Path) -> Result<Row, Failure> {
    let torrent = read_torrent(file)?;
    single::warn(args, file, &torrent);
    let state = args.state.as_ref().map(|folder| folder.join(state_name(&torrent)));
    let before = match &state {
        Some(state) => resume::read(&torrent, state)?.filter(|before| !is_due(args, before)),
        None => None,
    };
    let place = Place::Below(root_of(&torrent, roots)?);
    let (report, run) = run(args, &torrent, place, &Selection::all(), before.as_ref())?;
    if args.json {
        print(|to| json::write(&report, &run, Some(file), to))?;
    } else if !is_fine(&report, &run) || !report.extra().is_empty() {
        print(|to| {
            writeln!(to, "{}", Escaped(file))?;
            table::write(&report, &run, true, to)?;
            writeln!(to)
        })?;
    }
    if let Some(state) = &state {
        resume::write(&report, state)?;
    }
    let verdict = match report.content() {
        _ if report.is_cancelled() => Verdict::Cancelled,
        _ if is_fine(&report, &run) => Verdict::Complete,
        Content::Absent(_) => Verdict::Missing,
        _ => Verdict::Damaged,
    };
    Ok(Row::new(file, verdict, report.bytes_checked(), run.seconds))
}

/// The first root that has the content, or else the first one.
fn root_of<'r>(torrent: &Torrent, roots: &'r [PathBuf]) -> Result<&'r Path, Failure> {
    for root in roots {
        // The check reports an error with more detail.
        if !matches!(Content::find(torrent, root), Ok(Content::Absent(_))) {
            return Ok(root);
        }
    }
    roots.first().map(PathBuf::as_path).ok_or_else(|| Failure("give a --root DIR".to_owned()))
}

/// The name of a torrent's file in the state folder. A hybrid has two hashes, of which v2's is
/// the stronger.
fn state_name(torrent: &Torrent) -> String {
    let hash = torrent.info_hash_v2().map(hex::encode);
    let hash = hash.or_else(|| torrent.info_hash_v1().map(hex::encode));
    format!("{}.json", hash.unwrap_or_default())
}

/// Whether everything has to be read again.
fn is_due(args: &CheckArgs, before: &Resume) -> bool {
    args.recheck.is_some_and(|days| {
        let age = SystemTime::now().duration_since(before.oldest()).unwrap_or_default();
        age >= Duration::from_secs(u64::from(days) * 24 * 60 * 60)
    })
}
