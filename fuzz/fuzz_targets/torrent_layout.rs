//! Lays out files of any length in pieces of any length, and compares with a list of all bytes.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use torrent_check::Torrent;

#[path = "../../torrent-check/tests/it/make.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod make;
#[path = "../../torrent-check/tests/it/numbered.rs"]
mod numbered;

#[derive(Arbitrary, Debug)]
struct Input {
    piece_length: u8,
    /// The length of each file, and whether it is a padding file.
    files: Vec<(u8, bool)>,
}

fuzz_target!(|input: Input| {
    let piece_length = 1 + u64::from(input.piece_length);
    // A torrent must have content.
    let files = input.files.iter().take(40).copied().chain([(1, false)]);
    let (lengths, pads): (Vec<u64>, Vec<bool>) =
        files.map(|(length, is_pad)| (u64::from(length), is_pad)).unzip();
    let torrent = numbered::numbered(&lengths, &pads, piece_length).encode();
    let torrent = Torrent::parse(&torrent).expect("the torrent is well-formed");
    numbered::assert_layout(torrent.pieces(), &lengths, piece_length);
});
