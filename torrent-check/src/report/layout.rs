//! Lays a torrent out with files that were found elsewhere, so that a client can seed it.

use std::fs::File as StdFile;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use cap_std::fs::{Dir, OpenOptions};

use crate::folders::{join, open_ambient, open_folder, parent, to_read};
use crate::{CheckError, Escaped, File, FileKind, FileVerdict, Finding, Report};

/// The size of a part of a file that is copied or compared, in bytes.
const PART: u64 = 1 << 20;

/// How a file is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Link {
    /// Another file that shares its blocks until one of them is written to. It must be on the same
    /// file system, which must be able to do so, as btrfs and xfs are.
    Reflink,
    /// Another name of the file: what a client writes there changes the file. It must be on the
    /// same file system.
    Hard,
    /// A symbolic link with an absolute path: what a client writes there changes the file.
    Symbolic,
    /// Another file.
    Copy,
}

impl Link {
    /// Whether what is written to it leaves the file as it is.
    fn protects(self) -> bool {
        matches!(self, Self::Reflink | Self::Copy)
    }
}

/// The options of [`Report::lay_out`].
#[derive(Clone, Copy, Debug)]
pub struct LayOut<'a> {
    /// The kinds to try, in this order.
    pub kinds: &'a [Link],
    /// Whether files that are only [likely](Finding::Likely) right are laid out, too, with those
    /// `kinds` that leave them as they are.
    pub likely: bool,
    /// Cancels it when it is set.
    pub cancel: Option<&'a AtomicBool>,
}

/// What [`Report::lay_out`] has done.
#[derive(Debug)]
#[non_exhaustive]
pub struct Layout {
    /// The folder.
    pub folder: PathBuf,
    /// The requested files, in the torrent's order.
    pub files: Vec<LaidOut>,
    /// Whether it was cancelled: then the last files are missing.
    pub is_cancelled: bool,
}

/// What was done about a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct LaidOut {
    /// Its index in [`Torrent::files`](crate::Torrent::files).
    pub file: usize,
    /// Where it belongs in the folder.
    pub path: PathBuf,
    /// The file with its content, if one was found.
    pub source: Option<PathBuf>,
    /// What was done.
    pub outcome: Outcome,
}

/// What was done about a file, or why nothing was.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It was laid out like this.
    Linked(Link),
    /// It was created: it is empty, or a link that the torrent has.
    Created,
    /// It was there already: as the same file, or one with the same bytes.
    AlreadyThere,
    /// No file is known to have its content.
    NotFound,
    /// A file is only likely to have its content, and none of the permitted kinds protects it.
    OnlyLikely,
    /// Something else is in its place, or in that of its folder.
    Conflict,
    /// The error of the operating system.
    Failed(io::Error),
}

/// Why a torrent could not be laid out at all.
#[derive(Debug, thiserror::Error)]
#[error("cannot lay out {}: {error}", Escaped(folder))]
#[non_exhaustive]
pub struct LayoutError {
    /// The folder.
    pub folder: PathBuf,
    /// The error of the operating system.
    pub error: io::Error,
}

impl Outcome {
    /// Whether the file is in its place.
    #[must_use]
    pub fn is_there(&self) -> bool {
        matches!(self, Self::Linked(_) | Self::Created | Self::AlreadyThere)
    }
}

impl Layout {
    /// Whether every requested file is in its place.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.is_cancelled && self.files.iter().all(|file| file.outcome.is_there())
    }
}

