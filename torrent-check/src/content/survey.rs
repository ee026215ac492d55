//! Finds out which files exist before they are read, and gives the verdicts on them afterwards.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::iter;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::SystemTime;

use crate::content::beside::parts::Parts;
use crate::content::names::Names;
use crate::content::root::{MAX_FOLDERS, Root};
use crate::state::State;
use crate::state::stamp::{self, Stamp};
use crate::verdict::{Counts, FileVerdict, PieceVerdict};
use crate::{File, FileKind, Segment, Torrent, TorrentPath};

/// The number of files that are worth another thread. Looking at a file takes 3 µs if its metadata
/// are in memory, and starting a thread 0.1 ms.
pub(crate) const FILES_PER_THREAD: usize = 1 << 10;

/// A regular file on disk.
pub(crate) struct Place {
    /// Relative to the root.
    pub(crate) path: PathBuf,
    pub(crate) stamp: Stamp,
    /// It occupies less of the disk than its length.
    pub(crate) is_sparse: bool,
}

/// What a check knows of the files of a torrent besides their content.
pub(crate) struct Survey<'s> {
    pub(crate) torrent: &'s Torrent,
    /// When the check began.
    pub(crate) began: SystemTime,
    /// The results of an earlier check.
    pub(crate) before: Option<&'s State>,
    /// Whether a file is unchanged if only its change time differs.
    pub(crate) trusts_modified: bool,
    /// Each file, or the verdict on it if it is not there to be read. Files that were not examined
    /// are [`FileVerdict::Skipped`].
    found: Vec<Result<Place, FileVerdict>>,
    /// Which files were requested.
    is_requested: Vec<bool>,
    /// The verdicts on files that were found, but then could not be read, or changed.
    failures: BTreeMap<usize, FileVerdict>,
    parts: Option<Parts>,
    /// The devices of file systems whose times do not show every change, with their names.
    without_times: BTreeMap<u64, &'static str>,
}

impl<'s> Survey<'s> {
    /// Examines every requested file, and the files that share pieces with them.
    pub(crate) fn new(
        torrent: &'s Torrent,
        root: &Root,
        is_requested: Vec<bool>,
        (before, trusts_modified): (Option<&'s State>, bool),
        threads: NonZeroUsize,
    ) -> Self {
        let began = SystemTime::now();
        let (found, failures, parts) = (Vec::new(), BTreeMap::new(), None);
        let without_times = BTreeMap::new();
        let mut survey = Self {
            torrent,
            began,
            before,
            trusts_modified,
            found,
            is_requested,
            failures,
            parts,
            without_times,
        };
        let is_wanted = survey.requested_pieces();
        let names = LazyLock::new(|| Names::new(torrent));
        let found = |index: usize| {
            let file = &torrent.files()[index];
            // Only its first and last pieces may have bytes of other files.
            let own = torrent.pieces().of_file(index);
            let shares = !own.is_empty()
                && (is_wanted[own.start as usize] || is_wanted[own.end as usize - 1]);
            if *file.kind() == FileKind::Pad {
                Err(FileVerdict::Pad)
            } else if survey.is_requested[index] || shares {
                examine(root, torrent, index, || &names)
            } else {
                Err(FileVerdict::Skipped)
            }
        };
        survey.found = examine_all(threads, torrent.files().len(), &found);
        let is_short = |(index, file): (usize, &File)| {
            survey.is_short(index)
                && survey.stamp(index).is_none_or(|stamp| stamp.length < file.length())
        };
        if torrent.files().iter().enumerate().any(is_short) {
            survey.parts = Parts::open(torrent, root);
        }
        survey.find_without_times(root);
        survey
    }

    /// Asks the file system of each device what its times are worth.
    fn find_without_times(&mut self, root: &Root) {
        let mut asked: BTreeMap<u64, Option<&'static str>> = BTreeMap::new();
        for place in self.found.iter().flatten() {
            asked
                .entry(place.stamp.device)
                .or_insert_with(|| stamp::without_times(&root.open(&place.path).ok()?));
        }
        let asked = asked.into_iter();
        self.without_times = asked.filter_map(|(device, name)| Some((device, name?))).collect();
    }

    /// The name of the file system of a file, if its times do not show every change.
    pub(crate) fn without_times(&self, file: usize) -> Option<&'static str> {
        self.without_times.get(&self.stamp(file)?.device).copied()
    }

