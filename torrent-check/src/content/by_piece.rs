//! Finds which file of v1 a copy is by one piece inside it.
//!
//! Files of one length whose pieces begin at the same place are a class. A copy's piece is hashed
//! once for a class, and its hash looked up among those of all its files, whatever torrents they
//! are of.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use hash_lanes::Backend;

use super::library::{MAX_HEAD, Reader};
use super::stream::{Cut, OwnPieces, hash_at};
use super::work::{Want, Work};

/// The piece inside a file by which it is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    First,
    Middle,
    Last,
}

impl Sample {
    /// The place of the piece among those inside a file, unless an earlier sample is the same.
    fn nth(self, own: &OwnPieces) -> Option<u64> {
        match self {
            Self::First => Some(0),
            Self::Middle => Some(own.count / 2).filter(|nth| *nth > 0),
            Self::Last => Some(own.count - 1).filter(|nth| *nth > own.count / 2),
        }
    }
}

/// Files whose pieces begin at the same place.
struct Class {
    cut: Cut,
    /// The place of the piece, and the number of pieces.
    nth: u64,
    count: u64,
    /// The files by the hash of the piece.
    wants: HashMap<[u8; 20], Vec<Want>>,
}

/// The index of a class.
pub(crate) type ClassId = u32;

/// The classes of files of one length.
pub(crate) struct Classes {
    all: Vec<Class>,
    of_want: HashMap<Want, (ClassId, [u8; 20])>,
}

impl Classes {
    /// The classes of the files that have a piece of their own.
    pub(crate) fn new(works: &[Work<'_>], wants: &[Want], sample: Sample) -> Self {
        let (mut all, mut of_want) = (Vec::new(), HashMap::new());
        let mut ids: HashMap<(Cut, u64, u64), ClassId> = HashMap::new();
        for &(nth, file) in wants {
            let Some(own) = works[nth].own(file) else { continue };
            let Some(place) = sample.nth(&own) else { continue };
            let piece = own.first + place;
            let Some(hash) = works[nth].target.torrent.pieces().hash(piece) else { continue };
            let id = *ids.entry((own.cut, place, own.count)).or_insert_with(|| {
                let (cut, nth, count, wants) = (own.cut, place, own.count, HashMap::new());
                all.push(Class { cut, nth, count, wants });
                all.len() as ClassId - 1
            });
            all[id as usize].wants.entry(hash).or_default().push((nth, file));
            of_want.insert((nth, file), (id, hash));
        }
        Self { all, of_want }
    }

    /// Whether no files are left.
    pub(crate) fn is_empty(&self) -> bool {
        self.of_want.is_empty()
    }

    /// The class of a file, unless it was closed.
    pub(crate) fn of(&self, want: Want) -> Option<ClassId> {
        self.of_want.get(&want).map(|(id, _)| *id)
    }

    /// The classes that have files.
    pub(crate) fn open(&self) -> impl Iterator<Item = ClassId> + '_ {
        let ids = (0..self.all.len()).filter(|id| !self.all[*id].wants.is_empty());
        ids.map(|id| id as ClassId)
    }

    /// Looks for a file no longer.
    pub(crate) fn close(&mut self, want: Want) {
        let Some((id, hash)) = self.of_want.remove(&want) else { return };
        let class = &mut self.all[id as usize].wants;
        if let Some(wants) = class.get_mut(&hash) {
            wants.retain(|it| *it != want);
            if wants.is_empty() {
                class.remove(&hash);
            }
        }
    }

    /// The bytes of the pieces of some classes.
    pub(crate) fn bytes(&self, ids: &[ClassId]) -> u64 {
        self.ranges(ids).map(|bytes| bytes.end - bytes.start).sum()
    }

    fn ranges(&self, ids: &[ClassId]) -> impl Iterator<Item = Range<u64>> {
        ids.iter().map(|id| self.all[*id as usize].cut.bytes(self.all[*id as usize].nth))
    }

    /// The files of these classes whose piece a copy has.
    pub(crate) fn alike(
        &self,
        reader: &mut Reader<'_, '_>,
        ids: &[ClassId],
        backend: Backend,
    ) -> Vec<Want> {
        let hashes = self.hashes(reader, ids, backend);
        let alike = hashes.iter().filter_map(|(id, hash)| self.all[*id as usize].wants.get(hash));
        alike.flatten().copied().collect()
    }

    /// The hash of each class's piece. The bytes of all are read once if they are close together.
    fn hashes(
        &self,
        reader: &mut Reader<'_, '_>,
        ids: &[ClassId],
        backend: Backend,
    ) -> BTreeMap<ClassId, [u8; 20]> {
        let begin = self.ranges(ids).map(|bytes| bytes.start).min().unwrap_or(0);
        let end = self.ranges(ids).map(|bytes| bytes.end).max().unwrap_or(0);
        let classes = || ids.iter().map(|id| (*id, &self.all[*id as usize]));
        let has_padding = classes().any(|(_, it)| it.cut.padding(it.nth, it.count) != (0, 0));
        if end - begin > MAX_HEAD || has_padding || ids.len() == 1 {
            let hash = |(id, it): (ClassId, &Class)| {
                Some((id, hash_at(reader, &it.cut, it.nth, it.count, backend)?))
            };
            return classes().filter_map(hash).collect();
        }
        let Some(window) = reader.window(begin..end) else { return BTreeMap::new() };
        let part = |it: Range<u64>| &window[(it.start - begin) as usize..(it.end - begin) as usize];
        let pieces = self.ranges(ids).map(part);
        ids.iter().copied().zip(sha1_multi::Sha1Lanes::on(backend).hash_many(pieces)).collect()
    }
}
