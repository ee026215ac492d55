//! Hashes files, many of them side by side on each thread.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::iter::repeat_with;
use core::num::NonZero;
use core::ops::ControlFlow;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::any_hash::AnyHash;
use crate::backend::Backend;
use crate::many_hasher::ManyHasher;
use crate::readers::{PiecesHasher, ReadProgress, hash_side_by_side, stopped};

/// The number of files that a thread reads side by side: several per lane, because files have
/// different lengths.
const FILES_AT_ONCE: usize = 64;

/// The maximum number of open files. Linux allows a process 1024 by default, macOS 256.
const MAX_OPEN: usize = 192;

/// The maximum number of threads: each can still fill 16 lanes.
const MAX_THREADS: usize = MAX_OPEN / 16;

impl<F: AnyHash> ManyHasher<F> {
    /// Hashes whole files on up to 12 threads. Returns the digest of each file, in the order of
    /// `paths`.
    ///
    /// At most 192 files are open at a time, and a thread needs 1 MiB for what it reads from them.
    /// A named pipe is read until its writers close it.
    ///
    /// # Errors
    ///
    /// Each file has its own result. A file that cannot be opened or read, such as a directory,
    /// does not affect the others.
    #[must_use]
    pub fn hash_files<P: AsRef<Path> + Sync>(paths: &[P]) -> Vec<Result<F::Digest, FileError>> {
        Self::hash_files_with(Backend::detect(), paths)
    }

    /// [`Self::hash_files`] with the given backend.
    #[must_use]
    pub fn hash_files_with<P: AsRef<Path> + Sync>(
        backend: Backend,
        paths: &[P],
    ) -> Vec<Result<F::Digest, FileError>> {
        let new = |count| Self::with_backend(backend, count);
        hash_files(paths, new, |_| ControlFlow::Continue(()))
    }

    /// [`Self::hash_files_with`], which calls `progress` after every piece that a thread has read
    /// of its files: at least once if there are files, and from one thread at a time. It may stop
    /// the reading.
    ///
    /// # Errors
    ///
    /// Those of [`Self::hash_files`]. Files that have not ended when `progress` stops the reading
    /// have an error of [`io::ErrorKind::Interrupted`].
    #[must_use]
    pub fn hash_files_with_progress<P: AsRef<Path> + Sync>(
        backend: Backend,
        paths: &[P],
        progress: impl FnMut(ReadProgress) -> ControlFlow<()> + Send,
    ) -> Vec<Result<F::Digest, FileError>> {
        hash_files(paths, |count| Self::with_backend(backend, count), progress)
    }
}

/// Hashes whole files on up to 12 threads, side by side in hashers of `new(count)` messages.
pub fn hash_files<P: AsRef<Path> + Sync, H: PiecesHasher>(
    paths: &[P],
    new: impl Fn(usize) -> H + Sync,
    progress: impl FnMut(ReadProgress) -> ControlFlow<()> + Send,
) -> Vec<Result<H::Digest, FileError>> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(MAX_THREADS).min(paths.len()).max(1);
    let at_once = FILES_AT_ONCE.min(MAX_OPEN / threads).min(paths.len().div_ceil(threads));
    let at_once = at_once.max(1);

    let mut results: Vec<_> = repeat_with(|| None).take(paths.len()).collect();
    let tasks = Mutex::new(paths.chunks(at_once).zip(results.chunks_mut(at_once)));
    let watched = Mutex::new((progress, ReadProgress::default(), ControlFlow::Continue(())));
    let step = |more| {
        let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
        let (progress, sum, flow) = &mut *watched;
        if flow.is_continue() {
            sum.add(more);
            *flow = progress(*sum);
        }
        *flow
    };
    let work = || {
        loop {
            let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((paths, results)) = task else { return };
            let files = paths.iter().map(File::open);
            let digests = hash_side_by_side(new(paths.len()), files, step);
            for (result, digest) in results.iter_mut().zip(digests) {
                *result = Some(digest);
            }
            if step(ReadProgress::default()).is_break() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without more threads, this one hashes all files.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let results = paths.iter().zip(results);
    results
        .map(|(path, result)| {
            let failed = |error| FileError { path: path.as_ref().to_path_buf(), error };
            result.unwrap_or_else(|| Err(stopped())).map_err(failed)
        })
        .collect()
}

/// A file that could not be opened or read.
#[derive(Debug)]
pub struct FileError {
    path: PathBuf,
    error: io::Error,
}

impl FileError {
    /// The path, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What happened.
    #[must_use]
    pub const fn io_error(&self) -> &io::Error {
        &self.error
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // The message contains that of `error`, which is therefore not reported again.
        self.error.source()
    }
}
