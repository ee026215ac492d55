//! Searches for files by their content, whatever their names and folders are, for one torrent or
//! for many at once.
//!
//! v2 has a root of each file. v1 has no hash of a whole file: the pieces inside a file and the
//! pieces that it shares with its neighbours prove it together. The likeliest candidates are read
//! first: those with the file's name, then the one with the same rank among all files of that
//! length, then the others. In v1, the first proof ends the search for a file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use hash_lanes::Backend;
use merkle_lanes::bep52::Hash;

use super::borders::{self, Border};
use super::copies;
use super::finding::{Finding, Found, PartialCopy, Unproven};
use super::library::{CopyId, Library, name_of};
use super::stream::{Cut, OwnPieces, Wanted, hash_at, stream};
use crate::find::{FileId, SearchLimit, SearchLimitKind};
use crate::root::Root;
use crate::survey::Survey;
use crate::verdict::{FileVerdict, PieceVerdict};
use crate::{FileKind, Torrent};

/// The maximum number of places that are listed for a file.
const MAX_PLACES: usize = 16;

/// The maximum number of candidates for a file that are compared with those of its neighbours, and
/// of damaged copies that are read.
pub(crate) const MAX_COPIES: usize = 16;

/// The maximum number of bytes that are hashed to guess which file is which, and how many are added
/// for each torrent.
const MAX_GUESSED: u64 = 16 << 30;
const MAX_GUESSED_EACH: u64 = 256 << 20;

/// The maximum number of bytes of a file that are kept in memory to be compared with many files.
const MAX_WINDOW: u64 = 16 << 20;

/// What may have the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// The file in its place.
    Own,
    Copy(CopyId),
}

/// A torrent whose files are searched for.
pub(crate) struct Target<'t> {
    pub(crate) torrent: &'t Torrent,
    /// The files to find, in ascending order.
    pub(crate) wanted: Vec<usize>,
    /// What a check of the content has found out, if there was one.
    pub(crate) checked: Option<Checked<'t>>,
}

/// The result of a check of the content in its place.
pub(crate) struct Checked<'t> {
    pub(crate) survey: &'t Survey<'t>,
    pub(crate) root: &'t Root,
    /// The absolute path of the content's folder.
    pub(crate) content: PathBuf,
    pub(crate) files: &'t [FileVerdict],
    pub(crate) pieces: &'t [PieceVerdict],
}

/// What is known of a file that may have the content of a file of a torrent.
pub(crate) struct Evidence {
    pub(crate) source: Source,
    /// The pieces that were verified with it.
    pub(crate) good: HashSet<u64>,
    /// Whether a piece is wrong with it.
    pub(crate) is_wrong: bool,
    /// Whether it has the right length.
    pub(crate) is_whole: bool,
    /// Whether all pieces inside the file are good, and there are some.
    pub(crate) has_own: bool,
}

/// The search for the files of a torrent.
pub(crate) struct Work<'t> {
    pub(crate) target: Target<'t>,
    pub(crate) library: &'t Library<'t>,
    pub(crate) backend: Backend,
    pub(crate) evidence: BTreeMap<usize, Vec<Evidence>>,
    /// The pieces with bytes of several files.
    pub(crate) borders: BTreeMap<u64, Border>,
    /// The files with the root of a file of v2.
    with_root: BTreeMap<usize, Vec<CopyId>>,
    /// The files with any root that is searched for.
    whole: HashSet<CopyId>,
    copies: BTreeMap<usize, BTreeMap<u64, CopyId>>,
    /// The pieces inside the wanted files of v1.
    own: HashMap<usize, OwnPieces>,
    /// The place of each file among those of its length, sorted by path, and their number.
    ranks: HashMap<usize, (usize, usize)>,
    pub(crate) limits: Vec<SearchLimit>,
}

/// A file of a torrent, both as indices.
type Want = (usize, usize);