impl Report<'_> {
    /// Lays the torrent out in an existing folder, under its name and the paths in the torrent,
    /// with its files that are good in place or [proven](Finding::Proven) elsewhere. Empty files
    /// and the torrent's own links are created.
    ///
    /// Nothing is overwritten: if something else is in the place of a file, that is a
    /// [conflict](Outcome::Conflict), and the other files are laid out. Links in the folder do not
    /// lead out of it.
    ///
    /// # Errors
    ///
    /// Returns [`LayoutError`] if the folder cannot be opened.
    pub fn lay_out(&self, folder: &Path, how: &LayOut<'_>) -> Result<Layout, LayoutError> {
        let dir = open_folder(folder).map_err(|error| {
            let error = match error {
                CheckError::Folder { error, .. } => error,
                CheckError::ContentEscapes(_) => ErrorKind::PermissionDenied.into(),
            };
            LayoutError { folder: folder.to_owned(), error }
        })?;
        let mut layout =
            Layout { folder: folder.to_owned(), files: Vec::new(), is_cancelled: false };
        for (index, file) in self.torrent.files().iter().enumerate() {
            if matches!(self.files[index].verdict, FileVerdict::Pad | FileVerdict::Skipped) {
                continue;
            }
            if how.is_cancelled() {
                layout.is_cancelled = true;
                break;
            }
            let path = match self.torrent.is_single_file() {
                true => self.torrent.name().to_path_buf(),
                false => self.torrent.name().to_path_buf().join(file.path().to_path_buf()),
            };
            let (source, outcome) = self.lay_out_file(&dir, &path, index, how);
            if how.is_cancelled() && matches!(outcome, Outcome::Failed(_)) {
                layout.is_cancelled = true;
                break;
            }
            layout.files.push(LaidOut { file: index, path, source, outcome });
        }
        Ok(layout)
    }

    /// The source of a file, and what was done.
    fn lay_out_file(
        &self,
        dir: &Dir,
        path: &Path,
        index: usize,
        how: &LayOut<'_>,
    ) -> (Option<PathBuf>, Outcome) {
        let file = &self.torrent.files()[index];
        let needs_source = *file.kind() == FileKind::Data && file.length() > 0;
        let source = if needs_source { self.source(index, file) } else { None };
        let (source, is_proven) = match source {
            Some((source, is_proven)) => (Some(source), is_proven),
            None if needs_source => return (None, Outcome::NotFound),
            None => (None, true),
        };
        let kinds = how.kinds.iter().copied();
        let kinds: Vec<Link> =
            kinds.filter(|kind| is_proven || how.likely && kind.protects()).collect();
        if kinds.is_empty() && source.is_some() && !is_proven {
            return (source, Outcome::OnlyLikely);
        }
        let create = || -> io::Result<Outcome> {
            if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
                dir.create_dir_all(folder)?;
            }
            match (file.kind(), &source) {
                (FileKind::Symlink(target), _) => {
                    let depth = file.path().components().count() - 1;
                    let up: PathBuf = std::iter::repeat_n("..", depth).collect();
                    let target = up.join(target.to_path_buf());
                    if dir.read_link_contents(path).is_ok_and(|there| there == target) {
                        return Ok(Outcome::AlreadyThere);
                    }
                    symlink(dir, &target, path).map(|()| Outcome::Created)
                }
                (_, Some(source)) => put(dir, source, path, &kinds, how),
                (_, None) => match dir.symlink_metadata(path) {
                    Ok(there) if there.is_file() && there.len() == 0 => Ok(Outcome::AlreadyThere),
                    _ => create_new(dir, path).map(|_| Outcome::Created),
                },
            }
        };
        let outcome = create().unwrap_or_else(|error| match error.kind() {
            ErrorKind::AlreadyExists | ErrorKind::NotADirectory => Outcome::Conflict,
            _ => Outcome::Failed(error),
        });
        (source, outcome)
    }

    /// The absolute path of a file with the content of this one, and whether that is proven.
    fn source(&self, index: usize, file: &File) -> Option<(PathBuf, bool)> {
        let (content, found) = (self.content.path(), &self.files[index]);
        let in_place = || {
            let own = || file.path().to_path_buf();
            match self.torrent.is_single_file() {
                true => content.to_owned(),
                false => join(content, &found.saved_as.clone().unwrap_or_else(own)),
            }
        };
        let (path, is_proven) = match (&found.verdict, &found.finding) {
            (FileVerdict::Good, _) => (in_place(), true),
            (_, Some(Finding::Proven { paths, .. })) => (content.join(paths.first()?), true),
            (_, Some(Finding::Likely { path, .. })) => (content.join(path), false),
            _ => return None,
        };
        Some((std::path::absolute(path).ok()?, is_proven))
    }
}

