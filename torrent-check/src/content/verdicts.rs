//! What a search says about the files of a torrent.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use merkle_lanes::bep52::Hash;

use super::borders::Border;
use super::finding::{Finding, Found, PartialCopy, Unproven};
use super::library::CopyId;
use super::work::{Source, Work};

/// The maximum number of places that are listed for a file.
const MAX_PLACES: usize = 16;

impl Work<'_> {
    /// What the search has found out about each file.
    pub(crate) fn conclude(self) -> Found {
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