    /// Opens requested files that are empty, as they should be: nothing is read from them, which
    /// would show that they cannot be read.
    pub(crate) fn open_empty_files(&mut self, root: &Root) {
        for (index, file) in self.torrent.files().iter().enumerate() {
            if let Ok(Place { path, stamp, .. }) = &self.found[index]
                && self.is_requested[index]
                && (file.length(), stamp.length) == (0, 0)
                && let Err(verdict @ FileVerdict::Unreadable(_)) = root.open(path)
            {
                self.failures.insert(index, verdict);
            }
        }
    }

    /// Whether each piece has bytes of a requested file.
    fn requested_pieces(&self) -> Vec<bool> {
        let pieces = self.torrent.pieces();
        let mut is_wanted = vec![false; pieces.count() as usize];
        for file in (0..self.is_requested.len()).filter(|&file| self.is_requested[file]) {
            let own = pieces.of_file(file);
            is_wanted[own.start as usize..own.end as usize].fill(true);
        }
        is_wanted
    }

    /// A file that exists.
    pub(crate) fn place(&self, file: usize) -> Option<&Place> {
        self.found[file].as_ref().ok()
    }

    /// The stamp of a file that exists.
    pub(crate) fn stamp(&self, file: usize) -> Option<&Stamp> {
        self.place(file).map(|place| &place.stamp)
    }

    pub(crate) fn is_requested(&self, file: usize) -> bool {
        self.is_requested[file]
    }

    pub(crate) fn was_examined(&self, file: usize) -> bool {
        !matches!(self.found[file], Err(FileVerdict::Skipped))
    }

    /// Whether the other folder with this number has a file with the right length.
    pub(crate) fn can_move(&self, root: &Root, file: usize, nth: usize) -> bool {
        self.place_in_other(root, file, nth).is_some()
    }

    /// Takes a file from the other folder with this number, and returns the place that it had.
    pub(crate) fn move_to(&mut self, root: &Root, file: usize, nth: usize) -> Option<Place> {
        let place = self.place_in_other(root, file, nth)?;
        std::mem::replace(&mut self.found[file], Ok(place)).ok()
    }

    /// Takes a file from a place where it was before.
    pub(crate) fn put_back(&mut self, file: usize, place: Place) {
        self.found[file] = Ok(place);
        self.failures.remove(&file);
    }

    fn place_in_other(&self, root: &Root, file: usize, nth: usize) -> Option<Place> {
        let (other, base) = root.others().nth(nth)?;
        let own = self.place(file)?;
        let names = Names::new(self.torrent);
        let found = examine_in(other, self.torrent, file, || &names).ok()?;
        let place = Place { path: base.join(&found.path), ..found };
        let is_other = place.path != own.path
            && ((0, 0) == (own.stamp.device, own.stamp.inode)
                || (place.stamp.device, place.stamp.inode) != (own.stamp.device, own.stamp.inode));
        (is_other && place.stamp.length == self.torrent.files()[file].length()).then_some(place)
    }

    /// Why a file could not be read after it was found.
    pub(crate) fn failure(&self, file: usize) -> Option<&FileVerdict> {
        self.failures.get(&file)
    }

    /// The devices that files are on, each with the length of its longest file.
    pub(crate) fn devices(&self) -> BTreeMap<u64, u64> {
        let mut devices = BTreeMap::new();
        for stamp in (0..self.found.len()).filter_map(|file| self.stamp(file)) {
            let longest = devices.entry(stamp.device).or_insert(0);
            *longest = stamp.length.max(*longest);
        }
        devices
    }

