//! Hashes messages of any lengths with collision detection, whole and in parts, with any backend,
//! and compares digests and findings with those of the crate `sha1-checked`. Some messages begin
//! with a published collision.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sha1_checked::{Digest, Sha1};
use sha1_multi::Backend;
use sha1_multi::checked::{Checked, CheckedLanes, ManyHasher, SafeLanes};

#[path = "../../sha1-multi/tests/it/collisions.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod collisions;
#[path = "../hashes.rs"]
#[allow(unused_macros, reason = "digests are not arrays here")]
mod hashes;

/// The digest, and whether a collision was found.
fn bytes(checked: Checked) -> Vec<u8> {
    [&checked.any_digest()[..], &[u8::from(checked.is_collision())]].concat()
}

/// The same by `sha1-checked`.
fn reference(message: &[u8], safe: bool) -> Vec<u8> {
    let mut hasher = Sha1::builder().safe_hash(safe).build();
    hasher.update(message);
    let result = hasher.try_finalize();
    [&result.hash()[..], &[u8::from(result.has_collision())]].concat()
}

impl hashes::Parts for ManyHasher {
    fn update(&mut self, index: usize, part: &[u8]) {
        self.update(index, part);
    }

    fn update_all(&mut self, parts: &[Vec<u8>]) {
        self.update_all(parts);
    }

    fn finalize_one(&mut self, index: usize) -> Vec<u8> {
        bytes(self.finalize_one(index))
    }

    fn finalize(self) -> Vec<Vec<u8>> {
        self.finalize().into_iter().map(bytes).collect()
    }
}

fuzz_target!(|input: hashes::Input| {
    let backend = input.backend(&Backend::available());
    let mut messages = input.messages();
    let published = collisions::published();
    for (message, published) in messages.iter_mut().step_by(3).zip(published.iter().cycle()) {
        message.splice(..0, published.message.iter().copied());
    }
    for (message, checked) in messages.iter().zip(CheckedLanes::on(backend).hash_many(&messages)) {
        assert_eq!(bytes(checked), reference(message, false));
    }
    for (message, checked) in messages.iter().zip(SafeLanes::on(backend).hash_many(&messages)) {
        assert_eq!(bytes(checked), reference(message, true));
    }

    let lanes = CheckedLanes::on(backend);
    input.check_parts(|count| lanes.many_hasher(count), |message| reference(message, false));
});
