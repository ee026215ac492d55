//! The ground floor: paths of folders, and opening and listing them.

pub(crate) mod error;
pub(crate) mod listing;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirEntry, OpenOptions};

use crate::folders::error::CheckError;

/// The path of a place in a folder, which may be the folder itself.
pub(crate) fn join(folder: &Path, place: &Path) -> PathBuf {
    if place.as_os_str().is_empty() { folder.to_owned() } else { folder.join(place) }
}

/// The entries of a folder beneath another one, or of that one itself. Unreadable folders have
/// none.
pub(crate) fn entries_of(dir: &Dir, folder: &Path) -> impl Iterator<Item = DirEntry> + use<> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    dir.read_dir(here).into_iter().flatten().flatten()
}

/// The path with a suffix after the last name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// The folder of a path.
pub(crate) fn parent(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Opens a regular file in a folder, if there is one. Links are not followed.
pub(crate) fn open_regular_in(folder: &Path, name: &Path) -> Option<File> {
    let dir = open_folder(folder).ok()?;
    let is_regular = dir.symlink_metadata(name).is_ok_and(|metadata| metadata.is_file());
    let file = is_regular.then(|| dir.open_with(name, &to_read()));
    file?.ok().map(cap_std::fs::File::into_std)
}

/// Opens a folder named by the user.
pub(crate) fn open_folder(path: &Path) -> Result<Dir, CheckError> {
    open_ambient(path).map_err(|error| CheckError::Folder { path: path.to_owned(), error })
}

/// Opens a folder wherever it is.
pub(crate) fn open_ambient(path: &Path) -> io::Result<Dir> {
    Dir::open_ambient_dir(path, ambient_authority())
}

/// The open folder and the name of what a path leads to, whatever links are on the way.
pub(crate) fn followed(path: &Path) -> io::Result<(Dir, PathBuf)> {
    let path = path.canonicalize()?;
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    Ok((open_ambient(parent(&path))?, name))
}

pub(crate) fn to_read() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    // If the file has become a pipe meanwhile, a blocking open would wait for a writer.
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options
}
