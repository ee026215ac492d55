//! The result of a check.

pub(crate) mod layout;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::content::finding::{Finding, PartialCopy};
use crate::content::root::Content;
use crate::folders::listing::SearchLimit;
use crate::state::{State, bitfield};
use crate::verdict::{Counts, FileVerdict, PieceVerdict};
use crate::{File, Segment, Torrent};

/// The result of a check: a verdict on every file and every piece.
#[non_exhaustive]
pub struct Report<'t> {
    /// The torrent.
    pub torrent: &'t Torrent,
    /// Where the content was looked for.
    pub content: Content,
    /// The verdicts on all pieces. In v1 and hybrid torrents, pieces are numbered across the
    /// concatenation of all files; in v2 torrents, each file starts a new piece.
    pub pieces: Vec<PieceVerdict>,
    /// The results for all files, in the torrent's order.
    pub files: Vec<FileReport>,
    /// The verdicts on files that were not requested, but examined because they share pieces with
    /// those that were.
    pub(crate) others: BTreeMap<usize, FileVerdict>,
    /// What the next check can reuse.
    ///
    /// Pieces that this check did not cover keep the result of the
    /// [earlier check](crate::Check::state), unless one of their files is known to have changed.
    pub state: State,
    /// Whether the check was cancelled before it was complete.
    pub is_cancelled: bool,
    /// The number of bytes hashed, or known without reading.
    pub bytes_checked: u64,
    /// The number of those bytes that are in holes and padding, and were not read.
    pub bytes_in_holes: u64,
    /// The file systems whose times do not show every change, such as tmpfs, FUSE and those of
    /// other computers, each with the number of files on it. No results of these files are kept in
    /// [`state`](Self::state), so that they are read again.
    pub without_times: BTreeMap<&'static str, u64>,
    /// The number of bytes that [`Check::find_renamed`](crate::Check::find_renamed) has read.
    pub bytes_searched: u64,
    /// Whether the content's folder is also that of other torrents.
    pub(crate) is_shared: bool,
    /// The files in the content's folder that do not belong to the torrent, relative to that folder
    /// and sorted. Only set if [`Check::list_extra`](crate::Check::list_extra) is on, and empty if
    /// the torrent is a single file.
    pub extra: Vec<PathBuf>,
    /// The limits that the search for the content has reached. What is beyond them may be called
    /// missing.
    pub search_limits: Vec<SearchLimit>,
    /// The number of pieces that are not good in place, but in files that
    /// [`Check::find_renamed`](crate::Check::find_renamed) has found.
    pub pieces_found: u64,
    /// The files that clients keep beside the content: the control file of aria2 if it has not
    /// finished all files, and the part file of libtorrent if a file is missing or too short.
    pub client_files: Vec<PathBuf>,
}

/// The result for one file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileReport {
    /// The verdict.
    pub verdict: FileVerdict,
    /// The path at which it was found, relative to the content's folder, if that is not its own:
    /// clients replace some characters in names.
    pub saved_as: Option<PathBuf>,
    /// Where a client keeps the file, if that is outside the content's folder and it is not there.
    pub expected_at: Option<PathBuf>,
    /// The client whose control file says that its download is not finished, such as `aria2`.
    /// Control files are only looked for beside content that is not good.
    pub unfinished_by: Option<&'static str>,
    /// Its length on disk, if it exists.
    pub found_length: Option<u64>,
    /// Counts by verdict of the pieces that have bytes of the file.
    pub counts: Counts,
    /// What a search found out about the content of the file. Only set if
    /// [`Check::find_renamed`](crate::Check::find_renamed) is on and this file is not good.
    pub finding: Option<Finding>,
    /// Files that have good pieces of this file, if nothing is proven to have all of them.
    pub copies: Vec<PartialCopy>,
    /// Whether the file was only searched for together with its neighbours, without success: in v1,
    /// no piece has bytes of this file alone.
    pub is_unsearchable: bool,
}

/// A run of pieces of a file with the same verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The verdict: bad, missing or unverifiable.
    pub verdict: PieceVerdict,
    /// The pieces.
    pub pieces: Range<u64>,
    /// The bytes of the file in these pieces.
    pub bytes: Range<u64>,
}

impl FileReport {
    /// The files that are [proven](Finding::Proven) to have the content of this one.
    #[must_use]
    pub fn found_as(&self) -> &[PathBuf] {
        self.finding.as_ref().map_or(&[], Finding::proven)
    }
}

