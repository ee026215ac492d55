//! Finds files of a torrent by their content, whatever their names and folders are.
//!
//! Only files of a wanted length are read, once for a v2 root. v1 has no hash of a whole file:
//! pieces inside a file prove it, and pieces at the borders of files prove combinations of them.
//! Copies that are damaged in different places may have all pieces together.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use cap_std::fs::Dir;
use hash_lanes::Backend;
use merkle_lanes::bep52::{Bep52, FileHasher, Hash, hash_blocks};
use sha1_multi::ManyHasher;

use crate::content::Folders;
use crate::find::{Entry, FileId, Listing, Search, SearchLimit, SearchLimitKind, folded};
use crate::folders::{followed, join, open_folder, to_read};
use crate::root::Root;
use crate::survey::Survey;
use crate::verdict::{FileVerdict, PieceVerdict};
use crate::{FileKind, Segment, Torrent};

/// The maximum number of places that are listed for a file.
const MAX_PLACES: usize = 16;

/// The maximum number of damaged copies of a file that are read.
const MAX_COPIES: usize = 16;

/// The maximum number of pieces of files of a wanted length that are hashed to find files of v1.
/// After that, only files with the right name are compared.
const MAX_TESTS: usize = 1 << 20;

/// The maximum number of combinations of files that are tried for a piece.
const MAX_COMBINATIONS: usize = 1024;

/// The size of a read, in bytes: a multiple of a block of v2.
const PORTION: usize = 1 << 20;

/// A file that is not whole, and pieces of it that are good.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartialCopy {
    /// Its path: relative to the content's folder, or absolute if it is elsewhere.
    pub path: PathBuf,
    /// Runs of pieces that are good in it, and neither in the file's place nor in a copy before it.
    pub pieces: Vec<Range<u64>>,
}

/// Where the content of files that are not good in their places was found.
#[derive(Default)]
pub(crate) struct Found {
    /// Whole files, and how many more there are.
    pub(crate) whole: BTreeMap<usize, (Arc<[PathBuf]>, usize)>,
    pub(crate) copies: BTreeMap<usize, Vec<PartialCopy>>,
    /// The files of which no piece has the bytes alone, and that were not found, in ascending
    /// order.
    pub(crate) unsearchable: Vec<usize>,
    /// The number of pieces that are good in whole files or copies, but not in place.
    pub(crate) pieces: u64,
    pub(crate) limits: Vec<SearchLimit>,
}

/// A file on disk: the index of its folder in the library, and its entry there.
type Copy = (usize, Entry);

/// What may have the content of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The file in its place.
    Own,
    Copy(Copy),
}

struct Finder<'f, 's> {
    survey: &'f Survey<'s>,
    torrent: &'f Torrent,
    root: &'f Root,
    folders: Vec<(&'f Path, Dir, &'f Listing)>,
    /// The absolute path of the content's folder.
    content: PathBuf,
    backend: Backend,
    search: Search<'f>,
    goes_on: &'f dyn Fn(u64) -> bool,
    found: Found,
    /// The pieces that were found.
    proven: HashSet<u64>,
    /// The files of each length.
    groups: RefCell<HashMap<u64, Rc<Group>>>,
}

/// The files of one length. Several hard links to a file are one file.
#[derive(Default)]
struct Group {
    copies: Vec<Copy>,
    ids: HashMap<Copy, Option<FileId>>,
    by_name: HashMap<Vec<u8>, Vec<Copy>>,
}