    /// The verdict on each piece before reading. Pieces that have to be read are
    /// [`PieceVerdict::Unchecked`].
    pub(crate) fn first_verdicts(&self) -> Vec<PieceVerdict> {
        let (torrent, pieces) = (self.torrent, self.torrent.pieces());
        let is_wanted = self.requested_pieces();
        let is_unchanged = |file: usize| {
            let before = self.before.and_then(|before| before.stamp(file));
            let now = self.stamp(file);
            self.without_times(file).is_none()
                && before
                    .zip(now)
                    .is_some_and(|(before, now)| now.is_since(before, self.trusts_modified))
        };
        let verdict = |piece: u64| {
            if !is_wanted[piece as usize] {
                return PieceVerdict::Skipped;
            }
            let (mut there, mut lacking, mut is_short) = (0, 0, true);
            let mut is_trusted = self.before.is_some_and(|before| before.was_good(piece));
            for segment in torrent.parts(piece) {
                let bytes = self.bytes_there(&segment);
                there += bytes;
                lacking += segment.length - bytes;
                is_short = is_short && (bytes == segment.length || self.is_short(segment.file));
                // A part file has no stamp.
                is_trusted =
                    is_trusted && is_unchanged(segment.file) && self.in_parts(&segment).is_none();
            }
            match (there, lacking) {
                (_, 0) if is_trusted => PieceVerdict::Trusted,
                (_, 0) => PieceVerdict::Unchecked,
                (0, _) if is_short => PieceVerdict::Missing,
                _ => PieceVerdict::Unverifiable,
            }
        };
        let mut verdicts: Vec<_> = (0..pieces.count()).map(verdict).collect();
        for (index, _) in torrent.files().iter().enumerate().filter(|(_, file)| file.lacks_layer())
        {
            let own = pieces.of_file(index);
            let own = &mut verdicts[own.start as usize..own.end as usize];
            if own.contains(&PieceVerdict::Unchecked) {
                // Its pieces are only read together.
                own.iter_mut()
                    .filter(|verdict| **verdict == PieceVerdict::Trusted)
                    .for_each(|verdict| *verdict = PieceVerdict::Unchecked);
            }
        }
        verdicts
    }

    /// Whether bytes of a file are missing because the file is absent or too short, not because it
    /// is something else or cannot be read.
    fn is_short(&self, file: usize) -> bool {
        matches!(self.found[file], Ok(_) | Err(FileVerdict::Missing))
    }

    /// How many bytes of a segment exist.
    fn bytes_there(&self, segment: &Segment) -> u64 {
        let length = self.stamp(segment.file).map_or(0, |stamp| stamp.length);
        let bytes = length.saturating_sub(segment.offset).min(segment.length);
        if self.in_parts(segment).is_some() { segment.length } else { bytes }
    }

    /// The part file and the offset in it of a segment of a file that is missing or too short.
    pub(crate) fn in_parts(&self, segment: &Segment) -> Option<(&std::fs::File, u64)> {
        let parts = self.parts.as_ref().filter(|_| self.is_short(segment.file))?;
        let length = self.stamp(segment.file).map_or(0, |stamp| stamp.length);
        let is_in_file = segment.offset + segment.length <= length;
        Some((&parts.file, parts.offset(self.torrent.pieces(), segment).filter(|_| !is_in_file)?))
    }

    /// The part file of a client from which pieces are read.
    pub(crate) fn part_file(&self) -> Option<&Path> {
        self.parts.as_ref().map(|parts| parts.path.as_path())
    }

    /// Records what went wrong while files were read. [`FileVerdict::Changed`] takes precedence.
    pub(crate) fn add_failures(
        &mut self,
        failures: impl IntoIterator<Item = (usize, FileVerdict)>,
    ) {
        for (file, failure) in failures {
            if failure == FileVerdict::Changed {
                self.failures.insert(file, failure);
            } else {
                self.failures.entry(file).or_insert(failure);
            }
        }
    }

    /// Discards the results for files that changed during the check.
    pub(crate) fn discard_changed(&self, verdicts: &mut [PieceVerdict]) {
        for (&file, _) in self.failures.iter().filter(|(_, why)| **why == FileVerdict::Changed) {
            let own = self.torrent.pieces().of_file(file);
            for verdict in &mut verdicts[own.start as usize..own.end as usize] {
                if !matches!(verdict, PieceVerdict::Skipped | PieceVerdict::Unchecked) {
                    *verdict = PieceVerdict::Unverifiable;
                }
            }
        }
    }

