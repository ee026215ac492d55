//! Searches a download folder for content that is not where a torrent says.
//!
//! People move and rename the content's folder, leave it out, or change its letter case. The
//! content is recognised by the names and lengths of its longest files: short ones, such as covers,
//! have the same names in many folders. A wrong guess does no harm, because its pieces are bad.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use unicode_normalization::UnicodeNormalization;

use crate::{File, FileKind, Torrent, TorrentPath};

/// The maximum depth of the folders that are listed.
const MAX_DEPTH: usize = 8;

/// The maximum number of files and folders that are listed beneath a folder.
pub(crate) const MAX_ENTRIES: usize = 250_000;

/// The maximum number of files by which content is recognised.
const MAX_SAMPLE: usize = 100;

/// The maximum number of files that are examined for one file of the torrent.
const MAX_PLACES: usize = 1000;

/// The maximum number of places that are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// The files and folders beneath a folder. Links are not followed.
pub(crate) struct Listing {
    /// The first is the folder itself. Paths are relative to it.
    folders: Vec<Folder>,
    /// The files with each name, with their folders.
    files: HashMap<Vec<u8>, Vec<(usize, OsString)>>,
}

struct Folder {
    path: PathBuf,
    /// Its name for comparisons.
    name: Vec<u8>,
    parent: Option<usize>,
}

/// Where content is, relative to the folder that was searched.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    Found(PathBuf),
    /// It may be in one of these places, if there are any.
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

/// A name for comparisons without letter case. macOS decomposes letters with accents, and other
/// systems do not, so both forms are equal.
pub(crate) fn folded(name: &[u8]) -> Vec<u8> {
    match str::from_utf8(name) {
        Ok(text) if !text.is_ascii() => {
            text.nfd().flat_map(char::to_lowercase).nfc().collect::<String>().into_bytes()
        }
        _ => name.to_ascii_lowercase(),
    }
}

fn folded_os(name: &OsStr) -> Vec<u8> {
    folded(name.as_encoded_bytes())
}

impl Listing {
    /// Lists a folder, the entries closest to it first. Unreadable folders are skipped.
    pub(crate) fn new(dir: &Dir, path: &Path, goes_on: &dyn Fn() -> bool) -> Self {
        // `.` has a name only after it is resolved.
        let name = path.canonicalize().ok().and_then(|path| path.file_name().map(folded_os));
        let name = name.unwrap_or_default();
        let top = Folder { path: PathBuf::new(), name, parent: None };
        let mut listing = Self { folders: vec![top], files: HashMap::new() };
        let (mut due, mut entries) = (VecDeque::from([(0, 0)]), 0);
        while let Some((folder, depth)) = due.pop_front() {
            let path = listing.folders[folder].path.clone();
            let here = if path.as_os_str().is_empty() { Path::new(".") } else { &path };
            for entry in dir.read_dir(here).into_iter().flatten().flatten() {
                if entries == MAX_ENTRIES || !goes_on() {
                    return listing;
                }
                entries += 1;
                let name = entry.file_name();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && depth < MAX_DEPTH => {
                        due.push_back((listing.folders.len(), depth + 1));
                        let (path, name) = (path.join(&name), folded_os(&name));
                        listing.folders.push(Folder { path, name, parent: Some(folder) });
                    }
                    Ok(kind) if kind.is_file() => {
                        listing.files.entry(folded_os(&name)).or_default().push((folder, name));
                    }
                    _ => {}
                }
            }
        }
        listing
    }

    /// Searches for the content of a torrent. `dir` is the folder that was listed.
    pub(crate) fn search(&self, torrent: &Torrent, dir: &Dir) -> Finding {
        let is_data = |file: &&File| *file.kind() == FileKind::Data && file.length() > 0;
        let mut sample: Vec<&File> = torrent.files().iter().filter(is_data).collect();
        sample.sort_by_key(|file| Reverse(file.length()));
        sample.truncate(MAX_SAMPLE);
        let mut scores: HashMap<PathBuf, Score> = HashMap::new();
        for file in &sample {
            let mut here: HashMap<PathBuf, bool> = HashMap::new();
            let finished = 1 + file.path().saved_as().len();
            let paths = std::iter::once(file.path().clone()).chain(file.path().alternatives());
            for (nth, path) in paths.enumerate() {
                for (place, file_path) in self.places(&path, torrent.is_single_file()) {
                    let Some(length) = regular_length(dir, &file_path) else { continue };
                    let is_partial = nth >= finished && length <= file.length();
                    *here.entry(place).or_default() |= length == file.length() || is_partial;
                }
            }
            for (place, is_right) in here {
                let score = scores.entry(place).or_default();
                score.named += 1;
                score.right += usize::from(is_right);
            }
        }
        let name = folded(torrent.name().as_bytes());
        for (place, score) in &mut scores {
            let top = || self.folders[0].name.clone();
            score.has_name = place.file_name().map_or_else(top, folded_os) == name;
        }
        let mut ranked: Vec<(Score, PathBuf)> =
            scores.into_iter().map(|(place, score)| (score, place)).collect();
        ranked.sort_by(|(one, a), (other, b)| other.cmp(one).then(a.cmp(b)));
        let is_half = |count: usize| count * 2 >= sample.len();
        if let [(best, place), rest @ ..] = &ranked[..]
            && rest.first().is_none_or(|(next, _)| next < best)
            && best.right > 0
            && (best.has_name || is_half(best.right))
        {
            return Finding::Found(place.clone());
        }
        ranked.retain(|(score, _)| score.right > 0 || is_half(score.named));
        let mut places: Vec<PathBuf> = ranked.into_iter().map(|(_, place)| place).collect();
        if places.is_empty() && torrent.is_single_file() {
            places = self.of_length(&torrent.files()[0], dir);
        }
        places.truncate(MAX_SUGGESTIONS);
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
        let found = names.pop().and_then(|last| self.files.get(&last)).map_or(&[][..], |all| all);
        found.iter().take(MAX_PLACES).filter_map(move |(folder, name)| {
            let file = self.folders[*folder].path.join(name);
            let mut place = *folder;
            for name in names.iter().rev() {
                let folder = &self.folders[place];
                place = folder.parent.filter(|_| folder.name == *name)?;
            }
            let content = if is_single { file.clone() } else { self.folders[place].path.clone() };
            Some((content, file))
        })
    }

    /// The files with the length and the extension of this file.
    fn of_length(&self, file: &File, dir: &Dir) -> Vec<PathBuf> {
        let name = folded(file.path().file_name());
        let dot = name.iter().rposition(|&byte| byte == b'.').unwrap_or(name.len());
        let is_like = |other: &&Vec<u8>| other.ends_with(&name[dot..]);
        let names = self.files.keys().filter(is_like).take(MAX_PLACES);
        let paths = names.flat_map(|name| &self.files[name]);
        let paths = paths.map(|(folder, name)| self.folders[*folder].path.join(name));
        let is_equal = |path: &PathBuf| regular_length(dir, path) == Some(file.length());
        let mut paths: Vec<PathBuf> = paths.filter(is_equal).collect();
        paths.sort();
        paths
    }
}

fn regular_length(dir: &Dir, path: &Path) -> Option<u64> {
    let metadata = dir.symlink_metadata(path).ok()?;
    metadata.is_file().then(|| metadata.len())
}
