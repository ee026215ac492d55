//! Lays a torrent out with links to files that were found elsewhere, so that a client can seed it.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

use crate::folders::{join, open_ambient, parent};
use crate::{Escaped, File, FileKind, FileVerdict, Report};

/// The kind of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Link {
    /// Another name of the file: what a client writes there changes the file. It must be on the
    /// same file system.
    Hard,
    /// A symbolic link with an absolute path.
    Symbolic,
}

/// What [`Report::link`] has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layout {
    /// The number of files that are laid out, with those that were already.
    pub linked: u64,
    /// The requested files for which nothing whole was found, as indices in
    /// [`Torrent::files`](crate::Torrent::files).
    pub lacking: Vec<usize>,
}

/// Why a torrent could not be laid out.
#[derive(Debug, thiserror::Error)]
#[error("cannot create {}: {error}", Escaped(path))]
#[non_exhaustive]
pub struct LinkError {
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the operating system.
    pub error: io::Error,
}

impl Report<'_> {
    /// Lays the torrent out in an existing folder, under its name and the paths in the torrent:
    /// with links to its files that are good in place, or of which a whole file [was
    /// found](crate::Check::find_renamed). Empty files and the torrent's own links are created.
    ///
    /// `kinds` are the kinds of links to try, in this order. Nothing is overwritten: what is there
    /// already must be the same file. Links in the folder do not lead out of it.
    ///
    /// # Errors
    ///
    /// Returns [`LinkError`] for the first file that cannot be created, and leaves the others that
    /// were.
    pub fn link(&self, folder: &Path, kinds: &[Link]) -> Result<Layout, LinkError> {
        let wrong = |path: &Path| {
            let path = path.to_owned();
            move |error| LinkError { path, error }
        };
        let dir = open_ambient(folder).map_err(wrong(folder))?;
        let mut layout = Layout::default();
        for (index, file) in self.torrent.files().iter().enumerate() {
            let is_skipped =
                matches!(self.files[index].verdict, FileVerdict::Pad | FileVerdict::Skipped);
            if is_skipped {
                continue;
            }
            let inside = match self.torrent.is_single_file() {
                true => self.torrent.name().to_path_buf(),
                false => self.torrent.name().to_path_buf().join(file.path().to_path_buf()),
            };
            let source = match (file.kind(), file.length()) {
                (FileKind::Data, 1..) => match self.whole(index, file) {
                    Some(source) => Some(source),
                    None => {
                        layout.lacking.push(index);
                        continue;
                    }
                },
                _ => None,
            };
            let create = || {
                if let Some(folder) = inside.parent().filter(|it| !it.as_os_str().is_empty()) {
                    dir.create_dir_all(folder)?;
                }
                match (file.kind(), &source) {
                    (FileKind::Symlink(target), _) => {
                        let depth = file.path().components().count() - 1;
                        let up: PathBuf = std::iter::repeat_n("..", depth).collect();
                        symlink(&dir, &up.join(target.to_path_buf()), &inside)
                    }
                    (_, Some(source)) => link(&dir, source, &inside, kinds),
                    (_, None) => match dir.symlink_metadata(&inside) {
                        Ok(metadata) if metadata.is_file() && metadata.len() == 0 => Ok(()),
                        _ => create_new(&dir, &inside),
                    },
                }
            };
            create().map_err(wrong(&folder.join(&inside)))?;
            layout.linked += 1;
        }
        Ok(layout)
    }

    /// The absolute path of a whole file with the content of this one.
    fn whole(&self, index: usize, file: &File) -> Option<PathBuf> {
        let (content, found) = (self.content.path(), &self.files[index]);
        let path = match (&found.verdict, found.found_as.first()) {
            (FileVerdict::Good, _) if self.torrent.is_single_file() => content.to_owned(),
            (FileVerdict::Good, _) => {
                let own = || file.path().to_path_buf();
                join(content, &found.saved_as.clone().unwrap_or_else(own))
            }
            (_, Some(found)) => content.join(found),
            _ => return None,
        };
        std::path::absolute(path).ok()
    }
}

/// Creates a link to a file, unless the same file is there.
fn link(dir: &Dir, source: &Path, inside: &Path, kinds: &[Link]) -> io::Result<()> {
    let source = source.canonicalize()?;
    if let Ok(there) = dir.symlink_metadata(inside) {
        let is_same = if there.is_symlink() {
            dir.read_link_contents(inside).is_ok_and(|target| target == source)
        } else {
            is_same_file(dir, inside, &source)
        };
        return if is_same { Ok(()) } else { Err(io::ErrorKind::AlreadyExists.into()) };
    }
    let mut result = Err(io::ErrorKind::Unsupported.into());
    for kind in kinds {
        result = match kind {
            Link::Hard => {
                let name = Path::new(source.file_name().unwrap_or_default());
                open_ambient(parent(&source)).and_then(|from| from.hard_link(name, dir, inside))
            }
            Link::Symbolic => symlink(dir, &source, inside),
        };
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Whether a file in the folder is this file.
fn is_same_file(dir: &Dir, inside: &Path, other: &Path) -> bool {
    let stamp = |dir: &Dir, path: &Path| {
        let stamp = crate::stamp::Stamp::of(&dir.symlink_metadata(path).ok()?);
        Some((stamp.device, stamp.inode)).filter(|id| *id != (0, 0))
    };
    let name = Path::new(other.file_name().unwrap_or_default());
    let theirs = open_ambient(parent(other)).ok().and_then(|dir| stamp(&dir, name));
    theirs.is_some() && theirs == stamp(dir, inside)
}

fn create_new(dir: &Dir, inside: &Path) -> io::Result<()> {
    let mut options = cap_std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    dir.open_with(inside, &options).map(drop)
}

#[cfg(unix)]
fn symlink(dir: &Dir, target: &Path, inside: &Path) -> io::Result<()> {
    if dir.read_link_contents(inside).is_ok_and(|there| there == target) {
        return Ok(());
    }
    // The target may be outside the folder, which `Dir::symlink` refuses.
    dir.symlink_contents(target, inside)
}

#[cfg(windows)]
fn symlink(dir: &Dir, target: &Path, inside: &Path) -> io::Result<()> {
    dir.symlink_file(target, inside)
}
