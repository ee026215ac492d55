//! What is known of a torrent while its files are searched for.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use hash_lanes::Backend;

use super::borders::Border;
use super::library::{CopyId, Library};
use super::stream::OwnPieces;
use crate::content::root::Root;
use crate::content::survey::Survey;
use crate::folders::listing::{SearchLimit, SearchLimitKind};
use crate::verdict::{FileVerdict, PieceVerdict};
use crate::{FileKind, Torrent};

/// The maximum number of candidates for a file that are compared with those of its neighbours, and
/// of damaged copies that are read.
pub(crate) const MAX_COPIES: usize = 16;

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
    pub(crate) with_root: BTreeMap<usize, Vec<CopyId>>,
    /// The files with any root that is searched for.
    pub(crate) whole: HashSet<CopyId>,
    pub(crate) copies: BTreeMap<usize, BTreeMap<u64, CopyId>>,
    /// The pieces inside the wanted files of v1.
    own: HashMap<usize, OwnPieces>,
    /// The place of each file among those of its length, sorted by path, and their number.
    pub(crate) ranks: HashMap<usize, (usize, usize)>,
    pub(crate) limits: Vec<SearchLimit>,
}

/// A file of a torrent, both as indices.
pub(crate) type Want = (usize, usize);

impl<'t> Work<'t> {
    pub(crate) fn new(target: Target<'t>, library: &'t Library<'t>, backend: Backend) -> Self {
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
    pub(crate) fn is_open(&self, file: usize) -> bool {
        !self.evidence.get(&file).into_iter().flatten().any(|it| it.has_own)
    }

    /// Whether the right source of a file is known, or it is not searched for.
    pub(crate) fn is_certain(&self, file: usize) -> bool {
        let right = |it: &Evidence| it.is_whole && !it.is_wrong && !it.good.is_empty();
        self.target.wanted.binary_search(&file).is_err()
            || self.evidence.get(&file).into_iter().flatten().any(right)
    }

    /// The pieces that have bytes of a wanted file of v1 alone.
    pub(crate) fn own(&self, file: usize) -> Option<OwnPieces> {
        self.own.get(&file).copied()
    }

    pub(crate) fn is_known(&self, file: usize, source: Source) -> bool {
        self.evidence.get(&file).into_iter().flatten().any(|it| it.source == source)
    }

    /// The evidence for a file, that with the most good pieces first.
    pub(crate) fn ordered(&self, file: usize) -> Vec<&Evidence> {
        let mut all: Vec<&Evidence> = self.evidence.get(&file).into_iter().flatten().collect();
        all.sort_by_key(|it| (it.is_wrong || !it.is_whole, std::cmp::Reverse(it.good.len())));
        all
    }

    /// Whether a copy is the file in its own place.
    pub(crate) fn is_place_of(&self, file: usize, copy: CopyId) -> bool {
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
    pub(crate) fn is_due(&self, piece: u64) -> bool {
        let verdicts = self.target.checked.as_ref().map(|it| it.pieces);
        verdicts.is_none_or(|verdicts| {
            let verdict = verdicts[piece as usize];
            !verdict.is_good() && verdict != PieceVerdict::Skipped
        })
    }

    /// The files whose candidates are wrong at a border though their neighbours have candidates.
    pub(crate) fn doubtful(&self) -> Vec<usize> {
        let wrong =
            self.borders.iter().filter(|(_, border)| matches!(border, Border::Wrong { .. }));
        let files = wrong.flat_map(|(&piece, _)| self.target.torrent.parts(piece));
        let mut files: Vec<usize> = files.map(|part| part.file).collect();
        files.sort_unstable();
        files.dedup();
        files.retain(|file| self.target.wanted.binary_search(file).is_ok());
        files
    }

    /// The path of a source as the report has it.
    pub(crate) fn shown(&self, source: Source, file: usize) -> PathBuf {
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
}
