//! Finds the content's folder, and opens files only beneath it.
//!
//! Neither the names in the torrent nor the links in the folder are trusted. Neither `..` nor a
//! link leads out of the folder.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use cap_std::fs::{Dir, FileType, Metadata};

use crate::clients::Saved;
use crate::folders::error::CheckError;
use crate::folders::listing::{MAX_ENTRIES, SearchLimit, SearchLimitKind, folded};
use crate::folders::{
    entries_of, followed, join, open_ambient, open_folder, open_regular_in, parent, to_read,
    with_suffix,
};
use crate::{FileVerdict, Torrent, TorrentPath};

/// Where the content is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// In the download folder, under the torrent's name.
    InFolder(PathBuf),
    /// At the path given to [`Place::Content`](crate::Place::Content).
    Given(PathBuf),
    /// Here: nothing has the torrent's name, but a search of the download folder found its files.
    Found(PathBuf),
    /// Nowhere: the download folder has no entry with the torrent's name.
    Absent(PathBuf),
    /// Nowhere for sure: some places in the download folder resemble the content.
    Unsure {
        /// Where the content should be.
        path: PathBuf,
        /// Files or folders to pass to [`Place::Content`](crate::Place::Content), the likeliest
        /// first.
        suggestions: Vec<PathBuf>,
    },
    /// Nowhere: the entry with the torrent's name is not a folder, or cannot be opened.
    Unusable {
        /// The entry.
        path: PathBuf,
        /// The error message of the operating system.
        error: String,
    },
}

impl Content {
    /// The path of the file or folder, or where it should be if it is absent.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::InFolder(path)
            | Self::Given(path)
            | Self::Found(path)
            | Self::Absent(path)
            | Self::Unsure { path, .. }
            | Self::Unusable { path, .. } => path,
        }
    }
}

/// The folder beneath which files are opened.
///
/// Paths of files are relative to it. Absolute ones are those of files elsewhere, of which a client
/// or a user says that they belong there.
pub(crate) struct Root {
    pub(crate) content: Content,
    /// The open folder, or the verdict on every file.
    pub(crate) dir: Result<Dir, FileVerdict>,
    /// For a single-file torrent, the name of the file in that folder.
    file_name: Option<PathBuf>,
    /// The paths that a client gives files.
    renamed: HashMap<usize, PathBuf>,
    /// The folders beneath which the files elsewhere are, by their absolute paths.
    bases: Vec<(PathBuf, Result<Dir, FileVerdict>)>,
    /// Other folders with the torrent's name, which may have the files that are missing here.
    also: Vec<Root>,
    /// Whether links out of the folder are followed.
    follows_links: bool,
    /// Folders beneath it, the most recently used last. Their files are opened without walking
    /// their paths again.
    folders: Mutex<Vec<(PathBuf, Arc<Dir>)>>,
    /// The names in folders in which a file was missing.
    names: Mutex<Names>,
}

/// The names in folders, by the name without letter case.
#[derive(Default)]
struct Names {
    folders: HashMap<PathBuf, HashMap<Vec<u8>, Vec<OsString>>>,
    /// The number of all names.
    count: usize,
    limit: Option<SearchLimit>,
}

/// The maximum number of folders kept open.
pub(crate) const MAX_FOLDERS: usize = 8;

/// The maximum number of paths that differ only in letter case.
const MAX_CASES: usize = 8;

impl Root {
    /// The content under the torrent's name in the download folder.
    pub(crate) fn named(
        torrent: &Torrent,
        folder: &Path,
        follows_links: bool,
    ) -> Result<Self, CheckError> {
        let downloads = open_folder(folder)?;
        let exists = |name: &PathBuf| downloads.symlink_metadata(name).is_ok();
        let mut name = torrent.name().to_path_buf();
        if !exists(&name) {
            let others = torrent.other_names();
            name = others.iter().map(TorrentPath::to_path_buf).find(exists).unwrap_or(name);
        }
        Self::of_name(torrent, folder, downloads, name, follows_links)
    }

