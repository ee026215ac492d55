//! Parses and validates torrents.

mod about;
pub(crate) mod bencode;
pub(crate) mod error;
mod fields;
pub(crate) mod file;
mod listed;
pub(crate) mod path;
mod paths;
pub(crate) mod pieces;
mod v1;
mod v2;

use merkle_lanes::bep52::PieceLength;

use crate::torrent::error::{TorrentError, Warning, Warnings};
use crate::torrent::file::{File, FileKind};
use crate::torrent::path::TorrentPath;
use crate::torrent::pieces::PieceMap;
use bencode::{Fault, read};

pub use about::About;
use fields::{Field, Fields};
use listed::{Listed, check_hybrid, check_paths};
use paths::Paths;

/// The maximum length of a torrent file, in bytes: 64 MiB.
pub const MAX_TORRENT_BYTES: usize = bencode::MAX_BYTES;

/// The maximum length of a piece, in bytes: 1 GiB.
pub const MAX_PIECE_LENGTH: u64 = 1 << 30;

/// The maximum number of pieces of all files of a v2 torrent: 2^24.
///
/// A check keeps a verdict per piece. In v1 every piece has its own hash, and
/// [`MAX_TORRENT_BYTES`] allows fewer hashes than this. In v2 files with the same
/// content share their hashes, or lack them, so a small torrent could have any number of pieces.
pub const MAX_PIECES: u64 = 1 << 24;

/// The maximum total length of the paths of all files, in bytes: 64 MiB.
///
/// The paths of a file tree can be far longer than the tree: it stores the name of a folder once,
/// but the path of every file in the folder contains it.
pub const MAX_PATH_BYTES: usize = 64 << 20;

/// A validated torrent: its fields are consistent, and no path leads out of its folder.
///
/// ```
/// use torrent_check::{Torrent, Version};
///
/// let file = b"d4:infod6:lengthi5e4:name5:a.txt12:piece lengthi16384e\
///     6:pieces20:aaaaaaaaaaaaaaaaaaaaee";
/// let torrent = Torrent::parse(file)?;
/// assert_eq!(torrent.version(), Version::V1);
/// assert_eq!(torrent.files()[0].path().to_string(), "a.txt");
/// assert_eq!(torrent.files()[0].length(), 5);
///
/// let hostile = String::from_utf8_lossy(file).replace("a.txt", "../xy");
/// let error = Torrent::parse(hostile.as_bytes()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "invalid path component \"../xy\": it has a `..`, which leads out of the folder (byte 25)"
/// );
/// # Ok::<(), torrent_check::TorrentError>(())
/// ```
///
/// # What is accepted
///
/// A torrent is v2 if it has a `meta version`, which must be 2, and hybrid if it also has `pieces`.
/// Fields that are not needed to check content are ignored, and so is whitespace after the end.
///
/// | | v1 | v2 and hybrid |
/// |---|---|---|
/// | non-canonical bencode | a warning | an error |
/// | a duplicate key | an error | an error |
/// | piece length | 1 byte to 1 GiB | a power of two from 16 KiB to 1 GiB |
/// | names | `path.utf-8` and `name.utf-8` take precedence over `path` and `name` | the same in the v1 list |
/// | a name that is not valid in a path, but does not lead elsewhere, an empty list of names, a path that is too long | a warning, and the file is looked for under the names that clients give it, unless another file has that path | the same |
/// | padding | by the attribute `p`, with or without a path, or by a name that begins with `_____padding_file_` | by the attribute, in the v1 list only, and also after the last file |
/// | symbolic links | by the attribute `l`; the target is a path like any other, and a length causes a warning | the same, and so does a root |
/// | two files with the same path, or a path that is both a file and a folder | a warning | a warning, but an error for an entry of the tree that is both |
/// | piece layers | – | verified against the file's root; a missing one, for a file of more than one piece, and superfluous ones cause a warning |
/// | the root of an empty file | – | a warning |
/// | both lists | – | the same files in the same order, each starting at a v1 piece boundary |
///
/// [`TorrentPath`] defines valid paths. At least one file must not be empty.
///
/// # Limits
///
/// Torrents are subject to [`MAX_TORRENT_BYTES`], [`MAX_PIECE_LENGTH`], [`MAX_PIECES`] and
/// [`MAX_PATH_BYTES`]. They have at most 3 million bencoded values, nested 100 deep. A path
/// component has at most 255 bytes, a path at most 4096, and all files together less than 2^63.
/// Numbers in the torrent determine no allocation beyond these limits: time and memory are
/// proportional to the torrent file, the paths and the pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torrent {
    name: TorrentPath,
    /// The name that clients use that ignore `name.utf-8`, if it is another.
    raw_name: Option<TorrentPath>,
    may_be_numbered: bool,
    is_single_file: bool,
    info_hash_v1: Option<[u8; 20]>,
    info_hash_v2: Option<[u8; 32]>,
    piece_length: u64,
    files: Vec<File>,
    pieces: PieceMap,
    about: About,
    warnings: Vec<Warning>,
}

