//! Finds which file of v1 a copy is by a piece that it shares with files that are known.
//!
//! A file that is shorter than two pieces may have no piece of its own. If all other files of a
//! piece are known, their bytes in it are kept, and each copy of the file's length is read once and
//! hashed together with them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use hash_lanes::Backend;
use sha1_multi::ManyHasher;

use super::borders::{self, Border, Budget};
use super::library::{CopyId, Library, MAX_HEAD, Reader};
use super::work::{MAX_COPIES, Source, Want, Work};
use crate::{FileKind, Segment};

/// The maximum number of bytes of known files that are kept at once.
const MAX_KEPT: usize = 16 << 20;

/// The number of pieces with which a copy is hashed at once: all lanes, twice.
const BATCH: usize = 32;

/// A part this long shows that a copy is a file, so it is likely no other one.
const TELLING: u64 = 1 << 10;

/// A piece of which one file is unknown.
struct Open {
    want: Want,
    piece: u64,
    /// Its bytes in the unknown file.
    bytes: Range<u64>,
    /// Those of the files before and after it.
    before: Vec<u8>,
    after: Vec<u8>,
    hash: [u8; 20],
    /// The number of copies that are right.
    found: usize,
}

/// Finds files at the borders of files that are known, until no more are found. Returns whether any
/// was found.
pub(crate) fn find(
    works: &mut [Work<'_>],
    library: &Library<'_>,
    backend: Backend,
    taken: &mut HashSet<CopyId>,
    budget: &mut Budget,
) -> bool {
    let mut finder = Finder { works, library, backend, taken, budget, takes_all: false, found: 0 };
    loop {
        let before = finder.found;
        let goes_on = places(finder.works)
            .into_iter()
            .all(|(length, places)| finder.compare_all(length, places).is_some());
        match finder.found > before {
            _ if !goes_on => break,
            true => finder.takes_all = false,
            false if finder.takes_all => break,
            false => finder.takes_all = true,
        }
    }
    finder.found > 0
}

/// The state of the search.
struct Finder<'f, 't, 'l> {
    works: &'f mut [Work<'t>],
    library: &'f Library<'l>,
    backend: Backend,
    taken: &'f mut HashSet<CopyId>,
    budget: &'f mut Budget,
    /// Whether copies that are known to be a file are compared, too.
    takes_all: bool,
    /// The number of pieces that are right.
    found: usize,
}

impl Finder<'_, '_, '_> {
    /// Compares all copies of a length with pieces, as many at a time as fit into memory. Returns
    /// `None` if the search is not to go on.
    fn compare_all(&mut self, length: u64, places: Vec<(usize, u64, usize)>) -> Option<()> {
        let mut places = places.into_iter().peekable();
        while places.peek().is_some() {
            let (mut open, mut kept) = (Vec::new(), 0);
            while kept < MAX_KEPT
                && let Some((nth, piece, file)) = places.next()
            {
                if let Some(it) = Open::new(&self.works[nth], nth, piece, file) {
                    kept += it.before.len() + it.after.len();
                    open.push(it);
                }
            }
            for &copy in &self.library.of_length(length).copies {
                if !self.library.goes_on(0) || self.budget.is_used_up() {
                    return None;
                }
                if !open.is_empty() && (self.takes_all || !self.taken.contains(&copy)) {
                    self.compare(copy, &mut open);
                }
            }
        }
        Some(())
    }

    /// Compares a copy with pieces, and leaves out those for which it is right.
    fn compare(&mut self, copy: CopyId, open: &mut Vec<Open>) {
        let Some(mut reader) = self.library.open(copy) else { return };
        let is_new = |it: &&mut Open| {
            let work = &self.works[it.want.0];
            it.found < MAX_COPIES
                && !work.is_known(it.want.1, Source::Copy(copy))
                && !work.is_place_of(it.want.1, copy)
        };
        let mut due: Vec<&mut Open> = open.iter_mut().filter(is_new).collect();
        for batch in due.chunks_mut(BATCH) {
            let mut is_taken = false;
            for it in right(&mut reader, batch, self.backend, self.budget) {
                let (nth, file) = it.want;
                it.found += 1;
                self.found += 1;
                borders::mark(&mut self.works[nth], file, Source::Copy(copy), it.piece, true);
                is_taken |= it.is_telling();
            }
            if is_taken {
                self.taken.insert(copy);
                if !self.takes_all {
                    break;
                }
            }
        }
        open.retain(|it| it.found == 0 || !it.is_telling());
    }
}

