//! Finds out where the content of torrents is, and what to set in a client.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use torrent_check::{
    Escaped, Finding, Folders, Locate, Located, Torrent, Unused, WherePlaced, Whereabouts,
};

use super::args::RepairArgs;
use super::failure::Failure;
use super::input::read_torrent;
use super::interrupt::{CANCELLED, handle_ctrl_c};
use super::json::{self, Json, line, texts};
use super::sources;
use super::status::{COMPLETE, FAILED, INCOMPLETE, INTERRUPTED};
use super::table::search_limit;
use super::terminal::bar::ProgressDisplay;
use super::terminal::output::{log, print};
use super::terminal::style::{self, Tone, Wrapped, bytes, plural};

/// The maximum number of files that are named per torrent, and of unused ones, unless the report is
/// verbose.
const MAX_FILES: usize = 10;
const MAX_UNUSED: usize = 100;

/// A client, and what it needs to use content where it is.
struct ClientRow {
    name: &'static str,
    /// The setting for the folder that has the content under the torrent's name.
    folder: &'static str,
    /// The setting for content with another name, if there is one.
    content: Option<&'static str>,
    /// What renames the content and its files in the client.
    rename: Option<&'static str>,
    /// Whether that also moves a file to another folder.
    moves: bool,
    recheck: &'static str,
}

/// The clients. The settings are those of their interfaces for programs.
const CLIENTS: [ClientRow; 4] = [
    ClientRow {
        name: "qbittorrent",
        folder: "savepath",
        content: None,
        rename: Some("torrents/renameFolder, torrents/renameFile"),
        moves: true,
        recheck: "torrents/recheck",
    },
    ClientRow {
        name: "transmission",
        folder: "download-dir",
        content: None,
        rename: Some("torrent-rename-path"),
        moves: false,
        recheck: "torrent-verify",
    },
    ClientRow {
        name: "deluge",
        folder: "download_location",
        content: None,
        rename: Some("mapped_files"),
        moves: true,
        recheck: "core.force_recheck",
    },
    ClientRow {
        name: "rtorrent",
        folder: "d.directory.set",
        content: Some("d.directory_base.set"),
        rename: None,
        moves: false,
        recheck: "d.check_hash",
    },
];

/// What to set in a client.
struct Setting {
    client: &'static str,
    setting: &'static str,
    value: PathBuf,
    /// What renames files in the client, if that is needed.
    rename: Option<&'static str>,
    recheck: &'static str,
}

/// What to set in each client that can use the content where it is. None can use files that are
/// spread over several folders.
fn settings(torrent: &Torrent, place: &WherePlaced) -> Vec<Setting> {
    if !place.elsewhere.is_empty() {
        return Vec::new();
    }
    let parent = place.content.parent().unwrap_or(Path::new("/")).to_owned();
    let is_moved = |(file, path): &(usize, PathBuf)| {
        torrent.files()[*file].path().to_path_buf().parent() != path.parent()
    };
    let has_moved = place.renamed.iter().any(is_moved);
    let setting = |row: &ClientRow| {
        let (client, recheck) = (row.name, row.recheck);
        let as_content = row.content.filter(|_| !place.has_name && !torrent.is_single_file());
        if let Some(setting) = as_content.filter(|_| place.renamed.is_empty()) {
            let value = place.content.clone();
            return Some(Setting { client, setting, value, rename: None, recheck });
        }
        let needs_rename = !place.has_name || !place.renamed.is_empty();
        let rename = row.rename.filter(|_| needs_rename && (row.moves || !has_moved));
        (rename.is_some() || !needs_rename).then(|| Setting {
            client,
            setting: row.folder,
            value: parent.clone(),
            rename,
            recheck,
        })
    };
    CLIENTS.iter().filter_map(setting).collect()
}

