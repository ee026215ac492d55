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
    let (mut takes_all, mut has_any) = (false, false);
    loop {
        let mut has_found = false;
        for (length, places) in places(works) {
            let mut places = places.into_iter().peekable();
            while places.peek().is_some() {
                // The next pieces, as far as they fit into memory.
                let (mut open, mut kept) = (Vec::new(), 0);
                while kept < MAX_KEPT
                    && let Some((nth, piece, file)) = places.next()
                {
                    if let Some(it) = Open::new(&works[nth], nth, piece, file) {
                        kept += it.before.len() + it.after.len();
                        open.push(it);
                    }
                }
                for &copy in &library.of_length(length).copies {
                    if !library.goes_on(0) || budget.is_used_up() {
                        return has_any;
                    }
                    if open.is_empty() || (taken.contains(&copy) && !takes_all) {
                        continue;
                    }
                    let Some(mut reader) = library.open(copy) else { continue };
                    let is_new = |it: &&mut Open| {
                        let work = &works[it.want.0];
                        it.found < MAX_COPIES
                            && !work.is_known(it.want.1, Source::Copy(copy))
                            && !work.is_place_of(it.want.1, copy)
                    };
                    let mut due: Vec<&mut Open> = open.iter_mut().filter(is_new).collect();
                    for batch in due.chunks_mut(BATCH) {
                        let right = right(&mut reader, batch, backend, budget);
                        let mut is_taken = false;
                        for it in right {
                            let (nth, file) = it.want;
                            it.found += 1;
                            borders::mark(
                                &mut works[nth],
                                file,
                                Source::Copy(copy),
                                it.piece,
                                true,
                            );
                            is_taken |= it.bytes.end - it.bytes.start >= TELLING;
                            has_found = true;
                            has_any = true;
                        }
                        if is_taken {
                            taken.insert(copy);
                            if !takes_all {
                                break;
                            }
                        }
                    }
                    open.retain(|it| it.found == 0 || it.bytes.end - it.bytes.start < TELLING);
                }
            }
        }
        match has_found {
            true => takes_all = false,
            false if takes_all => return has_any,
            false => takes_all = true,
        }
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
