//! Checks one torrent.

use std::path::Path;

use torrent_check::{Escaped, Torrent};

use super::args::{CheckArgs, Place};
use super::bar::ProgressDisplay;
use super::run::{run, status};
use super::{Failure, handle_ctrl_c, json, log, print, read_torrent, resume, table};

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
    let display = ProgressDisplay::new(args, false);
    let bar = display.bar(torrent.name().to_string());
    let (before, path) = (before.as_ref(), args.resume_file.as_deref());
    let (report, run) = run(args, bar, &torrent, place, &files, before, path)?;
    if args.json {
        print(|to| json::write(&report, &run, None, to))?;
    } else {
        print(|to| table::write(&report, &run, args.quiet, to))?;
    }
    if let Some(path) = path {
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
