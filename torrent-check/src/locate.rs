//! Finds out where in several folders the content of many torrents is, without anything that a
//! client knows.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use hash_lanes::Backend;

use crate::content::Folders;
use crate::content::finding::{Finding, Found};
use crate::content::library::Library;
use crate::content::search;
use crate::content::work::Target;
use crate::folders::listing::{Search, SearchLimit};
use crate::{FileKind, Progress, Torrent};

/// A search for the content of many torrents at once.
///
/// Each file that may have content is read once for all torrents. Parts of it are read again where
/// pieces have bytes of several files. Nothing is written.
#[derive(Clone, Copy)]
pub struct Locate<'a> {
    /// The torrents.
    pub torrents: &'a [Torrent],
    /// The folders to search.
    pub folders: &'a Folders<'a>,
    /// The implementation of all hashes, by default the best.
    pub backend: Backend,
    /// Whether to follow symbolic links out of the folders.
    pub follow_links: bool,
    /// Gets the progress.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Cancels the search when it is set.
    pub cancel: Option<&'a AtomicBool>,
}

/// Where the content of torrents is.
#[derive(Debug)]
#[non_exhaustive]
pub struct Located {
    /// The result for each torrent.
    pub torrents: Vec<Whereabouts>,
    /// What has content of no torrent, sorted.
    pub unused: Vec<Unused>,
    /// The number of bytes read.
    pub bytes_read: u64,
    /// The number of files in the folders, and of their bytes. Several names of a file count once.
    pub files_there: u64,
    /// See [`files_there`](Self::files_there).
    pub bytes_there: u64,
    /// The limits that the search has reached. What is beyond them may be called missing.
    pub search_limits: Vec<SearchLimit>,
    /// Whether the search was cancelled before its end. Then it is not known what is unused.
    pub is_cancelled: bool,
}

/// Where the content of a torrent is.
#[derive(Debug)]
#[non_exhaustive]
pub struct Whereabouts {
    /// What was found out about each file. Padding, empty files and links have no finding.
    pub findings: BTreeMap<usize, Finding>,
    /// The number of files that have content, and of those that are proven.
    pub files: u64,
    /// See [`files`](Self::files).
    pub proven: u64,
    /// The number of pieces that were verified.
    pub pieces: u64,
    /// Where a client can use the content from, if any file was found.
    pub place: Option<WherePlaced>,
    /// The torrents that have content in the same files, as indices in [`Locate::torrents`].
    pub shares_with: Vec<usize>,
}

/// A place from which a client can use content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WherePlaced {
    /// The folder of the content, or the single file.
    pub content: PathBuf,
    /// Whether it has the torrent's name.
    pub has_name: bool,
    /// Files that have other names there, relative to the content.
    pub renamed: Vec<(usize, PathBuf)>,
    /// Proven files that are elsewhere.
    pub elsewhere: Vec<(usize, PathBuf)>,
    /// Files that are there, but are not proven: a client that downloads what is wrong changes
    /// them.
    pub at_risk: Vec<usize>,
}

/// A file or folder that has content of no torrent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unused {
    /// Its path.
    pub path: PathBuf,
    /// The number of files, and of their bytes.
    pub files: u64,
    /// See [`files`](Self::files).
    pub bytes: u64,
}

impl Whereabouts {
    /// Whether every file is proven.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.proven == self.files
    }
}

impl<'a> Locate<'a> {
    /// Creates a search with the default options.
    #[must_use]
    pub fn new(torrents: &'a [Torrent], folders: &'a Folders<'a>) -> Self {
        let (progress, cancel) = (None, None);
        let backend = Backend::detect();
        Self { torrents, folders, backend, follow_links: false, progress, cancel }
    }

    /// Runs the search. Folders that cannot be opened are left out.
    #[must_use]
    pub fn run(&self) -> Located {
        let (listed, read) = (Cell::new(0), Cell::new(0));
        let report = |more_listed: u64, more_read: u64| {
            listed.set(listed.get() + more_listed);
            read.set(read.get() + more_read);
            if let Some(progress) = self.progress {
                let (listed, searched) = (listed.get(), read.get());
                progress(Progress { bytes: 0, total: 0, bad_pieces: 0, listed, searched });
            }
            !self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
        };
        let (lists, reads) = (|| report(1, 0), |bytes| report(0, bytes));
        let search = Search { follows_links: self.follow_links, goes_on: &lists };
        let library = Library::new(self.folders, search, &reads);
        let target = |torrent| {
            let wanted = wanted(torrent).collect();
            Target { torrent, wanted, checked: None }
        };
        let targets = self.torrents.iter().map(target).collect();
        let found = search::search(targets, &library, self.backend);

        let used: HashSet<_> = found.iter().flat_map(|it| it.used.iter().copied()).collect();
        let (files_there, bytes_there, others) = library.others(&used);
        let mut torrents_of: HashMap<_, Vec<usize>> = HashMap::new();
        for (nth, found) in found.iter().enumerate() {
            for &copy in &found.used {
                let torrents = torrents_of.entry(copy).or_default();
                if torrents.last() != Some(&nth) {
                    torrents.push(nth);
                }
            }
        }
        let is_cancelled = library.is_cut();
        let shown = |(nth, found): (usize, &Found)| {
            let used = found.used.iter().flat_map(|copy| &torrents_of[copy]);
            let mut shares_with: Vec<usize> = used.copied().filter(|other| *other != nth).collect();
            shares_with.sort_unstable();
            shares_with.dedup();
            let torrent = &self.torrents[nth];
            let is_proven =
                |file: &usize| found.findings.get(file).is_some_and(|it| !it.proven().is_empty());
            Whereabouts {
                files: wanted(torrent).count() as u64,
                proven: wanted(torrent).filter(is_proven).count() as u64,
                pieces: found.pieces,
                place: place(torrent, &found.findings),
                shares_with,
                findings: found.findings.clone(),
            }
        };
        let torrents = found.iter().enumerate().map(shown).collect();
        let mut seen = HashSet::new();
        let limits = found.iter().flat_map(|found| found.limits.iter().cloned());
        let search_limits = limits.filter(|it| seen.insert((it.kind, it.at.clone()))).collect();
        let unused = if is_cancelled { Vec::new() } else { together(others, &library, &used) };
        let bytes_read = library.bytes_read();
        Located {
            torrents,
            unused,
            bytes_read,
            files_there,
            bytes_there,
            search_limits,
            is_cancelled,
        }
    }
}