/// Searches folders for the content of files that are not good in their places.
///
/// `goes_on` gets the number of bytes read since its last call, and returns `false` if the check is
/// cancelled.
pub(crate) fn find(
    survey: &Survey<'_>,
    root: &Root,
    folders: &Folders<'_>,
    verdicts: (&[FileVerdict], &[PieceVerdict]),
    backend: Backend,
    search: Search<'_>,
    goes_on: &dyn Fn(u64) -> bool,
) -> Found {
    let torrent = survey.torrent;
    let is_wanted = |&file: &usize| {
        let known = [FileVerdict::Good, FileVerdict::Skipped, FileVerdict::Pad];
        let listed = &torrent.files()[file];
        *listed.kind() == FileKind::Data
            && listed.length() > 0
            && !known.contains(&verdicts.0[file])
    };
    let wanted: Vec<usize> = (0..torrent.files().len()).filter(is_wanted).collect();
    if wanted.is_empty() {
        return Found::default();
    }
    let folders = folders
        .paths()
        .filter_map(|path| Some((path, open_folder(path).ok()?, folders.listing(path, search)?)));
    let content = root.content.path();
    let finder = Finder {
        survey,
        torrent,
        root,
        folders: folders.collect(),
        content: std::path::absolute(content).unwrap_or_else(|_| content.to_owned()),
        backend,
        search,
        goes_on,
        found: Found::default(),
        proven: HashSet::new(),
        groups: RefCell::default(),
    };
    finder.run(&wanted, verdicts)
}

impl Finder<'_, '_> {
    fn run(mut self, wanted: &[usize], verdicts: (&[FileVerdict], &[PieceVerdict])) -> Found {
        let is_due = |piece: u64| {
            let verdict = verdicts.1[piece as usize];
            !verdict.is_good() && verdict != PieceVerdict::Skipped
        };
        for (_, _, listing) in &self.folders {
            self.found.limits.extend_from_slice(&listing.limits);
        }
        if wanted.iter().any(|&file| self.torrent.files()[file].pieces_root().is_some()) {
            self.by_root(wanted, verdicts.0, &is_due);
        } else {
            self.by_piece(wanted, &is_due);
        }
        self.found.pieces = self.proven.len() as u64;
        self.found
    }

    /// Adds a limit, unless it was reached before.
    fn add_limit(&mut self, kind: SearchLimitKind, max: usize, at: PathBuf) {
        if !self.found.limits.iter().any(|limit| limit.kind == kind && limit.max == max) {
            self.found.limits.push(SearchLimit { kind, max, at });
        }
    }

    /// Finds files of v2 and hybrids by their roots, and then damaged copies by their pieces.
    fn by_root(
        &mut self,
        wanted: &[usize],
        verdicts: &[FileVerdict],
        is_due: &dyn Fn(u64) -> bool,
    ) {
        let torrent = self.torrent;
        // Files that are good in their places have known roots.
        let good = (0..torrent.files().len()).filter(|&file| verdicts[file] == FileVerdict::Good);
        let known: HashMap<FileId, Option<Hash>> = good
            .filter_map(|file| {
                let stamp = self.survey.stamp(file)?;
                Some(((stamp.device, stamp.inode), torrent.files()[file].pieces_root()))
            })
            .filter(|(id, _)| *id != (0, 0))
            .collect();
        // The files of each length and root. Identical files share one list of places.
        let mut lengths: BTreeMap<u64, HashMap<Hash, Vec<usize>>> = BTreeMap::new();
        for &file in wanted {
            let listed = &torrent.files()[file];
            if let Some(root) = listed.pieces_root() {
                lengths.entry(listed.length()).or_default().entry(root).or_default().push(file);
            }
        }
        for (length, roots) in lengths {
            let mut places: HashMap<Hash, Vec<Copy>> = HashMap::new();
            let group = self.of_length(length);
            for &copy in &group.copies {
                if !(self.goes_on)(0) {
                    return;
                }
                let id = group.ids[&copy];
                let root = match id.and_then(|id| known.get(&id)) {
                    Some(known) => *known,
                    None => self.pieces_root(copy),
                };
                if let Some(root) = root.filter(|root| roots.contains_key(root)) {
                    places.entry(root).or_default().push(copy);
                }
            }
            for (root, files) in roots {
                let Some(copies) = places.get(&root) else {
                    files.iter().for_each(|&file| self.damaged_copies(file, is_due));
                    continue;
                };
                let (listed, more) = self.listed(copies);
                for file in files {
                    let pieces = torrent.pieces().of_file(file);
                    self.proven.extend(pieces.filter(|piece| is_due(*piece)));
                    self.found.whole.insert(file, (Arc::clone(&listed), more));
                }
            }
        }
    }