    /// The content under this name in the download folder.
    fn of_name(
        torrent: &Torrent,
        folder: &Path,
        downloads: Dir,
        name: PathBuf,
        follows_links: bool,
    ) -> Result<Self, CheckError> {
        let path = folder.join(&name);
        if torrent.is_single_file() {
            let found = downloads.symlink_metadata(&name);
            let (content, dir) = match found.map_err(|error| (verdict(&error), error)) {
                Ok(_) => (Content::InFolder(path), Ok(downloads)),
                Err((FileVerdict::Missing, _)) => (Content::Absent(path), Ok(downloads)),
                Err((verdict, error)) => {
                    (Content::Unusable { path, error: error.to_string() }, Err(verdict))
                }
            };
            return Ok(Self::new(content, dir, Some(name), follows_links));
        }
        let mut inner = downloads.open_dir(&name);
        if follows_links && inner.as_ref().is_err_and(is_escape) {
            inner = open_ambient(&path);
        }
        let (content, dir) = match inner {
            Ok(inner) => (Content::InFolder(path), Ok(inner)),
            Err(error) if is_escape(&error) => return Err(CheckError::ContentEscapes(path)),
            Err(error) => match verdict(&error) {
                FileVerdict::Missing if error.kind() != io::ErrorKind::NotADirectory => {
                    (Content::Absent(path), Err(FileVerdict::Missing))
                }
                verdict => (Content::Unusable { path, error: error.to_string() }, Err(verdict)),
            },
        };
        Ok(Self::new(content, dir, None, follows_links))
    }

    /// Uses a file or folder of any name as the content.
    pub(crate) fn given(
        torrent: &Torrent,
        path: &Path,
        follows_links: bool,
    ) -> Result<Self, CheckError> {
        let content = Content::Given(path.to_owned());
        if !torrent.is_single_file() {
            if path.is_file() {
                let why = "it is a file, but the torrent has a folder; pass the folder";
                let error = io::Error::new(io::ErrorKind::NotADirectory, why);
                return Err(CheckError::Folder { path: path.to_owned(), error });
            }
            return Ok(Self::new(content, Ok(open_folder(path)?), None, follows_links));
        }
        let unnamed = || CheckError::Folder {
            path: path.to_owned(),
            error: io::Error::new(io::ErrorKind::IsADirectory, "the torrent is a single file"),
        };
        if path.is_dir() {
            return Err(unnamed());
        }
        // A link is resolved because the user named it. The file may be missing.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().ok_or_else(unnamed)?;
        let dir = open_folder(parent(&path))?;
        Ok(Self::new(content, Ok(dir), Some(name.into()), follows_links))
    }

    /// Uses the content that a search found at `place` in the download folder.
    pub(crate) fn found(
        torrent: &Torrent,
        downloads: Dir,
        folder: &Path,
        place: &Path,
        follows_links: bool,
    ) -> Result<Self, CheckError> {
        let path = join(folder, place);
        let content = Content::Found(path.clone());
        let is_single = torrent.is_single_file();
        let name = place.file_name().filter(|_| is_single).map(PathBuf::from);
        let parent = if is_single { place.parent().unwrap_or(place) } else { place };
        if parent.as_os_str().is_empty() {
            return Ok(Self::new(content, Ok(downloads), name, follows_links));
        }
        let mut dir = downloads.open_dir(parent);
        if follows_links && dir.as_ref().is_err_and(is_escape) {
            dir = open_ambient(&folder.join(parent));
        }
        match dir {
            Ok(dir) => Ok(Self::new(content, Ok(dir), name, follows_links)),
            Err(error) => Err(CheckError::Folder { path, error }),
        }
    }

