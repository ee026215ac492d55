//! Parses v2: the file tree, and the piece layers.

use std::collections::HashMap;
use std::sync::Arc;

use merkle_lanes::bep52::{Bep52, FileHashes, Hash, PieceLength};

use super::fields::{Field, Fields};
use super::listed::{Listed, check_lengths, symlink};
use super::paths::Paths;
use crate::error::{TorrentError, TorrentErrorKind};
use crate::file::FileKind;
use crate::path::PathBuilder;
use crate::torrent::MAX_PIECES;
use crate::warning::{WarningKind, Warnings};

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
        return Err(tree.error(TorrentErrorKind::TreeIsFile));
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
            return Err(name.error(TorrentErrorKind::FileIsFolder));
        }
        let named = paths.finish(&path, name)?;
        let properties = properties.named("a file of the `file tree`").dictionary()?;
        let symlink = symlink(properties, paths)?;
        if symlink.is_none() && properties.has_attribute(b'p')? {
            return Err(name.error(TorrentErrorKind::PadInFileTree));
        }
        let length = if symlink.is_none() { properties.length()? } else { 0 };
        let root = properties.get("pieces root");
        files.push(Listed { root, ..Listed::new(named, symlink, false, length, name.offset()) });
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
            return Err(file.error(TorrentErrorKind::TooManyPieces));
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
                return Err(file.error(TorrentErrorKind::RootOfOtherLength { length, other }));
            }
            None => {
                let layer = match root {
                    Some(root) if file.length > piece_length.bytes() => {
                        let Some(layer) = layers.remove(&root) else {
                            warnings.add(file.offset, WarningKind::MissingLayer);
                            hashes.push(Roots { root: Some(root), hashes: None });
                            continue;
                        };
                        layer.bytes()?
                    }
                    _ => &[],
                };
                let verified =
                    FileHashes::verified(&Bep52::new(), piece_length, file.length, root, layer);
                Arc::new(verified.map_err(|error| file.error(TorrentErrorKind::Layer(error)))?)
            }
        };
        known.extend(root.map(|root| (root, Arc::clone(&found))));
        hashes.push(Roots { root, hashes: Some(found) });
    }
    let mut unknown: Vec<usize> = layers.into_values().map(Field::offset).collect();
    unknown.sort_unstable();
    unknown.into_iter().for_each(|offset| warnings.add(offset, WarningKind::UnknownLayer));
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
            .map_err(|_| key.error(TorrentErrorKind::LayerKey { bytes: bytes.len() }))?;
        layers.insert(root, Field::new(layer, "a piece layer"));
    }
    Ok(layers)
}

/// The `pieces root` of a data file, which is required unless the file is empty.
fn root(file: &Listed<'_>, warnings: &mut Warnings) -> Result<Option<Hash>, TorrentError> {
    let Some(field) = file.root else {
        let missing = file.error(TorrentErrorKind::Missing { key: "pieces root" });
        return if file.length == 0 { Ok(None) } else { Err(missing) };
    };
    if file.length == 0 {
        warnings.add(field.offset(), WarningKind::RootOfEmptyFile);
        return Ok(None);
    }
    let bytes = field.bytes()?;
    let root: Hash = bytes
        .try_into()
        .map_err(|_| field.error(TorrentErrorKind::RootLength { bytes: bytes.len() }))?;
    if root == [0; 32] { Err(field.error(TorrentErrorKind::ZeroRoot)) } else { Ok(Some(root)) }
}
