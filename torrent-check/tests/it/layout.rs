//! Compares the layout of v1 pieces with a list of all bytes.

use proptest::prelude::*;
use torrent_check::{FileKind, Torrent};

use crate::make::{Value, dictionary};
use crate::numbered::{assert_layout, numbered};

proptest! {
    #[test]
    fn the_layout_matches_its_definition(
        files in prop::collection::vec(
            (prop_oneof![Just(0), 0_u64..40, Just(16)], any::<bool>()),
            0..12,
        ),
        last in 1_u64..20,
        piece_length in prop_oneof![1_u64..40, Just(16)],
    ) {
        let (mut lengths, mut pads): (Vec<u64>, Vec<bool>) = files.into_iter().unzip();
        // Not all files may be empty.
        lengths.push(last);
        pads.push(false);
        let torrent = Torrent::parse(&numbered(&lengths, &pads, piece_length).encode()).unwrap();
        assert_layout(torrent.pieces(), &lengths, piece_length);
        let is_pad = |nth: usize| *torrent.files()[nth].kind() == FileKind::Pad;
        prop_assert!((0..lengths.len()).all(|nth| is_pad(nth) == pads[nth]));
    }
}

#[test]
fn the_largest_lengths() {
    // Two pads and a file with 2^63 - 3 bytes in total, in pieces of 1 GiB, need 2^33 hashes.
    let huge = (1 << 62) - 4;
    let mut torrent = numbered(&[5], &[false], 1 << 30);
    let pad = |length: u64| dictionary([("length", length.into()), ("attr", "p".into())]);
    let Value::List(files) = torrent.at(&["info", "files"]) else { unreachable!("it is a list") };
    files.extend([pad(huge), pad(huge)]);
    let error = Torrent::parse(&torrent.encode()).unwrap_err();
    let pieces = (2 * huge + 5).div_ceil(1 << 30);
    assert_eq!(error.message, format!("`pieces` must have one hash per piece: {pieces}, not 1"));
}

#[test]
#[should_panic(expected = "piece 2 is out of range")]
fn a_piece_out_of_range_panics() {
    let torrent = Torrent::parse(&numbered(&[20], &[false], 16).encode()).unwrap();
    let _ = torrent.pieces().segments(2).count();
}

#[test]
#[should_panic(expected = "file index 1 is out of range")]
fn a_file_out_of_range_panics() {
    let torrent = Torrent::parse(&numbered(&[20], &[false], 16).encode()).unwrap();
    let _ = torrent.pieces().of_file(1);
}
