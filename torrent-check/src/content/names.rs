//! The names under which clients save the files of a torrent, seen together.

use std::collections::{HashMap, HashSet};

use crate::{FileKind, Torrent, TorrentPath};

/// The paths of all files of a torrent.
pub(crate) struct Names<'t> {
    /// The number of files that the torrent lists under each path.
    listed: HashMap<&'t TorrentPath, usize>,
    /// The first file that the torrent lists under each path, if that is its own name.
    first: HashMap<&'t TorrentPath, usize>,
    /// The paths that versions of libtorrent give files because others have theirs.
    numbered: HashMap<usize, Vec<TorrentPath>>,
}

impl<'t> Names<'t> {
    pub(crate) fn new(torrent: &'t Torrent) -> Self {
        let (mut listed, mut first) = (HashMap::new(), HashMap::new());
        for (index, file) in torrent.files().iter().enumerate() {
            *listed.entry(file.path()).or_default() += 1;
            if !file.path().is_replaced() {
                first.entry(file.path()).or_insert(index);
            }
        }
        let mut numbered: HashMap<usize, Vec<TorrentPath>> = HashMap::new();
        for version in 0..2 {
            for (file, path) in numbered_by_libtorrent(torrent, version) {
                let paths = numbered.entry(file).or_default();
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        Self { listed, first, numbered }
    }

    /// How many files the torrent lists under a path.
    pub(crate) fn listed(&self, path: &TorrentPath) -> usize {
        self.listed.get(path).copied().unwrap_or(0)
    }

    /// The first of several files that the torrent lists under the path of this one, if that is
    /// another one.
    pub(crate) fn first_of(&self, file: usize, path: &TorrentPath) -> Option<usize> {
        self.first.get(path).copied().filter(|first| *first != file)
    }

    /// The paths that versions of libtorrent give a file because another has its own.
    pub(crate) fn numbered(&self, file: usize) -> &[TorrentPath] {
        self.numbered.get(&file).map_or(&[], Vec::as_slice)
    }

    /// The files that have this path in a version of libtorrent only with a number.
    pub(crate) fn others_with(&self, path: &TorrentPath, torrent: &Torrent) -> Vec<usize> {
        let files = torrent.files();
        self.numbered.keys().copied().filter(|&file| files[file].path() == path).collect()
    }
}

/// The files to which a version of libtorrent gives another path, because a folder or a file before
/// them has theirs in any letter case.
fn numbered_by_libtorrent(torrent: &Torrent, version: usize) -> Vec<(usize, TorrentPath)> {
    let data = torrent.files().iter().enumerate();
    let data = data.filter(|(_, file)| *file.kind() != FileKind::Pad);
    let paths = data.filter_map(|(index, file)| {
        let [since_2_1, before] = file.path().libtorrent_paths()?;
        Some((index, if version == 0 { since_2_1 } else { before }))
    });
    let paths: Vec<(usize, Vec<u8>)> = paths.collect();
    let folded = |path: &[u8]| path.to_ascii_lowercase();
    let mut taken: HashSet<Vec<u8>> = HashSet::new();
    for (_, path) in &paths {
        let ends = (0..path.len()).filter(|&at| path[at] == b'/');
        taken.extend(ends.map(|end| folded(&path[..end])));
    }
    // The highest number of each path so far: many files may have it.
    let mut counts: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut renamed = Vec::new();
    for (index, path) in paths {
        if taken.insert(folded(&path)) {
            continue;
        }
        let count = counts.entry(folded(&path)).or_default();
        loop {
            *count += 1;
            let Some(path) = TorrentPath::numbered(&path, *count) else { break };
            if taken.insert(folded(path.as_bytes())) {
                renamed.push((index, path));
                break;
            }
        }
    }
    renamed
}
