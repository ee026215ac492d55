//! The files in which content is searched for, and reading them.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cap_std::fs::Dir;

use super::Folders;
use crate::find::{Entry, FileId, Listing, Search, SearchLimit, folded};
use crate::folders::{followed, join, open_folder, to_read};

/// The size of a read, in bytes: a multiple of a block of v2. Little more than a piece is read of a
/// file that is soon found to be another one.
const PORTION: u64 = 256 << 10;

/// A file on disk: the index of its folder in the library, and its entry there.
pub(crate) type CopyId = (usize, Entry);

/// The files of several folders. Reading counts the bytes.
pub(crate) struct Library<'f> {
    folders: Vec<(&'f Path, Dir, &'f Listing)>,
    search: Search<'f>,
    goes_on: &'f dyn Fn(u64) -> bool,
    /// The files of each length.
    groups: RefCell<HashMap<u64, Rc<Group>>>,
    bytes_read: Cell<u64>,
    is_cut: Cell<bool>,
}

/// The files of one length, sorted by path. Several hard links to a file are one file.
#[derive(Default)]
pub(crate) struct Group {
    pub(crate) copies: Vec<CopyId>,
    pub(crate) ids: HashMap<CopyId, Option<FileId>>,
    pub(crate) by_name: HashMap<Vec<u8>, Vec<CopyId>>,
}

impl<'f> Library<'f> {
    /// Lists the folders, unless that was done before. `goes_on` gets the number of bytes read
    /// since its last call, and returns `false` if the search is cancelled.
    pub(crate) fn new(
        folders: &'f Folders<'_>,
        search: Search<'f>,
        goes_on: &'f dyn Fn(u64) -> bool,
    ) -> Self {
        let folders = folders.paths().filter_map(|path| {
            Some((path, open_folder(path).ok()?, folders.listing(path, search)?))
        });
        let folders = folders.collect();
        let (groups, bytes_read) = (RefCell::default(), Cell::new(0));
        Self { folders, search, goes_on, groups, bytes_read, is_cut: Cell::new(false) }
    }

    /// Reports progress, and returns whether the search is to go on.
    pub(crate) fn goes_on(&self, bytes: u64) -> bool {
        self.bytes_read.set(self.bytes_read.get() + bytes);
        let goes_on = (self.goes_on)(bytes);
        self.is_cut.set(self.is_cut.get() || !goes_on);
        goes_on
    }

