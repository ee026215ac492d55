//! Finds good pieces of files of v2 in damaged copies.

use std::collections::{BTreeMap, HashSet};

use merkle_lanes::bep52::{Bep52, hash_blocks};

use super::library::CopyId;
use super::work::Work;

/// Finds good pieces of files of v2 whose root no file has.
pub(crate) fn find_damaged(work: &mut Work<'_>, taken: &HashSet<CopyId>) {
    let torrent = work.target.torrent;
    let lacking = work.target.wanted.iter().copied().filter(|file| {
        torrent.files()[*file].pieces_root().is_some() && !work.with_root.contains_key(file)
    });
    for file in lacking.collect::<Vec<_>>() {
        if !work.library.goes_on(0) {
            return;
        }
        let ranked = work.ranked(file, taken);
        let found = of(work, file, ranked, &|piece| work.is_due(piece));
        work.copies.insert(file, found);
    }
}

/// The pieces of a file that are good in copies. `copies` are the candidates.
fn of(
    work: &Work<'_>,
    file: usize,
    mut copies: Vec<CopyId>,
    is_due: &dyn Fn(u64) -> bool,
) -> BTreeMap<u64, CopyId> {
    let torrent = work.target.torrent;
    let own = torrent.pieces().of_file(file);
    let mut origins = BTreeMap::new();
    if own.end - own.start < 2 || torrent.files()[file].hashes().is_none() {
        return origins;
    }
    let samples = [own.start, own.start + (own.end - own.start) / 2, own.end - 1];
    copies.retain(|&copy| samples.iter().any(|&piece| is_good(work, file, copy, piece)));
    for piece in own.filter(|piece| is_due(*piece)) {
        if let Some(at) = copies.iter().position(|&copy| is_good(work, file, copy, piece)) {
            origins.insert(piece, copies[at]);
            // It likely has the next piece, too.
            copies[..=at].rotate_right(1);
        }
    }
    origins
}

/// Whether a piece of a file is good in a copy.
fn is_good(work: &Work<'_>, file: usize, copy: CopyId, piece: u64) -> bool {
    let torrent = work.target.torrent;
    let (Some(v2), Some(hashes)) = (torrent.v2_piece(piece), torrent.files()[file].hashes()) else {
        return false;
    };
    let hasher = Bep52::new().with_backend(work.backend);
    let offset = v2.index * torrent.piece_length();
    let mut leaves = Vec::new();
    let read = work.library.open(copy).and_then(|mut from| {
        from.read(offset..offset + v2.length, &mut |bytes| {
            leaves.extend(hash_blocks(&hasher, bytes));
            Some(())
        })
    });
    read.is_some() && hashes.verify_blocks(&hasher, v2.index, &leaves).is_ok()
}
