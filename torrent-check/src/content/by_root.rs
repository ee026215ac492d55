//! Finds files of v2 by the roots of their hash trees, which do not depend on names and pieces.

use std::collections::HashMap;

use merkle_lanes::bep52::Hash;

use super::work::{Target, Want, Work};
use crate::folders::listing::FileId;
use crate::verdict::FileVerdict;

/// The files of v2 of one length, by root.
#[derive(Default)]
pub(crate) struct Roots(HashMap<Hash, Vec<Want>>);

impl Roots {
    pub(crate) fn add(&mut self, root: Hash, want: Want) {
        self.0.entry(root).or_default().push(want);
    }

    /// Whether any file is to be found by its root.
    pub(crate) fn has_any(&self) -> bool {
        !self.0.is_empty()
    }

    /// The files with this root.
    pub(crate) fn of(&self, root: &Hash) -> &[Want] {
        self.0.get(root).map_or(&[], Vec::as_slice)
    }
}

/// The roots of files that a check found good in their places.
pub(crate) fn known_roots(works: &[Work<'_>]) -> HashMap<FileId, Option<Hash>> {
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
