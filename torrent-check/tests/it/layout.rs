//! Where the pieces of v1 are, against a list of all bytes.

use proptest::prelude::*;
use torrent_check::{FileKind, PieceMap, Segment, Torrent};

use crate::make::{Value, dictionary, strings};

/// A torrent of files of these lengths; some are padding. Its pieces are numbered instead of hashed.
pub(crate) fn numbered(lengths: &[u64], pads: &[bool], piece_length: u64) -> Value {
    let files = lengths.iter().zip(pads).enumerate().map(|(nth, (&length, &is_pad))| {
        let mut file = dictionary([("length", length.into()), ("path", strings([nth.to_string().as_str()]))]);
        if is_pad {
            file.set(&[], "attr", "p");
        }
        file
    });
    let pieces: Vec<u8> = (0..lengths.iter().sum::<u64>().div_ceil(piece_length)).flat_map(hash_of).collect();
    let info = dictionary([
        ("name", "folder".into()),
        ("piece length", piece_length.into()),
        ("pieces", pieces.into()),
        ("files", Value::List(files.collect())),
    ]);
    dictionary([("info", info)])
}

/// What stands for the hash of a piece.
fn hash_of(piece: u64) -> [u8; 20] {
    let mut hash = [7; 20];
    hash[..8].copy_from_slice(&piece.to_le_bytes());
    hash
}

/// Compares with the definition: every byte of every file, cut into pieces.
pub(crate) fn assert_layout(map: &PieceMap, lengths: &[u64], piece_length: u64) {
    let bytes: Vec<(usize, u64)> = lengths
        .iter()
        .enumerate()
        .flat_map(|(file, &length)| (0..length).map(move |at| (file, at)))
        .collect();
    let pieces: Vec<&[(usize, u64)]> = bytes.chunks(piece_length as usize).collect();
    assert_eq!(map.total(), bytes.len() as u64);
    assert_eq!(map.pieces(), pieces.len() as u64);
    for (piece, expected) in (0..).zip(&pieces) {
        assert_eq!(map.hash(piece), hash_of(piece));
        assert_eq!(map.length(piece), expected.len() as u64);
        let segments: Vec<Segment> = map.segments(piece).collect();
        assert!(segments.iter().all(|segment| segment.length > 0));
        let touched = |segment: &Segment| {
            let Segment { file, offset, length } = *segment;
            (offset..offset + length).map(move |at| (file, at))
        };
        assert!(segments.iter().flat_map(touched).eq(expected.iter().copied()), "piece {piece}");
        // Each file's part is in one segment.
        assert!(segments.windows(2).all(|pair| pair[0].file < pair[1].file));
    }
    for file in 0..lengths.len() {
        let touches = |piece: &u64| pieces[*piece as usize].iter().any(|place| place.0 == file);
        assert!(map.pieces_of(file).eq((0..map.pieces()).filter(touches)), "file {file}");
    }
}

proptest! {
    #[test]
    fn pieces_are_where_their_bytes_are(
        files in prop::collection::vec((prop_oneof![Just(0), 0_u64..40, Just(16)], any::<bool>()), 0..12),
        last in 1_u64..20,
        piece_length in prop_oneof![1_u64..40, Just(16)],
    ) {
        let (mut lengths, mut pads): (Vec<u64>, Vec<bool>) = files.into_iter().unzip();
        // A torrent has content.
        lengths.push(last);
        pads.push(false);
        let torrent = Torrent::parse(&numbered(&lengths, &pads, piece_length).encode()).unwrap();
        assert_layout(torrent.v1().unwrap(), &lengths, piece_length);
        let is_pad = |nth: usize| *torrent.files()[nth].kind() == FileKind::Pad;
        prop_assert!((0..lengths.len()).all(|nth| is_pad(nth) == pads[nth]));
    }
}

#[test]
fn lengths_as_large_as_there_are() {
    // Two pads and a file of 2^63 - 3 bytes together, in pieces of 1 GiB, have 2^33 hashes.
    let huge = (1 << 62) - 4;
    let mut torrent = numbered(&[5], &[false], 1 << 30);
    let pad = |length: u64| dictionary([("length", length.into()), ("attr", "p".into())]);
    let Value::List(files) = torrent.at(&["info", "files"]) else { unreachable!("it is a list") };
    files.extend([pad(huge), pad(huge)]);
    let error = Torrent::parse(&torrent.encode()).unwrap_err();
    assert_eq!(
        error.kind,
        torrent_check::TorrentErrorKind::PieceCount { expected: (2 * huge + 5).div_ceil(1 << 30), got: 1 }
    );
}

#[test]
#[should_panic(expected = "there is no piece 2 of 2")]
fn no_such_piece() {
    let torrent = Torrent::parse(&numbered(&[20], &[false], 16).encode()).unwrap();
    let _ = torrent.v1().unwrap().segments(2).count();
}

#[test]
#[should_panic(expected = "there is no file 1 of 1")]
fn no_such_file() {
    let torrent = Torrent::parse(&numbered(&[20], &[false], 16).encode()).unwrap();
    let _ = torrent.v1().unwrap().pieces_of(1);
}