/// The protocol versions that a torrent supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// [BEP 3](https://www.bittorrent.org/beps/bep_0003.html): the SHA-1 of each piece of the
    /// concatenated files.
    V1,
    /// [BEP 52](https://www.bittorrent.org/beps/bep_0052.html): a SHA-256 Merkle tree per file.
    V2,
    /// Both, for the same files.
    Hybrid,
}

impl Torrent {
    /// Parses the content of a torrent file.
    ///
    /// # Errors
    ///
    /// Returns [`TorrentError`] if `bytes` is not a torrent, or if the torrent is not
    /// [accepted](Self#what-is-accepted).
    pub fn parse(bytes: &[u8]) -> Result<Self, TorrentError> {
        let document = read(bytes)?;
        let torrent = Field::new(document.root(), "the torrent").dictionary()?;
        let absent = || TorrentError::new(0, "`info` is missing, so this is not a torrent");
        let info = torrent.get("info").ok_or_else(absent)?.dictionary()?;
        let mut warnings = Warnings::default();

        let version = version(info, &mut warnings)?;
        let (has_v1, has_v2) = (version != Version::V2, version != Version::V1);
        check_form(document.deviations(), has_v2, &mut warnings)?;
        let piece_length = piece_length(info)?;

        let mut paths = Paths::new(&mut warnings);
        let name = paths.name(info.get("name.utf-8").map_or_else(|| info.require("name"), Ok)?)?;
        let raw_name = info.get("name.utf-8").and(info.get("name"));
        let raw_name = raw_name.and_then(|raw| paths.raw_name(raw)).filter(|raw| *raw != name);
        let list = has_v1.then(|| v1::list(info, &name, has_v2, &mut paths)).transpose()?;
        let (mut tree, mut hashes) = (Vec::new(), Vec::new());
        if has_v2 {
            let piece_length = piece_length_of_v2(info, piece_length)?;
            tree = v2::list(info, &mut paths)?;
            hashes = v2::hashes(torrent, piece_length, &tree, &mut warnings)?;
        }

        let pieces = match &list {
            Some(list) => {
                if has_v2 {
                    check_hybrid(&list.files, &tree, piece_length)?;
                }
                v1::pieces(info, piece_length, &list.files)?
            }
            None => PieceMap::v2(piece_length, tree.iter().map(|file| file.length)),
        };
        let (is_single_file, files) = match list {
            Some(list) => (list.is_single_file, list.files),
            None => (tree.len() == 1 && tree[0].path == name, tree),
        };
        let has_equal_paths = check_paths(&files, &mut warnings);
        let is_plain = |byte: &u8| (b' '..=b'~').contains(byte) && *byte != b'\\';
        let is_renamed = |file: &Listed<'_>| {
            let path = file.path.as_bytes();
            !path.iter().all(is_plain)
                && file.path.libtorrent_paths().is_some_and(|all| all.iter().any(|it| it != path))
        };
        let may_be_numbered = has_equal_paths || files.iter().any(is_renamed);
        Ok(Self {
            name,
            raw_name,
            may_be_numbered,
            is_single_file,
            info_hash_v1: has_v1.then(|| sha1_multi::hash(info.raw())),
            info_hash_v2: has_v2.then(|| sha256_multi::hash(info.raw())),
            piece_length,
            files: with_hashes(files, hashes),
            pieces,
            about: About::new(torrent, info),
            warnings: warnings.into_vec(),
        })
    }

    /// The name of the single file, or of the folder of all files: a path of one component.
    #[must_use]
    pub fn name(&self) -> &TorrentPath {
        &self.name
    }

    /// Whether libtorrent may give a file the path of another, and that one a number, which is
    /// rare: only then are the names of all files compared.
    pub(crate) fn may_be_numbered(&self) -> bool {
        self.may_be_numbered
    }

    /// The other names under which clients save the content: a single file also until it is
    /// complete.
    pub(crate) fn other_names(&self) -> Vec<TorrentPath> {
        let of = |name: &TorrentPath| match self.is_single_file {
            true => name.alternatives(),
            false => name.saved_as(),
        };
        let raw = self.raw_name.iter();
        let raw = raw.flat_map(|raw| std::iter::once(raw.clone()).chain(of(raw)));
        of(&self.name).into_iter().chain(raw).collect()
    }

    /// Whether the torrent is a single file, without a folder.
    #[must_use]
    pub fn is_single_file(&self) -> bool {
        self.is_single_file
    }

    /// The protocol versions that the torrent supports.
    #[must_use]
    pub fn version(&self) -> Version {
        match (self.info_hash_v1, self.info_hash_v2) {
            (Some(_), Some(_)) => Version::Hybrid,
            (None, Some(_)) => Version::V2,
            (_, None) => Version::V1,
        }
    }

    /// The v1 info hash: the SHA-1 of the encoded `info` dictionary.
    #[must_use]
    pub fn info_hash_v1(&self) -> Option<[u8; 20]> {
        self.info_hash_v1
    }

    /// The v2 info hash: the SHA-256 of the encoded `info` dictionary.
    #[must_use]
    pub fn info_hash_v2(&self) -> Option<[u8; 32]> {
        self.info_hash_v2
    }

    /// The length of a piece in bytes: 1 to [`MAX_PIECE_LENGTH`].
    #[must_use]
    pub fn piece_length(&self) -> u64 {
        self.piece_length
    }

    /// All files in the torrent's order, including padding and symbolic links. Hybrid torrents use
    /// the order of the v1 list.
    #[must_use]
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The pieces.
    #[must_use]
    pub fn pieces(&self) -> &PieceMap {
        &self.pieces
    }

    /// What the torrent says besides its content.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The oddities of the torrent.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// The versions that a torrent supports. A torrent without `meta version` is v1.