/// Prints where the content of all torrents is, and returns the exit status.
pub(super) fn repair(args: &RepairArgs) -> Result<u8, Failure> {
    let began = Instant::now();
    let files = sources::torrents(&args.torrents, None)?;
    let (mut paths, mut torrents, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        match read_torrent(&file) {
            Ok(torrent) => {
                torrents.push(torrent);
                paths.push(file);
            }
            Err(error) => failures.push((Some(file), error.to_string())),
        }
    }
    let mut roots: Vec<&Path> = Vec::new();
    for root in &args.root {
        match root.metadata() {
            Ok(metadata) if metadata.is_dir() => roots.push(root),
            Ok(_) => {
                failures.push((None, format!("the root {} is not a folder", Escaped(root))));
            }
            Err(error) => {
                let root = Escaped(root);
                failures.push((None, format!("cannot open the root {root}: {error}")));
            }
        }
    }
    for (file, message) in &failures {
        log(&format!("error: {message}"));
        if args.json {
            print(|to| json::write_error(file.as_deref(), message, to))?;
        }
    }
    if roots.is_empty() || torrents.is_empty() {
        return Ok(FAILED);
    }
    handle_ctrl_c();
    let display = ProgressDisplay::new(args.quiet, args.progress, false);
    let bar = display.bar(plural(torrents.len() as u64, "torrent"));
    let progress = |progress| bar.advance(progress);
    let folders = Folders::new(&roots);
    let mut located = Locate {
        follow_links: args.follow_links,
        progress: Some(&progress),
        cancel: Some(&CANCELLED),
        ..Locate::new(&torrents, &folders)
    }
    .run();
    bar.clear();
    // The torrents themselves are not left over.
    let is_torrent = |path: &Path| {
        paths.iter().any(|torrent| std::path::absolute(torrent).is_ok_and(|it| it == path))
    };
    located.unused.retain(|unused| !is_torrent(&unused.path));
    let report =
        Report { paths: &paths, torrents: &torrents, located: &located, failures: failures.len() };
    if args.json {
        print(|to| report.write_json(began.elapsed().as_secs_f64(), to))?;
    } else {
        print(|to| report.write(args, to))?;
    }
    Ok(match () {
        () if located.is_cancelled || CANCELLED.load(Ordering::Relaxed) => INTERRUPTED,
        () if !failures.is_empty() => FAILED,
        () if located.torrents.iter().all(Whereabouts::is_complete) => COMPLETE,
        () => INCOMPLETE,
    })
}

/// What is printed.
struct Report<'r> {
    paths: &'r [PathBuf],
    torrents: &'r [Torrent],
    located: &'r Located,
    failures: usize,
}

/// How much of a torrent was found.
fn verdict(found: &Whereabouts) -> (&'static str, Tone) {
    match () {
        () if found.is_complete() => ("complete", Tone::Good),
        () if found.pieces > 0 || found.proven > 0 => ("partial", Tone::Unknown),
        () => ("missing", Tone::Bad),
    }
}

