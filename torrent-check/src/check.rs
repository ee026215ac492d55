//! Checks content against a torrent.
//!
//! See docs/reading.md for the order of reading and hashing.

#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux reports them"))]
mod disk;
pub(crate) mod extra;
mod handles;
mod holes;
mod pace;
mod piece_batch;
pub(crate) mod results;
mod whole;
mod worker;

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use std::{fmt, thread};

use hash_lanes::Backend;
use merkle_lanes::bep52::Bep52;

use crate::clients::Saved;
use crate::content::beside::aria2;
use crate::content::finding::Found;
use crate::content::library::Library;
use crate::content::root::Root;
use crate::content::search;
use crate::content::survey::{self, Survey};
use crate::content::work::{Checked, Target};
use crate::content::{Candidates, Folders};
use crate::folders::error::CheckError;
use crate::folders::listing::Search;
use crate::folders::with_suffix;
use crate::report::{FileReport, Report};
use crate::state::State;
use crate::verdict::{Counts, FileVerdict, PieceVerdict};
use crate::{File, FileKind, Finding, Torrent};
use results::{Save, Saver};

use disk::{Disk, disk_of};
use pace::Pace;
use worker::{Tally, Work};

/// What is worth another thread: this number of bytes, or of files. Bytes in the page cache take
/// 0.5 ms to hash, and starting a thread takes 0.1 ms. Files may have to be fetched from a disk.
const BYTES_PER_THREAD: u64 = 2 << 20;
const FILES_PER_THREAD: usize = 16;

/// A check of content against a torrent.
///
/// [`new`](Self::new) sets the defaults, and the fields are the options:
///
/// ```no_run
/// use std::path::Path;
/// use torrent_check::{Check, Torrent};
///
/// let torrent = Torrent::parse(&std::fs::read("debian.iso.torrent")?)?;
/// let check = Check { fail_fast: true, ..Check::new(&torrent, Path::new("downloads")) };
/// let report = check.run()?;
/// println!("{} of {} pieces are good", report.counts().good, report.counts().total());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Check<'t, 'a> {
    /// The torrent.
    pub torrent: &'t Torrent,
    /// Where the content is.
    pub place: Place<'a>,
    /// Selects the files to check, by default all. Other files are read only if they share a piece
    /// with these.
    pub files: Option<&'a (dyn Fn(&File) -> bool + Sync)>,
    /// The maximum number of threads, by default one per core. The check uses fewer for little
    /// content, or if the process may not open enough files, and only one if the order is
    /// [`Sequential`](Order::Sequential).
    pub threads: Option<NonZeroUsize>,
    /// The implementation of all hashes, by default the best.
    pub backend: Backend,
    /// The order of reading.
    pub order: Order,
    /// The results of an earlier check. Pieces that it found good are skipped if their files have
    /// not changed since.
    pub state: Option<&'a State>,
    /// Whether a file has not changed if its device, inode, length and modification time are the
    /// same, whatever its change time is: that also changes with hard links, names and permissions.
    /// Then a program that sets the modification time back goes unnoticed.
    pub trust_modified: bool,
    /// Gets the results so far at this interval, so that the next check can reuse them if this one
    /// is killed. This takes one more system call per file.
    pub save_every: Option<(Duration, Save<'a>)>,
    /// Whether to search the folders of [`place`](Self::place) for the content of files that are
    /// not good in their places, whatever their names are: by length and root, or in v1 by the
    /// pieces inside a file and combinations of files at their borders. Good files with the same
    /// content are found, too, and good pieces of damaged copies.
    pub find_renamed: bool,
    /// The folders to search instead.
    pub find_in: Option<&'a Folders<'a>>,
    /// Whether to list the files in the content's folder that do not belong to the torrent. Links
    /// are not followed.
    pub list_extra: bool,
    /// Whether to follow symbolic links out of the folder, which is only read. Otherwise files
    /// behind them are [`FileVerdict::EscapesRoot`], and [`Place::Folder`] and [`Place::Folders`]
    /// find no content that consists of links.
    pub follow_links: bool,
    /// Whether to end the check when the first piece is found bad, missing or unverifiable. Nothing
    /// is read if the lengths of the files already show such a piece. Pieces that were not read
    /// remain [`PieceVerdict::Unchecked`].
    pub fail_fast: bool,
    /// Whether to check only which files exist, and their lengths. Pieces remain
    /// [`PieceVerdict::Unchecked`]; see [`Report::has_right_lengths`].
    pub lengths_only: bool,
    /// Limits how fast all threads together read, in bytes per second.
    pub limit: Option<NonZeroU64>,
    /// Gets the progress, from all threads, a few thousand times a second.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Cancels the check when it is set. Pieces that are not checked by then are
    /// [`PieceVerdict::Unchecked`].
    pub cancel: Option<&'a AtomicBool>,
}