/// The files of a torrent that have content.
fn wanted(torrent: &Torrent) -> impl Iterator<Item = usize> + '_ {
    let files = torrent.files().iter().enumerate();
    let data = files.filter(|(_, file)| *file.kind() == FileKind::Data && file.length() > 0);
    data.map(|(index, _)| index)
}

/// Groups files by the highest folder beneath the roots in which no file is used.
fn together(
    others: Vec<(PathBuf, u64)>,
    library: &Library<'_>,
    used: &HashSet<crate::content::library::CopyId>,
) -> Vec<Unused> {
    let mut known: HashSet<PathBuf> = HashSet::new();
    for root in library.folders() {
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        known.extend(root.ancestors().map(Path::to_owned));
    }
    for &copy in used {
        known.extend(library.path_of(copy).ancestors().skip(1).map(Path::to_owned));
    }
    let mut groups: BTreeMap<PathBuf, (u64, u64)> = BTreeMap::new();
    for (path, length) in others {
        let top = path.ancestors().take_while(|it| !known.contains(*it)).last();
        let (files, bytes) = groups.entry(top.unwrap_or(&path).to_owned()).or_default();
        *files += 1;
        *bytes += length;
    }
    let groups = groups.into_iter();
    groups.map(|(path, (files, bytes))| Unused { path, files, bytes }).collect()
}

/// Where a client can use the content from: the folder with the most bytes of it.
fn place(torrent: &Torrent, findings: &BTreeMap<usize, Finding>) -> Option<WherePlaced> {
    let name = torrent.name().to_path_buf();
    if torrent.is_single_file() {
        let finding = findings.get(&0)?;
        let has_name = |path: &&Path| path.file_name() == Some(name.as_os_str());
        let content = finding.paths().find(has_name).or_else(|| finding.paths().next())?.to_owned();
        let has_name = has_name(&content.as_path());
        let at_risk = if finding.proven().is_empty() { vec![0] } else { Vec::new() };
        let (renamed, elsewhere) = (Vec::new(), Vec::new());
        return Some(WherePlaced { content, has_name, renamed, elsewhere, at_risk });
    }
    // A file votes for the folder that has it at its path, or else for its own folder.
    let mut votes: BTreeMap<PathBuf, (u64, u64)> = BTreeMap::new();
    for (&file, finding) in findings {
        let listed = &torrent.files()[file];
        let inside = listed.path().to_path_buf();
        let mut seen = HashSet::new();
        for path in finding.paths() {
            let (top, vote) = match without_end(path, &inside) {
                Some(top) => (top, (listed.length(), 0)),
                None => match path.parent() {
                    Some(parent) => (parent.to_owned(), (0, listed.length())),
                    None => continue,
                },
            };
            if seen.insert(top.clone()) {
                let all = votes.entry(top).or_default();
                *all = (all.0 + vote.0, all.1 + vote.1);
            }
        }
    }
    let has_name = |path: &Path| path.file_name() == Some(name.as_os_str());
    let best = votes.iter().max_by_key(|(path, votes)| (**votes, has_name(path)))?;
    let content = best.0.clone();
    let (mut renamed, mut elsewhere, mut at_risk) = (Vec::new(), Vec::new(), Vec::new());
    for (&file, finding) in findings {
        let inside = torrent.files()[file].path().to_path_buf();
        let own = content.join(&inside);
        let is_proven = !finding.proven().is_empty();
        if finding.paths().any(|path| path == own) {
            if !is_proven {
                at_risk.push(file);
            }
            continue;
        }
        let beneath = finding.paths().find_map(|path| path.strip_prefix(&content).ok());
        match (beneath, finding.paths().next()) {
            (Some(path), _) => {
                renamed.push((file, path.to_owned()));
                if !is_proven {
                    at_risk.push(file);
                }
            }
            (None, Some(path)) if is_proven => elsewhere.push((file, path.to_owned())),
            _ => {}
        }
    }
    // Another file is where this one belongs.
    let known = at_risk.clone();
    for file in wanted(torrent).filter(|file| known.binary_search(file).is_err()) {
        let own = content.join(torrent.files()[file].path().to_path_buf());
        let is_there = findings.get(&file).is_some_and(|it| it.paths().any(|path| path == own));
        let is_renamed = renamed.iter().any(|(renamed, _)| *renamed == file);
        if !is_there && !is_renamed && own.symlink_metadata().is_ok() {
            at_risk.push(file);
        }
    }
    at_risk.sort_unstable();
    let has_name = has_name(&content);
    Some(WherePlaced { content, has_name, renamed, elsewhere, at_risk })
}

/// A path without its last names, if they are these.
fn without_end(path: &Path, end: &Path) -> Option<PathBuf> {
    let count = end.components().count();
    let top = path.ancestors().nth(count)?;
    (top.join(end) == path).then(|| top.to_owned())
}
