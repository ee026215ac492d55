//! Verifies pieces that have bytes of several files, with combinations of candidates for them.

use std::collections::{HashMap, HashSet};

use sha1_multi::ManyHasher;

use super::library::CopyId;
use super::stream::hash_zeros;
use super::work::{Evidence, MAX_COPIES, Source, Work};
use crate::folders::listing::SearchLimitKind;
use crate::verdict::PieceVerdict;
use crate::{FileKind, Segment};

/// The maximum number of combinations of files that are tried for a piece.
const MAX_COMBINATIONS: usize = 1024;

/// The maximum number of bytes of candidates for a piece that are kept in memory.
const MAX_KEPT: usize = 16 << 20;

/// How many bytes are hashed to find out which file is which.
pub(crate) struct Budget {
    pub(crate) used: u64,
    pub(crate) max: u64,
}

impl Budget {
    pub(crate) fn is_used_up(&self) -> bool {
        self.used > self.max
    }
}

/// What is known of a piece at a border.
pub(crate) enum Border {
    /// The piece is good with these sources of its files.
    Solved(Vec<(usize, Source)>),
    /// There is no candidate for these files.
    Lacks(Vec<usize>),
    /// All files have candidates, but no combination that was tried is right. `is_cut` says that
    /// there are more.
    Wrong { is_cut: bool },
}

/// Verifies the pieces at the borders of the wanted files that are not verified yet.
pub(crate) fn solve(work: &mut Work<'_>, taken: &HashSet<CopyId>, budget: &mut Budget) {
    let torrent = work.target.torrent;
    let mut due: Vec<u64> = Vec::new();
    for &file in &work.target.wanted {
        if torrent.files()[file].pieces_root().is_some() {
            continue;
        }
        let own = work.own(file);
        let pieces = torrent.pieces().of_file(file);
        due.extend(pieces.filter(|piece| own.is_none_or(|own| !own.has(*piece))));
    }
    due.sort_unstable();
    due.dedup();
    due.retain(|piece| !matches!(work.borders.get(piece), Some(Border::Solved(_))));
    for piece in due {
        if !work.library.goes_on(0) {
            return;
        }
        if budget.is_used_up() {
            let at = torrent.parts(piece).next().map(|part| part.file).unwrap_or(0);
            let at = torrent.files()[at].path().to_path_buf();
            let max = usize::try_from(budget.max).unwrap_or(usize::MAX);
            work.add_limit(SearchLimitKind::Bytes, max, at);
            return;
        }
        let border = solve_piece(work, piece, taken, budget);
        if let Border::Solved(sources) = &border {
            for &(file, source) in sources {
                mark(work, file, source, piece, true);
            }
        }
        work.borders.insert(piece, border);
    }
}

/// Tests the other candidates for files without a proof at the borders that are solved: with the
/// right bytes of the neighbours, a wrong hash disproves a candidate.
pub(crate) fn substitute(work: &mut Work<'_>) {
    for file in work.target.wanted.clone() {
        let pieces = work.target.torrent.pieces().of_file(file);
        let total = pieces.end - pieces.start;
        let is_proven = |it: &&Evidence| it.is_whole && it.good.len() as u64 == total;
        if work.ordered(file).iter().any(is_proven) {
            continue;
        }
        let sources: Vec<Source> =
            work.ordered(file).iter().filter(|it| it.is_whole).map(|it| it.source).collect();
        for source in sources {
            for piece in pieces.clone() {
                let Some(Border::Solved(solved)) = work.borders.get(&piece) else { continue };
                let evidence = work.evidence.get(&file).into_iter().flatten();
                let is_known = |it: &Evidence| it.source == source && it.good.contains(&piece);
                if evidence.into_iter().any(is_known) || !work.library.goes_on(0) {
                    continue;
                }
                let mut others: HashMap<usize, Source> = solved.iter().copied().collect();
                others.insert(file, source);
                let of_file = |other: usize| others.get(&other).copied();
                let is_good = Bytes::default().is_good(work, piece, &of_file);
                mark(work, file, source, piece, is_good);
            }
        }
    }
}

