//! Parses v2: the file tree, and the piece layers.

use std::collections::HashMap;
use std::sync::Arc;

use merkle_lanes::bep52::{Bep52, FileHashes, Hash, PieceLength};

use super::fields::{Field, Fields};
use super::listed::{Listed, check_lengths, symlink};
use super::paths::Paths;
use crate::torrent::MAX_PIECES;
use crate::torrent::error::{TorrentError, Warnings};
use crate::torrent::file::FileKind;
use crate::torrent::path::PathBuilder;

/// What is known of the tree of a data file.
#[derive(Clone, Default)]
pub(super) struct Roots {
    /// `None` for an empty file.
    pub(super) root: Option<Hash>,
    /// `None` if the torrent lacks the piece layer.
    pub(super) hashes: Option<Arc<FileHashes>>,
}

/// The files of the `file tree`, in its order.
pub(super) fn list<'d>(
    info: Fields<'d>,
    paths: &mut Paths<'d, '_>,
) -> Result<Vec<Listed<'d>>, TorrentError> {
    let tree = info.require("file tree")?;
    let root = tree.dictionary()?;
    if root.get("").is_some() {
        return Err(tree.error("the `file tree` itself is a file, without a name"));
    }
    let mut files = Vec::new();
    // The folders being traversed, the outermost first, with the lengths of their paths in
    // components.
    let mut folders = vec![(root.entries(), 0)];
    let mut path = PathBuilder::default();
    while let Some((entries, depth)) = folders.last_mut() {
        path.truncate(*depth);
        let Some((name, entry)) = entries.next() else {
            folders.pop();
            continue;
        };
        let name = Field::new(name, "a name in the `file tree`");
        let entry = Field::new(entry, "an entry of the `file tree`").dictionary()?;
        paths.push(&mut path, name)?;
        let Some(properties) = entry.get("") else {
            folders.push((entry.entries(), path.depth()));
            continue;
        };
        if entry.entries().count() > 1 {
            let message = "an entry of the `file tree` is both a file and a folder";
            return Err(name.error(message));
        }
        let own_path = paths.finish(&path, name)?;
        let properties = properties.named("a file of the `file tree`").dictionary()?;
        let symlink = symlink(properties, paths)?;
        if symlink.is_none() && properties.has_attribute(b'p')? {
            return Err(name.error("the `file tree` has a padding file"));
        }
        let length = if symlink.is_none() { properties.length()? } else { 0 };
        let root = properties.get("pieces root");
        files.push(Listed { root, ..Listed::new(own_path, symlink, false, length, name.offset()) });
    }
    check_lengths(&files, tree)?;
    Ok(files)
}

/// The pieces root of each data file, and its piece layer if the torrent has it, verified against
/// the root.
pub(super) fn hashes(
    torrent: Fields<'_>,
    piece_length: PieceLength,
    files: &[Listed<'_>],
    warnings: &mut Warnings,
) -> Result<Vec<Roots>, TorrentError> {
    let mut layers = layers(torrent)?;
    // Files with the same content share a root and a piece layer.
    let mut known: HashMap<Hash, Arc<FileHashes>> = HashMap::new();
    let mut hashes = Vec::with_capacity(files.len());
    let mut pieces = 0_u64;
    for file in files {
        // The lengths add up to less than 2^63.
        pieces += file.length.div_ceil(piece_length.bytes());
        if pieces > MAX_PIECES {
            let message = format!("the files up to this one have more than {MAX_PIECES} pieces");
            return Err(file.error(message));
        }
        if file.kind != FileKind::Data {
            hashes.push(Roots::default());
            continue;
        }
        let root = root(file, warnings)?;
        let found = match root.and_then(|root| known.get(&root)) {
            Some(found) if found.length() == file.length => Arc::clone(found),
            Some(found) => {
                let (length, other) = (file.length, found.length());
                return Err(file.error(format!(
                    "this file has the same `pieces root` as an earlier file, but its length in \
                     bytes is {length}, not {other}"
                )));
            }
            None => {
                let layer = match root {
                    Some(root) if file.length > piece_length.bytes() => {
                        let Some(layer) = layers.remove(&root) else {
                            let message = "`piece layers` has no entry for this file, which can \
                                           only be checked as a whole";
                            warnings.add(file.offset, message);
                            hashes.push(Roots { root: Some(root), hashes: None });
                            continue;
                        };
                        layer.bytes()?
                    }
                    _ => &[],
                };
                let verified =
                    FileHashes::verified(&Bep52::new(), piece_length, file.length, root, layer);
                Arc::new(verified.map_err(|error| file.error(error.to_string()))?)
            }
        };
        known.extend(root.map(|root| (root, Arc::clone(&found))));
        hashes.push(Roots { root, hashes: Some(found) });
    }
    let mut unknown: Vec<usize> = layers.into_values().map(Field::offset).collect();
    unknown.sort_unstable();
    for offset in unknown {
        warnings.add(offset, "no file in the torrent needs this piece layer");
    }
    Ok(hashes)
}

/// The `piece layers`, by root. They may be left out if no file is longer than a piece.
fn layers(torrent: Fields<'_>) -> Result<HashMap<Hash, Field<'_>>, TorrentError> {
    let mut layers = HashMap::new();
    let entries =
        torrent.get("piece layers").map(Field::dictionary).transpose()?.map(Fields::entries);
    for (key, layer) in entries.into_iter().flatten() {
        let key = Field::new(key, "a key of `piece layers`");
        let bytes = key.bytes()?;
        let root = bytes
            .try_into()
            .map_err(|_| key.error(wrong_length("key of `piece layers`", bytes)))?;
        layers.insert(root, Field::new(layer, "a piece layer"));
    }
    Ok(layers)
}

/// The `pieces root` of a data file, which is required unless the file is empty.
fn root(file: &Listed<'_>, warnings: &mut Warnings) -> Result<Option<Hash>, TorrentError> {
    let Some(field) = file.root else {
        let missing = || file.error("`pieces root` is missing");
        return if file.length == 0 { Ok(None) } else { Err(missing()) };
    };
    if file.length == 0 {
        warnings.add(field.offset(), "the `pieces root` of an empty file is ignored");
        return Ok(None);
    }
    let bytes = field.bytes()?;
    let root: Hash =
        bytes.try_into().map_err(|_| field.error(wrong_length("`pieces root`", bytes)))?;
    // BEP 52 uses zeros for absent hashes.
    let is_zero = root == [0; 32];
    if is_zero { Err(field.error("a `pieces root` is all zeros")) } else { Ok(Some(root)) }
}

fn wrong_length(what: &str, bytes: &[u8]) -> String {
    format!("the length of a {what} in bytes is {}, not 32", bytes.len())
}