/// Searches a library for the files of several torrents.
pub(crate) fn search(
    targets: Vec<Target<'_>>,
    library: &Library<'_>,
    backend: Backend,
) -> Vec<Found> {
    let mut works: Vec<Work<'_>> =
        targets.into_iter().map(|target| Work::new(target, library, backend)).collect();
    let mut lengths: BTreeMap<u64, Vec<Want>> = BTreeMap::new();
    for (nth, work) in works.iter().enumerate() {
        for &file in &work.target.wanted {
            let length = work.target.torrent.files()[file].length();
            lengths.entry(length).or_default().push((nth, file));
        }
    }
    let mut guessed = 0;
    let known = known_roots(&works);
    for (&length, wants) in &lengths {
        read_candidates(&mut works, length, wants, &known);
        let is_open = |&(nth, file): &Want| works[nth].is_open(file);
        let open: Vec<Want> = wants.iter().copied().filter(is_open).collect();
        guess(&mut works, length, &open, false, &mut guessed);
        if library.is_cut() {
            break;
        }
    }
    for work in &mut works {
        borders::solve(work, &mut guessed);
    }
    // Candidates for which a border is wrong may be decoys.
    let mut doubtful: BTreeMap<u64, Vec<Want>> = BTreeMap::new();
    for (nth, work) in works.iter().enumerate() {
        for file in work.doubtful() {
            let length = work.target.torrent.files()[file].length();
            doubtful.entry(length).or_default().push((nth, file));
        }
    }
    for (length, wants) in doubtful {
        guess(&mut works, length, &wants, true, &mut guessed);
    }
    works
        .into_iter()
        .map(|mut work| {
            borders::solve(&mut work, &mut guessed);
            borders::substitute(&mut work);
            work.find_damaged_copies();
            work.conclude()
        })
        .collect()
}