impl Report<'_> {
    fn all(&self) -> impl Iterator<Item = (&PathBuf, &Torrent, &Whereabouts)> {
        let pairs = self.paths.iter().zip(self.torrents).zip(&self.located.torrents);
        pairs.map(|((path, torrent), found)| (path, torrent, found))
    }

    fn count(&self, wanted: &str) -> u64 {
        self.all().filter(|(_, _, found)| verdict(found).0 == wanted).count() as u64
    }

    fn write(&self, args: &RepairArgs, to: &mut impl Write) -> io::Result<()> {
        let to = &mut Wrapped::new(to, style::columns());
        for (path, torrent, found) in self.all() {
            if !args.quiet || !found.is_complete() {
                self.write_torrent(path, torrent, found, args.verbose, to)?;
            }
        }
        let Located { unused, search_limits, .. } = self.located;
        let max = if args.verbose { usize::MAX } else { MAX_UNUSED };
        for Unused { path, files, bytes: length, .. } in unused.iter().take(max) {
            let (files, length) = (plural(*files, "file"), bytes(*length));
            writeln!(to, "in none of the torrents: {} ({files}, {length})", Escaped(path))?;
        }
        if let Some(more @ 1..) = unused.len().checked_sub(max) {
            writeln!(to, "{more} more in none of the torrents; --verbose lists all")?;
        }
        search_limits.iter().try_for_each(|limit| search_limit(to, limit))?;
        let torrents = plural(self.torrents.len() as u64, "torrent");
        let (complete, partial) = (self.count("complete"), self.count("partial"));
        let missing = self.count("missing");
        let unreadable = match self.failures {
            0 => String::new(),
            failures => format!(", {}", plural(failures as u64, "error")),
        };
        let cancelled = if self.located.is_cancelled { "cancelled: " } else { "" };
        let counts = format!("{complete} complete, {partial} partial, {missing} missing");
        writeln!(to, "{cancelled}{torrents}: {counts}{unreadable}")?;
        let (read, there) = (bytes(self.located.bytes_read), bytes(self.located.bytes_there));
        let files = plural(self.located.files_there, "file");
        writeln!(to, "{read} read; {there} in {files} are there")
    }

    fn write_torrent(
        &self,
        path: &Path,
        torrent: &Torrent,
        found: &Whereabouts,
        verbose: bool,
        to: &mut impl Write,
    ) -> io::Result<()> {
        let (name, tone) = verdict(found);
        let counts = format!(
            "{} of {} proven, {} of {} verified",
            found.proven,
            plural(found.files, "file"),
            found.pieces,
            plural(torrent.pieces().count(), "piece")
        );
        writeln!(to, "{}  {}: {counts}", style::paint(tone, &format!("{name:<8}")), Escaped(path))?;
        if let Some(place) = &found.place {
            let note = if place.has_name { "" } else { ", which does not have the torrent's name" };
            writeln!(to, "    content: {}{note}", Escaped(&place.content))?;
        }
        let max = if verbose { usize::MAX } else { MAX_FILES };
        let mut lines = Vec::new();
        for (index, file) in torrent.files().iter().enumerate() {
            let name = file.path();
            let place = found.place.as_ref();
            let in_list = |list: &[(usize, PathBuf)]| {
                list.iter().find(|(file, _)| *file == index).map(|(_, path)| path.clone())
            };
            let is_at_risk = place.is_some_and(|place| place.at_risk.contains(&index));
            let risk = if is_at_risk { "; a client may overwrite what is there" } else { "" };
            let renamed = place.and_then(|place| in_list(&place.renamed));
            match found.findings.get(&index) {
                Some(Finding::Proven { paths, .. }) => {
                    if let Some(path) = renamed {
                        lines.push(format!("{name}: renamed {}", Escaped(&path)));
                    } else if place.and_then(|place| in_list(&place.elsewhere)).is_some() {
                        lines.push(format!("{name}: in {}{risk}", Escaped(&paths[0])));
                    }
                }
                Some(Finding::Likely { path, good, total, .. }) => {
                    let of = plural(*total, "piece");
                    lines.push(format!("{name}: likely {}, {good} of {of}{risk}", Escaped(path)));
                }
                Some(Finding::Disproven { path, good, total }) => {
                    let of = plural(*total, "piece");
                    lines.push(format!("{name}: damaged {}, {good} of {of}{risk}", Escaped(path)));
                }
                _ if has_content(file) => lines.push(format!("{name}: not found{risk}")),
                _ => {}
            }
        }
        for line in lines.iter().take(max) {
            writeln!(to, "    {line}")?;
        }
        if let Some(more @ 1..) = lines.len().checked_sub(max) {
            writeln!(to, "    {more} more files are not there; --verbose lists all")?;
        }
        if !found.shares_with.is_empty() {
            let others = found.shares_with.iter().take(max);
            let others: Vec<_> = others.map(|&nth| Escaped(&self.paths[nth]).to_string()).collect();
            writeln!(to, "    shares files with {}", others.join(", "))?;
        }
        let Some(place) = &found.place else { return Ok(()) };
        for setting in settings(torrent, place) {
            let Setting { client, setting, value, rename, recheck } = setting;
            let rename = rename.map_or(String::new(), |rename| format!(", rename ({rename})"));
            writeln!(to, "    {client}: {setting} {}{rename}, {recheck}", Escaped(&value))?;
        }
        if !place.elsewhere.is_empty() {
            writeln!(
                to,
                "    no client can use files of several folders: lay them out with --link DIR"
            )?;
        }
        Ok(())
    }

    fn write_json(&self, seconds: f64, to: &mut impl Write) -> io::Result<()> {
        for (path, torrent, found) in self.all() {
            line(to, |json| self.json_torrent(path, torrent, found, json))?;
        }
        line(to, |json| {
            json.key("repair")?;
            json.object(|json| {
                json.field("torrents", self.torrents.len())?;
                for name in ["complete", "partial", "missing"] {
                    json.field(name, self.count(name))?;
                }
                json.field("errors", self.failures)?;
                json.field("cancelled", self.located.is_cancelled)?;
                json.field("bytes_read", self.located.bytes_read)?;
                json.field("bytes_there", self.located.bytes_there)?;
                json.field("files_there", self.located.files_there)?;
                json.field("seconds", seconds)?;
                json.list("unused", &self.located.unused, u64::MAX, |json, unused| {
                    json.object(|json| {
                        json.field("path", Escaped(&unused.path).to_text())?;
                        json.field("files", unused.files)?;
                        json.field("bytes", unused.bytes)
                    })
                })?;
                if self.located.search_limits.is_empty() {
                    return Ok(());
                }
                let limits = &self.located.search_limits;
                json.list("search_limits", limits, u64::MAX, json::search_limit).map(drop)
            })
        })
    }

    fn json_torrent(
        &self,
        path: &Path,
        torrent: &Torrent,
        found: &Whereabouts,
        json: &mut Json<'_>,
    ) -> io::Result<()> {
        json.field("torrent", Escaped(path).to_text())?;
        json::identity(json, torrent)?;
        json.field("found", verdict(found).0)?;
        json.field("pieces_total", torrent.pieces().count())?;
        json.field("pieces_found", found.pieces)?;
        let place = found.place.as_ref();
        json.optional("content_path", place.map(|place| Escaped(&place.content).to_text()))?;
        json.optional("has_name", place.map(|place| place.has_name))?;
        let places = json::places(torrent);
        let data = (0..places.len()).filter(|&index| has_content(&torrent.files()[index]));
        json.list("files", data, u64::MAX, |json, index| {
            json.object(|json| {
                json.field("file", places[index])?;
                json.field("path", torrent.files()[index].path().to_text())?;
                json.field("length", torrent.files()[index].length())?;
                let finding = found.findings.get(&index);
                let proven = finding.map(Finding::proven).filter(|proven| !proven.is_empty());
                json.optional("found_as", proven.map(texts))?;
                if let Some(finding) = finding {
                    json::finding(json, finding, &places)?;
                }
                let renamed = place.into_iter().flat_map(|place| &place.renamed);
                let mut renamed = renamed.filter(|(file, _)| *file == index);
                json.optional("renamed", renamed.next().map(|it| Escaped(&it.1).to_text()))?;
                let is_elsewhere = place
                    .is_some_and(|place| place.elsewhere.iter().any(|(file, _)| *file == index));
                json.optional("is_elsewhere", is_elsewhere.then_some(true))?;
                let is_at_risk = place.is_some_and(|place| place.at_risk.contains(&index));
                json.optional("is_at_risk", is_at_risk.then_some(true))
            })
        })?;
        let shares = found.shares_with.iter().map(|&nth| Escaped(&self.paths[nth]).to_text());
        json.field("shares_with", shares.collect::<Vec<_>>())?;
        let settings = place.map(|place| settings(torrent, place)).unwrap_or_default();
        json.list("clients", settings, u64::MAX, |json, setting| {
            json.object(|json| {
                json.field("client", setting.client)?;
                json.field("setting", setting.setting)?;
                json.field("value", Escaped(&setting.value).to_text())?;
                json.optional("rename", setting.rename)?;
                json.field("recheck", setting.recheck)
            })
        })
        .map(drop)
    }
}

/// Whether a file has content that can be searched for.
fn has_content(file: &torrent_check::File) -> bool {
    *file.kind() == torrent_check::FileKind::Data && file.length() > 0
}
