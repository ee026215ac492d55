//! Reads any bytes as the saved state of a torrent. They are rejected, or survive a round trip.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use torrent_check::{State, Torrent};

#[path = "../../torrent-check/tests/it/make.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod make;
#[path = "../../torrent-check/tests/it/numbered.rs"]
#[allow(dead_code, reason = "it is shared with the tests, which need more of it")]
mod numbered;

/// Three files and nine pieces.
static TORRENT: LazyLock<Torrent> = LazyLock::new(|| {
    let torrent = numbered::numbered(&[5, 0, 30], &[false, false, false], 4).encode();
    Torrent::parse(&torrent).expect("the torrent is well-formed")
});

fuzz_target!(|bytes: &[u8]| {
    if let Ok(state) = State::read(&TORRENT, bytes) {
        let copy = State::read(&TORRENT, &state.to_bytes()).expect("it was just written");
        assert_eq!(copy, state);
    }
});
