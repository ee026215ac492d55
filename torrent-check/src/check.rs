//! Checks content against a torrent.
//!
//! See docs/reading.md for the order of reading and hashing.

mod disk;
mod handles;
mod holes;
mod order;
mod pace;
mod piece_batch;
mod rows;
mod saving;
mod threads;
mod whole;
mod worker;

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};
use std::{fmt, thread};

use hash_lanes::Backend;
use merkle_lanes::bep52::Bep52;

use crate::aria2;
use crate::copies;
use crate::pieces::Pieces;
use crate::renamed;
use crate::report::{Outcome, Report};
use crate::results::Results;
use crate::resume::Resume;
use crate::root::{CheckError, Root};
use crate::survey::Survey;
use crate::verdict::PieceVerdict;
use crate::{File, Torrent, walk};

use pace::Pace;
use saving::{Saver, Saving};
use worker::{Tally, Work};

pub use order::Order;

/// A check of content against a torrent.
///
/// ```no_run
/// use std::path::Path;
/// use torrent_check::{Check, Torrent};
///
/// let torrent = Torrent::parse(&std::fs::read("debian.iso.torrent")?)?;
/// let report = Check::new(&torrent, Path::new("downloads")).run()?;
/// println!("{} of {} pieces are good", report.counts().good, report.counts().total());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Check<'t, 'a> {
    torrent: &'t Torrent,
    folder: &'a Path,
    content: Option<&'a Path>,
    files: Option<&'a (dyn Fn(&File) -> bool + Sync)>,
    threads: Option<NonZeroUsize>,
    backend: Backend,
    order: Order,
    resume: Option<&'a Resume>,
    saver: Option<Saver<'a>>,
    find_renamed: bool,
    list_extra: bool,
    fail_fast: bool,
    lengths_only: bool,
    limit: Option<NonZeroU64>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    cancel: Option<&'a AtomicBool>,
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
    /// Creates a check of the content with the torrent's name in a download folder.
    ///
    /// The download folder is itself the content if it has the torrent's name and contains no
    /// folder of that name, or one with fewer of the torrent's files. By default all files are
    /// checked, with the best backend and one thread per core.
    #[must_use]
    pub fn new(torrent: &'t Torrent, folder: &'a Path) -> Self {
        Self {
            torrent,
            folder,
            content: None,
            files: None,
            threads: None,
            backend: Backend::detect(),
            order: Order::default(),
            resume: None,
            saver: None,
            find_renamed: false,
            list_extra: false,
            fail_fast: false,
            lengths_only: false,
            limit: None,
            progress: None,
            cancel: None,
        }
    }

    /// Uses this file or folder as the content, whatever its name.
    #[must_use]
    pub fn content(mut self, path: &'a Path) -> Self {
        self.content = Some(path);
        self
    }

    /// Checks only the files for which the function returns `true`. Other files are read only if
    /// they share a piece with these, or if a copy replaces a requested link to them.
    #[must_use]
    pub fn files(mut self, is_requested: &'a (dyn Fn(&File) -> bool + Sync)) -> Self {
        self.files = Some(is_requested);
        self
    }

    /// Sets the maximum number of threads. The check uses fewer for little content, or if the
    /// process may not open enough files, and only one if the order is
    /// [`Sequential`](Order::Sequential).
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Sets the hash implementation.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Sets the order of reading.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Skips pieces that an earlier check found good if their files have not changed since.
    #[must_use]
    pub fn resume(mut self, resume: &'a Resume) -> Self {
        self.resume = Some(resume);
        self
    }

    /// Passes on the results so far at this interval, so that the next check can reuse them if this
    /// one is killed. This takes one more system call per file.
    #[must_use]
    pub fn save_every(mut self, interval: Duration, save: &'a (dyn Fn(&Resume) + Sync)) -> Self {
        self.saver = Some(Saver { interval, save });
        self
    }

    /// Searches the content's folder for files that are not good in their places, by their length
    /// and root. Good files with the same content are found, too. v1 has no roots: the first piece
    /// that has no bytes of other files is compared instead, and files without such a piece are
    /// [not searched for](crate::FileReport::is_unsearchable).
    #[must_use]
    pub fn find_renamed(mut self, find: bool) -> Self {
        self.find_renamed = find;
        self
    }

    /// Lists the files in the content's folder that do not belong to the torrent. Links are not
    /// followed.
    #[must_use]
    pub fn list_extra(mut self, list: bool) -> Self {
        self.list_extra = list;
        self
    }

    /// Ends the check when the first piece is found bad, missing or unverifiable. Nothing is read
    /// if the lengths of the files already show such a piece. Pieces that were not read remain
    /// [`PieceVerdict::Unchecked`].
    #[must_use]
    pub fn fail_fast(mut self, fail_fast: bool) -> Self {
        self.fail_fast = fail_fast;
        self
    }

    /// Checks only which files exist, and their lengths. Pieces remain
    /// [`PieceVerdict::Unchecked`]; see [`Report::has_right_lengths`].
    #[must_use]
    pub fn lengths_only(mut self, only: bool) -> Self {
        self.lengths_only = only;
        self
    }

    /// Limits how fast all threads together read, in bytes per second.
    #[must_use]
    pub fn limit(mut self, bytes_per_second: NonZeroU64) -> Self {
        self.limit = Some(bytes_per_second);
        self
    }

    /// Reports progress through a callback, which all threads call a few thousand times a second.
    #[must_use]
    pub fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Cancels the check when the flag is set. Pieces that are not checked by then are reported as
    /// [`PieceVerdict::Unchecked`].
    #[must_use]
    pub fn cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Runs the check.
    ///
    /// # Errors
    ///
    /// Returns [`CheckError`] if the folder cannot be opened, or the content is a link out of it.
    /// Damaged content is not an error; the report describes it.
    pub fn run(&self) -> Result<Report<'t>, CheckError> {
        let began = SystemTime::now();
        let torrent = self.torrent;
        let root = match self.content {
            None => Root::below(torrent, self.folder)?,
            Some(path) => Root::given(torrent, path)?,
        };
        let pieces = Pieces::new(torrent);
        let mut survey = Survey::new(torrent, &root, &pieces, self.files);
        let mut verdicts = survey.first_verdicts(&pieces, self.resume);

        let due = self.due(&verdicts);
        let total = due.iter().map(|&piece| pieces.length(piece)).sum();
        let sequential = match self.order {
            // Asking about the disks takes two dozen system calls.
            Order::Auto => {
                !due.is_empty() && order::prefers_sequential(&survey, root.content.path())
            }
            Order::Interleaved => false,
            Order::Sequential => true,
        };
        let open_files = handles::limit();
        let useful = threads::useful(total, torrent.files().len());
        let threads = if sequential || useful == NonZeroUsize::MIN {
            NonZeroUsize::MIN
        } else {
            // Each thread keeps at least one file open.
            self.threads_or_cores().min(useful).min(open_files)
        };
        let pace = Pace::new(self.limit);
        let results =
            Results { torrent, pieces: &pieces, survey: &survey, began, before: self.resume };
        let saving = self.saver.map(|saver| Saving::new(saver, results, verdicts.clone()));
        let work = Work {
            torrent,
            root: &root,
            survey: &survey,
            pieces: &pieces,
            due: &due,
            next: AtomicUsize::new(0),
            total,
            done: AtomicU64::new(0),
            bad: AtomicU64::new(0),
            is_damaged: AtomicBool::new(false),
            pace: &pace,
            saving: saving.as_ref(),
            fail_fast: self.fail_fast,
            backend: self.backend,
            sequential,
            batch_len: due.len().div_ceil(threads.get()).clamp(1, piece_batch::MAX_PIECES),
            open_files: (open_files.get() / threads).min(piece_batch::MAX_PIECES),
            progress: self.progress,
            cancel: self.cancel,
        };
        let tally = run_on(threads, &work);
        let bytes_checked = work.done.into_inner();
        for &(piece, verdict) in &tally.verdicts {
            verdicts[piece as usize] = verdict;
        }

        let hasher = Bep52::new().with_backend(self.backend);
        whole::judge_files(torrent, &pieces, &hasher, tally.parts, &mut verdicts);

        survey.add_failures(tally.failures);
        let aria2_unfinished = aria2::apply(torrent, &root, &pieces, &survey, &mut verdicts);
        let mut report = Report::new(Outcome {
            torrent,
            pieces,
            content: root.content.clone(),
            survey,
            began,
            before: self.resume.cloned(),
            is_cancelled: self.is_cancelled() && verdicts.contains(&PieceVerdict::Unchecked),
            verdicts,
            bytes_checked,
            bytes_in_holes: tally.bytes_in_holes,
            aria2_unfinished,
        });
        let goes_on = |bytes_read| {
            pace.wait(bytes_read, || self.is_cancelled());
            !self.is_cancelled()
        };
        copies::find(&mut report, &root, &goes_on);
        if self.find_renamed {
            renamed::find(&mut report, &root, self.backend, &goes_on);
        }
        if self.list_extra {
            let extra = walk::extra(&report, &root);
            report.set_extra(extra);
        }
        Ok(report)
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

    fn threads_or_cores(&self) -> NonZeroUsize {
        self.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

/// Runs the work on this thread and `threads - 1` others.
fn run_on(threads: NonZeroUsize, work: &Work<'_>) -> Tally {
    // A thread without a batch of pieces would be idle.
    let others = (threads.get() - 1).min(work.due.len().div_ceil(work.batch_len).saturating_sub(1));
    thread::scope(|scope| {
        // If the system refuses a thread, the others do its work.
        let others: Vec<_> = (0..others)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, || worker::run(work)).ok())
            .collect();
        let mut tally = worker::run(work);
        for other in others {
            match other.join() {
                Ok(more) => tally.add(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        tally
    })
}

impl fmt::Debug for Check<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check")
            .field("torrent", self.torrent.name())
            .field("folder", &self.folder)
            .field("content", &self.content)
            .field("threads", &self.threads)
            .field("backend", &self.backend)
            .field("order", &self.order)
            .field("find_renamed", &self.find_renamed)
            .field("list_extra", &self.list_extra)
            .field("fail_fast", &self.fail_fast)
            .field("lengths_only", &self.lengths_only)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
