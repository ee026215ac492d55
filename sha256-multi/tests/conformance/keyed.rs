//! Describes HMAC and PBKDF2 with SHA-256 to the tests for every hash.

use hash_lanes::Backend;
use hash_lanes_testing::hmac::Keyed;
use hmac::{Hmac, KeyInit, Mac};
use pbkdf2::pbkdf2_hmac;
use sha256_multi::Sha256Lanes;

use crate::subject::Sha256;

impl Keyed<32> for Sha256 {
    const NAME: &'static str = "sha256";

    fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
        let mac = Hmac::<sha2::Sha256>::new_from_slice(key).unwrap();
        mac.chain_update(message).finalize().into_bytes().into()
    }

    fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32, output: &mut [u8]) {
        pbkdf2_hmac::<sha2::Sha256>(password, salt, rounds, output);
    }

    fn hmac_many(
        backend: Backend,
        keys: impl IntoIterator<Item: AsRef<[u8]>>,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
    ) -> Vec<[u8; 32]> {
        Sha256Lanes::on(backend).hmac_many(keys, messages)
    }

    fn hmac_many_into(
        backend: Backend,
        keys: impl IntoIterator<Item: AsRef<[u8]>>,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        macs: &mut [[u8; 32]],
    ) {
        Sha256Lanes::on(backend).hmac_many_into(keys, messages, macs);
    }

    fn pbkdf2_many_into(
        backend: Backend,
        passwords: &[&[u8]],
        salts: &[&[u8]],
        rounds: u32,
        outputs: &mut [Vec<u8>],
    ) {
        Sha256Lanes::on(backend).pbkdf2_many_into(passwords, salts, rounds, outputs);
    }
}
