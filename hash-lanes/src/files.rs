//! Hashes files, many of them side by side on each thread.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::iter::repeat_with;
use core::num::NonZero;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::any_hash::AnyHash;
use crate::backend::Backend;
use crate::erase::Erased;
use crate::many_hasher::ManyHasher;

/// The number of files that a thread reads side by side: several per lane, because files have
/// different lengths.
const FILES_AT_ONCE: usize = 64;

/// The maximum number of open files. Linux allows a process 1024 by default, macOS 256.
const MAX_OPEN: usize = 192;

/// The maximum number of threads: each can still fill 16 lanes.
const MAX_THREADS: usize = MAX_OPEN / 16;

/// The number of bytes read from each file at a time. 64 pieces fit into a second-level cache.
const PIECE_BYTES: usize = 16 * 1024;

/// A hasher of messages in parts, which hashes files piece by piece.
pub trait PiecesHasher {
    /// The digest of a file.
    type Digest: Send;

    /// Appends a piece to each message.
    fn update_all<P: AsRef<[u8]>>(&mut self, pieces: &[P]);

    /// Returns the digest of each message.
    fn finalize(self) -> Vec<Self::Digest>;
}

impl<F: AnyHash> PiecesHasher for ManyHasher<F> {
    type Digest = F::Digest;

    fn update_all<P: AsRef<[u8]>>(&mut self, pieces: &[P]) {
        self.update_all(pieces);
    }

    fn finalize(self) -> Vec<F::Digest> {
        self.finalize()
    }
}

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
        hash_files(paths, |count| Self::with_backend(backend, count))
    }
}

/// Hashes whole files on up to 12 threads, side by side in hashers of `new(count)` messages.
pub fn hash_files<P: AsRef<Path> + Sync, H: PiecesHasher>(
    paths: &[P],
    new: impl Fn(usize) -> H + Sync,
) -> Vec<Result<H::Digest, FileError>> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(MAX_THREADS).min(paths.len()).max(1);
    let at_once = FILES_AT_ONCE.min(MAX_OPEN / threads).min(paths.len().div_ceil(threads));
    let at_once = at_once.max(1);

    let mut results: Vec<_> = repeat_with(|| None).take(paths.len()).collect();
    let tasks = Mutex::new(paths.chunks(at_once).zip(results.chunks_mut(at_once)));
    let work = || {
        loop {
            let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((paths, results)) = task else { return };
            hash_side_by_side(new(paths.len()), paths, results);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without more threads, this one hashes all files.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    results.into_iter().flatten().collect()
}

/// The result of each of a few files, which are all open at once.
fn hash_side_by_side<H: PiecesHasher, P: AsRef<Path>>(
    mut hasher: H,
    paths: &[P],
    results: &mut [Option<Result<H::Digest, FileError>>],
) {
    let mut files: Vec<io::Result<File>> = paths.iter().map(File::open).collect();
    let piece = || Erased::<u8>::with_capacity(PIECE_BYTES);
    let mut pieces: Vec<_> = repeat_with(piece).take(paths.len()).collect();
    loop {
        for (file, piece) in files.iter_mut().zip(&mut pieces) {
            piece.clear();
            if let Ok(open) = file
                && let Err(error) = open.take(PIECE_BYTES as u64).read_to_end(piece.as_vec())
            {
                *file = Err(error);
            }
        }
        // A file that has ended or could not be read adds nothing.
        if pieces.iter().all(|piece| piece.is_empty()) {
            break;
        }
        // One call with all pieces fills the lanes.
        hasher.update_all(&pieces);
    }
    for (((path, file), digest), result) in
        paths.iter().zip(files).zip(hasher.finalize()).zip(results)
    {
        *result = Some(match file {
            Ok(_) => Ok(digest),
            Err(error) => Err(FileError { path: path.as_ref().to_path_buf(), error }),
        });
    }
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