    /// The verdict on a file whose pieces have these verdicts, whether it was requested, or only
    /// examined because it shares pieces with others.
    pub(crate) fn verdict(&self, file: usize, counts: &Counts) -> FileVerdict {
        let length = self.torrent.files()[file].length();
        let found_length = match (&self.found[file], self.failure(file)) {
            (Err(verdict), _) | (Ok(_), Some(verdict)) => return verdict.clone(),
            (Ok(place), None) => place.stamp.length,
        };
        match () {
            () if found_length < length => FileVerdict::TooShort { by: length - found_length },
            () if found_length > length => FileVerdict::TooLong { by: found_length - length },
            () if counts.bad > 0 => FileVerdict::Bad,
            () if counts.missing > 0 => FileVerdict::Unfinished,
            () if counts.unchecked > 0 => FileVerdict::Unchecked,
            () if counts.unverifiable > 0 => FileVerdict::Unverifiable,
            () => FileVerdict::Good,
        }
    }
}

/// What a function says about each file, which up to so many threads call.
fn examine_all<T: Send>(
    threads: NonZeroUsize,
    files: usize,
    of_file: &(impl Fn(usize) -> T + Sync),
) -> Vec<T> {
    // With more threads, the folders that are kept open would not suffice.
    let threads = threads.get().min(files / FILES_PER_THREAD).min(MAX_FOLDERS);
    let next = AtomicUsize::new(0);
    // Files that are listed together are in the same folders.
    let parts = on_threads(threads, || {
        let part = || {
            let part = next.fetch_add(1, Ordering::Relaxed);
            let begin = (part * FILES_PER_THREAD).min(files);
            let own = begin..(begin + FILES_PER_THREAD).min(files);
            (begin < files).then(|| (part, own.map(of_file).collect::<Vec<_>>()))
        };
        iter::from_fn(part).collect::<Vec<_>>()
    });
    let mut parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.sort_by_key(|(part, _)| *part);
    parts.into_iter().flat_map(|(_, found)| found).collect()
}

/// Calls `work` on this thread and up to `threads - 1` others, and returns what each call returns.
///
/// The calls share the work: if the system refuses a thread, the others do its part.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut all = vec![work()];
        for other in others {
            all.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        all
    })
}

/// Whether each file except padding has the right length, or the right target if it is a link.
/// Each file is examined when its item is taken.
pub(crate) fn right_lengths<'t>(
    torrent: &'t Torrent,
    root: &'t Root,
) -> impl Iterator<Item = bool> + 't {
    let names = LazyCell::new(|| Names::new(torrent));
    let files = torrent.files().iter().enumerate();
    let files = files.filter(|(_, file)| *file.kind() != FileKind::Pad);
    files.map(move |(index, file)| match examine(root, torrent, index, || &names) {
        Ok(place) => place.stamp.length == file.length(),
        Err(verdict) => verdict == FileVerdict::Good,
    })
}

/// Looks for a file in the root, and then in other folders of the content, if its length is not
/// right.
fn examine<'l, 't: 'l>(
    root: &Root,
    torrent: &'t Torrent,
    index: usize,
    names: impl Fn() -> &'l Names<'t> + Copy,
) -> Result<Place, FileVerdict> {
    let file = &torrent.files()[index];
    let found = examine_in(root, torrent, index, names);
    let is_right = |place: &Place| place.stamp.length == file.length();
    if *file.kind() != FileKind::Data || found.as_ref().is_ok_and(is_right) {
        return found;
    }
    let mut others = root.others().filter_map(|(other, base)| {
        let place = examine_in(other, torrent, index, names).ok().filter(is_right)?;
        Some(Place { path: base.join(&place.path), ..place })
    });
    others.next().map_or(found, Ok)
}