impl LayOut<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// Lays out a file, unless the same one is there.
fn put(
    dir: &Dir,
    source: &Path,
    path: &Path,
    kinds: &[Link],
    how: &LayOut<'_>,
) -> io::Result<Outcome> {
    let source = source.canonicalize()?;
    let name = Path::new(source.file_name().unwrap_or_default());
    let from = open_ambient(parent(&source))?;
    if let Ok(there) = dir.symlink_metadata(path) {
        let is_same = if there.is_symlink() {
            dir.read_link_contents(path).is_ok_and(|target| target == source)
        } else {
            there.is_file() && is_same(&from, name, dir, path, how)?
        };
        let exists = || io::Error::from(ErrorKind::AlreadyExists);
        return if is_same { Ok(Outcome::AlreadyThere) } else { Err(exists()) };
    }
    let mut result = Err(ErrorKind::Unsupported.into());
    for &kind in kinds {
        result = match kind {
            Link::Hard => from.hard_link(name, dir, path),
            Link::Symbolic => symlink(dir, &source, path),
            Link::Reflink => new_file(&from, name, dir, path, reflink),
            Link::Copy => new_file(&from, name, dir, path, |from, to| copy(from, to, how)),
        }
        .map(|()| Outcome::Linked(kind));
        if result.is_ok() || how.is_cancelled() {
            break;
        }
    }
    result
}

/// Fills a new file from another one, or removes it again.
fn new_file(
    from: &Dir,
    name: &Path,
    dir: &Dir,
    path: &Path,
    fill: impl FnOnce(&mut StdFile, &mut StdFile) -> io::Result<()>,
) -> io::Result<()> {
    let mut source = from.open_with(name, &to_read())?.into_std();
    let mut new = create_new(dir, path)?;
    let filled = fill(&mut source, &mut new);
    if filled.is_err() {
        // The error that is reported is the first one.
        let _ = dir.remove_file(path);
    }
    filled
}

/// Copies a file in parts.
fn copy(from: &mut StdFile, to: &mut StdFile, how: &LayOut<'_>) -> io::Result<()> {
    while io::copy(&mut from.by_ref().take(PART), to)? > 0 {
        if how.is_cancelled() {
            return Err(ErrorKind::Interrupted.into());
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn reflink(from: &mut StdFile, to: &mut StdFile) -> io::Result<()> {
    Ok(rustix::fs::ioctl_ficlone(to, from)?)
}

#[cfg(not(target_os = "linux"))]
fn reflink(_from: &mut StdFile, _to: &mut StdFile) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Whether two names are the same file, or files with the same bytes.
fn is_same(from: &Dir, name: &Path, dir: &Dir, path: &Path, how: &LayOut<'_>) -> io::Result<bool> {
    let (one, other) = (from.metadata(name)?, dir.metadata(path)?);
    let stamps = [&one, &other].map(crate::state::stamp::Stamp::of);
    let ids = stamps.map(|stamp| (stamp.device, stamp.inode));
    if ids[0] == ids[1] && ids[0] != (0, 0) {
        return Ok(true);
    }
    if one.len() != other.len() {
        return Ok(false);
    }
    let mut files =
        [from.open_with(name, &to_read())?.into_std(), dir.open_with(path, &to_read())?.into_std()];
    let mut parts = [Vec::new(), Vec::new()];
    loop {
        for (file, part) in files.iter_mut().zip(&mut parts) {
            part.clear();
            file.by_ref().take(PART).read_to_end(part)?;
        }
        if how.is_cancelled() {
            return Err(ErrorKind::Interrupted.into());
        }
        if parts[0] != parts[1] || parts[0].is_empty() {
            return Ok(parts[0] == parts[1]);
        }
    }
}

fn create_new(dir: &Dir, path: &Path) -> io::Result<StdFile> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    dir.open_with(path, &options).map(cap_std::fs::File::into_std)
}

#[cfg(unix)]
fn symlink(dir: &Dir, target: &Path, path: &Path) -> io::Result<()> {
    // The target may be outside the folder, which `Dir::symlink` refuses.
    dir.symlink_contents(target, path)
}

#[cfg(windows)]
fn symlink(dir: &Dir, target: &Path, path: &Path) -> io::Result<()> {
    dir.symlink_file(target, path)
}
