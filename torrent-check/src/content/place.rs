//! Searches a download folder for content that is not where a torrent says.
//!
//! People move and rename the content's folder, leave it out, or change its letter case. The
//! content is recognised by the names and lengths of its longest files: short ones, such as covers,
//! have the same names in many folders. A wrong guess does no harm, because its pieces are bad.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use cap_std::fs::Dir;

use crate::folders::join;
use crate::folders::listing::{FileId, Listing, SearchLimit, SearchLimitKind, folded, folded_os};
use crate::{File, FileKind, Torrent, TorrentPath};

/// The maximum number of files by which content is recognised.
const MAX_SAMPLE: usize = 100;

/// The maximum number of files that are examined for one file of the torrent.
const MAX_PLACES: usize = 1000;

/// The maximum number of places in a folder whose content is checked.
const MAX_CANDIDATES: usize = 8;

/// Where content is, relative to the folder that was searched.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// In this place, which is better than all others.
    Found(PathBuf),
    /// It may be in one of these places, the likeliest first. There may be none.
    Unsure(Vec<PathBuf>),
}

/// How many files of the sample are in a place.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// Those of the right length.
    right: usize,
    named: usize,
    /// Whether the place has the torrent's name.
    has_name: bool,
}

impl Listing {
    /// Searches for the content of a torrent, and adds the limits that it reaches. `dir` is the
    /// folder that was listed.
    pub(crate) fn search(
        &self,
        torrent: &Torrent,
        dir: &Dir,
        limits: &mut Vec<SearchLimit>,
    ) -> Finding {
        let is_data = |file: &&File| *file.kind() == FileKind::Data && file.length() > 0;
        let mut sample: Vec<&File> = torrent.files().iter().filter(is_data).collect();
        sample.sort_by_key(|file| Reverse(file.length()));
        sample.truncate(MAX_SAMPLE);
        let mut scores: HashMap<PathBuf, (Score, Vec<FileId>)> = HashMap::new();
        for file in &sample {
            let mut here: HashMap<PathBuf, (bool, Option<FileId>)> = HashMap::new();
            let finished = 1 + file.saved_as().len();
            let paths = std::iter::once(file.path().clone()).chain(file.alternatives());
            for (nth, path) in paths.enumerate() {
                let name = folded(path.file_name());
                if let Some(more) = self.named_entries(&name).nth(MAX_PLACES) {
                    let (kind, max) = (SearchLimitKind::SameName, MAX_PLACES);
                    limits.push(SearchLimit {
                        kind,
                        max,
                        at: self.root().join(self.path_of(more)),
                    });
                }
                for (place, file_path) in self.places(&path, torrent.is_single_file()) {
                    let Some((length, id)) = self.regular(dir, &file_path) else { continue };
                    let is_partial = nth >= finished && length <= file.length();
                    let found = here.entry(place).or_insert((false, id));
                    found.0 |= length == file.length() || is_partial;
                }
            }
            for (place, (is_right, id)) in here {
                let (score, ids) = scores.entry(place).or_default();
                score.named += 1;
                score.right += usize::from(is_right);
                ids.extend(id);
            }
        }
        let name = folded(torrent.name().as_bytes());
        for (place, (score, _)) in &mut scores {
            let top = || self.root_name().to_vec();
            score.has_name = place.file_name().map_or_else(top, folded_os) == name;
        }
        let mut ranked: Vec<(Score, PathBuf, Vec<FileId>)> =
            scores.into_iter().map(|(place, (score, ids))| (score, place, ids)).collect();
        ranked.sort_by(|(one, a, _), (other, b, _)| other.cmp(one).then_with(|| a.cmp(b)));
        // Hard links to the same files are the same content.
        let mut known: HashSet<Vec<FileId>> = HashSet::new();
        ranked.retain(|(score, _, ids)| ids.len() < score.named || known.insert(ids.clone()));
        let is_half = |count: usize| count * 2 >= sample.len();
        if let [(best, place, _), rest @ ..] = &ranked[..]
            && rest.first().is_none_or(|(next, ..)| next < best)
            && best.right > 0
            && (best.has_name || is_half(best.right))
        {
            return Finding::Found(place.clone());
        }
        ranked.retain(|(score, ..)| score.right > 0 || is_half(score.named));
        let mut places: Vec<PathBuf> = ranked.into_iter().map(|(_, place, _)| place).collect();
        if places.is_empty() && torrent.is_single_file() {
            places = self.of_length(&torrent.files()[0], dir);
        }
        if let Some(more) = places.get(MAX_CANDIDATES) {
            let (kind, max) = (SearchLimitKind::SameName, MAX_CANDIDATES);
            limits.push(SearchLimit { kind, max, at: join(self.root(), more) });
        }
        places.truncate(MAX_CANDIDATES);
        Finding::Unsure(places)
    }

    /// The places where the content could be if a file with this path is there, each with the path
    /// of that file. For a single file both are the same.
    fn places<'l>(
        &'l self,
        path: &TorrentPath,
        is_single: bool,
    ) -> impl Iterator<Item = (PathBuf, PathBuf)> + use<'l> {
        let mut names: Vec<Vec<u8>> = path.components().map(folded).collect();
        let last = names.pop().unwrap_or_default();
        names.reverse();
        let found: Vec<_> = self.named_entries(&last).take(MAX_PLACES).collect();
        found.into_iter().filter_map(move |entry| {
            let file = self.path_of(entry);
            let folder = self.above(entry, &names)?;
            Some((if is_single { file.clone() } else { folder.to_owned() }, file))
        })
    }

    /// The files with the length and the extension of this file.
    fn of_length(&self, file: &File, dir: &Dir) -> Vec<PathBuf> {
        let name = folded(file.path().file_name());
        let dot = name.iter().rposition(|&byte| byte == b'.').unwrap_or(name.len());
        let paths = (0..self.len()).filter(|&entry| self.name_of(entry).ends_with(&name[dot..]));
        let paths = paths.map(|entry| self.path_of(entry));
        let is_equal = |path: &PathBuf| {
            self.regular(dir, path).is_some_and(|(length, _)| length == file.length())
        };
        let mut paths: Vec<PathBuf> = paths.filter(is_equal).take(MAX_PLACES).collect();
        paths.sort();
        paths
    }
}
