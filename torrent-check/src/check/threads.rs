//! Chooses the number of threads.

use std::num::NonZeroUsize;

/// What is worth another thread: this number of bytes, or of files. Bytes in the page cache take
/// 0.5 ms to hash, and starting a thread takes 0.1 ms. Files may have to be fetched from a disk.
const BYTES_PER_THREAD: u64 = 2 << 20;
const FILES_PER_THREAD: usize = 16;

/// The number of threads that a check of this size can use.
pub(super) fn useful(bytes: u64, files: usize) -> NonZeroUsize {
    let by_bytes = usize::try_from(bytes / BYTES_PER_THREAD).unwrap_or(usize::MAX);
    NonZeroUsize::MIN.saturating_add(by_bytes.max(files / FILES_PER_THREAD))
}
