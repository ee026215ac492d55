//! The files in which content is searched for, and reading them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cap_std::fs::Dir;

use super::Folders;
use crate::Torrent;
use crate::folders::listing::{Entry, FileId, Listing, Search, SearchLimit, folded};
use crate::folders::{followed, join, open_folder, to_read};

/// The size of a read, in bytes: a multiple of a block of v2. Little more than a piece is read of a
/// file that is soon found to be another one.
const PORTION: u64 = 256 << 10;

/// The maximum number of bytes at the beginning of a file that are kept while it is open.
pub(crate) const MAX_HEAD: u64 = 16 << 20;

/// A folder: the index of the folder in the library that it is beneath, and its index there.
pub(crate) type FolderId = (usize, u32);

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
        let is_cut = Cell::new(false);
        let library = Self { folders, search, goes_on, groups, bytes_read, is_cut };
        // Listing may have been cancelled, after which there may be nothing to read.
        library.goes_on(0);
        library
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

    /// What identifies the folder of a file.
    pub(crate) fn folder_of(&self, (folder, entry): CopyId) -> FolderId {
        (folder, self.folders[folder].2.folder_of(entry))
    }

    /// How many folders above a copy have the names that a file of a torrent has above it, the
    /// torrent's name included.
    pub(crate) fn agreeing(&self, (folder, entry): CopyId, names: &[Vec<u8>]) -> usize {
        self.folders[folder].2.agreeing(entry, names)
    }

    /// Opens a file, which must be regular still.
    pub(crate) fn open(&self, copy: CopyId) -> Option<Reader<'_, 'f>> {
        let (folder, entry) = copy;
        let (path, dir, listing) = &self.folders[folder];
        let inside = listing.path_of(entry);
        let mut file = dir.open_with(&inside, &to_read());
        if self.search.follows_links && file.is_err() {
            let (dir, name) = followed(&join(path, &inside)).ok()?;
            file = dir.open_with(name, &to_read());
        }
        self.reader(file.ok()?.into_std())
    }

    /// Reads an open file, which must be regular.
    pub(crate) fn reader(&self, file: File) -> Option<Reader<'_, 'f>> {
        let metadata = file.metadata().ok().filter(|metadata| metadata.is_file())?;
        Some(Reader { library: self, file, length: metadata.len(), head: Vec::new() })
    }
}

/// An open file. The head that it keeps is read once.
pub(crate) struct Reader<'l, 'f> {
    library: &'l Library<'f>,
    file: File,
    length: u64,
    head: Vec<u8>,
}

impl Reader<'_, '_> {
    /// The length of the file.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether the search was cancelled.
    pub(crate) fn is_cut(&self) -> bool {
        self.library.is_cut()
    }

    /// The first bytes of the file, which are kept, if they are not too many. The search may be
    /// cancelled.
    pub(crate) fn head(&mut self, end: u64) -> Option<&[u8]> {
        if end > MAX_HEAD || end > self.length {
            return None;
        }
        let from = self.head.len() as u64;
        if from < end {
            let mut head = std::mem::take(&mut self.head);
            head.reserve_exact((end - from) as usize);
            let read = self.read(from..end, &mut |bytes| {
                head.extend_from_slice(bytes);
                Some(())
            });
            self.head = head;
            read?;
        }
        Some(&self.head[..end as usize])
    }

    /// A range of the file. It is kept if it is close to what is kept.
    pub(crate) fn window(&mut self, bytes: Range<u64>) -> Option<Cow<'_, [u8]>> {
        if self.is_close(&bytes) && bytes.end <= MAX_HEAD {
            let Range { start, end } = bytes;
            return self.head(end).map(|head| Cow::Borrowed(&head[start as usize..]));
        }
        let mut window = Vec::with_capacity((bytes.end - bytes.start) as usize);
        self.read(bytes, &mut |portion| {
            window.extend_from_slice(portion);
            Some(())
        })?;
        Some(Cow::Owned(window))
    }

    /// Whether little is between what is kept and a range.
    pub(crate) fn is_close(&self, bytes: &Range<u64>) -> bool {
        bytes.start <= self.head.len() as u64 + PORTION
    }

    /// Passes a range of the file to a function, in portions. Returns `None` if it cannot be read,
    /// the search is cancelled, or the function returns `None`.
    pub(crate) fn read(
        &mut self,
        bytes: Range<u64>,
        to: &mut dyn FnMut(&[u8]) -> Option<()>,
    ) -> Option<()> {
        let kept = (self.head.len() as u64).clamp(bytes.start, bytes.end);
        for portion in self.head.get(bytes.start as usize..kept as usize).into_iter() {
            portion.chunks(PORTION as usize).try_for_each(&mut *to)?;
        }
        if kept == bytes.end {
            return Some(());
        }
        self.file.seek(SeekFrom::Start(kept)).ok()?;
        let (mut left, mut portion) = (bytes.end - kept, Vec::new());
        while left > 0 {
            portion.clear();
            let now = left.min(PORTION);
            self.file.by_ref().take(now).read_to_end(&mut portion).ok()?;
            if portion.len() as u64 != now || !self.library.goes_on(now) {
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

/// The names of the folders above a file of a torrent for comparisons, the innermost first, with
/// the torrent's name.
pub(crate) fn names_above(torrent: &Torrent, file: &crate::File) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = file.path().components().map(folded).collect();
    names.pop();
    if !torrent.is_single_file() {
        names.insert(0, folded(torrent.name().as_bytes()));
    }
    names.reverse();
    names
}
