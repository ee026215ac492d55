//! The files that a thread has open.

use std::fs::File;
use std::io;

use super::survey::{Failure, Found, Survey};
use crate::root::Root;
use crate::stamp::Stamp;

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
                let file = self.open_now(index)?;
                if self.open.len() >= self.most {
                    self.open.remove(0);
                }
                self.open.push((index, file));
            }
        }
        self.open.last().map(|(_, file)| file).ok_or(Failed)
    }

    /// Fills a buffer with the bytes of a file from `offset` on.
    pub(super) fn read(&mut self, index: usize, offset: u64, buffer: &mut [u8]) -> Result<(), Failed> {
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
        match self.root.open(path) {
            Ok((file, metadata)) if Stamp::of(&metadata) == *stamp => {
                advise(&file);
                Ok(file)
            }
            _ => {
                self.failures.push((index, Failure::Changed));
                Err(Failed)
            }
        }
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
