//! Parses v1: the list of files, and the hashes of the pieces.

use super::fields::{Field, Fields};
use super::listed::{Listed, check_lengths, symlink};
use super::paths::Paths;
use crate::torrent::error::TorrentError;
use crate::torrent::path::TorrentPath;
use crate::torrent::pieces::PieceMap;

/// The prefix of the names of padding files in torrents older than BEP 47, which have no attribute.
const OLD_PADDING: &[u8] = b"_____padding_file_";

/// The files listed by `files`, or the single file that `length` implies.
pub(super) struct List<'d> {
    pub(super) is_single_file: bool,
    pub(super) files: Vec<Listed<'d>>,
}

/// Reads `length` or `files`. In hybrid torrents the name of a file does not make it padding.
pub(super) fn list<'d>(
    info: Fields<'d>,
    name: &TorrentPath,
    is_hybrid: bool,
    paths: &mut Paths<'d, '_>,
) -> Result<List<'d>, TorrentError> {
    let (list, is_single_file, files) = match (info.get("length"), info.get("files")) {
        (Some(_), Some(files)) => return Err(files.error("`info` has both `length` and `files`")),
        (Some(length), None) => (length, true, vec![file(info, Some(name), is_hybrid, paths)?]),
        (None, _) => {
            let list = info.require("files")?;
            let dictionaries =
                list.items()?.map(|item| Field::new(item, "an entry of `files`").dictionary());
            let files = dictionaries.map(|dictionary| file(dictionary?, None, is_hybrid, paths));
            (list, false, files.collect::<Result<_, _>>()?)
        }
    };
    check_lengths(&files, list)?;
    Ok(List { is_single_file, files })
}

/// Reads a file. `name` is the path of a single file, whose entry has none.
fn file<'d>(
    file: Fields<'d>,
    name: Option<&TorrentPath>,
    is_hybrid: bool,
    paths: &mut Paths<'d, '_>,
) -> Result<Listed<'d>, TorrentError> {
    let symlink = symlink(file, paths)?;
    let length = if symlink.is_some() { 0 } else { file.length()? };
    let mut is_pad = file.has_attribute(b'p')?;
    let path = match (name, file.get("path.utf-8").or_else(|| file.get("path"))) {
        (Some(name), _) => name.clone(),
        (None, Some(path)) => paths.list(path)?,
        // The path of padding may be left out; the usual one replaces it.
        (None, None) if is_pad => pad_path(length),
        (None, None) => file.require("path").and_then(|path| paths.list(path))?,
    };
    is_pad |= !is_hybrid && path.file_name().starts_with(OLD_PADDING);
    // A raw path that is not valid is of no use, but does no harm.
    let raw = file.get("path.utf-8").and(file.get("path")).filter(|_| name.is_none());
    let raw_path = raw.and_then(|raw| paths.raw(raw)).filter(|raw| *raw != path);
    Ok(Listed { raw_path, ..Listed::new(path, symlink, is_pad, length, file.offset()) })
}

fn pad_path(length: u64) -> TorrentPath {
    TorrentPath::new([&b".pad"[..], length.to_string().as_bytes()])
        .expect("`.pad` and a number are valid components")
}

/// The pieces of the files, whose hashes are in `pieces`.
pub(super) fn pieces(
    info: Fields<'_>,
    piece_length: u64,
    files: &[Listed<'_>],
) -> Result<PieceMap, TorrentError> {
    let pieces = info.require("pieces")?;
    let hashes = pieces.bytes()?;
    PieceMap::v1(piece_length, files.iter().map(|file| file.length), hashes)
        .map_err(|message| pieces.error(message))
}
