//! The files and folders beneath a folder, and what is known of them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cap_std::fs::{Dir, DirEntry, FileType, Metadata};
use unicode_normalization::UnicodeNormalization;

use crate::folders::{entries_of, followed, join, open_ambient};
use crate::state::stamp::Stamp;

/// The maximum depth of the folders that are listed.
const MAX_DEPTH: usize = 8;

/// The maximum number of files and folders that are listed beneath a folder. They take about
/// 200 MB.
pub(crate) const MAX_ENTRIES: usize = 2_500_000;

/// A limit that a search for content has reached. What is beyond it may be called missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchLimit {
    /// What there are more of.
    pub kind: SearchLimitKind,
    /// The number that was searched.
    pub max: usize,
    /// The first file or folder that was not searched.
    pub at: PathBuf,
}

/// What a search has a limit for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SearchLimitKind {
    /// Files and folders in a download folder.
    Entries,
    /// Folders within folders.
    Depth,
    /// Files with the same name.
    SameName,
    /// Files with the same length as one that is only verified together with its neighbours.
    SameLength,
    /// Combinations of files that may have a piece together.
    Combinations,
    /// Bytes that are hashed to find out which of several files of one length is which.
    Bytes,
}

/// How the content is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Search<'s> {
    pub(crate) follows_links: bool,
    /// Whether it is to go on.
    pub(crate) goes_on: &'s dyn Fn() -> bool,
}

/// The files and folders beneath a folder. Links are followed only on demand.
pub(crate) struct Listing {
    /// The first is the folder itself. Paths are relative to it.
    folders: Vec<Folder>,
    /// The files, by the hash of the name for comparisons.
    files: Vec<Listed>,
    /// The limits that were reached.
    pub(crate) limits: Vec<SearchLimit>,
    /// The folder that was listed, and whether links in it were followed.
    root: PathBuf,
    follows_links: bool,
    /// The files of each length, once they are searched by content.
    by_length: OnceLock<HashMap<u64, Vec<Entry>>>,
}

/// The index of a file in a listing.
pub(crate) type Entry = u32;

struct Folder {
    path: PathBuf,
    /// Its name for comparisons.
    name: Vec<u8>,
    parent: Option<u32>,
}

/// A file. There may be millions of them.
struct Listed {
    hash: u64,
    folder: u32,
    name: Box<OsStr>,
}

/// A name for comparisons without letter case. macOS decomposes letters with accents, and other
/// systems do not, so both forms are equal.
pub(crate) fn folded(name: &[u8]) -> Vec<u8> {
    match str::from_utf8(name) {
        Ok(text) if !text.is_ascii() => {
            text.nfd().flat_map(char::to_lowercase).nfc().collect::<String>().into_bytes()
        }
        _ => name.to_ascii_lowercase(),
    }
}

pub(crate) fn folded_os(name: &OsStr) -> Vec<u8> {
    folded(name.as_encoded_bytes())
}