    /// Uses the content where a client keeps it.
    pub(crate) fn saved(
        torrent: &Torrent,
        saved: &Saved,
        follows_links: bool,
    ) -> Result<Self, CheckError> {
        if saved.is_content {
            return Self::given(torrent, saved.folder(), follows_links);
        }
        let (top, renamed) = saved.layout(torrent);
        let exists = |path: PathBuf| path.symlink_metadata().is_ok();
        let has_content = |folder: &&PathBuf| match &top {
            Some(top) => exists(folder.join(top)),
            None => renamed.values().any(|path| exists(folder.join(path))),
        };
        let folder = saved.folders.iter().find(has_content).unwrap_or(&saved.folders[0]);
        let root = match top {
            Some(top) if top == torrent.name().to_path_buf() => {
                Self::named(torrent, folder, follows_links)?
            }
            Some(top) => Self::of_name(torrent, folder, open_folder(folder)?, top, follows_links)?,
            None => {
                let content = Content::Given(folder.clone());
                Self::new(content, Ok(open_folder(folder)?), None, follows_links)
            }
        };
        let outside = renamed.values().filter(|path| path.is_absolute());
        let mut bases: Vec<PathBuf> = outside.map(|path| parent(path).to_owned()).collect();
        bases.sort();
        bases.dedup();
        let open = |base: PathBuf| {
            let dir = open_ambient(&base).map_err(|error| verdict(&error));
            (base, dir)
        };
        let bases = bases.into_iter().map(open).collect();
        // The file may be the only one, and elsewhere.
        let (dir, content) = match (renamed.get(&0), torrent.is_single_file()) {
            (Some(path), true) => {
                let name = path.file_name().map(PathBuf::from);
                return Ok(Self {
                    content: Content::Given(path.clone()),
                    dir: open_ambient(parent(path)).map_err(|error| verdict(&error)),
                    file_name: name,
                    ..root
                });
            }
            // Without its folder, the others may still be elsewhere.
            _ => (root.dir, root.content),
        };
        Ok(Self { renamed, bases, dir, content, ..root })
    }

    /// Whether the content should be searched for: there is none with the torrent's name, or only a
    /// folder without any of its files.
    pub(crate) fn is_searched_for(&self, torrent: &Torrent) -> bool {
        match (&self.dir, &self.file_name) {
            (Err(verdict), _) => *verdict == FileVerdict::Missing,
            (Ok(dir), Some(name)) => dir.symlink_metadata(name).map_or(true, |it| it.is_dir()),
            (Ok(dir), None) => {
                let mut files = torrent.files().iter().map(|file| file.path().to_path_buf());
                !files.any(|path| dir.symlink_metadata(path).is_ok())
            }
        }
    }

    /// Names places where the content may be instead.
    pub(crate) fn with_suggestions(self, mut suggestions: Vec<PathBuf>) -> Self {
        let path = self.content.path().to_owned();
        suggestions.retain(|place| *place != path);
        if suggestions.is_empty() {
            return self;
        }
        Self { content: Content::Unsure { path, suggestions }, ..self }
    }

    fn new(
        content: Content,
        dir: Result<Dir, FileVerdict>,
        file_name: Option<PathBuf>,
        follows_links: bool,
    ) -> Self {
        let (folders, names) = (Mutex::default(), Mutex::default());
        let (renamed, bases, also) = (HashMap::new(), Vec::new(), Vec::new());
        Self { content, dir, file_name, renamed, bases, also, follows_links, folders, names }
    }

    /// Adds other folders with the torrent's name, in which files are looked for that are missing
    /// here. A single file is whole or not there.
    pub(crate) fn with_others(mut self, others: Vec<Self>) -> Self {
        for other in others.into_iter().filter(|_| self.file_name.is_none()) {
            if let (Ok(Ok(dir)), Ok(path)) =
                (other.dir.as_ref().map(Dir::try_clone), std::path::absolute(other.content.path()))
            {
                self.bases.push((path, Ok(dir)));
                self.also.push(other);
            }
        }
        self
    }

