//! Searches for files by their content, whatever their names and folders are, for one torrent or
//! for many at once.
//!
//! v2 has a root of each file. v1 has no hash of a whole file: the pieces inside a file and the
//! pieces that it shares with its neighbours prove it together. Copies are first compared with the
//! files that have their names, then with those whose neighbours are in their folders, and then
//! with all files of their length. In v1, the first proof ends the search for a file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use hash_lanes::Backend;
use merkle_lanes::bep52::Hash;

use super::borders::{self, Budget};
use super::by_border;
use super::by_piece::{ClassId, Classes, Sample};
use super::by_root::{Roots, known_roots};
use super::copies;
use super::finding::Found;
use super::library::{CopyId, FolderId, Group, Library, Reader, name_of, names_above};
use super::stream::{OwnPieces, Wanted, stream};
use super::work::{Evidence, Source, Target, Want, Work};
use crate::folders::listing::{FileId, SearchLimitKind};

/// The maximum number of bytes that are hashed to find out which file is which, and how many are
/// added for each torrent.
const MAX_GUESSED: u64 = 16 << 30;
const MAX_GUESSED_EACH: u64 = 1 << 30;

/// The number of classes of which a copy's pieces are hashed at once: all lanes, twice.
const BATCH: usize = 32;

/// The maximum number of classes, by names and by folders, with which a copy is compared first.
const MAX_HINTS: usize = 128;

/// The maximum number of files that are looked at to choose these classes.
const MAX_HINTED: usize = 8 * MAX_HINTS;

/// Searches a library for the files of several torrents.
pub(crate) fn search(
    targets: Vec<Target<'_>>,
    library: &Library<'_>,
    backend: Backend,
) -> Vec<Found> {
    let works: Vec<Work<'_>> =
        targets.into_iter().map(|target| Work::new(target, library, backend)).collect();
    let max = MAX_GUESSED + MAX_GUESSED_EACH * works.len() as u64;
    let mut search = Search {
        known: known_roots(&works),
        works,
        library,
        backend,
        folders: HashMap::new(),
        taken: HashSet::new(),
        budget: Budget { used: 0, max },
    };
    search.run();
    let works = search.works.into_iter();
    works.map(Work::conclude).collect()
}

/// The state of a search for the files of several torrents.
struct Search<'t> {
    works: Vec<Work<'t>>,
    library: &'t Library<'t>,
    backend: Backend,
    /// The roots of files that a check found good in their places.
    known: HashMap<FileId, Option<Hash>>,
    /// The torrents of which files were found in a folder, and the last file found there.
    folders: HashMap<FolderId, (Vec<usize>, Want)>,
    /// Copies that are known to be a file. They are likely no other one, too.
    taken: HashSet<CopyId>,
    budget: Budget,
}

/// The files and the copies of one length.
struct Hunt {
    length: u64,
    group: Rc<Group>,
    /// In ascending order.
    wants: Vec<Want>,
    /// The files of v2 by root.
    roots: Roots,
    /// Those of v1 that have pieces of their own, and were not found yet.
    classes: Classes,
    by_name: HashMap<Vec<u8>, Vec<Want>>,
    by_rank: HashMap<usize, Vec<Want>>,
    /// The classes with which copies were compared.
    compared: HashMap<CopyId, Vec<ClassId>>,
}

