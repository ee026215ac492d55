//! Checking content against a torrent.
//!
//! See docs/reading.md for the order of reading and hashing.

mod disk;
mod handles;
mod holes;
mod piece_batch;
mod rows;
mod worker;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::SystemTime;
use std::{fmt, thread};

use hash_lanes::Backend;

use crate::pieces::Pieces;
use crate::renamed;
use crate::report::{Outcome, Report};
use crate::resume::Resume;
use crate::root::{CheckError, Root};
use crate::survey::Survey;
use crate::verdict::PieceVerdict;
use crate::{File, Torrent};

use worker::{Tally, Work};

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
    find_renamed: bool,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    cancel: Option<&'a AtomicBool>,
}

/// In which order a thread reads its pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// [`Sequential`](Self::Sequential) if the content is on a rotating disk, as far as the system
    /// says, and else [`Interleaved`](Self::Interleaved).
    #[default]
    Auto,
    /// Sixteen pieces at a time, a slice of each in turn. It takes one MiB of memory for each
    /// thread.
    Interleaved,
    /// From the first byte to the last, by one thread, for disks that have to move a head. It takes
    /// 64 MiB of memory at most: the pieces that are hashed together have to be there together.
    Sequential,
}

/// How far a check has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// How many bytes have been checked.
    pub bytes: u64,
    /// How many there are to check.
    pub total: u64,
    /// How many pieces are bad.
    pub bad_pieces: u64,
}

impl<'t, 'a> Check<'t, 'a> {
    /// A check of the content in a folder of downloads, where it has the torrent's name; or of that
    /// folder itself, if it has that name and no folder in it has, or one with fewer of the
    /// torrent's files. All files are checked, with the best backend and a thread for each core.
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
            find_renamed: false,
            progress: None,
            cancel: None,
        }
    }

    /// Takes this file or folder for the content, whatever it is called.
    #[must_use]
    pub fn content(mut self, path: &'a Path) -> Self {
        self.content = Some(path);
        self
    }

    /// Checks only the files for which the function says so. Others may have to be read, where
    /// pieces have bytes of both.
    #[must_use]
    pub fn files(mut self, is_asked_for: &'a (dyn Fn(&File) -> bool + Sync)) -> Self {
        self.files = Some(is_asked_for);
        self
    }

    /// The number of threads: fewer, if the process may not have as many files open.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// How to hash.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// In which order to read.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Does not read pieces that an earlier check has found good, where their files have not
    /// changed since.
    #[must_use]
    pub fn resume(mut self, resume: &'a Resume) -> Self {
        self.resume = Some(resume);
        self
    }

    /// Looks for missing files of v2 under other names beneath the content's folder: by their
    /// length and their root. Good files of the same content are found, too.
    #[must_use]
    pub fn find_renamed(mut self, find: bool) -> Self {
        self.find_renamed = find;
        self
    }

    /// A function that is told how far the check has come, some thousand times a second. Every
    /// thread calls it.
    #[must_use]
    pub fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// A flag that ends the check when it is set. Pieces that have not been checked then are
    /// reported as [`PieceVerdict::Unchecked`].
    #[must_use]
    pub fn cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Checks.
    ///
    /// # Errors
    ///
    /// If the folder cannot be opened. Whatever is wrong with the content is no error but stands in
    /// the report.
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

        let due: Vec<u64> = (0..)
            .zip(&verdicts)
            .filter(|(_, v)| **v == PieceVerdict::Unchecked)
            .map(|(p, _)| p)
            .collect();
        let sequential = match self.order {
            Order::Auto => survey.devices().into_iter().any(disk::is_rotating),
            Order::Interleaved => false,
            Order::Sequential => true,
        };
        let open_files = handles::limit();
        // Each thread has a file open.
        let threads =
            if sequential { NonZeroUsize::MIN } else { self.threads_or_cores().min(open_files) };
        let work = Work {
            torrent,
            root: &root,
            survey: &survey,
            pieces: &pieces,
            due: &due,
            next: AtomicUsize::new(0),
            total: due.iter().map(|&piece| pieces.length(piece)).sum(),
            done: AtomicU64::new(0),
            bad: AtomicU64::new(0),
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

        survey.look_again(&root, tally.failures);
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
        });
        if self.find_renamed {
            renamed::find(&mut report, &root, self.backend, &|| self.is_cancelled());
        }
        Ok(report)
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn threads_or_cores(&self) -> NonZeroUsize {
        self.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

/// Runs the work on threads, of which this one is the first.
fn run_on(threads: NonZeroUsize, work: &Work<'_>) -> Tally {
    // No more threads than have a piece to begin with.
    let others = (threads.get() - 1).min(work.due.len().div_ceil(work.batch_len).saturating_sub(1));
    thread::scope(|scope| {
        // A thread that the system refuses is one less: the others do its work.
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
            .finish_non_exhaustive()
    }
}