    /// Finds the good pieces of a file of v2 in files of its length or its name.
    fn damaged_copies(&mut self, file: usize, is_due: &dyn Fn(u64) -> bool) {
        let own = self.torrent.pieces().of_file(file);
        let mut copies = self.ranked(file);
        if own.end - own.start < 2 || self.torrent.files()[file].hashes().is_none() {
            return;
        }
        let samples = [own.start, own.start + (own.end - own.start) / 2, own.end - 1];
        let is_good = |copy: Copy, piece: u64| self.is_good(piece, &|_| Some(Source::Copy(copy)));
        copies.retain(|&copy| samples.iter().any(|&piece| is_good(copy, piece)));
        let mut origins: BTreeMap<u64, Copy> = BTreeMap::new();
        for piece in own.filter(|piece| is_due(*piece)) {
            if let Some(at) = copies.iter().position(|&copy| is_good(copy, piece)) {
                origins.insert(piece, copies[at]);
                // It likely has the next piece, too.
                copies[..=at].rotate_right(1);
            }
        }
        self.add_copies(file, &origins);
    }

    /// Records in which copies pieces of a file are.
    fn add_copies(&mut self, file: usize, origins: &BTreeMap<u64, Copy>) {
        let mut copies: Vec<(Copy, Vec<Range<u64>>)> = Vec::new();
        for (&piece, &copy) in origins {
            self.proven.insert(piece);
            let at = copies.iter().position(|(known, _)| *known == copy).unwrap_or_else(|| {
                copies.push((copy, Vec::new()));
                copies.len() - 1
            });
            match copies[at].1.last_mut() {
                Some(run) if run.end == piece => run.end += 1,
                _ => copies[at].1.push(piece..piece + 1),
            }
        }
        let copies = copies.into_iter();
        let copies: Vec<_> =
            copies.map(|(copy, pieces)| PartialCopy { path: self.shown(copy), pieces }).collect();
        if !copies.is_empty() {
            self.found.copies.insert(file, copies);
        }
    }

