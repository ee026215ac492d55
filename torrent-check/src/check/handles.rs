//! Caches the open files of a thread.
//!
//! The survey takes the stamp of a file before it is first opened. When it is opened, what was
//! stored through memory maps is written back, so that later stores change the stamp. The stamp is
//! compared each time the file is closed. If it is the same, what was read in between is the file's
//! content. If results are saved before the file is closed, its stamp is also compared right after
//! it is opened. A later change cannot go unnoticed: the next check finds another stamp than that
//! of the survey.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::num::NonZeroUsize;

use cap_std::fs::Metadata;

use crate::Segment;
use crate::content::root::Root;
use crate::content::survey::{Place, Survey};
use crate::state::stamp::{Stamp, write_back};
use crate::verdict::FileVerdict;

/// The maximum number of files that all threads together keep open. It is below the default limit
/// of a process.
const MAX_OPEN: usize = 512;

/// The maximum number of other open files: the three standard streams, the folders, and what the
/// Ctrl-C handler needs.
#[cfg(unix)]
const OTHERS: u64 = 8 + crate::content::root::MAX_FOLDERS as u64;

/// The maximum length in bytes of a file that is too short for advice to matter: the read-ahead of
/// Linux.
#[cfg(target_os = "linux")]
const MAX_UNADVISED: u64 = 128 << 10;

/// The number of files that all threads together may keep open.
#[cfg(unix)]
pub(super) fn limit() -> NonZeroUsize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let files =
        limit.map_or(MAX_OPEN, |limit| limit.saturating_sub(OTHERS).min(MAX_OPEN as u64) as usize);
    NonZeroUsize::new(files).unwrap_or(NonZeroUsize::MIN)
}

/// The number of files that all threads together may keep open. The operating system sets no limit.
#[cfg(not(unix))]
pub(super) fn limit() -> NonZeroUsize {
    NonZeroUsize::new(MAX_OPEN).unwrap_or(NonZeroUsize::MIN)
}

/// A least-recently-used cache of open files.
pub(super) struct Handles<'a> {
    root: &'a Root,
    survey: &'a Survey<'a>,
    max_open: usize,
    /// Whether results are saved while files are open.
    saves: bool,
    /// Files with their indices, the most recently used last.
    open: Vec<(usize, File)>,
    /// Files that could not be opened. They are not tried again.
    lost: HashSet<usize>,
    /// Failures, by file.
    failures: Vec<(usize, FileVerdict)>,
    /// The number of bytes read.
    pub(super) bytes_read: u64,
}

/// A file cannot be read any further. The reason is in [`Handles::failures`].
#[derive(Clone, Copy)]
pub(super) struct Failed;

impl<'a> Handles<'a> {
    pub(super) fn new(
        root: &'a Root,
        survey: &'a Survey<'a>,
        max_open: usize,
        saves: bool,
    ) -> Self {
        let (open, lost, failures) = (Vec::new(), HashSet::new(), Vec::new());
        Self { root, survey, max_open, saves, open, lost, failures, bytes_read: 0 }
    }

    /// The file with this index, which the survey must have found.
    pub(super) fn get(&mut self, index: usize) -> Result<&File, Failed> {
        match self.open.iter().rposition(|(open, _)| *open == index) {
            Some(place) => self.open[place..].rotate_left(1),
            None => {
                if self.open.len() >= self.max_open {
                    self.close_first(1);
                }
                let file = self.open_now(index)?;
                self.open.push((index, file));
            }
        }
        self.open.last().map(|(_, file)| file).ok_or(Failed)
    }

    /// Fills a buffer with the bytes of a file, starting at `offset`.
    pub(super) fn read(
        &mut self,
        index: usize,
        offset: u64,
        buffer: &mut [u8],
    ) -> Result<(), Failed> {
        let segment = Segment { file: index, offset, length: buffer.len() as u64 };
        if let Some((parts, offset)) = self.survey.in_parts(&segment) {
            read_exact_at(parts, offset, buffer).map_err(|_| Failed)?;
            self.bytes_read += buffer.len() as u64;
            return Ok(());
        }
        let failure = match read_exact_at(self.get(index)?, offset, buffer) {
            Ok(()) => {
                self.bytes_read += buffer.len() as u64;
                return Ok(());
            }
            // The survey found the file long enough.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => FileVerdict::Changed,
            Err(error) => FileVerdict::Unreadable(error.to_string()),
        };
        self.failures.push((index, failure));
        Err(Failed)
    }

    fn open_now(&mut self, index: usize) -> Result<File, Failed> {
        let Some(Place { path, stamp, .. }) = self.survey.place(index) else { return Err(Failed) };
        if self.lost.contains(&index) {
            return Err(Failed);
        }
        let mut opened = self.root.open(path);
        if matches!(opened, Err(FileVerdict::Unreadable(_))) && !self.open.is_empty() {
            // Too many files may be open, so this thread closes its own and tries again.
            self.close_first(self.open.len());
            opened = self.root.open(path);
        }
        if let Ok(file) = &opened {
            write_back(file);
        }
        let failure = match opened {
            Ok(file) if self.saves && !is_at(stamp, &file) => FileVerdict::Changed,
            Ok(file) => {
                advise(&file, stamp.length);
                return Ok(file);
            }
            Err(FileVerdict::Unreadable(error)) => FileVerdict::Unreadable(error),
            // The file is gone.
            Err(_) => FileVerdict::Changed,
        };
        self.lost.insert(index);
        self.failures.push((index, failure));
        Err(Failed)
    }

    /// Closes the least recently used files.
    fn close_first(&mut self, count: usize) {
        for (index, file) in self.open.drain(..count) {
            if !self.survey.stamp(index).is_some_and(|stamp| is_at(stamp, &file)) {
                self.failures.push((index, FileVerdict::Changed));
            }
        }
    }

    /// Closes all files, and returns the failures, by file.
    pub(super) fn close(mut self) -> Vec<(usize, FileVerdict)> {
        self.close_first(self.open.len());
        self.failures
    }
}

/// Whether an open file has this stamp.
fn is_at(stamp: &Stamp, file: &File) -> bool {
    // If a file on another computer has no metadata any more, it is gone.
    Metadata::from_file(file).is_ok_and(|metadata| Stamp::of(&metadata) == *stamp)
}

/// Advises the system that a file of `length` bytes is read sequentially.
#[cfg(target_os = "linux")]
fn advise(file: &File, length: u64) {
    if length > MAX_UNADVISED {
        // A failure is harmless.
        let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::Sequential);
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_file: &File, _length: u64) {}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                buffer = &mut buffer[count..];
                offset += count as u64;
            }
        }
    }
    Ok(())
}
