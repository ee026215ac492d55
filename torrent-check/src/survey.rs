//! Finds out which files exist before they are read.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use crate::links;
use crate::pieces::Pieces;
use crate::resume::Resume;
use crate::root::{Absence, Root};
use crate::stamp::Stamp;
use crate::verdict::{Counts, FileVerdict, PieceVerdict};
use crate::{File, FileKind, PathError, Segment, Torrent, TorrentPath};

/// What was found at a file's path.
pub(crate) enum Found {
    /// The file was not examined.
    Skipped,
    /// A pad, which is not looked for.
    Pad,
    /// A link with the right target.
    RightLink,
    /// A link with another target.
    WrongLink(PathBuf),
    /// A regular file.
    There {
        /// Relative to the root.
        path: PathBuf,
        stamp: Stamp,
        /// The file occupies less of the disk than its length.
        is_sparse: bool,
    },
    Absent(Absence),
}

/// What went wrong with a file after it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Changed,
    Unreadable(String),
}

/// What was found at the path of each file.
pub(crate) struct Survey {
    found: Vec<Found>,
    /// Which files were requested.
    is_requested: Vec<bool>,
    /// Which files to read in full: those requested, and the targets of copies in place of
    /// requested links.
    is_needed: Vec<bool>,
    failures: BTreeMap<usize, Failure>,
}

impl Survey {
    /// Examines every needed file, and the files that share pieces with them.
    pub(crate) fn new(
        torrent: &Torrent,
        root: &Root,
        pieces: &Pieces<'_>,
        files: Option<&(dyn Fn(&File) -> bool + Sync)>,
    ) -> Self {
        let is_requested: Vec<bool> =
            torrent.files().iter().map(|file| files.is_none_or(|select| select(file))).collect();
        let mut is_needed = is_requested.clone();
        if is_needed.contains(&false) {
            for (_, target) in links::candidates(torrent, root, |file| is_requested[file]) {
                is_needed[target] = true;
            }
        }
        let mut survey =
            Self { found: Vec::new(), is_requested, is_needed, failures: BTreeMap::new() };
        let is_wanted = survey.needed_pieces(pieces);
        let listed = LazyCell::new(|| listed(torrent));
        for (index, file) in torrent.files().iter().enumerate() {
            // Only its first and last pieces may have bytes of other files.
            let own = pieces.of_file(index);
            let shares = !own.is_empty()
                && (is_wanted[own.start as usize] || is_wanted[own.end as usize - 1]);
            let found = if *file.kind() == FileKind::Pad {
                Found::Pad
            } else if survey.is_needed[index] || shares {
                examine(root, file, &listed)
            } else {
                Found::Skipped
            };
            survey.found.push(found);
        }
        survey
    }

    /// Whether each piece has bytes of a needed file.
    fn needed_pieces(&self, pieces: &Pieces<'_>) -> Vec<bool> {
        let mut is_wanted = vec![false; pieces.len() as usize];
        for (file, _) in self.is_needed.iter().enumerate().filter(|(_, needed)| **needed) {
            let own = pieces.of_file(file);
            is_wanted[own.start as usize..own.end as usize].fill(true);
        }
        is_wanted
    }

    pub(crate) fn found(&self, file: usize) -> &Found {
        &self.found[file]
    }

    pub(crate) fn is_requested(&self, file: usize) -> bool {
        self.is_requested[file]
    }

    pub(crate) fn failure(&self, file: usize) -> Option<&Failure> {
        self.failures.get(&file)
    }

    pub(crate) fn failures(&self) -> impl Iterator<Item = (usize, &Failure)> {
        self.failures.iter().map(|(&file, failure)| (file, failure))
    }

    /// The stamp of a file that exists.
    pub(crate) fn stamp(&self, file: usize) -> Option<&Stamp> {
        match &self.found[file] {
            Found::There { stamp, .. } => Some(stamp),
            _ => None,
        }
    }

    /// The devices that files are on, each with the length of its longest file.
    pub(crate) fn devices(&self) -> BTreeMap<u64, u64> {
        let mut devices = BTreeMap::new();
        for stamp in (0..self.found.len()).filter_map(|file| self.stamp(file)) {
            let longest = devices.entry(stamp.device).or_insert(0);
            *longest = stamp.length.max(*longest);
        }
        devices
    }