    /// Finds files of v1 by the pieces inside them, and then by those at their borders.
    fn by_piece(&mut self, wanted: &[usize], is_due: &dyn Fn(u64) -> bool) {
        let torrent = self.torrent;
        // The files whose own pieces are all good, and those that have some good ones.
        let mut whole: HashMap<usize, (Vec<Copy>, usize)> = HashMap::new();
        let mut partial: HashMap<usize, Vec<(Copy, HashSet<u64>)>> = HashMap::new();
        let mut samples = Samples::default();
        for &file in wanted {
            let own: Vec<u64> =
                torrent.pieces().of_file(file).filter(|&piece| self.is_own(piece, file)).collect();
            let Some(&first) = own.first() else { continue };
            let ends = [own[own.len() / 2], own[own.len() - 1]];
            for sample in [first, ends[0], ends[1]] {
                if whole.contains_key(&file) {
                    break;
                }
                let (alike, more) = samples.alike(self, file, sample);
                for copy in alike {
                    if !(self.goes_on)(0) {
                        return;
                    }
                    let known = partial.get(&file).into_iter().flatten();
                    if known.clone().any(|(known, _)| *known == copy) {
                        continue;
                    }
                    let mut good = own.clone();
                    good.retain(|&piece| {
                        piece == sample || self.is_good(piece, &|_| Some(Source::Copy(copy)))
                    });
                    if good.len() == own.len() {
                        let whole = whole.entry(file).or_insert((Vec::new(), 0));
                        whole.0.push(copy);
                        // With several pieces, the others are only likely.
                        whole.1 = if own.len() == 1 { more } else { 0 };
                    } else {
                        partial.entry(file).or_default().push((copy, good.into_iter().collect()));
                    }
                }
            }
            if whole.contains_key(&file) {
                self.proven.extend(own.into_iter().filter(|piece| is_due(*piece)));
            }
        }
        // What the pieces at borders have proven.
        let mut assigned: HashMap<usize, Source> = HashMap::new();
        let mut origins: HashMap<usize, BTreeMap<u64, Source>> = HashMap::new();
        let mut borders: Vec<u64> = wanted
            .iter()
            .flat_map(|&file| torrent.pieces().of_file(file).map(move |piece| (file, piece)))
            .filter(|&(file, piece)| is_due(piece) && !self.is_own(piece, file))
            .map(|(_, piece)| piece)
            .collect();
        borders.sort_unstable();
        borders.dedup();
        let is_wanted: HashSet<usize> = wanted.iter().copied().collect();
        for piece in borders {
            if !(self.goes_on)(0) {
                return;
            }
            let parts: Vec<usize> = torrent.parts(piece).map(|part| part.file).collect();
            let sources: Vec<Vec<Source>> = parts
                .iter()
                .map(|file| {
                    let mut sources: Vec<Source> =
                        assigned.get(file).copied().into_iter().collect();
                    let copies = |copies: Vec<Copy>| copies.into_iter().map(Source::Copy);
                    sources.extend(self.survey.place(*file).map(|_| Source::Own));
                    if let Some((whole, _)) = whole.get(file) {
                        sources.extend(copies(whole.clone()));
                    }
                    if is_wanted.contains(file) {
                        let known = partial.get(file).into_iter().flatten();
                        sources.extend(known.map(|(copy, _)| Source::Copy(*copy)));
                        sources.extend(copies(self.ranked(*file)));
                    }
                    let mut seen = Vec::new();
                    sources.retain(|it| !seen.contains(it) && (seen.push(*it), true).1);
                    sources
                })
                .collect();
            if let Some(combination) = self.combination(piece, &parts, &sources) {
                self.proven.insert(piece);
                for (file, source) in parts.into_iter().zip(combination) {
                    assigned.insert(file, source);
                    origins.entry(file).or_default().insert(piece, source);
                }
            }
        }
        // A copy is not whole if another one has a piece at a border.
        for (&file, (copies, _)) in &mut whole {
            let Some(proven) = origins.get(&file) else { continue };
            let is_good_at_borders = |copy: &Copy| {
                proven.iter().all(|(&piece, &source)| {
                    let source_of = |other: usize| match other == file {
                        true => Some(Source::Copy(*copy)),
                        false => origins.get(&other)?.get(&piece).copied(),
                    };
                    source == Source::Copy(*copy) || self.is_good(piece, &source_of)
                })
            };
            let (good, bad): (Vec<Copy>, Vec<Copy>) =
                copies.iter().partition(|copy| is_good_at_borders(copy));
            *copies = good;
            let own: HashSet<u64> =
                torrent.pieces().of_file(file).filter(|&it| self.is_own(it, file)).collect();
            let bad = bad.into_iter().map(|copy| (copy, own.clone()));
            partial.entry(file).or_default().extend(bad);
        }
        whole.retain(|_, (copies, _)| !copies.is_empty());
        for &file in wanted {
            let pieces = torrent.pieces().of_file(file);
            let has_own = pieces.clone().any(|piece| self.is_own(piece, file));
            let proven = origins.get(&file).cloned().unwrap_or_default();
            if let Some((copies, more)) = whole.get(&file) {
                // What the borders have proven comes first.
                let mut copies = copies.clone();
                if let Some(Source::Copy(copy)) = assigned.get(&file) {
                    copies.sort_by_key(|it| it != copy);
                }
                let listed = self.listed(&copies);
                self.found.whole.insert(file, (listed.0, listed.1 + more));
                continue;
            }
            let sources: Vec<Source> = proven.values().copied().collect();
            if let (false, [Source::Copy(copy), rest @ ..]) = (has_own, &sources[..])
                && sources.len() as u64 == pieces.end - pieces.start
                && rest.iter().all(|it| *it == Source::Copy(*copy))
            {
                let listed = self.listed(&[*copy]);
                self.found.whole.insert(file, listed);
                continue;
            }
            if !has_own {
                self.found.unsearchable.push(file);
            }
            let mut pieces: BTreeMap<u64, Copy> = BTreeMap::new();
            for (piece, source) in proven {
                if let Source::Copy(copy) = source {
                    pieces.insert(piece, copy);
                }
            }
            for (copy, good) in partial.get(&file).into_iter().flatten() {
                for &piece in good.iter().filter(|piece| is_due(**piece)) {
                    pieces.entry(piece).or_insert(*copy);
                }
            }
            self.add_copies(file, &pieces);
        }
    }

