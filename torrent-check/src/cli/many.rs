//! Checks many torrents, one after another, each with all threads, so that a rotating disk reads
//! one file at a time.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use torrent_check::{Content, Escaped, Resume, Torrent, best_folder};

use super::args::{CheckArgs, Place, Selection};
use super::bar::{Bar, ProgressDisplay};
use super::extra::Known;
use super::map::Map;
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
    let mut summary = Summary::default();
    let map = match &args.map {
        Some(file) => Map::read(file, args.quiet)?,
        None => Map::default(),
    };
    let places = Places { map, roots: usable(args, roots, &mut summary)? };
    handle_ctrl_c();
    let display = ProgressDisplay::new(args, true);
    let mut known = Known::default();
    for (nth, file) in (1..).zip(&torrents) {
        if IS_OUTPUT_CLOSED.load(Ordering::Relaxed) {
            break;
        }
        if CANCELLED.load(Ordering::Relaxed) {
            summary.skip();
            continue;
        }
        let label = format!("torrent {nth} of {}, {}", torrents.len(), Escaped(file));
        let row = match one(args, display.bar(label), &places, file, &mut summary) {
            Ok((row, content)) => {
                content.iter().for_each(|path| known.add(path));
                row
            }
            Err(Failure(message)) => {
                print_error(args, Some(file), &message)?;
                Row::unreadable(file)
            }
        };
        summary.add(row);
    }
    // The content of torrents that were not checked is not known.
    if args.extra && !CANCELLED.load(Ordering::Relaxed) {
        torrents.iter().chain(&args.state).for_each(|path| known.add(path));
        summary.set_extra(known.others(&places.roots));
    }
    if args.json {
        print(|to| summary.write_json(to))?;
    } else {
        print(|to| summary.write(args.quiet, to))?;
    }
    Ok(summary.status())
}

/// Where the content of torrents may be.
struct Places<'r> {
    map: Map,
    roots: Vec<&'r Path>,
}

/// The roots that can be opened. The others are errors, but stop the check only if none is left and
/// there is no map.
fn usable<'r>(
    args: &CheckArgs,
    roots: &'r [PathBuf],
    summary: &mut Summary,
) -> Result<Vec<&'r Path>, Failure> {
    let (mut usable, mut errors) = (Vec::new(), Vec::new());
    for root in roots {
        match open(root) {
            Ok(()) => usable.push(root.as_path()),
            Err(error) => errors.push(format!("cannot open the root {}: {error}", Escaped(root))),
        }
    }
    if usable.is_empty() && args.map.is_none() {
        return Err(Failure(errors.join("; ")));
    }
    for message in errors {
        print_error(args, None, &message)?;
        summary.fail();
    }
    Ok(usable)
}

fn open(root: &Path) -> io::Result<()> {
    if root.metadata()?.is_dir() { Ok(()) } else { Err(ErrorKind::NotADirectory.into()) }
}

/// Prints an error about a torrent or something else.
fn print_error(args: &CheckArgs, torrent: Option<&Path>, message: &str) -> Result<(), Failure> {
    log(&format!("error: {message}"));
    if args.json {
        print(|to| json::write_error(torrent, message, to))?;
    }
    Ok(())
}

/// Checks one torrent and prints the report. Returns the content and its control file, too.
fn one(
    args: &CheckArgs,
    bar: Bar<'_>,
    Places { map, roots }: &Places<'_>,
    file: &Path,
    summary: &mut Summary,
) -> Result<(Row, Vec<PathBuf>), Failure> {
    let torrent = read_torrent(file)?;
    single::warn(args, file, &torrent);
    let state = args.state.as_ref().map(|folder| folder.join(state_name(&torrent)));
    let before = match &state {
        Some(state) => resume::read(&torrent, state)?.filter(|before| !is_due(args, before)),
        None => None,
    };
    let line = map.line(file, &torrent);
    let place = match line {
        Some(line) => line.place(&torrent),
        None => {
            let best = best_folder(&torrent, roots).ok_or_else(|| map.unmapped(file))?;
            Place::Below(roots[best])
        }
    };
    let (files, before) = (Selection::all(), before.as_ref());
    let (report, run) =
        run(args, bar, &torrent, place, &files, before, state.as_deref()).map_err(|failure| {
            match line {
                Some(line) => map.explain(line, failure),
                None => failure,
            }
        })?;
    if args.json {
        print(|to| json::write(&report, &run, Some(file), to))?;
    } else if !is_fine(&report, &run) || !report.extra().is_empty() {
        print(|to| {
            writeln!(to, "{}", Escaped(file))?;
            table::write(&report, &run, true, to)?;
            writeln!(to)
        })?;
    }
    if let Some(state) = &state
        && let Err(Failure(message)) = resume::write(&report, state)
    {
        print_error(args, Some(file), &message)?;
        summary.fail();
    }
    let verdict = match report.content() {
        _ if report.is_cancelled() => Verdict::Cancelled,
        _ if is_fine(&report, &run) && run.sizes_only => Verdict::RightSizes,
        _ if is_fine(&report, &run) => Verdict::Complete,
        Content::Absent(_) => Verdict::Missing,
        _ => Verdict::Damaged,
    };
    let mut content = vec![report.content().path().to_owned()];
    if report.files().iter().any(|file| file.is_unfinished_by_aria2) {
        let mut control = content[0].clone().into_os_string();
        control.push(".aria2");
        content.push(control.into());
    }
    Ok((Row::new(file, verdict, report.bytes_checked(), run.seconds), content))
}

/// The name of a torrent's file in the state folder. A hybrid has two hashes; v2's is stronger.
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