/// Records that a piece is good or bad with a source of a file.
pub(crate) fn mark(work: &mut Work<'_>, file: usize, source: Source, piece: u64, is_good: bool) {
    if work.target.wanted.binary_search(&file).is_err() {
        return;
    }
    let length = work.target.torrent.files()[file].length();
    let is_whole = match (source, &work.target.checked) {
        (Source::Copy(copy), _) => work.library.of_length(length).ids.contains_key(&copy),
        (Source::Own, Some(checked)) => {
            checked.survey.stamp(file).is_some_and(|stamp| stamp.length == length)
        }
        (Source::Own, None) => false,
    };
    let all = work.evidence.entry(file).or_default();
    let at = all.iter().position(|it| it.source == source).unwrap_or_else(|| {
        all.push(Evidence {
            source,
            good: HashSet::new(),
            is_wrong: false,
            is_whole,
            has_own: false,
        });
        all.len() - 1
    });
    if is_good {
        all[at].good.insert(piece);
    } else {
        all[at].is_wrong = true;
    }
}

fn solve_piece(
    work: &mut Work<'_>,
    piece: u64,
    taken: &HashSet<CopyId>,
    budget: &mut Budget,
) -> Border {
    let torrent = work.target.torrent;
    let parts: Vec<Segment> = torrent.parts(piece).collect();
    let is_good_in_place = work.target.checked.as_ref().is_some_and(|it| {
        let verdict: PieceVerdict = it.pieces[piece as usize];
        verdict.is_good() && parts.iter().all(|part| it.survey.place(part.file).is_some())
    });
    if is_good_in_place {
        return Border::Solved(parts.iter().map(|part| (part.file, Source::Own)).collect());
    }
    let sources: Vec<Vec<Source>> = parts.iter().map(|part| sources(work, part, taken)).collect();
    let lacking = parts.iter().zip(&sources).filter(|(_, sources)| sources.is_empty());
    let lacking: Vec<usize> = lacking.map(|(part, _)| part.file).collect();
    if !lacking.is_empty() {
        return Border::Lacks(lacking);
    }
    let nths: HashMap<usize, usize> = parts.iter().map(|part| part.file).zip(0..).collect();
    let mut bytes = Bytes::default();
    let mut tried: HashSet<Vec<usize>> = HashSet::new();
    let mut test = |work: &Work<'_>, at: &[usize]| {
        if !tried.insert(at.to_vec()) {
            return false;
        }
        budget.used += torrent.pieces().length(piece);
        let of_file = |file: usize| {
            let nth = *nths.get(&file)?;
            Some(sources[nth][at[nth]])
        };
        bytes.is_good(work, piece, &of_file)
    };
    let solved = |at: &[usize]| {
        let pairs = parts.iter().zip(at).zip(&sources);
        Border::Solved(pairs.map(|((part, &at), sources)| (part.file, sources[at])).collect())
    };
    // Files that were moved together are likely at the same place in each list.
    let longest = sources.iter().map(Vec::len).max().unwrap_or(0);
    for nth in 0..longest {
        let at: Vec<usize> = sources.iter().map(|it| nth.min(it.len() - 1)).collect();
        if test(work, &at) {
            return solved(&at);
        }
    }
    let mut at = vec![0; sources.len()];
    for _ in 0..MAX_COMBINATIONS {
        if !work.library.goes_on(0) {
            return Border::Wrong { is_cut: false };
        }
        if test(work, &at) {
            return solved(&at);
        }
        // The next combination.
        let mut place = 0;
        while let Some(digit) = at.get_mut(place) {
            *digit += 1;
            if *digit < sources[place].len() {
                break;
            }
            *digit = 0;
            place += 1;
        }
        if place == at.len() {
            return Border::Wrong { is_cut: false };
        }
    }
    Border::Wrong { is_cut: true }
}