    /// The first sources of the files of a piece that together make it good.
    fn combination(
        &mut self,
        piece: u64,
        files: &[usize],
        sources: &[Vec<Source>],
    ) -> Option<Vec<Source>> {
        if sources.iter().any(Vec::is_empty) {
            return None;
        }
        let mut tries = 0;
        let mut test = |at: &[usize]| {
            tries += 1;
            let of_file = |file: usize| {
                let nth = files.iter().position(|it| *it == file)?;
                Some(sources[nth][at[nth]])
            };
            self.is_good(piece, &of_file)
        };
        let chosen = |at: &[usize]| {
            let pairs = at.iter().zip(sources);
            Some(pairs.map(|(&at, sources)| sources[at]).collect())
        };
        // Files that were moved together are likely at the same place in each list.
        let longest = sources.iter().map(Vec::len).max().unwrap_or(0);
        for nth in 0..longest {
            let at: Vec<usize> = sources.iter().map(|it| nth.min(it.len() - 1)).collect();
            if test(&at) {
                return chosen(&at);
            }
        }
        let mut at = vec![0; sources.len()];
        for _ in 0..MAX_COMBINATIONS {
            if test(&at) {
                return chosen(&at);
            }
            // The next combination.
            let mut place = 0;
            loop {
                let digit = at.get_mut(place)?;
                *digit += 1;
                if *digit < sources[place].len() {
                    break;
                }
                *digit = 0;
                place += 1;
            }
        }
        let first = self.torrent.files()[files[0]].path().to_path_buf();
        self.add_limit(SearchLimitKind::Combinations, MAX_COMBINATIONS, first);
        None
    }

    /// Whether a piece has bytes of this file alone, besides padding.
    fn is_own(&self, piece: u64, file: usize) -> bool {
        self.torrent.parts(piece).all(|part| part.file == file)
    }

    /// Files that may be a file of the torrent, or a damaged copy: the first of its length, with
    /// its name at first, and those with its name and another length. Its own place is none.
    fn ranked(&self, file: usize) -> Vec<Copy> {
        let listed = &self.torrent.files()[file];
        let group = self.of_length(listed.length());
        let name = folded(listed.path().file_name());
        let named = group.by_name.get(&name).into_iter().flatten();
        let mut copies: Vec<Copy> = named.take(MAX_COPIES).copied().collect();
        let others = group.copies.iter().take(2 * MAX_COPIES).filter(|copy| !copies.contains(copy));
        let others: Vec<Copy> = others.take(MAX_COPIES - copies.len()).copied().collect();
        copies.extend(others);
        let named = self.folders.iter().enumerate().flat_map(|(nth, (_, _, listing))| {
            listing.named_entries(&name).map(move |entry| (nth, entry))
        });
        let named: Vec<Copy> = named.take(MAX_COPIES).filter(|it| !copies.contains(it)).collect();
        copies.extend(named);
        copies.retain(|&copy| !self.is_place_of(file, copy));
        copies
    }

    /// Whether a copy is the file in its own place.
    fn is_place_of(&self, file: usize, copy: Copy) -> bool {
        let own = self.survey.stamp(file).map(|stamp| (stamp.device, stamp.inode));
        let own = own.filter(|id| *id != (0, 0));
        match own {
            Some(own) => self.id_of(copy) == Some(own),
            None => self.survey.place(file).is_some_and(|place| place.path == self.shown(copy)),
        }
    }

