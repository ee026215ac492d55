//! Orders the candidates for a file by their names, their folders, and their ranks.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::library::{CopyId, FolderId, name_of, names_above};
use super::work::{MAX_COPIES, Source, Work};

impl Work<'_> {
    /// The copies with the name of a file and this length, or with any length, those first whose
    /// folders have the names that the torrent gives them.
    pub(crate) fn named(&self, file: usize, has_length: bool) -> Vec<CopyId> {
        let torrent = self.target.torrent;
        let listed = &torrent.files()[file];
        let (name, above) = (name_of(listed), names_above(torrent, listed));
        let mut named: Vec<CopyId> = if has_length {
            let group = self.library.of_length(listed.length());
            group.by_name.get(&name).cloned().unwrap_or_default()
        } else {
            self.library.named(&name).collect()
        };
        if named.len() > 1 {
            named.sort_by_cached_key(|&copy| Reverse(self.library.agreeing(copy, &above)));
        }
        named.truncate(MAX_COPIES);
        named
    }

    /// At most [`MAX_COPIES`] candidates for a file that is only verified together with its
    /// neighbours, or of which only a damaged copy may exist. Those with its name come first, then
    /// those beside the torrent's other files, then the one with its rank among all files of its
    /// length. Those in `taken`, which are known to be other files, come last.
    pub(crate) fn ranked(&self, file: usize, taken: &HashSet<CopyId>) -> Vec<CopyId> {
        let listed = &self.target.torrent.files()[file];
        let group = self.library.of_length(listed.length());
        let beside = self.folders(file);
        let folder_of = |copy: CopyId| self.library.folder_of(copy);
        let name = group.by_name.get(&name_of(listed)).into_iter().flatten().copied();
        let mut ranked: Vec<CopyId> =
            name.filter(|copy| beside.contains(&folder_of(*copy))).collect();
        ranked.extend(self.named(file, true));
        // Files that were moved together have the same rank in their folder.
        let rank = self.ranks.get(&file).copied();
        for folder in &beside {
            let here = || group.copies.iter().copied().filter(|copy| folder_of(*copy) == *folder);
            if let Some((rank, count)) = rank
                && here().count() == count
            {
                ranked.extend(here().nth(rank));
            }
            ranked.extend(here().take(MAX_COPIES));
        }
        if let Some((rank, count)) = rank {
            let last = (group.copies.len() + rank).checked_sub(count);
            let by_rank = [Some(rank), last].into_iter().flatten();
            ranked.extend(by_rank.filter_map(|at| group.copies.get(at)));
        }
        let is_other = |copy: &&CopyId| !self.whole.contains(copy);
        let others = group.copies.iter().filter(is_other).copied();
        let (known, others): (Vec<CopyId>, Vec<CopyId>) =
            others.partition(|copy| taken.contains(copy));
        // A damaged copy may have another length.
        let of_any_length = self.named(file, false);
        ranked.extend(of_any_length.iter().take(MAX_COPIES / 4));
        ranked.extend(others.into_iter().chain(known).take(2 * MAX_COPIES));
        ranked.extend(of_any_length);
        let mut ranked = self.without_places(file, ranked);
        ranked.truncate(MAX_COPIES);
        ranked
    }

    /// The folders in which files of the torrent were found, those of the nearest files first.
    fn folders(&self, file: usize) -> Vec<FolderId> {
        let mut near: Vec<(usize, FolderId)> = Vec::new();
        for (&other, all) in &self.evidence {
            let found = all.iter().filter(|it| it.has_own && !it.is_wrong);
            for evidence in found {
                if let Source::Copy(copy) = evidence.source {
                    near.push((other.abs_diff(file), self.library.folder_of(copy)));
                }
            }
        }
        near.sort_unstable();
        let mut seen = HashSet::new();
        near.retain(|(_, folder)| seen.insert(*folder));
        near.truncate(MAX_COPIES);
        near.into_iter().map(|(_, folder)| folder).collect()
    }

    /// Each candidate once, and none that is the file in its own place.
    fn without_places(&self, file: usize, mut copies: Vec<CopyId>) -> Vec<CopyId> {
        let mut seen = HashSet::new();
        copies.retain(|&copy| seen.insert(copy) && !self.is_place_of(file, copy));
        copies
    }
}