    /// Whether the search was cancelled.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    pub(crate) fn bytes_read(&self) -> u64 {
        self.bytes_read.get()
    }

    /// The limits that listing the folders has reached.
    pub(crate) fn limits(&self) -> impl Iterator<Item = SearchLimit> {
        self.folders.iter().flat_map(|(_, _, listing)| listing.limits.iter().cloned())
    }

    /// The files of a length.
    pub(crate) fn of_length(&self, length: u64) -> Rc<Group> {
        if let Some(known) = self.groups.borrow().get(&length) {
            return Rc::clone(known);
        }
        let (mut group, mut all) = (Group::default(), Vec::new());
        for (nth, (_, dir, listing)) in self.folders.iter().enumerate() {
            let goes_on = || self.goes_on(0);
            all.extend(listing.of_length_of(dir, length, &goes_on).iter().map(|&at| (nth, at)));
        }
        all.sort_by_cached_key(|&(nth, entry)| (nth, self.folders[nth].2.path_of(entry)));
        let mut seen = HashSet::new();
        for copy in all {
            let id = self.id_of(copy);
            // Roots may overlap, too.
            if id.is_none_or(|id| seen.insert(id)) {
                group.copies.push(copy);
                group.ids.insert(copy, id);
                group.by_name.entry(self.name_of(copy)).or_default().push(copy);
            }
        }
        let group = Rc::new(group);
        self.groups.borrow_mut().insert(length, Rc::clone(&group));
        group
    }

    /// All files but these, with their lengths: the number and bytes of all of them, each inode
    /// once, and the others by path. Another name of one of these files is none of the others.
    pub(crate) fn others(&self, used: &HashSet<CopyId>) -> (u64, u64, Vec<(PathBuf, u64)>) {
        let used_ids: HashSet<FileId> = used.iter().filter_map(|&it| self.id_of(it)).collect();
        let (mut files, mut bytes, mut others) = (0, 0, Vec::new());
        let (mut ids, mut paths) = (HashSet::new(), HashSet::new());
        for (nth, (_, dir, listing)) in self.folders.iter().enumerate() {
            for entry in 0..listing.len() {
                if !self.goes_on(0) {
                    return (files, bytes, Vec::new());
                }
                let copy = (nth, entry);
                let Some((length, id)) = listing.about(dir, entry) else { continue };
                let path = self.path_of(copy);
                if !id.map_or_else(|| paths.insert(path.clone()), |id| ids.insert(id)) {
                    continue;
                }
                files += 1;
                bytes += length;
                if !used.contains(&copy) && id.is_none_or(|id| !used_ids.contains(&id)) {
                    others.push((path, length));
                }
            }
        }
        others.sort();
        (files, bytes, others)
    }

    /// The folders.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(|(path, _, _)| *path)
    }

    /// The files with this name for comparisons, whatever their lengths are.
    pub(crate) fn named(&self, name: &[u8]) -> impl Iterator<Item = CopyId> {
        self.folders.iter().enumerate().flat_map(move |(nth, (_, _, listing))| {
            listing.named_entries(name).map(move |entry| (nth, entry))
        })
    }

    /// What identifies a file, if the system says so.
    pub(crate) fn id_of(&self, (folder, entry): CopyId) -> Option<FileId> {
        let (_, dir, listing) = &self.folders[folder];
        listing.id_of(dir, entry)
    }

    /// The name of a file for comparisons.
    pub(crate) fn name_of(&self, (folder, entry): CopyId) -> Vec<u8> {
        self.folders[folder].2.name_of(entry)
    }

    /// The absolute path of a file.
    pub(crate) fn path_of(&self, (folder, entry): CopyId) -> PathBuf {
        let (path, _, listing) = &self.folders[folder];
        let path = join(path, &listing.path_of(entry));
        std::path::absolute(&path).unwrap_or(path)
    }

    /// Opens a file, which must be regular still.
    pub(crate) fn open(&self, (folder, entry): CopyId) -> Option<File> {
        let (path, dir, listing) = &self.folders[folder];
        let inside = listing.path_of(entry);
        let mut file = dir.open_with(&inside, &to_read());
        if self.search.follows_links && file.is_err() {
            let (dir, name) = followed(&join(path, &inside)).ok()?;
            file = dir.open_with(name, &to_read());
        }
        let file = file.ok()?.into_std();
        file.metadata().is_ok_and(|metadata| metadata.is_file()).then_some(file)
    }

    /// Passes a range of an open file to a function, in portions. Returns `None` if it cannot be
    /// read, the search is cancelled, or the function returns `None`.
    pub(crate) fn read(
        &self,
        from: &mut File,
        bytes: std::ops::Range<u64>,
        to: &mut dyn FnMut(&[u8]) -> Option<()>,
    ) -> Option<()> {
        from.seek(SeekFrom::Start(bytes.start)).ok()?;
        let (mut left, mut portion) = (bytes.end - bytes.start, Vec::new());
        while left > 0 {
            portion.clear();
            let now = left.min(PORTION);
            from.by_ref().take(now).read_to_end(&mut portion).ok()?;
            if portion.len() as u64 != now || !self.goes_on(now) {
                return None;
            }
            to(&portion)?;
            left -= now;
        }
        Some(())
    }
}

/// The name of a file of a torrent for comparisons.
pub(crate) fn name_of(file: &crate::File) -> Vec<u8> {
    folded(file.path().file_name())
}