impl Report<'_> {
    /// The files that make a piece unverifiable.
    ///
    /// # Panics
    ///
    /// Panics if `piece >= self.pieces.len()`.
    #[track_caller]
    pub fn causes(&self, piece: u64) -> impl Iterator<Item = usize> + '_ {
        let is_cause = |part: &Segment| {
            let end = self.files[part.file].found_length.unwrap_or(0);
            end < part.offset + part.length
                || matches!(
                    self.cause(part.file),
                    FileVerdict::Changed | FileVerdict::Unreadable(_)
                )
        };
        self.torrent.parts(piece).filter(is_cause).map(|part| part.file)
    }

    /// What is wrong with a file that makes pieces unverifiable.
    ///
    /// This is the verdict on the file even if the file was not requested, and was only examined
    /// because it shares pieces with others. Its own verdict is [`FileVerdict::Skipped`] then.
    ///
    /// # Panics
    ///
    /// Panics if `file >= self.files.len()`.
    #[must_use]
    pub fn cause(&self, file: usize) -> &FileVerdict {
        self.others.get(&file).unwrap_or(&self.files[file].verdict)
    }

    /// Piece counts by verdict, for the whole torrent.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::of(&self.pieces)
    }

    /// The damaged pieces of a file, in order, as runs with the same verdict.
    ///
    /// # Panics
    ///
    /// Panics if `file >= self.files.len()`.
    #[must_use]
    pub fn damage(&self, file: usize) -> Vec<Damage> {
        let mut damage: Vec<Damage> = Vec::new();
        for piece in self.torrent.pieces().of_file(file) {
            let verdict = self.pieces[piece as usize];
            if !verdict.is_damage() {
                continue;
            }
            let bytes = self.torrent.pieces().bytes_of_file(piece, file);
            match damage.last_mut() {
                Some(last) if last.verdict == verdict && last.pieces.end == piece => {
                    last.pieces.end += 1;
                    last.bytes.end = bytes.end;
                }
                _ => damage.push(Damage { verdict, pieces: piece..piece + 1, bytes }),
            }
        }
        damage
    }

    /// Whether every requested file is good.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_fine = |file: &FileReport| {
            matches!(file.verdict, FileVerdict::Good | FileVerdict::Pad | FileVerdict::Skipped)
        };
        // Pieces of nothing but padding belong to no data file, but have hashes.
        let is_good =
            |verdict: &PieceVerdict| verdict.is_good() || *verdict == PieceVerdict::Skipped;
        self.files.iter().all(is_fine) && self.pieces.iter().all(is_good)
    }

    /// The files and folders that belong to the torrent as far as is known: the folder of the
    /// content, or its files if that is also the folder of others; files that a search has found;
    /// and the files of clients.
    ///
    /// `shared` are folders that others have their content in, such as download folders.
    #[must_use]
    pub fn belongings(&self, shared: &[&Path]) -> Vec<PathBuf> {
        let content = self.content.path();
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let top = real(content);
        let is_shared = self.is_shared || shared.iter().any(|path| real(path).starts_with(&top));
        let mut all = self.client_files.clone();
        if !is_shared || self.torrent.is_single_file() {
            all.push(content.to_owned());
        }
        for (file, found) in self.torrent.files().iter().zip(&self.files) {
            let own = || file.path().to_path_buf();
            match &found.saved_as {
                Some(path) => all.push(content.join(path)),
                None if is_shared && found.found_length.is_some() => all.push(content.join(own())),
                None => {}
            }
            let copies = found.copies.iter().map(|copy| copy.path.as_path());
            let found = found.finding.iter().flat_map(Finding::paths).chain(copies);
            all.extend(found.map(|path| content.join(path)));
        }
        all
    }

    /// Whether every requested piece exists: good in place, or in files that
    /// [`Check::find_renamed`](crate::Check::find_renamed) has found.
    #[must_use]
    pub fn has_all_pieces(&self) -> bool {
        let counts = self.counts();
        counts.good + self.pieces_found + counts.skipped == counts.total()
    }

    /// Whether a requested file, or one that shares a piece with it, could not be read. That may
    /// be a matter of permissions or of the disk, and says nothing about the content.
    #[must_use]
    pub fn has_unreadable_files(&self) -> bool {
        (0..self.files.len()).any(|file| matches!(self.cause(file), FileVerdict::Unreadable(_)))
    }

    /// Whether a requested file, or one that shares a piece with it, is behind a link out of the
    /// folder that was not followed, which says nothing about the content.
    #[must_use]
    pub fn has_unfollowed_links(&self) -> bool {
        (0..self.files.len()).any(|file| *self.cause(file) == FileVerdict::EscapesRoot)
    }

    /// Whether every requested file exists with the right length, and every link with the right
    /// target, whatever the pieces are.
    #[must_use]
    pub fn has_right_lengths(&self) -> bool {
        let is_right = |(file, found): (&File, &FileReport)| match found.verdict {
            FileVerdict::Good | FileVerdict::Pad | FileVerdict::Skipped => true,
            FileVerdict::Bad
            | FileVerdict::Unfinished
            | FileVerdict::Unverifiable
            | FileVerdict::Unchecked => {
                found.found_length.is_none_or(|length| length == file.length())
            }
            _ => false,
        };
        self.torrent.files().iter().zip(&self.files).all(is_right)
    }

    /// One bit per piece, set if it is good, in the format of the BitTorrent `bitfield` message:
    /// piece 0 is the most significant bit of the first byte.
    #[must_use]
    pub fn bitfield(&self) -> Vec<u8> {
        bitfield(self.pieces.iter().map(|verdict| verdict.is_good()))
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("torrent", self.torrent.name())
            .field("content", &self.content)
            .field("counts", &self.counts())
            .field("files", &self.files)
            .field("is_cancelled", &self.is_cancelled)
            .finish_non_exhaustive()
    }
}
