//! Checks many torrents, one after another, each with all threads, so that a rotating disk reads
//! one file at a time.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use torrent_check::{Content, Escaped, Folders, Place, Session};

use super::args::CheckArgs;
use super::client::{self, Where};
use super::extra::Known;
use super::failure::Failure;
use super::input::{parse_torrent, read_torrent};
use super::interrupt::{CANCELLED, handle_ctrl_c};
use super::one::{run, warn};
use super::outcome::{Detail, is_fine, is_unknown_behind_links, status};
use super::summary::{Row, Summary, Verdict};
use super::terminal::bar::{Bar, ProgressDisplay};
use super::terminal::output::{IS_OUTPUT_CLOSED, log, print};
use super::{json, sources, state, table};

/// Checks all torrents, prints a report on each and a summary, and returns the worst exit status.
pub(super) fn check(
    args: &CheckArgs,
    roots: &[PathBuf],
    session: Option<Session>,
) -> Result<u8, Failure> {
    let own = session.as_ref().map(Session::torrents);
    let lacking = session.as_ref().map(Session::lacking).transpose()?.unwrap_or_default();
    let stored = session.as_ref().map(Session::in_database).transpose()?.flatten();
    let is_stored = stored.is_some();
    // The folder of a session may have been given as the only argument.
    let is_all = args.paths.is_empty() || args.client.is_none();
    let torrents = match own.as_ref().filter(|_| is_all && args.torrents_from.is_none()) {
        // A torrent that is not there is reported as the others are.
        Some(own) => sources::in_session(own, stored, lacking)?,
        None => sources::torrents(&args.paths, args.torrents_from.as_deref())?,
    };
    if let Some(folder) = &args.state {
        state::prepare_folder(folder)?;
    }
    let mut summary = Summary::default();
    let roots = usable(args, roots, &mut summary)?;
    // What a client has lost is looked for in the roots, or where it keeps other torrents.
    let others = match &session {
        Some(session) if roots.is_empty() => session.download_folders(),
        _ => Vec::new(),
    };
    let searched: Vec<&Path> =
        roots.iter().copied().chain(others.iter().map(PathBuf::as_path)).collect();
    let folders = (!searched.is_empty()).then(|| Folders::new(&searched));
    let places = Places { session, folders };
    handle_ctrl_c();
    let display = ProgressDisplay::new(args.quiet, args.progress, true);
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
            Err(error) => {
                print_error(args, Some(file), &error.to_string())?;
                let (name, verdict) = (Escaped(file).to_string(), Verdict::Unreadable);
                Row { name, verdict, bytes: 0, seconds: 0.0, status: None }
            }
        };
        summary.add(row);
    }
    // The content of torrents that were not checked is not known.
    if args.extra && !CANCELLED.load(Ordering::Relaxed) {
        let database = own.filter(|_| is_stored);
        torrents.iter().chain(&args.state).chain(&database).for_each(|path| known.add(path));
        match known.others(&roots, &|| !CANCELLED.load(Ordering::Relaxed)) {
            Some(others) => summary.extra = others,
            None => summary.cancel(),
        }
    }
    if args.json {
        print(|to| summary.write_json(to))?;
    } else {
        print(|to| summary.write(args.detail(), to))?;
    }
    Ok(summary.status())
}

/// Where the content of torrents may be.
struct Places<'r> {
    session: Option<Session>,
    /// The roots, or other folders of the client. There may be none only with a client.
    folders: Option<Folders<'r>>,
}

/// The roots that can be opened. The others are errors, but stop the check only if none is left.
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
    if usable.is_empty() && !errors.is_empty() {
        return Err(Failure::Refused(errors.join("; ")));
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
    places: &Places<'_>,
    file: &Path,
    summary: &mut Summary,
) -> Result<(Row, Vec<PathBuf>), Failure> {
    let Places { session, folders } = places;
    let stored = match session {
        Some(session) => session.torrent_file(file)?,
        None => None,
    };
    let torrent = match (stored, session) {
        (Some(bytes), _) => parse_torrent(file, &bytes)?,
        (None, Some(_)) if !file.exists() => {
            return Err(Failure::Refused(format!(
                "the client has no {}: it may still be fetching it for a magnet link",
                Escaped(file)
            )));
        }
        _ => read_torrent(file)?,
    };
    let state = args.state_of(&torrent)?;
    let found;
    let (place, shown) = match (session, folders) {
        (None, Some(folders)) => {
            warn(args, file, &torrent);
            (Place::Folders(folders), Escaped(file).to_string())
        }
        (None, None) => return Err(Failure::Refused("there are no roots".to_owned())),
        (Some(session), folders) => {
            found =
                client::saved(session, &torrent, &args.root, folders.is_some()).map_err(|why| {
                    Failure::InClient { torrent: file.to_owned(), source: Box::new(why) }
                })?;
            let place = match (&found, folders) {
                (Where::Moved(saved), Some(folders)) => Place::Moved(saved, folders),
                (Where::Lost(why), Some(folders)) => {
                    if !args.quiet {
                        log(&format!(
                            "warning: {}: {why}; the content is searched for",
                            torrent.name()
                        ));
                    }
                    Place::Folders(folders)
                }
                (Where::Saved(saved) | Where::Moved(saved), _) => Place::Saved(saved),
                (Where::Lost(why), None) => return Err(Failure::Refused(why.clone())),
            };
            // Clients name their copies of torrents after the info hash.
            (place, torrent.name().to_string())
        }
    };
    let (report, run) = run(args, bar, &torrent, place, None, state.as_ref())?;
    if args.json {
        print(|to| json::write(&report, &run, Some(file), to))?;
    } else if !is_fine(&report, &run) || !report.extra.is_empty() || run.layout.is_some() {
        print(|to| {
            writeln!(to, "{shown}")?;
            table::write(&report, &run, Detail { quiet: true, ..args.detail() }, to)?;
            writeln!(to)
        })?;
    }
    if let Some(state) = &state
        && let Err(error) = state.finish(&report)
    {
        print_error(args, Some(file), &error.to_string())?;
        summary.fail();
    }
    let verdict = match report.content {
        _ if report.is_cancelled => Verdict::Cancelled,
        _ if report.has_unreadable_files() => Verdict::Unreadable,
        _ if is_unknown_behind_links(&report) => Verdict::Linked,
        _ if is_fine(&report, &run) && run.sizes_only => Verdict::RightSizes,
        _ if is_fine(&report, &run) => Verdict::Complete,
        Content::Absent(_) | Content::Unsure { .. } if report.pieces_found > 0 => {
            Verdict::Elsewhere
        }
        Content::Absent(_) | Content::Unsure { .. } => Verdict::Missing,
        _ => Verdict::Damaged,
    };
    let shared: Vec<&Path> = args.root.iter().map(PathBuf::as_path).collect();
    let content = report.belongings(&shared);
    let status = run.layout.as_ref().map(|_| status(&report, &run));
    let (mut bytes, seconds) = (report.bytes_checked, run.seconds);
    if verdict == Verdict::Elsewhere {
        bytes = report.bytes_searched;
    }
    Ok((Row { name: shown, verdict, bytes, seconds, status }, content))
}