impl Hunt {
    fn new(works: &[Work<'_>], length: u64, wants: Vec<Want>, library: &Library<'_>) -> Self {
        let mut hunt = Self {
            length,
            group: library.of_length(length),
            roots: Roots::default(),
            classes: Classes::new(works, &[], Sample::First),
            by_name: HashMap::new(),
            by_rank: HashMap::new(),
            compared: HashMap::new(),
            wants,
        };
        let mut open = Vec::new();
        for &(nth, file) in &hunt.wants {
            let work = &works[nth];
            let listed = &work.target.torrent.files()[file];
            if let Some(root) = listed.pieces_root() {
                hunt.roots.add(root, (nth, file));
            } else if work.is_open(file) && work.own(file).is_some() {
                open.push((nth, file));
                hunt.by_name.entry(name_of(listed)).or_default().push((nth, file));
                if let Some((rank, count)) = work.ranks.get(&file) {
                    let last = (hunt.group.copies.len() + rank).checked_sub(*count);
                    for rank in HashSet::from([Some(*rank), last]).into_iter().flatten() {
                        hunt.by_rank.entry(rank).or_default().push((nth, file));
                    }
                }
            }
        }
        hunt.classes = Classes::new(works, &open, Sample::First);
        hunt
    }
}

/// Adds the classes of some files, each once.
fn add_classes(
    ids: &mut Vec<ClassId>,
    seen: &mut HashSet<ClassId>,
    classes: &Classes,
    wants: impl IntoIterator<Item = Want>,
) {
    ids.extend(wants.into_iter().filter_map(|want| classes.of(want)).filter(|id| seen.insert(*id)));
}

impl Search<'_> {
    fn run(&mut self) {
        let mut lengths: BTreeMap<u64, Vec<Want>> = BTreeMap::new();
        for (nth, work) in self.works.iter().enumerate() {
            for &file in &work.target.wanted {
                let length = work.target.torrent.files()[file].length();
                lengths.entry(length).or_default().push((nth, file));
            }
        }
        let hunts = lengths.into_iter();
        let mut hunts: Vec<Hunt> = hunts
            .map(|(length, wants)| Hunt::new(&self.works, length, wants, self.library))
            .collect();
        // Rare lengths show in which folders the files of a torrent are.
        hunts.sort_by_key(|hunt| hunt.group.copies.len() * hunt.wants.len());
        hunts.iter_mut().for_each(|hunt| self.compare_hinted(hunt));
        for hunt in &mut hunts {
            for is_taken in [false, true] {
                self.compare_all(hunt, Sample::First, is_taken, false);
            }
        }
        for hunt in &mut hunts {
            self.find_damaged(hunt);
        }
        drop(hunts);
        for work in &mut self.works {
            borders::solve(work, &self.taken, &mut self.budget);
        }
        let (library, backend) = (self.library, self.backend);
        if by_border::find(&mut self.works, library, backend, &mut self.taken, &mut self.budget) {
            for work in &mut self.works {
                borders::solve(work, &self.taken, &mut self.budget);
            }
        }
        // Candidates for which a border is wrong may be decoys.
        let mut doubtful: BTreeMap<u64, Vec<Want>> = BTreeMap::new();
        for (nth, work) in self.works.iter().enumerate() {
            for file in work.doubtful() {
                let length = work.target.torrent.files()[file].length();
                doubtful.entry(length).or_default().push((nth, file));
            }
        }
        for (length, wants) in doubtful {
            let mut hunt = Hunt::new(&self.works, length, Vec::new(), self.library);
            hunt.wants = wants;
            for sample in [Sample::First, Sample::Middle, Sample::Last] {
                hunt.classes = Classes::new(&self.works, &hunt.wants, sample);
                self.compare_all(&mut hunt, sample, false, true);
                self.compare_all(&mut hunt, sample, true, true);
            }
        }
        for work in &mut self.works {
            borders::solve(work, &self.taken, &mut self.budget);
            borders::add_limits(work);
            borders::substitute(work);
            copies::find_damaged(work, &self.taken);
        }
    }

    /// Compares each copy with the files that it likely is, and reads it for its root if that may
    /// be one of v2.
    fn compare_hinted(&mut self, hunt: &mut Hunt) {
        let group = Rc::clone(&hunt.group);
        for (position, &copy) in group.copies.iter().enumerate() {
            if !self.library.goes_on(0) {
                return;
            }
            let known = group.ids[&copy].and_then(|id| self.known.get(&id)).copied();
            let finds_root = hunt.roots.has_any() && known.is_none();
            let (named, placed) = self.hints(hunt, copy, position);
            let mut root = known.flatten();
            if finds_root || !named.is_empty() || !placed.is_empty() {
                let Some(mut reader) = self.library.open(copy) else { continue };
                let mut alike = self.alike(hunt, &mut reader, copy, &named);
                for batch in placed.chunks(BATCH) {
                    if alike.is_empty() {
                        alike = self.alike(hunt, &mut reader, copy, batch);
                    }
                }
                let mut compared = named;
                compared.extend(placed);
                if finds_root || !alike.is_empty() {
                    root = self.visit(hunt, copy, &mut reader, (&alike, true), finds_root, true);
                }
                hunt.compared.insert(copy, compared);
            }
            for &(nth, file) in root.map_or(&[][..], |root| hunt.roots.of(&root)) {
                self.works[nth].with_root.entry(file).or_default().push(copy);
                self.works[nth].whole.insert(copy);
                self.take(copy, (nth, file));
            }
        }
    }