/// Reads the likely candidates of one length, each once for all files that it may be.
fn read_candidates(
    works: &mut [Work<'_>],
    length: u64,
    wants: &[Want],
    known: &HashMap<FileId, Option<Hash>>,
) {
    let Some(library) = works.first().map(|work| work.library) else { return };
    let group = library.of_length(length);
    let mut roots: HashMap<Hash, Vec<Want>> = HashMap::new();
    let mut likely: Vec<(Want, Vec<CopyId>)> = Vec::new();
    for &(nth, file) in wants {
        let torrent = works[nth].target.torrent;
        match torrent.files()[file].pieces_root() {
            Some(root) => roots.entry(root).or_default().push((nth, file)),
            None => likely.push(((nth, file), works[nth].likely(file))),
        }
    }
    let mut by_copy: HashMap<CopyId, Vec<Want>> = HashMap::new();
    for (want, copies) in &likely {
        copies.iter().for_each(|copy| by_copy.entry(*copy).or_default().push(*want));
    }
    if !roots.is_empty() {
        for &copy in &group.copies {
            if !library.goes_on(0) {
                return;
            }
            let here = by_copy.get(&copy).cloned().unwrap_or_default();
            let id = group.ids[&copy];
            let root = match id.and_then(|id| known.get(&id)) {
                Some(known) if here.is_empty() => *known,
                _ => visit(works, copy, length, &here, true, false),
            };
            for &(nth, file) in root.and_then(|root| roots.get(&root)).into_iter().flatten() {
                works[nth].with_root.entry(file).or_default().push(copy);
                works[nth].whole.insert(copy);
            }
        }
    }
    for (want, copies) in &likely {
        for copy in copies.iter().copied() {
            if !works[want.0].is_open(want.1) || !library.goes_on(0) {
                break;
            }
            let here = by_copy.get(&copy).into_iter().flatten().copied();
            let here: Vec<Want> = here.filter(|(nth, file)| works[*nth].is_open(*file)).collect();
            visit(works, copy, length, &here, false, false);
        }
    }
}

/// The roots of files that a check found good in their places.
fn known_roots(works: &[Work<'_>]) -> HashMap<FileId, Option<Hash>> {
    let mut known = HashMap::new();
    for Target { torrent, checked, .. } in works.iter().map(|work| &work.target) {
        let Some(checked) = checked else { continue };
        for (file, verdict) in checked.files.iter().enumerate() {
            let id = checked.survey.stamp(file).map(|stamp| (stamp.device, stamp.inode));
            if let Some(id) = id.filter(|id| *verdict == FileVerdict::Good && *id != (0, 0)) {
                known.insert(id, torrent.files()[file].pieces_root());
            }
        }
    }
    known
}

/// Reads a file for the torrents that may have it, and returns its root if that is to be found.
/// `is_alike` says that it has a good piece of each of these files.
fn visit(
    works: &mut [Work<'_>],
    copy: CopyId,
    length: u64,
    wants: &[Want],
    finds_root: bool,
    is_alike: bool,
) -> Option<Hash> {
    let library = works.first()?.library;
    let mut due: Vec<(Want, OwnPieces)> = Vec::new();
    for &(nth, file) in wants {
        if !works[nth].is_known(file, Source::Copy(copy))
            && let Some(own) = works[nth].own(file)
        {
            due.push(((nth, file), own));
        }
    }
    if due.is_empty() && !finds_root {
        return None;
    }
    let wanted: Vec<Wanted<'_>> = due
        .iter()
        .map(|((nth, file), own)| {
            let torrent = works[*nth].target.torrent;
            Wanted {
                torrent,
                own: *own,
                may_be_damaged: is_alike || works[*nth].has_name(*file, copy),
            }
        })
        .collect();
    let backend = works.first()?.backend;
    let streamed = stream(library, copy, length, &wanted, finds_root, backend)?;
    let sampled: Vec<bool> = wanted.iter().map(|it| it.may_be_damaged).collect();
    for ((((nth, file), own), good), sampled) in due.into_iter().zip(streamed.good).zip(sampled) {
        if good.is_empty() && !sampled {
            continue;
        }
        let is_wrong = (good.len() as u64) < own.count;
        let is_whole = library.of_length(length).ids.contains_key(&copy);
        let (source, good) = (Source::Copy(copy), good.into_iter().collect());
        let has_own = is_whole && !is_wrong;
        let evidence = Evidence { source, good, is_wrong, is_whole, has_own };
        works[nth].evidence.entry(file).or_default().push(evidence);
    }
    streamed.root
}

/// Compares files of one length with all others of that length, by the first piece inside them, then
/// by the middle and the last one. Each file is read once for all of them.
fn guess(works: &mut [Work<'_>], length: u64, wants: &[Want], finds_all: bool, guessed: &mut u64) {
    let Some(library) = works.first().map(|work| work.library) else { return };
    let group = library.of_length(length);
    let max = MAX_GUESSED + MAX_GUESSED_EACH * works.len() as u64;
    let own = |works: &[Work<'_>], &(nth, file): &Want| works[nth].own(file);
    let with_own = |want: &Want| Some((*want, own(works, want)?));
    let mut open: Vec<(Want, OwnPieces)> = wants.iter().filter_map(with_own).collect();
    // A file that is known to be another one is likely not this one, too.
    let taken = taken(works);
    let (others, free): (Vec<CopyId>, Vec<CopyId>) =
        group.copies.iter().partition(|copy| taken.contains(*copy));
    let orders = [&free, &others].map(|copies| (0..3).map(move |sample| (sample, copies)));
    let mut has_visited = true;
    for (sample, copies) in orders.into_iter().flatten() {
        for &copy in copies {
            if !finds_all && std::mem::take(&mut has_visited) {
                open.retain(|((nth, file), _)| works[*nth].is_open(*file));
            }
            if open.is_empty() || !library.goes_on(0) {
                return;
            }
            let source = Source::Copy(copy);
            let is_due = |((nth, file), _): &&(Want, OwnPieces)| {
                !works[*nth].is_known(*file, source) && !works[*nth].is_place_of(*file, copy)
            };
            let due: Vec<(Want, OwnPieces)> = open.iter().filter(is_due).copied().collect();
            if due.is_empty() {
                continue;
            }
            let nth_of = |own: &OwnPieces| [0, own.count / 2, own.count - 1][sample];
            let mut cuts: Vec<(Cut, u64, u64)> =
                due.iter().map(|(_, own)| (own.cut, nth_of(own), own.count)).collect();
            let mut seen = HashSet::new();
            cuts.retain(|cut| seen.insert(*cut));
            let bytes: u64 = cuts
                .iter()
                .map(|(cut, nth, _)| {
                    let bytes = cut.bytes(*nth);
                    bytes.end - bytes.start
                })
                .sum();
            *guessed += bytes;
            if *guessed > max {
                let at = library.path_of(copy);
                let (kind, max) =
                    (SearchLimitKind::Bytes, usize::try_from(max).unwrap_or(usize::MAX));
                let mut nths: Vec<usize> = due.iter().map(|((nth, _), _)| *nth).collect();
                nths.dedup();
                nths.into_iter().for_each(|nth| works[nth].add_limit(kind, max, at.clone()));
                return;
            }
            let hashes = hashes_of(library, copy, &cuts, works[0].backend);
            let is_alike = |((nth, _), own): &&(Want, OwnPieces)| {
                let piece = own.first + nth_of(own);
                let hash = hashes.get(&(own.cut, nth_of(own), own.count));
                hash.is_some() && works[*nth].target.torrent.pieces().hash(piece) == hash.copied()
            };
            let alike: Vec<Want> = due.iter().filter(is_alike).map(|(want, _)| *want).collect();
            if !alike.is_empty() {
                visit(works, copy, length, &alike, false, true);
                has_visited = true;
            }
        }
    }
}

/// The files that are known to have all pieces inside a file, or its root.
fn taken(works: &[Work<'_>]) -> HashSet<CopyId> {
    let mut taken = HashSet::new();
    for work in works {
        taken.extend(&work.whole);
        for all in work.evidence.values() {
            for evidence in all {
                if let Source::Copy(copy) = evidence.source
                    && evidence.has_own
                {
                    taken.insert(copy);
                }
            }
        }
    }
    taken
}

/// The hashes of pieces inside a file, which is read once if they are close together.
fn hashes_of(
    library: &Library<'_>,
    copy: CopyId,
    cuts: &[(Cut, u64, u64)],
    backend: Backend,
) -> HashMap<(Cut, u64, u64), [u8; 20]> {
    let Some(mut file) = library.open(copy) else { return HashMap::new() };
    let ranges = || cuts.iter().map(|(cut, nth, _)| cut.bytes(*nth));
    let begin = ranges().map(|bytes| bytes.start).min().unwrap_or(0);
    let end = ranges().map(|bytes| bytes.end).max().unwrap_or(0);
    let has_padding = cuts.iter().any(|(cut, nth, count)| cut.padding(*nth, *count) != (0, 0));
    if end - begin > MAX_WINDOW || has_padding {
        let hash = |&(cut, nth, count): &(Cut, u64, u64)| {
            let hash = hash_at(library, &mut file, &cut, nth, count, backend)?;
            Some(((cut, nth, count), hash))
        };
        return cuts.iter().filter_map(hash).collect();
    }
    let mut window = Vec::with_capacity((end - begin) as usize);
    let read = library.read(&mut file, begin..end, &mut |bytes| {
        window.extend_from_slice(bytes);
        Some(())
    });
    if read.is_none() {
        return HashMap::new();
    }
    let pieces = ranges().map(|it| &window[(it.start - begin) as usize..(it.end - begin) as usize]);
    let hashes = sha1_multi::Sha1Lanes::on(backend).hash_many(pieces);
    cuts.iter().copied().zip(hashes).collect()
}

impl<'t> Work<'t> {
    fn new(target: Target<'t>, library: &'t Library<'t>, backend: Backend) -> Self {
        let torrent = target.torrent;
        let mut sorted: Vec<usize> = (0..torrent.files().len()).collect();
        sorted.retain(|&file| *torrent.files()[file].kind() == FileKind::Data);
        sorted.sort_by_cached_key(|&file| {
            let file = &torrent.files()[file];
            (file.length(), file.path().as_bytes().to_vec())
        });
        let length_of = |file: &usize| torrent.files()[*file].length();
        let mut ranks = HashMap::new();
        for alike in sorted.chunk_by(|one, other| length_of(one) == length_of(other)) {
            ranks.extend(alike.iter().enumerate().map(|(nth, &file)| (file, (nth, alike.len()))));
        }
        let mut evidence: BTreeMap<usize, Vec<Evidence>> = BTreeMap::new();
        for &file in &target.wanted {
            let Some(checked) = &target.checked else { break };
            let Some(stamp) = checked.survey.stamp(file) else { continue };
            let is_good = |piece: &u64| checked.pieces[*piece as usize].is_good();
            let is_bad = |piece: &u64| {
                let verdict = checked.pieces[*piece as usize];
                verdict != PieceVerdict::Unverifiable && !verdict.is_good()
            };
            let pieces = || torrent.pieces().of_file(file);
            let own = OwnPieces::of(torrent, file);
            let is_own = |piece: &u64| own.is_some_and(|own| own.has(*piece));
            let is_wrong = pieces().filter(is_own).any(|piece| is_bad(&piece));
            let is_whole = stamp.length == torrent.files()[file].length();
            let good = pieces().filter(is_good).collect();
            let good: HashSet<u64> = good;
            let has_all = |own: OwnPieces| own.all().all(|piece| good.contains(&piece));
            let has_own = is_whole && own.is_some_and(has_all);
            let own = Evidence { source: Source::Own, good, is_wrong, is_whole, has_own };
            evidence.insert(file, vec![own]);
        }
        let is_v1 = |file: &&usize| torrent.files()[**file].pieces_root().is_none();
        let wanted = target.wanted.iter().filter(is_v1);
        let own = wanted.filter_map(|&file| Some((file, OwnPieces::of(torrent, file)?))).collect();
        let (borders, with_root, whole, copies) = Default::default();
        let limits = library.limits().collect();
        Self {
            target,
            library,
            backend,
            evidence,
            borders,
            with_root,
            whole,
            copies,
            own,
            ranks,
            limits,
        }
    }

    /// Adds a limit, unless it was reached before.
    pub(crate) fn add_limit(&mut self, kind: SearchLimitKind, max: usize, at: PathBuf) {
        if !self.limits.iter().any(|limit| limit.kind == kind && limit.max == max) {
            self.limits.push(SearchLimit { kind, max, at });
        }
    }

    /// Whether no file is known that has all pieces inside a file of v1.
    fn is_open(&self, file: usize) -> bool {
        !self.evidence.get(&file).into_iter().flatten().any(|it| it.has_own)
    }

    /// The pieces that have bytes of a wanted file of v1 alone.
    pub(crate) fn own(&self, file: usize) -> Option<OwnPieces> {
        self.own.get(&file).copied()
    }

    fn is_known(&self, file: usize, source: Source) -> bool {
        self.evidence.get(&file).into_iter().flatten().any(|it| it.source == source)
    }

    /// The candidates for a file that are read first: those with its name, and those with its rank
    /// from the first or the last of its length. Those with its name and another length come last.
    fn likely(&self, file: usize) -> Vec<CopyId> {
        let listed = &self.target.torrent.files()[file];
        let (group, name) = (self.library.of_length(listed.length()), name_of(listed));
        let named = group.by_name.get(&name).into_iter().flatten().take(MAX_COPIES);
        let mut likely: Vec<CopyId> = named.copied().collect();
        if let Some((rank, count)) = self.ranks.get(&file) {
            let last = (group.copies.len() + rank).checked_sub(*count);
            let ranked = [Some(*rank), last].into_iter().flatten();
            likely.extend(ranked.filter_map(|at| group.copies.get(at)));
        }
        likely.extend(self.library.named(&name).take(MAX_COPIES));
        self.without_places(file, likely)
    }

    /// Whether a copy has the name of a file.
    fn has_name(&self, file: usize, copy: CopyId) -> bool {
        self.library.name_of(copy) == name_of(&self.target.torrent.files()[file])
    }

    /// The candidates for a file that is only verified together with its neighbours, or a damaged
    /// one: the likely ones, and the first others of its length.
    pub(crate) fn ranked(&self, file: usize) -> Vec<CopyId> {
        let mut likely = self.likely(file);
        let group = self.library.of_length(self.target.torrent.files()[file].length());
        let is_other = |copy: &&CopyId| !self.whole.contains(copy);
        likely.extend(group.copies.iter().filter(is_other).take(2 * MAX_COPIES));
        let mut ranked = self.without_places(file, likely);
        ranked.truncate(MAX_COPIES);
        ranked
    }

    /// Each candidate once, and none that is the file in its own place.
    fn without_places(&self, file: usize, mut copies: Vec<CopyId>) -> Vec<CopyId> {
        let mut seen = HashSet::new();
        copies.retain(|&copy| seen.insert(copy) && !self.is_place_of(file, copy));
        copies
    }

    /// Whether a copy is the file in its own place.
    fn is_place_of(&self, file: usize, copy: CopyId) -> bool {
        let Some(checked) = &self.target.checked else { return false };
        let own = checked.survey.stamp(file).map(|stamp| (stamp.device, stamp.inode));
        match own.filter(|id| *id != (0, 0)) {
            Some(own) => {
                let group = self.library.of_length(self.target.torrent.files()[file].length());
                let known = group.ids.get(&copy).copied();
                known.unwrap_or_else(|| self.library.id_of(copy)) == Some(own)
            }
            None => {
                let place = checked.survey.place(file);
                place.is_some_and(|place| place.path == self.shown(Source::Copy(copy), file))
            }
        }
    }

    /// Whether a piece is neither good in place nor left out.
    fn is_due(&self, piece: u64) -> bool {
        let verdicts = self.target.checked.as_ref().map(|it| it.pieces);
        verdicts.is_none_or(|verdicts| {
            let verdict = verdicts[piece as usize];
            !verdict.is_good() && verdict != PieceVerdict::Skipped
        })
    }

    /// The files whose candidates are wrong at a border though their neighbours have candidates.
    fn doubtful(&self) -> Vec<usize> {
        let wrong = self.borders.iter().filter(|(_, border)| matches!(border, Border::Wrong));
        let files = wrong.flat_map(|(&piece, _)| self.target.torrent.parts(piece));
        let mut files: Vec<usize> = files.map(|part| part.file).collect();
        files.sort_unstable();
        files.dedup();
        files.retain(|file| self.target.wanted.binary_search(file).is_ok());
        files
    }

    /// Finds good pieces of files of v2 whose root no file has.
    fn find_damaged_copies(&mut self) {
        let torrent = self.target.torrent;
        let lacking = self.target.wanted.iter().copied().filter(|file| {
            torrent.files()[*file].pieces_root().is_some() && !self.with_root.contains_key(file)
        });
        for file in lacking.collect::<Vec<_>>() {
            if !self.library.goes_on(0) {
                return;
            }
            let is_due = |piece: u64| self.is_due(piece);
            let found = copies::of(self, file, self.ranked(file), &is_due);
            self.copies.insert(file, found);
        }
    }

    /// The path of a source as the report has it.
    fn shown(&self, source: Source, file: usize) -> PathBuf {
        let checked = self.target.checked.as_ref();
        let copy = match source {
            Source::Own => {
                let place = checked.and_then(|checked| checked.survey.place(file));
                return place.map(|place| place.path.clone()).unwrap_or_default();
            }
            Source::Copy(copy) => copy,
        };
        let path = self.library.path_of(copy);
        let inside = checked.and_then(|checked| path.strip_prefix(&checked.content).ok());
        let inside = inside.filter(|inside| !inside.as_os_str().is_empty());
        inside.map(PathBuf::from).unwrap_or(path)
    }

    /// What the search has found out about each file.
    fn conclude(self) -> Found {
        let torrent = self.target.torrent;
        let mut found = Found { limits: self.limits.clone(), ..Found::default() };
        let mut proven: HashSet<u64> = HashSet::new();
        let mut lists: HashMap<Hash, (Arc<[PathBuf]>, usize)> = HashMap::new();
        for &file in &self.target.wanted {
            let pieces = torrent.pieces().of_file(file);
            let root = torrent.files()[file].pieces_root();
            if let (Some(root), Some(copies)) = (root, self.with_root.get(&file)) {
                proven.extend(pieces.filter(|piece| self.is_due(*piece)));
                let (paths, more) = lists.entry(root).or_insert_with(|| self.listed(copies, file));
                let finding = Finding::Proven { paths: Arc::clone(paths), more: *more };
                found.findings.insert(file, finding);
                continue;
            }
            let mut origins: BTreeMap<u64, CopyId> = BTreeMap::new();
            let finding = match root {
                Some(_) => {
                    origins = self.copies.get(&file).cloned().unwrap_or_default();
                    self.damaged(file, &origins)
                }
                None => self.finding(file),
            };
            for evidence in self.ordered(file) {
                for &piece in evidence.good.iter().filter(|piece| self.is_due(**piece)) {
                    match evidence.source {
                        Source::Copy(copy) => _ = origins.entry(piece).or_insert(copy),
                        Source::Own => _ = proven.insert(piece),
                    }
                }
            }
            proven.extend(origins.keys());
            let is_proven = matches!(finding, Some(Finding::Proven { .. }));
            if !is_proven && !origins.is_empty() {
                found.copies.insert(file, self.runs(file, &origins));
            }
            let is_alone = root.is_some() || self.own(file).is_some();
            if finding.is_none() && !is_alone {
                found.unsearchable.push(file);
            }
            found.findings.extend(finding.map(|finding| (file, finding)));
        }
        let evidence = self.evidence.values().flatten().filter(|it| !it.good.is_empty());
        found.used.extend(evidence.filter_map(|it| match it.source {
            Source::Copy(copy) => Some(copy),
            Source::Own => None,
        }));
        found.used.extend(self.with_root.values().flatten());
        found.used.extend(self.copies.values().flat_map(|pieces| pieces.values()));
        found.pieces = proven.len() as u64;
        found.is_cut = self.library.is_cut();
        found.bytes_read = self.library.bytes_read();
        found
    }

    /// The evidence for a file, that with the most good pieces first.
    pub(crate) fn ordered(&self, file: usize) -> Vec<&Evidence> {
        let mut all: Vec<&Evidence> = self.evidence.get(&file).into_iter().flatten().collect();
        all.sort_by_key(|it| (it.is_wrong || !it.is_whole, std::cmp::Reverse(it.good.len())));
        all
    }

    /// The result for a file of v1.
    fn finding(&self, file: usize) -> Option<Finding> {
        let pieces = self.target.torrent.pieces().of_file(file);
        let total = pieces.end - pieces.start;
        let best = *self.ordered(file).first()?;
        let good = best.good.len() as u64;
        let path = self.shown(best.source, file);
        let is_own = best.source == Source::Own;
        if good == 0 {
            return None;
        }
        if best.is_wrong || !best.is_whole {
            return (!is_own).then_some(Finding::Disproven { path, good, total });
        }
        if good == total {
            return Some(Finding::Proven { paths: [path].into(), more: 0 });
        }
        let unproven = pieces.filter(|piece| !best.good.contains(piece));
        let because = |piece: u64| match self.borders.get(&piece) {
            Some(Border::Lacks(files)) => files.clone(),
            _ => Vec::new(),
        };
        let unproven = unproven.map(|piece| Unproven { piece, because_of: because(piece) });
        Some(Finding::Likely { path, good, total, unproven: unproven.collect() })
    }

    /// The result for a file of v2 whose root no file has.
    fn damaged(&self, file: usize, origins: &BTreeMap<u64, CopyId>) -> Option<Finding> {
        let pieces = self.target.torrent.pieces().of_file(file);
        let mut counts: BTreeMap<CopyId, u64> = BTreeMap::new();
        origins.values().for_each(|copy| *counts.entry(*copy).or_default() += 1);
        let (copy, good) = counts.into_iter().max_by_key(|(_, good)| *good)?;
        let path = self.shown(Source::Copy(copy), file);
        Some(Finding::Disproven { path, good, total: pieces.end - pieces.start })
    }

    /// The copies that have these pieces.
    fn runs(&self, file: usize, origins: &BTreeMap<u64, CopyId>) -> Vec<PartialCopy> {
        let mut copies: Vec<(CopyId, PartialCopy)> = Vec::new();
        for (&piece, &copy) in origins {
            let at = copies.iter().position(|(known, _)| *known == copy).unwrap_or_else(|| {
                let path = self.shown(Source::Copy(copy), file);
                copies.push((copy, PartialCopy { path, pieces: Vec::new() }));
                copies.len() - 1
            });
            match copies[at].1.pieces.last_mut() {
                Some(run) if run.end == piece => run.end += 1,
                _ => copies[at].1.pieces.push(piece..piece + 1),
            }
        }
        copies.into_iter().map(|(_, copy)| copy).collect()
    }

    /// The paths of the first copies, and the number of others.
    fn listed(&self, copies: &[CopyId], file: usize) -> (Arc<[PathBuf]>, usize) {
        let first = copies.iter().take(MAX_PLACES);
        let mut first: Vec<PathBuf> =
            first.map(|&copy| self.shown(Source::Copy(copy), file)).collect();
        first.sort();
        (first.into(), copies.len().saturating_sub(MAX_PLACES))
    }
}
