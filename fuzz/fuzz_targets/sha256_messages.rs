//! Compares every backend with RustCrypto's `sha2`: messages of any length at once and in parts,
//! hashed once, twice and after a prefix, and 64-byte nodes.
#![no_main]

use hash_lanes_testing::Batch;
use hashlanes_fuzz::Messages;
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};
use sha256_multi::{Backend, Sha256Lanes};

#[path = "../../sha256-multi/tests/conformance/subject.rs"]
#[allow(dead_code, reason = "it is shared with the tests, which need more of it")]
mod subject;

fn sha256(message: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(message).into()
}

fn double_sha256(message: impl AsRef<[u8]>) -> [u8; 32] {
    sha256(sha256(message))
}

fuzz_target!(|input: Messages<'_>| {
    let messages = input.whole();
    let nodes = input.blocks::<64>();
    let once: Vec<_> = nodes.iter().map(sha256).collect();
    let twice: Vec<_> = nodes.iter().map(double_sha256).collect();
    for backend in Backend::available() {
        let lanes = Sha256Lanes::on(backend);
        input.assert_hashed_in_parts(lanes.many_hasher(messages.len()), |part| sha256(part));

        assert_eq!(lanes.hash_pairs(nodes), once, "nodes, {backend}");
        assert_eq!(lanes.double_hash_pairs(nodes), twice, "nodes twice, {backend}");
    }
    Batch::<subject::Sha256, _>::new(messages).assert_hashed();
});
