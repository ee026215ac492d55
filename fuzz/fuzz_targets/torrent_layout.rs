//! Files of any lengths in pieces of any length: each byte is where a list of all bytes has it.
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
    /// Lengths, and whether they are padding.
    files: Vec<(u8, bool)>,
}

fuzz_target!(|input: Input| {
    let piece_length = 1 + u64::from(input.piece_length);
    // A torrent has content.
    let files = input.files.iter().take(40).copied().chain([(1, false)]);
    let (lengths, pads): (Vec<u64>, Vec<bool>) =
        files.map(|(length, is_pad)| (u64::from(length), is_pad)).unzip();
    let torrent = numbered::numbered(&lengths, &pads, piece_length).encode();
    let torrent = Torrent::parse(&torrent).expect("it is well-formed");
    numbered::assert_layout(torrent.v1().expect("it has pieces"), &lengths, piece_length);
});
