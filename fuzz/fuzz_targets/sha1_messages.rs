//! Compares every backend with RustCrypto's `sha1`: messages of any length at once, one by one and
//! in parts.
#![no_main]

use hash_lanes_testing::Batch;
use hashlanes_fuzz::Messages;
use libfuzzer_sys::fuzz_target;
use sha1::{Digest, Sha1};
use sha1_multi::{Backend, Sha1Lanes};

#[path = "../../sha1-multi/tests/conformance/subject.rs"]
#[allow(dead_code, reason = "it is shared with the tests, which need more of it")]
mod subject;

fn sha1(message: impl AsRef<[u8]>) -> [u8; 20] {
    Sha1::digest(message).into()
}

fuzz_target!(|input: Messages<'_>| {
    let messages = input.whole();
    for backend in Backend::available() {
        let lanes = Sha1Lanes::on(backend);
        input.assert_hashed_in_parts(lanes.many_hasher(messages.len()), |part| sha1(part));
        for message in &messages {
            assert_eq!(lanes.hash(message), sha1(message), "{backend}");
        }
    }
    Batch::<subject::Sha1, _>::new(messages).assert_hashed();
});
