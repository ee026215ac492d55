//! Chooses the order of reading.

use std::path::Path;

use super::disk::{Disk, disk_of};
use crate::survey::Survey;

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

/// The minimum length of a file, in bytes, that is read sequentially from an unknown disk: seeks
/// within it could take far longer than hashing.
const LARGE: u64 = 64 << 20;

/// Whether the content should be read from the first byte to the last.
pub(super) fn prefers_sequential(survey: &Survey<'_>, content: &Path) -> bool {
    survey.devices().into_iter().any(|(device, longest)| match disk_of(device, content) {
        Disk::Rotating => true,
        Disk::Solid => false,
        Disk::Unknown => longest >= LARGE,
    })
}