    /// The other folders, with their absolute paths.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&Self, PathBuf)> {
        self.also
            .iter()
            .filter_map(|other| Some((other, std::path::absolute(other.content.path()).ok()?)))
    }

    /// The open folder beneath which a path is, and the path relative to it.
    fn base_of<'p>(&self, path: &'p Path) -> Result<(&Dir, &'p Path), FileVerdict> {
        if !path.is_absolute() {
            return Ok((self.dir.as_ref().map_err(Clone::clone)?, path));
        }
        let bases =
            self.bases.iter().filter_map(|(base, dir)| Some((dir, path.strip_prefix(base).ok()?)));
        let (dir, inside) = bases
            .min_by_key(|(_, inside)| inside.as_os_str().len())
            .ok_or(FileVerdict::EscapesRoot)?;
        Ok((dir.as_ref().map_err(Clone::clone)?, inside))
    }

    /// The open folder and the name of a file that a link out of the folder leads to, if links are
    /// followed. Loops are errors of the operating system.
    fn followed(&self, path: &Path) -> Option<io::Result<(Dir, PathBuf)>> {
        let folder = match &self.file_name {
            Some(_) => parent(self.content.path()),
            None => self.content.path(),
        };
        self.follows_links.then(|| followed(&folder.join(path)))
    }

    /// Whether a client keeps the content in the folder of all downloads.
    pub(crate) fn is_shared(&self) -> bool {
        !self.renamed.is_empty() && matches!(self.content, Content::Given(_))
    }

    /// The path of a file of the torrent, as its client has it.
    pub(crate) fn place(&self, index: usize, file: &crate::File) -> PathBuf {
        self.renamed.get(&index).cloned().unwrap_or_else(|| self.relative(file.path()))
    }

    /// The path of a file relative to the root.
    pub(crate) fn relative(&self, path: &TorrentPath) -> PathBuf {
        self.file_name.clone().unwrap_or_else(|| path.to_path_buf())
    }

    /// The limits that the search for names in another letter case has reached.
    pub(crate) fn limits(&self) -> Vec<SearchLimit> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.limit.iter().cloned().collect()
    }

    /// The existing paths that differ from this one only in letter case.
    pub(crate) fn in_other_case(&self, path: &Path) -> Vec<PathBuf> {
        let Some(dir) = self.dir.as_ref().ok().filter(|_| path.is_relative()) else {
            return Vec::new();
        };
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = vec![PathBuf::new()];
        for name in path.iter() {
            let name = folded(name.as_encoded_bytes());
            let next = found.iter().flat_map(|folder| {
                let inside =
                    names.of(dir, self.content.path(), folder).get(&name).into_iter().flatten();
                inside.map(|name| folder.join(name)).collect::<Vec<_>>()
            });
            found = next.take(MAX_CASES).collect();
        }
        found.retain(|found| found != path);
        found
    }

    /// The metadata of a regular file, without opening it: opening a device may have side effects.
    pub(crate) fn regular(&self, path: &Path) -> Result<Metadata, FileVerdict> {
        let metadata = self.metadata(path)?;
        if metadata.is_file() {
            Ok(metadata)
        } else {
            Err(FileVerdict::NotAFile(name_of(metadata.file_type())))
        }
    }

    /// The metadata of a file or folder. Links beneath the root are followed.
    pub(crate) fn metadata(&self, path: &Path) -> Result<Metadata, FileVerdict> {
        let (dir, inside) = self.base_of(path)?;
        match self.folder_of(path, |folder, name| folder.symlink_metadata(name)) {
            Some(Ok(metadata)) if !metadata.is_symlink() => Ok(metadata),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => {
                Err(FileVerdict::Missing)
            }
            _ => match dir.metadata(inside).map_err(|error| (verdict(&error), error)) {
                Ok(metadata) => Ok(metadata),
                Err((FileVerdict::EscapesRoot, error)) => {
                    let followed = self.followed(path).unwrap_or(Err(error));
                    let metadata = followed.and_then(|(dir, name)| dir.metadata(name));
                    metadata.map_err(|error| verdict(&error))
                }
                Err((verdict, _)) => Err(verdict),
            },
        }
    }

    /// Opens a file that was found regular.
    pub(crate) fn open(&self, path: &Path) -> Result<File, FileVerdict> {
        let (dir, inside) = self.base_of(path)?;
        let file = match self.folder_of(path, |folder, name| folder.open_with(name, &to_read())) {
            Some(Ok(file)) => Ok(file),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Err(error),
            // A link may lead out of its folder, but not out of the root.
            _ => dir.open_with(inside, &to_read()),
        };
        let file = match file {
            Err(error) if is_escape(&error) => {
                let followed = self.followed(path).unwrap_or(Err(error));
                followed.and_then(|(dir, name)| dir.open_with(name, &to_read()))
            }
            file => file,
        };
        file.map(cap_std::fs::File::into_std).map_err(|error| verdict(&error))
    }

    /// Opens a regular file, if there is one.
    pub(crate) fn open_regular(&self, path: &Path) -> Option<File> {
        self.regular(path).and_then(|_| self.open(path)).ok()
    }

    /// Opens the regular file beside the content that has its name and this suffix, if there is
    /// one.
    pub(crate) fn open_beside(&self, suffix: &str) -> Option<File> {
        if let Some(name) = &self.file_name {
            return self.open_regular(&with_suffix(name, suffix));
        }
        let content = self.resolved()?;
        let name = with_suffix(Path::new(content.file_name()?), suffix);
        open_regular_in(parent(&content), &name)
    }

    /// Opens the regular file of this name beside the content's folder or in it, if there is one.
    pub(crate) fn open_near(&self, name: &Path) -> Option<(PathBuf, File)> {
        let content = self.resolved()?;
        let mut folders = [parent(&content), &content].into_iter();
        folders.find_map(|folder| Some((folder.join(name), open_regular_in(folder, name)?)))
    }

    /// The path of the content, with a name: `.` has one only after it is resolved.
    fn resolved(&self) -> Option<PathBuf> {
        let content = self.content.path();
        content
            .file_name()
            .map_or_else(|| content.canonicalize().ok(), |_| Some(content.to_owned()))
    }

    /// Calls `what` with the open folder of a file and the file's name, if the folder can be
    /// opened.
    fn folder_of<T>(&self, path: &Path, what: impl FnOnce(&Dir, &Path) -> T) -> Option<T> {
        let (dir, inside) = self.base_of(path).ok()?;
        let (parent, name) = (path.parent()?, Path::new(path.file_name()?));
        let inside = inside.parent()?;
        if inside.as_os_str().is_empty() {
            return Some(what(dir, name));
        }
        let folder = {
            let mut open = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = open.iter().rposition(|(path, _)| path == parent) {
                open[place..].rotate_left(1);
            } else {
                let folder = Arc::new(dir.open_dir(inside).ok()?);
                if open.len() == MAX_FOLDERS {
                    open.remove(0);
                }
                open.push((parent.to_owned(), folder));
            }
            Arc::clone(&open.last()?.1)
        };
        Some(what(&folder, name))
    }

    /// The target of a link, unresolved.
    pub(crate) fn read_link(&self, path: &Path) -> Result<PathBuf, FileVerdict> {
        let dir = self.dir.as_ref().map_err(Clone::clone)?;
        let metadata = dir.symlink_metadata(path).map_err(|error| verdict(&error))?;
        if !metadata.is_symlink() {
            return Err(FileVerdict::NotALink(name_of(metadata.file_type())));
        }
        dir.read_link_contents(path).map_err(|error| verdict(&error))
    }
}