/// The pieces of which one file is unknown, which has no piece of its own, by its length.
fn places(works: &[Work<'_>]) -> BTreeMap<u64, Vec<(usize, u64, usize)>> {
    let mut places: BTreeMap<u64, Vec<(usize, u64, usize)>> = BTreeMap::new();
    for (nth, work) in works.iter().enumerate() {
        let torrent = work.target.torrent;
        let is_solved = |piece: &u64| matches!(work.borders.get(piece), Some(Border::Solved(_)));
        for (&piece, _) in work.borders.iter().filter(|(piece, _)| !is_solved(piece)) {
            let unknown = torrent.parts(piece).filter(|part| !work.is_certain(part.file));
            let unknown: Vec<usize> = unknown.map(|part| part.file).collect();
            if let [file] = unknown[..]
                && work.own(file).is_none()
            {
                let length = torrent.files()[file].length();
                places.entry(length).or_default().push((nth, piece, file));
            }
        }
    }
    places
}

impl Open {
    /// Whether a copy that is right is likely the file.
    fn is_telling(&self) -> bool {
        self.bytes.end - self.bytes.start >= TELLING
    }

    /// Reads the bytes of the known files, if they are still there.
    fn new(work: &Work<'_>, nth: usize, piece: u64, file: usize) -> Option<Self> {
        let torrent = work.target.torrent;
        let hash = torrent.pieces().hash(piece)?;
        let (mut own, mut around) = (None, [Vec::new(), Vec::new()]);
        for part in torrent.pieces().segments(piece) {
            if part.file == file {
                own = Some(part.offset..part.offset + part.length);
                continue;
            }
            let to = &mut around[usize::from(own.is_some())];
            match torrent.files()[part.file].kind() {
                FileKind::Pad => to.resize(to.len() + part.length as usize, 0),
                _ => to.extend(known(work, &part)?),
            }
        }
        let [before, after] = around;
        Some(Self { want: (nth, file), piece, bytes: own?, before, after, hash, found: 0 })
    }
}

/// The bytes of a file that is known.
fn known(work: &Work<'_>, part: &Segment) -> Option<Vec<u8>> {
    let best = work.ordered(part.file).first().map_or(Source::Own, |it| it.source);
    borders::read(work, part, best)
}

/// The pieces that are right with a copy.
fn right<'b, 'o>(
    reader: &mut Reader<'_, '_>,
    batch: &'b mut [&'o mut Open],
    backend: Backend,
    budget: &mut Budget,
) -> impl Iterator<Item = &'b mut &'o mut Open> {
    let bytes = |it: &&mut Open| it.bytes.clone();
    let begin = batch.iter().map(|it| bytes(it).start).min().unwrap_or(0);
    let end = batch.iter().map(|it| bytes(it).end).max().unwrap_or(0);
    let window = reader.window(begin..end.min(begin + MAX_HEAD));
    let mut hashes: HashMap<usize, [u8; 20]> = HashMap::new();
    if let Some(window) = window {
        let part = |it: &&mut Open| {
            let (start, end) = (it.bytes.start - begin, it.bytes.end - begin);
            window.get(start as usize..end as usize)
        };
        let there = batch.iter().enumerate().filter_map(|(nth, it)| Some((nth, it, part(it)?)));
        let there: Vec<_> = there.collect();
        let mut hasher = ManyHasher::with_backend(backend, there.len());
        let lengths =
            there.iter().map(|(_, it, part)| it.before.len() + part.len() + it.after.len());
        budget.used += lengths.sum::<usize>() as u64;
        hasher.update_all(&there.iter().map(|(_, it, _)| &it.before[..]).collect::<Vec<_>>());
        hasher.update_all(&there.iter().map(|(_, _, part)| *part).collect::<Vec<_>>());
        hasher.update_all(&there.iter().map(|(_, it, _)| &it.after[..]).collect::<Vec<_>>());
        hashes.extend(there.iter().map(|(nth, ..)| *nth).zip(hasher.finalize()));
    }
    let all = batch.iter_mut().enumerate();
    all.filter(move |(nth, it)| hashes.get(nth) == Some(&it.hash)).map(|(_, it)| it)
}