    /// The files of a length.
    fn of_length(&self, length: u64) -> Rc<Group> {
        if let Some(known) = self.groups.borrow().get(&length) {
            return Rc::clone(known);
        }
        let (mut group, mut seen) = (Group::default(), HashSet::new());
        for (nth, (_, dir, listing)) in self.folders.iter().enumerate() {
            for &entry in listing.of_length_of(dir, length, self.search.goes_on) {
                let copy = (nth, entry);
                let id = listing.id_of(dir, entry);
                // Roots may overlap, too.
                if id.is_none_or(|id| seen.insert(id)) {
                    group.copies.push(copy);
                    group.ids.insert(copy, id);
                    group.by_name.entry(self.name_of(copy)).or_default().push(copy);
                }
            }
        }
        let group = Rc::new(group);
        self.groups.borrow_mut().insert(length, Rc::clone(&group));
        group
    }

    fn id_of(&self, copy: Copy) -> Option<FileId> {
        let (folder, entry) = copy;
        let (_, dir, listing) = &self.folders[folder];
        listing.id_of(dir, entry)
    }

    fn name_of(&self, (folder, entry): Copy) -> Vec<u8> {
        self.folders[folder].2.name_of(entry)
    }

    /// The path of a copy as the report has it.
    fn shown(&self, (folder, entry): Copy) -> PathBuf {
        let (path, _, listing) = &self.folders[folder];
        let path = join(path, &listing.path_of(entry));
        let path = std::path::absolute(&path).unwrap_or(path);
        let inside = path.strip_prefix(&self.content).ok();
        let inside = inside.filter(|inside| !inside.as_os_str().is_empty());
        inside.map(Path::to_owned).unwrap_or(path)
    }

    /// The paths of the first copies, and the number of others.
    fn listed(&self, copies: &[Copy]) -> (Arc<[PathBuf]>, usize) {
        let first = copies.iter().take(MAX_PLACES).map(|&copy| self.shown(copy));
        let mut first: Vec<PathBuf> = first.collect();
        if copies.len() > 1 {
            first.sort();
        }
        (first.into(), copies.len().saturating_sub(MAX_PLACES))
    }