/// Where a check looks for the content.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Place<'a> {
    /// In this download folder, under the torrent's name.
    ///
    /// If nothing in it has the torrent's name, or only a folder without any of its files, the
    /// folder is searched for the content, which it may itself be.
    Folder(&'a Path),
    /// In the download folder with the most of the torrent's files at the right length, and in the
    /// first of equal folders.
    Folders(&'a Folders<'a>),
    /// Here: this file or folder is the content, whatever its name.
    Content(&'a Path),
    /// Where a client keeps the files. Only those that it wants are checked.
    Saved(&'a Saved),
    /// In these folders, as with [`Folders`](Self::Folders), because the folder where a client
    /// keeps the files does not exist. Only those that it wants are checked.
    Moved(&'a Saved, &'a Folders<'a>),
}

impl<'a, P: AsRef<Path> + ?Sized> From<&'a P> for Place<'a> {
    fn from(folder: &'a P) -> Self {
        Self::Folder(folder.as_ref())
    }
}

/// The order in which pieces are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// [`Sequential`](Self::Sequential) if any file is on a rotating disk, or has 64 MiB or more on
    /// a disk that Linux does not identify, such as one of another computer. Otherwise
    /// [`Interleaved`](Self::Interleaved).
    #[default]
    Auto,
    /// Sixteen pieces at a time, a slice of each in turn. This takes 1 MiB of memory per thread.
    Interleaved,
    /// From the first byte to the last on one thread, which spares rotating disks the seeks. v1 and
    /// hybrid torrents take up to 256 MiB of memory, because sixteen pieces are buffered to be
    /// hashed together: 16 times the piece length, if that is at most 16 MiB. v2 takes 1 MiB.
    Sequential,
}

/// The progress of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of bytes checked so far.
    pub bytes: u64,
    /// The number of bytes to check in total.
    pub total: u64,
    /// The number of bad pieces so far, with those that aria2 has not downloaded.
    pub bad_pieces: u64,
    /// The number of files and folders listed so far in a search for content.
    pub listed: u64,
    /// The number of bytes read so far in a search for content.
    pub searched: u64,
}

/// The progress of a search for content, which may begin before the check and go on after it.
#[derive(Default)]
struct Searching {
    listed: Cell<u64>,
    read: Cell<u64>,
    /// Whether the check was cancelled before the end of the search.
    is_cut: Cell<bool>,
}

impl<'t, 'a> Check<'t, 'a> {
    /// Creates a check of the content in a download folder or another place.
    #[must_use]
    pub fn new(torrent: &'t Torrent, place: impl Into<Place<'a>>) -> Self {
        Self {
            torrent,
            place: place.into(),
            files: None,
            threads: None,
            backend: Backend::detect(),
            order: Order::default(),
            state: None,
            trust_modified: false,
            save_every: None,
            find_renamed: false,
            find_in: None,
            list_extra: false,
            follow_links: false,
            fail_fast: false,
            lengths_only: false,
            limit: None,
            progress: None,
            cancel: None,
        }
    }

