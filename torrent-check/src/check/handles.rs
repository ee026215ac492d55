//! The files that a thread has open.

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;

use crate::root::{Absence, Root};
use crate::stamp::Stamp;
use crate::survey::{Failure, Found, Survey};

/// The most files that all threads together keep open, below what a process may by default.
const MAX_OPEN: usize = 512;

/// How many other files a process has open, at most: the three that it begins with, the folder,
/// what the signal of Ctrl-C needs.
#[cfg(unix)]
const OTHERS: u64 = 16;

/// How many files all threads together may keep open: one at least.
#[cfg(unix)]
pub(super) fn limit() -> NonZeroUsize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let files =
        limit.map_or(MAX_OPEN, |limit| limit.saturating_sub(OTHERS).min(MAX_OPEN as u64) as usize);
    NonZeroUsize::new(files).unwrap_or(NonZeroUsize::MIN)
}

/// How many files all threads together may keep open. The system has no limit of its own.
#[cfg(not(unix))]
pub(super) fn limit() -> NonZeroUsize {
    NonZeroUsize::new(MAX_OPEN).unwrap_or(NonZeroUsize::MIN)
}

/// The files that a thread has used last.
pub(super) struct Handles<'a> {
    root: &'a Root,
    survey: &'a Survey,
    most: usize,
    /// With their indices; the one used last is the last one.
    open: Vec<(usize, File)>,
    /// What went wrong with which file.
    pub(super) failures: Vec<(usize, Failure)>,
}

/// Nothing more can be had from a file; why has been noted.
pub(super) struct Failed;

impl<'a> Handles<'a> {
    pub(super) fn new(root: &'a Root, survey: &'a Survey, most: usize) -> Self {
        Self { root, survey, most, open: Vec::new(), failures: Vec::new() }
    }

    /// The file of that index, which the survey has found.
    pub(super) fn get(&mut self, index: usize) -> Result<&File, Failed> {
        match self.open.iter().rposition(|(open, _)| *open == index) {
            Some(place) => self.open[place..].rotate_left(1),
            None => {
                if self.open.len() >= self.most {
                    self.open.remove(0);
                }
                let file = self.open_now(index)?;
                self.open.push((index, file));
            }
        }
        self.open.last().map(|(_, file)| file).ok_or(Failed)
    }

    /// Fills a buffer with the bytes of a file from `offset` on.
    pub(super) fn read(
        &mut self,
        index: usize,
        offset: u64,
        buffer: &mut [u8],
    ) -> Result<(), Failed> {
        let failure = match read_exact_at(self.get(index)?, offset, buffer) {
            Ok(()) => return Ok(()),
            // It was long enough before.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Failure::Changed,
            Err(error) => Failure::Unreadable(error.to_string()),
        };
        self.failures.push((index, failure));
        Err(Failed)
    }

    fn open_now(&mut self, index: usize) -> Result<File, Failed> {
        let Found::There { path, stamp, .. } = self.survey.found(index) else { return Err(Failed) };
        let mut opened = self.root.open(path);
        if matches!(opened, Err(Absence::Unreadable(_))) && !self.open.is_empty() {
            // Perhaps too many files are open: those of this thread are not needed now.
            self.open.clear();
            opened = self.root.open(path);
        }
        match opened {
            Ok((file, metadata)) if Stamp::of(&metadata) == *stamp => {
                advise(&file);
                return Ok(file);
            }
            Err(Absence::Unreadable(error)) => {
                self.failures.push((index, Failure::Unreadable(error)))
            }
            // It has gone, or another is in its place.
            _ => self.failures.push((index, Failure::Changed)),
        }
        Err(Failed)
    }
}

/// Tells the system that files are read from their beginning to their end.
#[cfg(target_os = "linux")]
fn advise(file: &File) {
    // Advice that is not taken does no harm.
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::Sequential);
}

#[cfg(not(target_os = "linux"))]
fn advise(_file: &File) {}

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