impl Names {
    /// The names in a folder of the content at `path`. Those after the first [`MAX_ENTRIES`] of all
    /// folders are left out.
    fn of(&mut self, dir: &Dir, path: &Path, folder: &Path) -> &HashMap<Vec<u8>, Vec<OsString>> {
        let Self { folders, count, limit } = self;
        folders.entry(folder.to_owned()).or_insert_with(|| {
            let mut names: HashMap<_, Vec<_>> = HashMap::new();
            for entry in entries_of(dir, folder) {
                let name = entry.file_name();
                if *count == MAX_ENTRIES {
                    let (kind, at) = (SearchLimitKind::Entries, join(path, folder).join(name));
                    limit.get_or_insert(SearchLimit { kind, max: MAX_ENTRIES, at });
                    break;
                }
                names.entry(folded(name.as_encoded_bytes())).or_default().push(name);
                *count += 1;
            }
            names
        })
    }
}

fn name_of(file_type: FileType) -> &'static str {
    match file_type {
        _ if file_type.is_dir() => "a folder",
        _ if file_type.is_symlink() => "a link",
        _ if file_type.is_file() => "a file",
        _ => "a special file",
    }
}

/// The verdict on a file for which the system reports this error.
fn verdict(error: &io::Error) -> FileVerdict {
    match error.kind() {
        // If a parent is a file instead of a folder, or a name is too long for the file system, the
        // path does not exist.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
            FileVerdict::Missing
        }
        _ if is_escape(error) => FileVerdict::EscapesRoot,
        _ => FileVerdict::Unreadable(error.to_string()),
    }
}

/// Whether cap-std refused to leave the root. Its error does not come from the operating system, so
/// it has no error code.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
