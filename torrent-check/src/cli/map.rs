//! Reads where the content of each torrent is.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use torrent_check::{Escaped, Place, Torrent};

use super::sources::{lines, path, read_list};
use super::{Failure, log};

/// The content of torrents by path and by info hash.
#[derive(Default)]
pub(super) struct Map {
    file: PathBuf,
    places: HashMap<Key, Line>,
}

/// What identifies a torrent.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// A path without links, or `-`.
    Path(PathBuf),
    /// In lower case.
    InfoHash(String),
}

/// A line of the file.
pub(super) struct Line {
    number: usize,
    content: PathBuf,
}

impl Map {
    /// Reads a map. Lines about torrents that do not exist cause warnings, unless `quiet`.
    pub(super) fn read(file: &Path, quiet: bool) -> Result<Self, Failure> {
        let mut places = HashMap::new();
        for (number, line) in lines(&read_list(file)?) {
            let wrong = |what: &str| Failure(format!("{}, line {number}: {what}", Escaped(file)));
            let Some(tab) = line.iter().position(|&byte| byte == b'\t') else {
                return Err(wrong(
                    "there is no tab; write the path or info hash of a torrent, a tab, and the \
                     folder of its content",
                ));
            };
            let (torrent, content) = (&line[..tab], &line[tab + 1..]);
            if torrent.is_empty() {
                return Err(wrong(
                    "there is no torrent before the tab; write its path or info hash",
                ));
            }
            if content.is_empty() {
                return Err(wrong("there is no folder after the tab; write that of the content"));
            }
            let (Some(torrent), Some(content)) = (path(torrent), path(content)) else {
                return Err(wrong("a path is not UTF-8; save the file as UTF-8"));
            };
            let Some(key) = Key::new(&torrent) else {
                if !quiet {
                    let (file, torrent) = (Escaped(file), Escaped(&torrent));
                    log(&format!(
                        "warning: {file}, line {number}: there is no file {torrent}; correct the \
                         path or remove the line"
                    ));
                }
                continue;
            };
            match places.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(Line { number, content });
                }
                Entry::Occupied(first) => {
                    let Line { number, .. } = first.get();
                    return Err(wrong(&format!(
                        "the torrent is also on line {number}; remove one of the lines"
                    )));
                }
            }
        }
        Ok(Self { file: file.to_owned(), places })
    }

    /// The line about a torrent, by its path or else by an info hash.
    pub(super) fn line(&self, source: &Path, torrent: &Torrent) -> Option<&Line> {
        let hashes =
            [torrent.info_hash_v1().map(hex::encode), torrent.info_hash_v2().map(hex::encode)];
        let hashes = hashes.into_iter().flatten().map(Key::InfoHash);
        Key::of_path(source).into_iter().chain(hashes).find_map(|key| self.places.get(&key))
    }

    /// Why there is no place to look for a torrent's content.
    pub(super) fn unmapped(&self, torrent: &Path) -> Failure {
        let (torrent, file) = (Escaped(torrent), Escaped(&self.file));
        Failure(format!(
            "{torrent}: {file} has no line for it; add one, or pass the folder of its content with \
             --root"
        ))
    }

    /// Adds to an error what to do about it.
    pub(super) fn explain(&self, line: &Line, Failure(message): Failure) -> Failure {
        let (file, number) = (Escaped(&self.file), line.number);
        Failure(format!("{message}; correct line {number} of {file} or remove it"))
    }
}

impl Key {
    /// What the first part of a line identifies, if it exists.
    fn new(torrent: &Path) -> Option<Self> {
        let text = torrent.to_str().filter(|text| {
            matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        match text {
            Some(hash) => Some(Self::InfoHash(hash.to_ascii_lowercase())),
            None => Self::of_path(torrent),
        }
    }

    fn of_path(path: &Path) -> Option<Self> {
        if path == Path::new("-") {
            return Some(Self::Path(path.to_owned()));
        }
        fs::canonicalize(path).ok().map(Self::Path)
    }
}

impl Line {
    /// Where the content is: in the folder under the torrent's name, or the folder itself if it has
    /// files of the torrent.
    pub(super) fn place(&self, torrent: &Torrent) -> Place<'_> {
        let path = self.content.as_path();
        let name = torrent.name().to_path_buf();
        let exists = |path: PathBuf| path.symlink_metadata().is_ok();
        // A file or folder in the content may have the torrent's name.
        let is_usual = || {
            let first = torrent.files().first().filter(|_| !torrent.is_single_file());
            exists(path.join(first.map_or(name.clone(), |it| name.join(it.path().to_path_buf()))))
        };
        let is_content = || {
            let mut files = torrent.files().iter().map(|file| file.path().to_path_buf());
            !torrent.is_single_file() && files.any(|file| exists(path.join(file)))
        };
        if path.is_file() || !is_usual() && is_content() {
            Place::Content(path)
        } else {
            Place::Folder(path)
        }
    }
}