    /// Runs the check.
    ///
    /// # Errors
    ///
    /// Returns [`CheckError`] if the folder cannot be opened, or the content is a link out of it.
    /// Damaged content is not an error; the report describes it.
    pub fn run(&self) -> Result<Report<'t>, CheckError> {
        let searching = Searching::default();
        let goes_on = || self.goes_on_searching(&searching, 1, 0);
        let (torrent, follows_links) = (self.torrent, self.follow_links);
        let search = Search { follows_links, goes_on: &goes_on };
        let own: Vec<&Path> = match self.place {
            Place::Folder(folder) | Place::Content(folder) => vec![folder],
            Place::Saved(saved) => saved.folders.iter().map(PathBuf::as_path).collect(),
            Place::Folders(_) | Place::Moved(..) => vec![Path::new(".")],
        };
        let own = Folders::new(&own);
        let folders = match self.place {
            Place::Folders(folders) | Place::Moved(_, folders) => folders,
            _ => &own,
        };
        let folders = self.find_in.unwrap_or(folders);
        let candidates = match self.place {
            Place::Folder(_) => own.candidates(torrent, search)?,
            Place::Folders(folders) | Place::Moved(_, folders) => {
                folders.candidates(torrent, search)?
            }
            Place::Content(path) => Root::given(torrent, path, follows_links)?.into(),
            Place::Saved(saved) => Root::saved(torrent, saved, follows_links)?.into(),
        };
        let Candidates { roots, unsure, limits } = candidates;
        let reads_nothing = self.lengths_only && unsure.is_some();
        let mut best: Option<Examined<'_>> = None;
        let at_most = if self.lengths_only { 1 } else { roots.len() };
        for root in roots.into_iter().take(at_most).filter(|_| !reads_nothing) {
            if best.is_some() && self.is_cancelled() {
                searching.is_cut.set(true);
                break;
            }
            let examined = self.examine(root);
            if best.as_ref().is_none_or(|best| examined.good() > best.good()) {
                best = Some(examined);
            }
            if best.as_ref().is_some_and(Examined::is_complete) {
                break;
            }
        }
        let is_right = |best: &Examined<'_>| best.good() > 0 || self.is_cut(best);
        let best = match (best, unsure) {
            (Some(best), None) => best,
            (Some(best), Some(_)) if is_right(&best) => best,
            (None, None) => unreachable!("there is at least one candidate"),
            (_, Some(unsure)) => self.examine(unsure),
        };
        let mut report = self.conclude(best, folders, &searching);
        report.is_cancelled |= searching.is_cut.get();
        report.search_limits.splice(..0, limits);
        // Several searches may reach the same limit.
        let mut seen = HashSet::new();
        report.search_limits.retain(|limit| seen.insert((limit.kind, limit.at.clone())));
        Ok(report)
    }

    /// Reports the progress of a search, and returns whether it is to go on.
    fn goes_on_searching(&self, searching: &Searching, listed: u64, read: u64) -> bool {
        searching.listed.set(searching.listed.get() + listed);
        searching.read.set(searching.read.get() + read);
        if let Some(progress) = self.progress {
            let (listed, searched) = (searching.listed.get(), searching.read.get());
            progress(Progress { bytes: 0, total: 0, bad_pieces: 0, listed, searched });
        }
        let goes_on = !self.is_cancelled();
        searching.is_cut.set(searching.is_cut.get() || !goes_on);
        goes_on
    }

    /// Whether pieces were not read because the check was cancelled.
    fn is_cut(&self, examined: &Examined<'_>) -> bool {
        self.is_cancelled() && examined.verdicts.contains(&PieceVerdict::Unchecked)
    }

    /// Checks the content in one place.
    fn examine(&self, root: Root) -> Examined<'_> {
        let threads = self.threads_to_look();
        let before = (self.state, self.trust_modified);
        let mut survey = Survey::new(self.torrent, &root, self.requested(), before, threads);
        if !self.lengths_only {
            survey.open_empty_files(&root);
        }
        let mut verdicts = survey.first_verdicts();
        let pace = Pace::new(self.limit);
        let amount = self.judge(&mut survey, &root, &pace, &mut verdicts);
        let unfinished = aria2::apply(&survey, &root, &mut verdicts);
        survey.discard_changed(&mut verdicts);
        Examined { root, survey, verdicts, amount, unfinished, pace }
    }

    /// Looks elsewhere for what is not good there, and reports the results.
    fn conclude(
        &self,
        examined: Examined<'_>,
        folders: &Folders<'_>,
        searching: &Searching,
    ) -> Report<'t> {
        let torrent = self.torrent;
        let is_complete = examined.is_complete();
        let Examined { root, mut survey, mut verdicts, mut amount, unfinished, pace } = examined;
        if !is_complete && !self.lengths_only && !self.fail_fast {
            let more = self.look_elsewhere(&mut survey, &root, &pace, &mut verdicts);
            amount = Amount { bytes: amount.bytes + more.bytes, holes: amount.holes + more.holes };
            survey.discard_changed(&mut verdicts);
        }
        let mut is_cancelled = self.is_cancelled() && verdicts.contains(&PieceVerdict::Unchecked);

        // The verdicts on files follow from those on pieces.
        let files = 0..torrent.files().len();
        let (counts, mut of_files) = judge_files(&survey, &verdicts);
        let mut others = BTreeMap::new();
        for file in files.clone().filter(|&file| !survey.is_requested(file)) {
            let verdict = std::mem::replace(&mut of_files[file], FileVerdict::Skipped);
            if verdict != FileVerdict::Skipped {
                others.insert(file, verdict);
            }
        }
        let wanted: Vec<usize> =
            files.clone().filter(|&file| is_sought(torrent, file, &of_files[file])).collect();
        let mut found = if self.find_renamed && !wanted.is_empty() {
            let place = (&root, &survey, &pace);
            self.search(place, folders, searching, wanted, (&of_files, &verdicts))
        } else {
            Found::default()
        };
        is_cancelled |= found.is_cut;
        let control = root.content.path();
        let control = (!unfinished.is_empty()).then(|| with_suffix(control, aria2::SUFFIX));
        let parts = survey.part_file().map(Path::to_owned);
        let client_files: Vec<PathBuf> = control.into_iter().chain(parts).collect();
        let is_shared = root.is_shared() || self.is_download_folder(root.content.path());
        let mut extra = Vec::new();
        if self.list_extra && !is_shared {
            let listed = self.extra(&root, &survey, &client_files, &found);
            is_cancelled |= listed.is_none();
            extra = listed.unwrap_or_default();
        }
        let mut without_times = BTreeMap::new();
        for name in files.clone().filter_map(|file| survey.without_times(file)) {
            *without_times.entry(name).or_default() += 1;
        }
        let files = files.zip(of_files).map(|(file, verdict)| FileReport {
            verdict,
            saved_as: saved_as(torrent, &survey, file),
            expected_at: expected_at(torrent, &survey, &root, file),
            unfinished_by: unfinished.binary_search(&file).is_ok().then_some("aria2"),
            found_length: survey.stamp(file).map(|stamp| stamp.length),
            counts: counts[file],
            finding: found.findings.remove(&file),
            copies: found.copies.remove(&file).unwrap_or_default(),
            is_unsearchable: found.unsearchable.binary_search(&file).is_ok(),
        });
        Report {
            torrent,
            files: files.collect(),
            search_limits: root.limits().into_iter().chain(found.limits).collect(),
            pieces_found: found.pieces,
            others,
            state: results::state(&survey, &verdicts),
            pieces: verdicts,
            is_cancelled,
            bytes_checked: amount.bytes,
            bytes_in_holes: amount.holes,
            bytes_searched: found.bytes_read,
            without_times,
            extra,
            is_shared,
            client_files,
            content: root.content,
        }
    }

    /// Searches the folders for the content of files that are not good in their places.
    fn search(
        &self,
        (root, survey, pace): (&Root, &Survey<'_>, &Pace),
        folders: &Folders<'_>,
        searching: &Searching,
        wanted: Vec<usize>,
        (files, pieces): (&[FileVerdict], &[PieceVerdict]),
    ) -> Found {
        let goes_on = |read| {
            pace.wait(read, || self.is_cancelled());
            self.goes_on_searching(searching, 0, read)
        };
        let lists = || self.goes_on_searching(searching, 1, 0);
        let search = Search { follows_links: self.follow_links, goes_on: &lists };
        let library = Library::new(folders, search, &goes_on);
        let content = root.content.path();
        let content = std::path::absolute(content).unwrap_or_else(|_| content.to_owned());
        let checked = Checked { survey, root, content, files, pieces };
        let target = Target { torrent: self.torrent, wanted, checked: Some(checked) };
        search::search(vec![target], &library, self.backend).remove(0)
    }

    /// What is in the content's folder, but not in the torrent, nor found as content of it, unless
    /// the check was cancelled.
    fn extra(
        &self,
        root: &Root,
        survey: &Survey<'_>,
        client_files: &[PathBuf],
        found: &Found,
    ) -> Option<Vec<PathBuf>> {
        let mut extra = extra::extra(survey, root, client_files, &|| !self.is_cancelled())?;
        let copies = found.copies.values().flatten().map(|copy| copy.path.as_path());
        let known: HashSet<&Path> =
            found.findings.values().flat_map(Finding::paths).chain(copies).collect();
        extra.retain(|path| !known.contains(path.as_path()));
        Some(extra)
    }

    /// Whether a place is itself one of the folders in which the content of torrents is looked
    /// for.
    fn is_download_folder(&self, place: &Path) -> bool {
        match self.place {
            Place::Folders(folders) | Place::Moved(_, folders) => {
                folders.paths().any(|folder| folder == place)
            }
            _ => false,
        }
    }

    /// Reads the pieces without a verdict, and sets the verdicts on them.
    fn judge(
        &self,
        survey: &mut Survey<'_>,
        root: &Root,
        pace: &Pace,
        verdicts: &mut [PieceVerdict],
    ) -> Amount {
        let (tally, bytes) = self.read(survey, root, pace, verdicts);
        for &(piece, verdict) in &tally.verdicts {
            verdicts[piece as usize] = verdict;
        }
        let hasher = Bep52::new().with_backend(self.backend);
        whole::judge_files(self.torrent, &hasher, tally.parts, verdicts);
        survey.add_failures(tally.failures);
        Amount { bytes, holes: tally.bytes_in_holes }
    }

    /// Checks files with bad pieces in the other folders that have them, and keeps those that are
    /// better.
    fn look_elsewhere(
        &self,
        survey: &mut Survey<'_>,
        root: &Root,
        pace: &Pace,
        verdicts: &mut [PieceVerdict],
    ) -> Amount {
        let pieces = self.torrent.pieces();
        let own = |file: usize| {
            let own = pieces.of_file(file);
            own.start as usize..own.end as usize
        };
        let good = |verdicts: &[PieceVerdict], file: usize| {
            verdicts[own(file)].iter().filter(|verdict| verdict.is_good()).count()
        };
        let mut amount = Amount::default();
        for nth in 0..root.others().count() {
            let is_bad = |verdict: &PieceVerdict| matches!(verdict, PieceVerdict::Bad(_));
            let files = (0..self.torrent.files().len()).filter(|&file| {
                survey.is_requested(file) && verdicts[own(file)].iter().any(is_bad)
            });
            let moved: Vec<usize> =
                files.filter(|&file| survey.can_move(root, file, nth)).collect();
            let mut before: Vec<(usize, survey::Place)> = Vec::new();
            for file in moved {
                before.extend(survey.move_to(root, file, nth).map(|place| (file, place)));
            }
            if before.is_empty() || self.is_cancelled() {
                continue;
            }
            let old = verdicts.to_vec();
            let mut read_again = |survey: &mut Survey<'_>, files: &[usize], verdicts: &mut [_]| {
                for &file in files {
                    for verdict in &mut verdicts[own(file)] {
                        if *verdict != PieceVerdict::Skipped {
                            *verdict = PieceVerdict::Unchecked;
                        }
                    }
                }
                let more = self.judge(survey, root, pace, verdicts);
                amount.bytes += more.bytes;
                amount.holes += more.holes;
            };
            let files: Vec<usize> = before.iter().map(|(file, _)| *file).collect();
            read_again(survey, &files, verdicts);
            let mut back = Vec::new();
            for (file, place) in before {
                if good(verdicts, file) <= good(&old, file) {
                    survey.put_back(file, place);
                    back.push(file);
                }
            }
            if !back.is_empty() {
                read_again(survey, &back, verdicts);
            }
        }
        amount
    }

    /// Reads and hashes the pieces without a verdict. Returns the results and the number of bytes.
    fn read(
        &self,
        survey: &Survey<'_>,
        root: &Root,
        pace: &Pace,
        verdicts: &[PieceVerdict],
    ) -> (Tally, u64) {
        let torrent = self.torrent;
        let due = self.due(verdicts);
        let total = due.iter().map(|&piece| torrent.pieces().length(piece)).sum();
        let sequential = match self.order {
            // Asking about the disks takes two dozen system calls.
            Order::Auto => !due.is_empty() && prefers_sequential(survey, root.content.path()),
            Order::Interleaved => false,
            Order::Sequential => true,
        };
        let open_files = handles::limit();
        let useful = useful_threads(total, torrent.files().len());
        let threads = if sequential || useful == NonZeroUsize::MIN {
            NonZeroUsize::MIN
        } else {
            // Each thread keeps at least one file open.
            self.threads_or_cores().min(useful).min(open_files)
        };
        let saver = self
            .save_every
            .map(|(interval, save)| Saver::new(interval, save, survey, verdicts.to_vec()));
        let work = Work {
            check: self,
            root,
            survey,
            due: &due,
            next: AtomicUsize::new(0),
            total,
            done: AtomicU64::new(0),
            bad: AtomicU64::new(0),
            is_damaged: AtomicBool::new(false),
            pace,
            saver: saver.as_ref(),
            sequential,
            batch_len: due.len().div_ceil(threads.get()).clamp(1, piece_batch::MAX_PIECES),
            open_files: (open_files.get() / threads).min(piece_batch::MAX_PIECES),
        };
        // A thread without a batch of pieces would be idle.
        let threads = threads.get().min(due.len().div_ceil(work.batch_len));
        let mut tally = Tally::default();
        survey::on_threads(threads, || worker::run(&work))
            .into_iter()
            .for_each(|own| tally.add(own));
        (tally, work.done.into_inner())
    }

    /// Whether each file is requested. Padding is if everything else is: otherwise it would request
    /// pieces that it shares with other files.
    fn requested(&self) -> Vec<bool> {
        let files = self.torrent.files();
        let is_wanted = |index| match self.place {
            Place::Saved(saved) | Place::Moved(saved, _) => saved.is_wanted(index),
            _ => true,
        };
        let is_requested = |(index, file): (usize, &File)| {
            *file.kind() == FileKind::Pad
                || self.files.is_none_or(|is_selected| is_selected(file)) && is_wanted(index)
        };
        let mut requested: Vec<bool> = files.iter().enumerate().map(is_requested).collect();
        if requested.contains(&false) {
            for (file, requested) in files.iter().zip(&mut requested) {
                *requested = *requested && *file.kind() != FileKind::Pad;
            }
        }
        requested
    }

    /// The pieces to read.
    fn due(&self, verdicts: &[PieceVerdict]) -> Vec<u64> {
        let is_settled = self.fail_fast && verdicts.iter().any(|verdict| verdict.is_damage());
        if self.lengths_only || is_settled {
            return Vec::new();
        }
        (0..)
            .zip(verdicts)
            .filter(|(_, verdict)| **verdict == PieceVerdict::Unchecked)
            .map(|(piece, _)| piece)
            .collect()
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// The number of threads that look at files before they are read.
    fn threads_to_look(&self) -> NonZeroUsize {
        // To count the cores takes several system calls.
        let are_many = self.torrent.files().len() >= 2 * survey::FILES_PER_THREAD;
        if are_many && self.order != Order::Sequential {
            self.threads_or_cores()
        } else {
            NonZeroUsize::MIN
        }
    }

    fn threads_or_cores(&self) -> NonZeroUsize {
        self.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

/// What was checked, in bytes.
#[derive(Clone, Copy, Default)]
struct Amount {
    bytes: u64,
    /// Those in holes and padding.
    holes: u64,
}

/// The result of a check in one place.
struct Examined<'s> {
    root: Root,
    survey: Survey<'s>,
    verdicts: Vec<PieceVerdict>,
    amount: Amount,
    /// The files that aria2 has not finished.
    unfinished: Vec<usize>,
    pace: Pace,
}

impl Examined<'_> {
    /// The number of good pieces.
    fn good(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.is_good()).count()
    }

    /// Whether everything that was requested is good.
    fn is_complete(&self) -> bool {
        let is_fine = |it: &PieceVerdict| it.is_good() || *it == PieceVerdict::Skipped;
        let (_, files) = judge_files(&self.survey, &self.verdicts);
        let is_good = |(file, verdict): (usize, &FileVerdict)| {
            matches!(verdict, FileVerdict::Good | FileVerdict::Pad)
                || !self.survey.is_requested(file)
        };
        self.verdicts.iter().all(is_fine) && files.iter().enumerate().all(is_good)
    }
}