    /// The classes of the files that have a copy's name, and of those that its folder suggests.
    fn hints(&self, hunt: &Hunt, copy: CopyId, position: usize) -> (Vec<ClassId>, Vec<ClassId>) {
        let (mut named, mut placed, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        if hunt.classes.is_empty() {
            return (named, placed);
        }
        let wants = hunt.by_name.get(&self.library.name_of(copy)).into_iter().flatten().copied();
        let wants = wants.filter(|want| hunt.classes.of(*want).is_some());
        let mut wants: Vec<Want> = wants.take(MAX_HINTED).collect();
        if wants.len() > MAX_HINTS {
            wants.sort_by_cached_key(|(nth, file)| {
                let torrent = self.works[*nth].target.torrent;
                let above = names_above(torrent, &torrent.files()[*file]);
                std::cmp::Reverse(self.library.agreeing(copy, &above))
            });
        }
        add_classes(&mut named, &mut seen, &hunt.classes, wants);
        named.truncate(MAX_HINTS);
        if let Some((torrents, last)) = self.folders.get(&self.library.folder_of(copy)) {
            // The file after the last one found, then all others of these torrents.
            let of = |nth: usize| {
                let first = hunt.wants.partition_point(|want| want.0 < nth);
                hunt.wants[first..].iter().copied().take_while(move |want| want.0 == nth)
            };
            add_classes(&mut placed, &mut seen, &hunt.classes, of(last.0).filter(|it| it > last));
            let others = torrents.iter().flat_map(|&nth| of(nth)).take(MAX_HINTED);
            add_classes(&mut placed, &mut seen, &hunt.classes, others);
        }
        let ranked = hunt.by_rank.get(&position).into_iter().flatten().copied();
        add_classes(&mut placed, &mut seen, &hunt.classes, ranked.take(BATCH));
        placed.truncate(MAX_HINTS);
        (named, placed)
    }

    /// The files of these classes that a copy has a piece of, besides those for which it is known.
    fn alike(
        &mut self,
        hunt: &Hunt,
        reader: &mut Reader<'_, '_>,
        copy: CopyId,
        ids: &[ClassId],
    ) -> Vec<Want> {
        self.budget.used += hunt.classes.bytes(ids);
        let mut alike = hunt.classes.alike(reader, ids, self.backend);
        alike.retain(|&(nth, file)| {
            let work = &self.works[nth];
            !work.is_known(file, Source::Copy(copy)) && !work.is_place_of(file, copy)
        });
        alike
    }

    /// Compares copies with all files that were not found, by one piece. `is_taken` chooses those
    /// that are known to be another file, or the others. `finds_all` looks for further copies of
    /// files that were found.
    fn compare_all(&mut self, hunt: &mut Hunt, sample: Sample, is_taken: bool, finds_all: bool) {
        let group = Rc::clone(&hunt.group);
        for &copy in &group.copies {
            if hunt.classes.is_empty() || !self.library.goes_on(0) {
                return;
            }
            if self.taken.contains(&copy) != is_taken {
                continue;
            }
            let compared = hunt.compared.get(&copy).filter(|_| sample == Sample::First);
            let compared: HashSet<ClassId> = compared.into_iter().flatten().copied().collect();
            let due = hunt.classes.open().filter(|id| !compared.contains(id));
            let due: Vec<ClassId> = due.collect();
            if due.is_empty() {
                continue;
            }
            let Some(mut reader) = self.library.open(copy) else { continue };
            for batch in due.chunks(BATCH) {
                if self.budget.used + hunt.classes.bytes(batch) > self.budget.max {
                    return self.stop(hunt, copy);
                }
                let alike = self.alike(hunt, &mut reader, copy, batch);
                if alike.is_empty() {
                    continue;
                }
                self.visit(hunt, copy, &mut reader, (&alike, true), false, !finds_all);
                if !is_taken && !finds_all && self.taken.contains(&copy) {
                    break;
                }
            }
        }
    }

    /// Says that no more is compared.
    fn stop(&mut self, hunt: &Hunt, copy: CopyId) {
        let max = usize::try_from(self.budget.max).unwrap_or(usize::MAX);
        let mut nths: Vec<usize> = hunt.wants.iter().map(|(nth, _)| *nth).collect();
        nths.dedup();
        for nth in nths {
            let of_it = hunt.wants.iter().filter(|want| want.0 == nth);
            if of_it.into_iter().any(|want| hunt.classes.of(*want).is_some()) {
                let at = self.library.path_of(copy);
                self.works[nth].add_limit(SearchLimitKind::Bytes, max, at);
            }
        }
    }

    /// Looks for damaged copies of files of v1 that were not found: those with good pieces in the
    /// middle or at the end, and those with their names.
    fn find_damaged(&mut self, hunt: &mut Hunt) {
        let is_open = |want: &&Want| hunt.classes.of(**want).is_some();
        let open: Vec<Want> = hunt.wants.iter().filter(is_open).copied().collect();
        for sample in [Sample::Middle, Sample::Last] {
            let is_open = |want: &Want| self.works[want.0].is_open(want.1);
            let open: Vec<Want> = open.iter().copied().filter(is_open).collect();
            hunt.classes = Classes::new(&self.works, &open, sample);
            for is_taken in [false, true] {
                self.compare_all(hunt, sample, is_taken, false);
            }
        }
        let mut by_copy: BTreeMap<CopyId, Vec<Want>> = BTreeMap::new();
        for (nth, file) in open {
            let work = &self.works[nth];
            if !work.is_open(file) {
                continue;
            }
            let named = [true, false].into_iter().flat_map(|it| work.named(file, it));
            let mut seen = HashSet::new();
            for copy in named.filter(|copy| seen.insert(*copy) && !self.taken.contains(copy)) {
                let source = Source::Copy(copy);
                if !work.is_known(file, source) && !work.is_place_of(file, copy) {
                    by_copy.entry(copy).or_default().push((nth, file));
                }
            }
        }
        for (copy, wants) in by_copy {
            if !self.library.goes_on(0) {
                return;
            }
            let Some(mut reader) = self.library.open(copy) else { continue };
            self.visit(hunt, copy, &mut reader, (&wants, false), false, false);
        }
    }

    /// Reads a copy for some files, and returns its root if that is to be found. `is_alike` says
    /// that it has a piece of each of them, and `closes` that a file is looked for no longer once
    /// it is found.
    fn visit(
        &mut self,
        hunt: &mut Hunt,
        copy: CopyId,
        reader: &mut Reader<'_, '_>,
        (wants, is_alike): (&[Want], bool),
        finds_root: bool,
        closes: bool,
    ) -> Option<Hash> {
        let with_own = |&(nth, file): &Want| Some(((nth, file), self.works[nth].own(file)?));
        let due: Vec<(Want, OwnPieces)> = wants.iter().filter_map(with_own).collect();
        let wanted = due.iter().map(|((nth, _), own)| {
            let torrent = self.works[*nth].target.torrent;
            Wanted { torrent, own: *own, is_alike }
        });
        let wanted: Vec<Wanted<'_>> = wanted.collect();
        let streamed = stream(reader, hunt.length, &wanted, finds_root, self.backend)?;
        let is_whole = hunt.group.ids.contains_key(&copy);
        for (((nth, file), own), good) in due.into_iter().zip(streamed.good) {
            let is_wrong = (good.len() as u64) < own.count;
            let (source, good) = (Source::Copy(copy), good.into_iter().collect());
            let has_own = is_whole && !is_wrong;
            let evidence = Evidence { source, good, is_wrong, is_whole, has_own };
            self.works[nth].evidence.entry(file).or_default().push(evidence);
            if has_own {
                self.take(copy, (nth, file));
                if closes {
                    hunt.classes.close((nth, file));
                }
            }
        }
        streamed.root
    }

    /// Records that a copy is a file.
    fn take(&mut self, copy: CopyId, want: Want) {
        self.taken.insert(copy);
        let folder = self.library.folder_of(copy);
        let (torrents, last) = self.folders.entry(folder).or_insert_with(|| (Vec::new(), want));
        *last = want;
        if !torrents.contains(&want.0) {
            torrents.push(want.0);
        }
    }
}