    /// The verdict on each piece before reading. Pieces that have to be read are
    /// [`PieceVerdict::Unchecked`].
    pub(crate) fn first_verdicts(
        &self,
        pieces: &Pieces<'_>,
        resume: Option<&Resume>,
    ) -> Vec<PieceVerdict> {
        let is_wanted = self.needed_pieces(pieces);
        let is_unchanged = |file: usize| {
            let before = resume.and_then(|resume| resume.stamp(file));
            before.is_some() && before == self.stamp(file)
        };
        let verdict = |piece: u64| {
            if !is_wanted[piece as usize] {
                return PieceVerdict::Skipped;
            }
            let (mut there, mut lacking, mut is_short) = (0, 0, true);
            let mut is_trusted = resume.is_some_and(|resume| resume.was_good(piece));
            for segment in pieces.data(piece) {
                let bytes = self.bytes_there(&segment);
                there += bytes;
                lacking += segment.length - bytes;
                is_short = is_short && (bytes == segment.length || self.is_short(segment.file));
                is_trusted = is_trusted && is_unchanged(segment.file);
            }
            match (there, lacking) {
                (_, 0) if is_trusted => PieceVerdict::Trusted,
                (_, 0) => PieceVerdict::Unchecked,
                (0, _) if is_short => PieceVerdict::Missing,
                _ => PieceVerdict::Unverifiable,
            }
        };
        let mut verdicts: Vec<_> = (0..pieces.len()).map(verdict).collect();
        for file in (0..self.found.len()).filter(|&file| pieces.is_whole_only(file)) {
            let own = pieces.of_file(file);
            let own = &mut verdicts[own.start as usize..own.end as usize];
            if own.contains(&PieceVerdict::Unchecked) {
                // Its pieces are only read together.
                own.iter_mut()
                    .filter(|verdict| **verdict == PieceVerdict::Trusted)
                    .for_each(|verdict| *verdict = PieceVerdict::Unchecked);
            }
        }
        verdicts
    }

    /// Whether bytes of a file are missing because the file is absent or too short, not because it
    /// is something else or cannot be read.
    fn is_short(&self, file: usize) -> bool {
        matches!(
            self.found[file],
            Found::There { .. } | Found::Absent(Absence::Missing | Absence::InvalidName(_))
        )
    }

    /// How many bytes of a segment exist.
    pub(crate) fn bytes_there(&self, segment: &Segment) -> u64 {
        let length = self.stamp(segment.file).map_or(0, |stamp| stamp.length);
        length.saturating_sub(segment.offset).min(segment.length)
    }

    /// Records what went wrong while files were read. A change outweighs everything else.
    pub(crate) fn add_failures(&mut self, failures: impl IntoIterator<Item = (usize, Failure)>) {
        for (file, failure) in failures {
            if failure == Failure::Changed {
                self.failures.insert(file, failure);
            } else {
                self.failures.entry(file).or_insert(failure);
            }
        }
    }
}

/// The number of files that a torrent lists under each path.
type Listed<'t> = HashMap<&'t TorrentPath, usize>;

fn listed(torrent: &Torrent) -> Listed<'_> {
    let mut listed = HashMap::new();
    for file in torrent.files() {
        *listed.entry(file.path()).or_default() += 1;
    }
    listed
}

/// Whether each file except padding has the right length, or the right target if it is a link.
/// Each file is examined when its item is taken.
pub(crate) fn right_lengths<'t>(
    torrent: &'t Torrent,
    root: &'t Root,
) -> impl Iterator<Item = bool> + 't {
    let listed = LazyCell::new(|| listed(torrent));
    let files = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad);
    files.map(move |file| match examine(root, file, &listed) {
        Found::RightLink => true,
        Found::There { stamp, .. } => stamp.length == file.length(),
        _ => false,
    })
}

/// Looks for a file at its path, and then at those where clients save it.
///
/// A file with an invalid name is not looked for if another file has the path that replaces it: the
/// content there is that of the other file.
fn examine<'t>(
    root: &Root,
    file: &'t File,
    listed: &LazyCell<Listed<'t>, impl FnOnce() -> Listed<'t>>,
) -> Found {
    let refused = || file.invalid_name().cloned().map(Absence::InvalidName).map(Found::Absent);
    // A path that is too long was cut to that of a folder.
    let is_cut = file.invalid_name().is_some_and(|name| name.error == PathError::PathTooLong);
    if let Some(refused) = refused().filter(|_| is_cut || listed[file.path()] > 1) {
        return refused;
    }
    let found = examine_at(root, file, root.relative(file.path()));
    let is_missing = |found: &Found| matches!(found, Found::Absent(Absence::Missing));
    if is_missing(&found) {
        let others = file.path().alternatives().into_iter();
        for path in others.filter(|path| !listed.contains_key(path)) {
            let other = examine_at(root, file, root.relative(&path));
            if !is_missing(&other) {
                return other;
            }
        }
        return refused().unwrap_or(found);
    }
    found
}