/// A hash of a name without letter case.
fn hash_of(name: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

impl Listing {
    /// Lists a folder, the entries closest to it first. Unreadable folders are skipped. If links
    /// are followed, a folder to which several lead is listed once, so that loops end.
    pub(crate) fn new(dir: &Dir, path: &Path, search: Search<'_>) -> Self {
        // `.` has a name only after it is resolved.
        let name = path.canonicalize().ok().and_then(|path| path.file_name().map(folded_os));
        let name = name.unwrap_or_default();
        let top = Folder { path: PathBuf::new(), name, parent: None };
        let (root, follows_links) = (path.to_owned(), search.follows_links);
        let (folders, files, limits) = (vec![top], Vec::new(), Vec::new());
        let by_length = OnceLock::new();
        let mut listing = Self { folders, files, limits, root, follows_links, by_length };
        let root = path;
        let mut seen: HashSet<PathBuf> = HashSet::new();
        let (mut due, mut entries) = (VecDeque::from([(0, 0)]), 0);
        'listing: while let Some((folder, depth)) = due.pop_front() {
            let path = listing.folders[folder as usize].path.clone();
            let entries_here: Box<dyn Iterator<Item = DirEntry>> = if follows_links {
                let full = join(root, &path);
                // Several links may lead to a folder, also to one around it.
                if !full.canonicalize().is_ok_and(|real| seen.insert(real)) {
                    continue;
                }
                let dir = open_ambient(&full).ok();
                Box::new(dir.into_iter().flat_map(|dir| entries_of(&dir, Path::new(""))))
            } else {
                Box::new(entries_of(dir, &path))
            };
            for entry in entries_here {
                if !(search.goes_on)() {
                    break 'listing;
                }
                let name = entry.file_name();
                let place = || join(root, &path).join(&name);
                if entries == MAX_ENTRIES {
                    listing.add_limit(SearchLimitKind::Entries, MAX_ENTRIES, place());
                    break 'listing;
                }
                entries += 1;
                let mut kind = entry.file_type();
                if follows_links && kind.as_ref().is_ok_and(FileType::is_symlink) {
                    let followed = followed(&place()).and_then(|(dir, name)| dir.metadata(name));
                    kind = followed.map(|metadata| metadata.file_type());
                }
                match kind {
                    Ok(kind) if kind.is_dir() && depth < MAX_DEPTH => {
                        due.push_back((listing.folders.len() as u32, depth + 1));
                        let (path, name) = (path.join(&name), folded_os(&name));
                        listing.folders.push(Folder { path, name, parent: Some(folder) });
                    }
                    Ok(kind) if kind.is_dir() => {
                        listing.add_limit(SearchLimitKind::Depth, MAX_DEPTH, place());
                    }
                    Ok(kind) if kind.is_file() => {
                        let hash = hash_of(&folded_os(&name));
                        listing.files.push(Listed { hash, folder, name: name.into() });
                    }
                    _ => {}
                }
            }
        }
        // This keeps the order of files with the same name.
        listing.files.sort_by_key(|file| file.hash);
        listing
    }

    /// Records a limit, unless it was reached before.
    fn add_limit(&mut self, kind: SearchLimitKind, max: usize, at: PathBuf) {
        if !self.limits.iter().any(|limit| limit.kind == kind) {
            self.limits.push(SearchLimit { kind, max, at });
        }
    }

    fn path_of_listed(&self, file: &Listed) -> PathBuf {
        self.folders[file.folder as usize].path.join(&*file.name)
    }

    /// The path of a file beneath the folder.
    pub(crate) fn path_of(&self, entry: Entry) -> PathBuf {
        self.path_of_listed(&self.files[entry as usize])
    }

    /// The folder of a file, as an index.
    pub(crate) fn folder_of(&self, entry: Entry) -> u32 {
        self.files[entry as usize].folder
    }

    /// The folder that was listed.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The name of the folder that was listed, for comparisons.
    pub(crate) fn root_name(&self) -> &[u8] {
        &self.folders[0].name
    }

    /// The folder above these folders, which are for comparisons, the innermost first, if they are
    /// above a file.
    pub(crate) fn above(&self, entry: Entry, names: &[Vec<u8>]) -> Option<&Path> {
        let mut folder = &self.folders[self.folder_of(entry) as usize];
        for name in names {
            folder = &self.folders[folder.parent.filter(|_| folder.name == *name)? as usize];
        }
        Some(&folder.path)
    }

    /// How many names of folders above a file are these, which are for comparisons, the innermost
    /// first.
    pub(crate) fn agreeing(&self, entry: Entry, names: &[Vec<u8>]) -> usize {
        let mut folder = Some(self.folder_of(entry));
        let agrees = |name: &&Vec<u8>| {
            let above = folder.map(|above| &self.folders[above as usize]);
            folder = above.and_then(|above| above.parent);
            above.is_some_and(|above| above.name == **name)
        };
        names.iter().take_while(agrees).count()
    }

    /// The number of files.
    pub(crate) fn len(&self) -> Entry {
        self.files.len() as Entry
    }

    /// The length of a file, and what identifies it, if the system says so.
    pub(crate) fn about(&self, dir: &Dir, entry: Entry) -> Option<(u64, Option<FileId>)> {
        self.regular(dir, &self.path_of(entry))
    }

    /// The name of a file for comparisons.
    pub(crate) fn name_of(&self, entry: Entry) -> Vec<u8> {
        folded_os(&self.files[entry as usize].name)
    }

    /// What identifies a file, if the system says so.
    pub(crate) fn id_of(&self, dir: &Dir, entry: Entry) -> Option<FileId> {
        self.regular(dir, &self.path_of(entry)).and_then(|(_, id)| id)
    }

    /// The files with this name for comparisons.
    pub(crate) fn named_entries(&self, name: &[u8]) -> impl Iterator<Item = Entry> {
        let hash = hash_of(name);
        let first = self.files.partition_point(|file| file.hash < hash);
        let end = self.files.partition_point(|file| file.hash <= hash);
        let equal = move |&entry: &usize| folded_os(&self.files[entry].name) == name;
        (first..end).filter(equal).map(|entry| entry as Entry)
    }

    /// The files of this length. All files are looked at once. `dir` is the folder that was listed.
    pub(crate) fn of_length_of(
        &self,
        dir: &Dir,
        length: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> &[Entry] {
        let by_length = self.by_length.get_or_init(|| {
            let mut by_length: HashMap<u64, Vec<Entry>> = HashMap::new();
            for entry in 0..self.files.len() as Entry {
                if !goes_on() {
                    break;
                }
                if let Some((length, _)) = self.regular(dir, &self.path_of(entry)) {
                    by_length.entry(length).or_default().push(entry);
                }
            }
            by_length
        });
        by_length.get(&length).map_or(&[], Vec::as_slice)
    }

    /// The length of a regular file and what identifies it, if the system says so.
    pub(crate) fn regular(&self, dir: &Dir, path: &Path) -> Option<(u64, Option<FileId>)> {
        let mut metadata = dir.symlink_metadata(path).ok();
        if self.follows_links && metadata.as_ref().is_none_or(Metadata::is_symlink) {
            let (dir, name) = followed(&self.root.join(path)).ok()?;
            metadata = dir.metadata(name).ok();
        }
        let metadata = metadata?;
        let stamp = Stamp::of(&metadata);
        let id = (stamp.device, stamp.inode);
        metadata.is_file().then(|| (metadata.len(), (id != (0, 0)).then_some(id)))
    }
}

/// The device and inode of a file.
pub(crate) type FileId = (u64, u64);