/// The counts of pieces of each file, and the verdict on it.
fn judge_files(survey: &Survey<'_>, verdicts: &[PieceVerdict]) -> (Vec<Counts>, Vec<FileVerdict>) {
    let counts = |file| {
        let own = survey.torrent.pieces().of_file(file);
        let counts = Counts::of(&verdicts[own.start as usize..own.end as usize]);
        (counts, survey.verdict(file, &counts))
    };
    (0..survey.torrent.files().len()).map(counts).unzip()
}

/// The absolute path at which a file that is not there is expected, if it has one.
fn expected_at(
    torrent: &Torrent,
    survey: &Survey<'_>,
    root: &Root,
    file: usize,
) -> Option<PathBuf> {
    let place = root.place(file, &torrent.files()[file]);
    (survey.place(file).is_none() && place.is_absolute()).then_some(place)
}

/// The path that a file has, if it is not the one in the torrent.
fn saved_as(torrent: &Torrent, survey: &Survey<'_>, file: usize) -> Option<PathBuf> {
    let path = &survey.place(file)?.path;
    let own = torrent.files()[file].path().to_path_buf();
    // Comparing components would take longer.
    let is_elsewhere = !torrent.is_single_file() && path.as_os_str() != own.as_os_str();
    is_elsewhere.then(|| path.clone())
}

