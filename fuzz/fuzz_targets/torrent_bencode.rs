//! Reads any bytes as bencode, and compares the reader with a naive implementation.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../torrent-check/src/torrent/bencode.rs"]
#[allow(dead_code, reason = "the library needs more of it")]
mod bencode;
#[path = "../../torrent-check/tests/it/make.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod make;
#[path = "../../torrent-check/tests/it/naive.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod naive;

fuzz_target!(|bytes: &[u8]| naive::assert_agrees(bytes));