/// Looks for a file at its path, and then at those where clients save it.
///
/// If another file has the same path, libtorrent saves one of them with a number. Otherwise a file
/// whose path is replaced is not looked for there: the content is that of the other file.
fn examine_in<'l, 't: 'l>(
    root: &Root,
    torrent: &'t Torrent,
    index: usize,
    names: impl Fn() -> &'l Names<'t>,
) -> Result<Place, FileVerdict> {
    let file = &torrent.files()[index];
    let numbered = |index: usize| {
        let file = &torrent.files()[index];
        let paths = names().numbered(index).iter();
        let is_there = |place: &Place| place.stamp.length == file.length();
        let mut places = paths.filter_map(|path| examine_at(root, file, root.relative(path)).ok());
        places.find(is_there)
    };
    if file.path().is_replaced() && names().listed(file.path()) > 1 {
        let others = names().others_with(file.path(), torrent);
        return match numbered(index) {
            Some(place) => Ok(place),
            None if others.contains(&index) || others.is_empty() => Err(FileVerdict::Missing),
            None if others.into_iter().all(|other| numbered(other).is_some()) => {
                examine_at(root, file, root.place(index, file))
            }
            None => Err(FileVerdict::Missing),
        };
    }
    let mut found = examine_at(root, file, root.place(index, file));
    // A file there may be another one, which has the same path and comes first.
    if let Ok(place) = &found
        && torrent.may_be_numbered()
        && let Some(first) = names().first_of(index, file.path())
        && numbered(index).is_none()
        && (place.stamp.length != file.length() || torrent.files()[first].length() == file.length())
    {
        found = Err(FileVerdict::Missing);
    }
    let is_missing = |found: &Result<_, _>| matches!(found, Err(FileVerdict::Missing));
    // A folder may have its path, too.
    let is_folder = matches!(found, Err(FileVerdict::NotAFile(_)));
    if (is_missing(&found) || is_folder || torrent.may_be_numbered())
        && *file.kind() == FileKind::Data
        && let Some(place) = numbered(index)
    {
        return Ok(place);
    }
    if is_missing(&found) {
        let others = file.alternatives();
        let is_own = |path: &TorrentPath| {
            let listed = names().listed(path);
            let others = names().others_with(path, torrent);
            listed == 0
                || listed == others.len() && others.into_iter().all(|it| numbered(it).is_some())
        };
        let exact = others.iter().filter(|path| is_own(path)).map(|path| root.relative(path));
        let paths = std::iter::once(file.path()).chain(&others).map(|path| root.relative(path));
        let cases = paths.flat_map(|path| root.in_other_case(&path));
        let cases = cases.filter(|path| TorrentPath::of(path).is_some_and(|path| is_own(&path)));
        let mut others = exact.chain(cases).map(|path| examine_at(root, file, path));
        return others.find(|other| !is_missing(other)).unwrap_or(found);
    }
    found
}

/// The file at a path, or the verdict on it if there is no content to be read.
fn examine_at(root: &Root, file: &File, path: PathBuf) -> Result<Place, FileVerdict> {
    match file.kind() {
        FileKind::Pad => Err(FileVerdict::Pad),
        FileKind::Symlink(target) => {
            let found = root.read_link(&path)?;
            Err(if leads_to(&path, &found, &target.to_path_buf()) {
                FileVerdict::Good
            } else {
                FileVerdict::WrongLink(found)
            })
        }
        FileKind::Data => {
            let metadata = root.regular(&path)?;
            Ok(Place { path, stamp: Stamp::of(&metadata), is_sparse: is_sparse(&metadata) })
        }
    }
}

/// Whether the link at `link`, whose content is `found`, points to `target`. Both `link` and
/// `target` are relative to the root.
fn leads_to(link: &Path, found: &Path, target: &Path) -> bool {
    use std::path::Component;
    let mut place = link.parent().map(PathBuf::from).unwrap_or_default();
    for component in found.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => place.push(name),
            Component::ParentDir => {
                if !place.pop() {
                    return false;
                }
            }
            Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    place == target
}

#[cfg(unix)]
fn is_sparse(metadata: &cap_std::fs::Metadata) -> bool {
    use cap_std::fs::MetadataExt;
    // `st_blocks` counts blocks of 512 bytes, whatever the block size of the file system.
    metadata.blocks().saturating_mul(512) < metadata.len()
}

#[cfg(not(unix))]
fn is_sparse(_metadata: &cap_std::fs::Metadata) -> bool {
    false
}