fn version(info: Fields<'_>, warnings: &mut Warnings) -> Result<Version, TorrentError> {
    let Some(field) = info.get("meta version") else {
        if let Some(tree) = info.get("file tree") {
            let message = "the `file tree` is ignored because there is no `meta version`";
            warnings.add(tree.offset(), message);
        }
        return Ok(Version::V1);
    };
    match field.integer()? {
        2 if info.get("pieces").is_some() => Ok(Version::Hybrid),
        2 => Ok(Version::V2),
        other => Err(field.error(format!("`meta version` is {other}, not 2"))),
    }
}

/// Rejects non-canonical bencode in v2, and warns of it in v1, where it occurs in practice.
fn check_form(
    deviations: &[Fault],
    has_v2: bool,
    warnings: &mut Warnings,
) -> Result<(), TorrentError> {
    for Fault { offset, message } in deviations {
        if has_v2 {
            let message = format!("{message}; v2 torrents must be canonical bencode");
            return Err(TorrentError::new(*offset, message));
        }
        warnings.add(*offset, message);
    }
    Ok(())
}

fn piece_length(info: Fields<'_>) -> Result<u64, TorrentError> {
    let field = info.require("piece length")?;
    let bytes = field.integer()?;
    let in_range =
        u64::try_from(bytes).ok().filter(|length| (1..=MAX_PIECE_LENGTH).contains(length));
    in_range.ok_or_else(|| {
        let bounds = format!("not between 1 and {MAX_PIECE_LENGTH}");
        field.error(format!("the piece length is {bytes} bytes, {bounds}"))
    })
}

fn piece_length_of_v2(info: Fields<'_>, bytes: u64) -> Result<PieceLength, TorrentError> {
    let field = info.require("piece length")?;
    PieceLength::new(bytes).map_err(|_| {
        let rule = "v2 requires a power of two of at least 16 KiB";
        field.error(format!("the piece length in bytes is {bytes}; {rule}"))
    })
}

/// Combines files with their hashes. Both are in the same order, but padding has no entry in
/// `roots`.
fn with_hashes(files: Vec<Listed<'_>>, roots: Vec<v2::Roots>) -> Vec<File> {
    let mut roots = roots.into_iter();
    let file = |Listed { path, raw_path, length, kind, .. }| {
        let own = if kind == FileKind::Pad { None } else { roots.next() };
        let v2::Roots { root: pieces_root, hashes } = own.unwrap_or_default();
        File { path, raw_path, length, kind, pieces_root, hashes }
    };
    files.into_iter().map(file).collect()
}
