//! v1 torrents without content, whose layout is compared with a list of all bytes.

use torrent_check::{PieceMap, Segment};

use crate::make::{Value, dictionary, strings};

/// A torrent with files and pads of these lengths. Its pieces are numbered instead of hashed.
pub(crate) fn numbered(lengths: &[u64], pads: &[bool], piece_length: u64) -> Value {
    let files = lengths.iter().zip(pads).enumerate().map(|(nth, (&length, &is_pad))| {
        let mut file =
            dictionary([("length", length.into()), ("path", strings([nth.to_string().as_str()]))]);
        if is_pad {
            file.set(&[], "attr", "p");
        }
        file
    });
    let pieces: Vec<u8> =
        (0..lengths.iter().sum::<u64>().div_ceil(piece_length)).flat_map(hash_of).collect();
    let info = dictionary([
        ("name", "folder".into()),
        ("piece length", piece_length.into()),
        ("pieces", pieces.into()),
        ("files", Value::List(files.collect())),
    ]);
    dictionary([("info", info)])
}

/// The number of a piece, in place of its hash.
fn hash_of(piece: u64) -> [u8; 20] {
    let mut hash = [7; 20];
    hash[..8].copy_from_slice(&piece.to_le_bytes());
    hash
}

/// Compares the layout with its definition: the list of all bytes of all files, cut into pieces.
pub(crate) fn assert_layout(map: &PieceMap, lengths: &[u64], piece_length: u64) {
    let bytes: Vec<(usize, u64)> = lengths
        .iter()
        .enumerate()
        .flat_map(|(file, &length)| (0..length).map(move |at| (file, at)))
        .collect();
    let pieces: Vec<&[(usize, u64)]> = bytes.chunks(piece_length as usize).collect();
    assert_eq!(map.total(), bytes.len() as u64);
    assert_eq!(map.count(), pieces.len() as u64);
    for (piece, expected) in (0..).zip(&pieces) {
        assert_eq!(map.hash(piece), Some(hash_of(piece)));
        assert_eq!(map.length(piece), expected.len() as u64);
        let segments: Vec<Segment> = map.segments(piece).collect();
        assert!(segments.iter().all(|segment| segment.length > 0));
        let touched = |segment: &Segment| {
            let Segment { file, offset, length } = *segment;
            (offset..offset + length).map(move |at| (file, at))
        };
        assert!(segments.iter().flat_map(touched).eq(expected.iter().copied()), "piece {piece}");
        // Each file has at most one segment in the piece.
        assert!(segments.windows(2).all(|pair| pair[0].file < pair[1].file));
    }
    for file in 0..lengths.len() {
        let touches = |piece: &u64| pieces[*piece as usize].iter().any(|place| place.0 == file);
        assert!(map.of_file(file).eq((0..map.count()).filter(touches)), "file {file}");
    }
}
