//! Checks content against a torrent.
//!
//! See docs/reading.md for the order of reading and hashing.

#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux reports them"))]
mod disk;
mod handles;
mod holes;
mod pace;
mod piece_batch;
mod whole;
mod worker;

use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use std::{fmt, thread};

use hash_lanes::Backend;
use merkle_lanes::bep52::Bep52;

use crate::beside::aria2;
use crate::clients::Saved;
use crate::content::{Candidates, Folders};
use crate::error::CheckError;
use crate::find::Search;
use crate::folders::with_suffix;
use crate::loose::{self, Found};
use crate::report::{FileReport, Report};
use crate::results::{self, Save, Saver};
use crate::root::Root;
use crate::state::State;
use crate::survey::{self, Survey};
use crate::verdict::{Counts, FileVerdict, PieceVerdict};
use crate::{File, FileKind, Torrent, walk};

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
        let goes_on = || !self.is_cancelled();
        let (torrent, follows_links) = (self.torrent, self.follow_links);
        let search = Search { follows_links, goes_on: &goes_on };
        let own: Vec<&Path> = match self.place {
            Place::Folder(folder) | Place::Content(folder) => vec![folder],
            Place::Saved(saved) => saved.folders.iter().map(PathBuf::as_path).collect(),
            Place::Folders(_) => vec![Path::new(".")],
        };
        let own = Folders::new(&own);
        let folders = match self.place {
            Place::Folders(folders) => folders,
            _ => &own,
        };
        let folders = self.find_in.unwrap_or(folders);
        let candidates = match self.place {
            Place::Folder(_) => own.candidates(torrent, search)?,
            Place::Folders(folders) => folders.candidates(torrent, search)?,
            Place::Content(path) => Root::given(torrent, path, follows_links)?.into(),
            Place::Saved(saved) => Root::saved(torrent, saved, follows_links)?.into(),
        };
        let Candidates { roots, unsure, limits } = candidates;
        let reads_nothing = self.lengths_only && unsure.is_some();
        let mut best: Option<Report<'t>> = None;
        let at_most = if self.lengths_only { 1 } else { roots.len() };
        for root in roots.into_iter().take(at_most).filter(|_| !reads_nothing) {
            if best.is_some() && self.is_cancelled() {
                break;
            }
            let report = self.run_in(root, folders);
            let is_better = |best: &Report<'_>| report.counts().good > best.counts().good;
            if best.as_ref().is_none_or(is_better) {
                best = Some(report);
            }
            if best.as_ref().is_some_and(Report::is_complete) {
                break;
            }
        }
        let is_right = |report: &Report<'_>| report.counts().good > 0 || report.is_cancelled;
        let mut report = match (best, unsure) {
            (Some(best), None) => best,
            (Some(best), Some(_)) if is_right(&best) => best,
            (None, None) => unreachable!("there is at least one candidate"),
            (_, Some(unsure)) => self.run_in(unsure, folders),
        };
        report.search_limits.splice(..0, limits);
        Ok(report)
    }

    /// Checks the content in one place.
    fn run_in(&self, root: Root, folders: &Folders<'_>) -> Report<'t> {
        let torrent = self.torrent;
        let threads = self.threads_to_look();
        let before = (self.state, self.trust_modified);
        let mut survey = Survey::new(torrent, &root, self.requested(), before, threads);
        if !self.lengths_only {
            survey.open_empty_files(&root);
        }
        let mut verdicts = survey.first_verdicts();

        let pace = Pace::new(self.limit);
        let (tally, bytes_checked) = self.read(&survey, &root, &pace, &verdicts);
        for &(piece, verdict) in &tally.verdicts {
            verdicts[piece as usize] = verdict;
        }
        let hasher = Bep52::new().with_backend(self.backend);
        whole::judge_files(torrent, &hasher, tally.parts, &mut verdicts);
        survey.add_failures(tally.failures);
        let unfinished = aria2::apply(&survey, &root, &mut verdicts);
        let is_cancelled = self.is_cancelled() && verdicts.contains(&PieceVerdict::Unchecked);
        survey.discard_changed(&mut verdicts);

        // The verdicts on files follow from those on pieces.
        let files = 0..torrent.files().len();
        let counts = |file| {
            let own = torrent.pieces().of_file(file);
            Counts::of(&verdicts[own.start as usize..own.end as usize])
        };
        let counts: Vec<Counts> = files.clone().map(counts).collect();
        let mut of_files: Vec<FileVerdict> =
            files.clone().map(|file| survey.verdict(file, &counts[file])).collect();
        let goes_on = |bytes_read| {
            pace.wait(bytes_read, || self.is_cancelled());
            !self.is_cancelled()
        };
        let mut others = BTreeMap::new();
        for file in files.clone().filter(|&file| !survey.is_requested(file)) {
            let verdict = std::mem::replace(&mut of_files[file], FileVerdict::Skipped);
            if verdict != FileVerdict::Skipped {
                others.insert(file, verdict);
            }
        }
        let mut found = if self.find_renamed && !self.is_cancelled() {
            let search = Search { follows_links: self.follow_links, goes_on: &|| goes_on(0) };
            let verdicts = (&of_files[..], &verdicts[..]);
            loose::find(&survey, &root, folders, verdicts, self.backend, search, &goes_on)
        } else {
            Found::default()
        };
        let control = root.content.path();
        let control = (!unfinished.is_empty()).then(|| with_suffix(control, aria2::SUFFIX));
        let parts = survey.part_file().map(Path::to_owned);
        let client_files: Vec<PathBuf> = control.into_iter().chain(parts).collect();
        let extra =
            if self.list_extra { walk::extra(&survey, &root, &client_files) } else { Vec::new() };
        let saved_as = |file: usize| {
            let path = &survey.place(file)?.path;
            let own = torrent.files()[file].path().to_path_buf();
            // Comparing components would take longer.
            let is_elsewhere = !torrent.is_single_file() && path.as_os_str() != own.as_os_str();
            is_elsewhere.then(|| path.clone())
        };
        let files = files.zip(of_files).map(|(file, verdict)| FileReport {
            verdict,
            saved_as: saved_as(file),
            unfinished_by: unfinished.binary_search(&file).is_ok().then_some("aria2"),
            found_length: survey.stamp(file).map(|stamp| stamp.length),
            counts: counts[file],
            found_more: found.whole.get(&file).map_or(0, |(_, more)| *more),
            found_as: found.whole.remove(&file).map(|(paths, _)| paths).unwrap_or_default(),
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
            bytes_checked,
            bytes_in_holes: tally.bytes_in_holes,
            extra,
            client_files,
            content: root.content,
        }
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
            Place::Saved(saved) => saved.is_wanted(index),
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