/// Says which files and combinations were not tried for pieces that are not good.
pub(crate) fn add_limits(work: &mut Work<'_>) {
    let torrent = work.target.torrent;
    let mut limits = Vec::new();
    for (&piece, border) in &work.borders {
        let Border::Wrong { is_cut } = border else { continue };
        let parts: Vec<Segment> = torrent.parts(piece).collect();
        if *is_cut {
            let first = torrent.files()[parts[0].file].path().to_path_buf();
            limits.push((SearchLimitKind::Combinations, MAX_COMBINATIONS, first));
        }
        // All were tried for the only file that is unknown.
        let unknown = parts.iter().filter(|part| !work.is_certain(part.file));
        if unknown.count() < 2 {
            continue;
        }
        for part in parts.iter().filter(|part| work.own(part.file).is_none()) {
            let group = work.library.of_length(torrent.files()[part.file].length());
            if let Some(more) = group.copies.get(MAX_COPIES) {
                let at = work.library.path_of(*more);
                limits.push((SearchLimitKind::SameLength, MAX_COPIES, at));
            }
        }
    }
    for (kind, max, at) in limits {
        work.add_limit(kind, max, at);
    }
}

/// The sources of a file in a piece, the likeliest first.
fn sources(work: &Work<'_>, part: &Segment, taken: &HashSet<CopyId>) -> Vec<Source> {
    let file = part.file;
    let end = part.offset + part.length;
    let checked = work.target.checked.as_ref();
    let stamp = checked.and_then(|checked| checked.survey.stamp(file));
    let in_place = stamp.is_some_and(|stamp| stamp.length >= end).then_some(Source::Own);
    if work.target.wanted.binary_search(&file).is_err() {
        return in_place.into_iter().collect();
    }
    let mut sources: Vec<Source> = work
        .ordered(file)
        .iter()
        .filter(|it| it.source != Source::Own || in_place.is_some())
        .map(|it| it.source)
        .collect();
    sources.extend(in_place);
    if work.own(file).is_none() {
        sources.extend(work.ranked(file, taken).into_iter().map(Source::Copy));
    }
    let mut seen = HashSet::new();
    sources.retain(|source| seen.insert(*source));
    sources
}

/// The bytes of candidates for a piece, so that each is read once for all combinations.
#[derive(Default)]
struct Bytes {
    kept: HashMap<(usize, Source), Option<Vec<u8>>>,
    total: usize,
}

impl Bytes {
    /// Whether a piece of v1 is good with these sources of its files.
    fn is_good(
        &mut self,
        work: &Work<'_>,
        piece: u64,
        source_of: &dyn Fn(usize) -> Option<Source>,
    ) -> bool {
        let torrent = work.target.torrent;
        let hash = self.hash(work, piece, source_of);
        hash.is_some() && hash == torrent.pieces().hash(piece)
    }

    fn hash(
        &mut self,
        work: &Work<'_>,
        piece: u64,
        source_of: &dyn Fn(usize) -> Option<Source>,
    ) -> Option<[u8; 20]> {
        let torrent = work.target.torrent;
        let mut hasher = ManyHasher::with_backend(work.backend, 1);
        for part in torrent.pieces().segments(piece) {
            if *torrent.files()[part.file].kind() == FileKind::Pad {
                hash_zeros(&mut hasher, part.length);
                continue;
            }
            hasher.update(0, self.of(work, &part, source_of(part.file)?)?);
        }
        Some(hasher.finalize_one(0))
    }

    fn of(&mut self, work: &Work<'_>, part: &Segment, source: Source) -> Option<&[u8]> {
        let key = (part.file, source);
        if !self.kept.contains_key(&key) {
            if self.total > MAX_KEPT {
                *self = Self::default();
            }
            let bytes = read(work, part, source);
            self.total += bytes.as_ref().map_or(0, Vec::len);
            self.kept.insert(key, bytes);
        }
        self.kept.get(&key)?.as_deref()
    }
}

/// The bytes of a source of a file that are in a piece.
pub(crate) fn read(work: &Work<'_>, part: &Segment, source: Source) -> Option<Vec<u8>> {
    let mut reader = match (source, &work.target.checked) {
        (Source::Copy(copy), _) => work.library.open(copy)?,
        (Source::Own, Some(it)) => {
            let file = it.root.open(&it.survey.place(part.file)?.path).ok()?;
            work.library.reader(file)?
        }
        (Source::Own, None) => return None,
    };
    let mut bytes = Vec::new();
    reader.read(part.offset..part.offset + part.length, &mut |portion| {
        bytes.extend_from_slice(portion);
        Some(())
    })?;
    Some(bytes)
}