/// Whether the content of a file with this verdict is searched for.
fn is_sought(torrent: &Torrent, file: usize, verdict: &FileVerdict) -> bool {
    let listed = &torrent.files()[file];
    let known = [FileVerdict::Good, FileVerdict::Skipped, FileVerdict::Pad];
    *listed.kind() == FileKind::Data && listed.length() > 0 && !known.contains(verdict)
}

/// The minimum length of a file, in bytes, that is read sequentially from an unknown disk: seeks
/// within it could take far longer than hashing.
const LARGE: u64 = 64 << 20;

/// Whether the content should be read from the first byte to the last.
fn prefers_sequential(survey: &Survey<'_>, content: &Path) -> bool {
    survey.devices().into_iter().any(|(device, longest)| match disk_of(device, content) {
        Disk::Rotating => true,
        Disk::Solid => false,
        Disk::Unknown => longest >= LARGE,
    })
}

/// The number of threads that a check of this size can use.
fn useful_threads(bytes: u64, files: usize) -> NonZeroUsize {
    let by_bytes = usize::try_from(bytes / BYTES_PER_THREAD).unwrap_or(usize::MAX);
    NonZeroUsize::MIN.saturating_add(by_bytes.max(files / FILES_PER_THREAD))
}

impl fmt::Debug for Check<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check")
            .field("torrent", self.torrent.name())
            .field("threads", &self.threads)
            .field("backend", &self.backend)
            .field("order", &self.order)
            .field("find_renamed", &self.find_renamed)
            .field("list_extra", &self.list_extra)
            .field("follow_links", &self.follow_links)
            .field("fail_fast", &self.fail_fast)
            .field("lengths_only", &self.lengths_only)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