fn examine_at(root: &Root, file: &File, path: PathBuf) -> Found {
    match file.kind() {
        FileKind::Pad => Found::Pad,
        FileKind::Symlink(target) => match root.read_link(&path) {
            Ok(found) if leads_to(&path, &found, &target.to_path_buf()) => Found::RightLink,
            Ok(found) => Found::WrongLink(found),
            Err(absence) => Found::Absent(absence),
        },
        FileKind::Data => match root.regular(&path) {
            Ok(metadata) => {
                Found::There { path, stamp: Stamp::of(&metadata), is_sparse: is_sparse(&metadata) }
            }
            Err(absence) => Found::Absent(absence),
        },
    }
}

/// Whether the link at `link`, whose content is `found`, points to `target`. Both `link` and
/// `target` are relative to the root.
fn leads_to(link: &std::path::Path, found: &std::path::Path, target: &std::path::Path) -> bool {
    use std::path::Component;
    let mut place = link.parent().map(PathBuf::from).unwrap_or_default();
    for component in found.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => place.push(name),
            Component::ParentDir => {
                if !place.pop() {
                    return false;
                }
            }
            Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    place == target
}

#[cfg(unix)]
fn is_sparse(metadata: &cap_std::fs::Metadata) -> bool {
    use cap_std::fs::MetadataExt;
    // `st_blocks` counts blocks of 512 bytes, whatever the block size of the file system.
    metadata.blocks().saturating_mul(512) < metadata.len()
}

#[cfg(not(unix))]
fn is_sparse(_metadata: &cap_std::fs::Metadata) -> bool {
    false
}

impl Survey {
    /// The verdict on a file that should have this length.
    pub(crate) fn verdict(&self, file: usize, length: u64, counts: &Counts) -> FileVerdict {
        if !self.is_requested(file) {
            return FileVerdict::Skipped;
        }
        self.verdict_if_requested(file, length, counts)
    }

    /// Like [`verdict`](Self::verdict), but also for a file that was not requested and was only
    /// examined because it shares pieces with others.
    pub(crate) fn verdict_if_requested(
        &self,
        file: usize,
        length: u64,
        counts: &Counts,
    ) -> FileVerdict {
        let found_length = match self.found(file) {
            Found::Skipped => return FileVerdict::Skipped,
            Found::Pad => return FileVerdict::Pad,
            Found::RightLink => return FileVerdict::Good,
            Found::WrongLink(target) => return FileVerdict::WrongLink(target.clone()),
            Found::Absent(absence) => {
                return match absence {
                    Absence::Missing => FileVerdict::Missing,
                    Absence::InvalidName(name) => FileVerdict::InvalidName(name.clone()),
                    Absence::NotAFile(what) => FileVerdict::NotAFile(what),
                    Absence::NotALink(what) => FileVerdict::NotALink(what),
                    Absence::EscapesRoot => FileVerdict::EscapesRoot,
                    Absence::Unreadable(error) => FileVerdict::Unreadable(error.clone()),
                };
            }
            Found::There { stamp, .. } => stamp.length,
        };
        match self.failure(file) {
            Some(Failure::Changed) => return FileVerdict::Changed,
            Some(Failure::Unreadable(error)) => return FileVerdict::Unreadable(error.clone()),
            None => {}
        }
        match () {
            () if found_length < length => FileVerdict::TooShort { by: length - found_length },
            () if found_length > length => FileVerdict::TooLong { by: found_length - length },
            () if counts.bad > 0 => FileVerdict::Bad,
            () if counts.missing > 0 => FileVerdict::Unfinished,
            () if counts.unchecked > 0 => FileVerdict::Unchecked,
            () if counts.unverifiable > 0 => FileVerdict::Unverifiable,
            () => FileVerdict::Good,
        }
    }
}