    /// Opens a copy, which must be a regular file still.
    fn open(&self, (folder, entry): Copy) -> Option<std::fs::File> {
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

    /// Passes a range of a file to a function, in portions.
    fn read(&self, source: Source, part: &Segment, to: &mut dyn FnMut(&[u8])) -> Option<()> {
        let mut from = match source {
            Source::Own => self.root.open(&self.survey.place(part.file)?.path).ok()?,
            Source::Copy(copy) => self.open(copy)?,
        };
        from.seek(SeekFrom::Start(part.offset)).ok()?;
        let (mut left, mut portion) = (part.length, Vec::new());
        while left > 0 {
            portion.clear();
            let now = left.min(PORTION as u64);
            from.by_ref().take(now).read_to_end(&mut portion).ok()?;
            if portion.len() as u64 != now || !(self.goes_on)(now) {
                return None;
            }
            to(&portion);
            left -= now;
        }
        Some(())
    }

    /// Whether a piece is good with these sources of its files.
    fn is_good(&self, piece: u64, source_of: &dyn Fn(usize) -> Option<Source>) -> bool {
        if let Some(v2) = self.torrent.v2_piece(piece) {
            let file = &self.torrent.files()[v2.file];
            let hasher = Bep52::new().with_backend(self.backend);
            let offset = v2.index * self.torrent.piece_length();
            let part = Segment { file: v2.file, offset, length: v2.length };
            let mut leaves = Vec::new();
            let read = source_of(v2.file).and_then(|source| {
                let to = &mut |bytes: &[u8]| leaves.extend(hash_blocks(&hasher, bytes));
                self.read(source, &part, to)
            });
            let hashes = file.hashes().filter(|_| read.is_some());
            return hashes.is_some_and(|it| it.verify_blocks(&hasher, v2.index, &leaves).is_ok());
        }
        self.v1_hash(piece, source_of)
            .is_some_and(|it| self.torrent.pieces().hash(piece) == Some(it))
    }

    /// The SHA-1 of a piece with these sources of its files.
    fn v1_hash(&self, piece: u64, source_of: &dyn Fn(usize) -> Option<Source>) -> Option<[u8; 20]> {
        let mut hasher = ManyHasher::with_backend(self.backend, 1);
        for part in self.torrent.pieces().segments(piece) {
            if *self.torrent.files()[part.file].kind() == FileKind::Pad {
                let mut left = part.length;
                while left > 0 {
                    let now = left.min(ZEROS.len() as u64);
                    hasher.update(0, &ZEROS[..now as usize]);
                    left -= now;
                }
            } else {
                self.read(source_of(part.file)?, &part, &mut |bytes| hasher.update(0, bytes))?;
            }
        }
        Some(hasher.finalize_one(0))
    }

    /// The pieces root of a copy, if it can be read.
    fn pieces_root(&self, copy: Copy) -> Option<Hash> {
        let piece_length = self.torrent.piece_length().try_into().ok()?;
        let mut file = self.open(copy)?;
        let mut hasher = FileHasher::new(Bep52::new().with_backend(self.backend), piece_length);
        let mut portion = Vec::new();
        while (self.goes_on)(portion.len() as u64) {
            portion.clear();
            file.by_ref().take(PORTION as u64).read_to_end(&mut portion).ok()?;
            if portion.is_empty() {
                return hasher.finish().pieces_root();
            }
            hasher.update(&portion);
        }
        None
    }
}

static ZEROS: [u8; 4096] = [0; 4096];

/// The copies by the hash of a piece inside them. Files of equal length whose pieces begin alike
/// share the hashes of all copies.
#[derive(Default)]
struct Samples {
    by_hash: HashMap<Sample, HashMap<[u8; 20], Vec<Copy>>>,
    /// The number of hashes so far.
    tests: usize,
}

/// The length of a file, a part of it, and the padding after that.
type Sample = (u64, u64, u64, u64);

impl Samples {
    /// The first copies in which a piece is good that has bytes of one file alone, those with its
    /// name first, and the number of others.
    fn alike(
        &mut self,
        finder: &mut Finder<'_, '_>,
        file: usize,
        piece: u64,
    ) -> (Vec<Copy>, usize) {
        let torrent = finder.torrent;
        let Some(own) = torrent.parts(piece).next() else { return (Vec::new(), 0) };
        let listed = &torrent.files()[file];
        let group = finder.of_length(listed.length());
        let name = folded(listed.path().file_name());
        let named = group.by_name.get(&name).map_or(&[][..], |all| all);
        let hash = |copy: Copy| finder.v1_hash(piece, &|_| Some(Source::Copy(copy)));
        let expected = torrent.pieces().hash(piece);
        if self.tests >= MAX_TESTS && group.copies.len() > MAX_COPIES {
            // Only the likeliest.
            let likely = named.iter().take(MAX_COPIES).copied();
            let alike = likely.filter(|&copy| hash(copy) == expected).collect();
            let at = finder.shown(group.copies[0]);
            finder.add_limit(SearchLimitKind::SameLength, MAX_TESTS, at);
            return (alike, 0);
        }
        let padding = torrent.pieces().length(piece) - own.length;
        let key = (listed.length(), own.offset, own.length, padding);
        let tests = &mut self.tests;
        let by_hash = self.by_hash.entry(key).or_insert_with(|| {
            let mut by_hash: HashMap<[u8; 20], Vec<Copy>> = HashMap::new();
            for &copy in &group.copies {
                *tests += 1;
                if let Some(hash) = hash(copy) {
                    by_hash.entry(hash).or_default().push(copy);
                }
            }
            by_hash
        });
        let all = expected.and_then(|hash| by_hash.get(&hash)).map_or(&[][..], |all| all);
        let is_alike = |copy: &&Copy| all.binary_search(copy).is_ok();
        let mut alike: Vec<Copy> =
            named.iter().filter(is_alike).take(MAX_PLACES).copied().collect();
        let others: Vec<Copy> =
            all.iter().take(2 * MAX_PLACES).filter(|copy| !alike.contains(copy)).copied().collect();
        alike.extend(others.into_iter().take(MAX_PLACES - alike.len()));
        let more = all.len() - alike.len();
        alike.retain(|&copy| !finder.is_place_of(file, copy));
        (alike, more)
    }
}
