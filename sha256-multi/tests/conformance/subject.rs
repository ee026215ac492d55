//! Describes SHA-256 to the tests for every hash: once, twice and after a prefix.

use std::sync::LazyLock;

use hash_lanes::{Backend, Words};
use hash_lanes_testing::hmac::Keyed;
use hash_lanes_testing::{Subject, Way, painted};
use hmac::{Hmac, KeyInit, Mac};
use pbkdf2::pbkdf2_hmac;
use sha2::Digest;
use sha256_multi::{
    Midstate, Sha256Lanes, double_hash_many, double_hash_many_with, hash_many, hash_many_with,
    hazmat, hmac_many_with, pbkdf2_many_with,
};

#[derive(Debug)]
pub(crate) enum Sha256 {}

/// The common prefix of the messages that are hashed from a midstate.
static PREFIX: LazyLock<Vec<u8>> = LazyLock::new(|| painted(1000, 192));
static MIDSTATE: LazyLock<Midstate> = LazyLock::new(|| Midstate::new(&PREFIX));

pub(crate) fn double_sha256(message: &[u8]) -> [u8; 32] {
    Sha256::reference(&Sha256::reference(message))
}

impl Subject<8> for Sha256 {
    type Digest = [u8; 32];
    type Lanes = Sha256Lanes;
    const IV: [u32; 8] = hazmat::IV;

    fn reference(message: &[u8]) -> [u8; 32] {
        sha2::Sha256::digest(message).into()
    }

    fn hash_many<'m, I, M>(messages: I, digests: &mut [[u8; 32]])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        hash_many(messages, digests);
    }

    fn ways() -> Vec<Way<[u8; 32]>> {
        vec![
            Way {
                name: "SHA-256",
                reference: Self::reference,
                hash_many: |messages, digests| hash_many(messages, digests),
                hash_many_with: |backend, messages, digests| {
                    hash_many_with(backend, messages, digests);
                },
            },
            Way {
                name: "SHA-256 twice",
                reference: double_sha256,
                hash_many: |messages, digests| double_hash_many(messages, digests),
                hash_many_with: |backend, messages, digests| {
                    double_hash_many_with(backend, messages, digests);
                },
            },
            Way {
                name: "SHA-256 after a prefix",
                reference: |message| Self::reference(&[&PREFIX[..], message].concat()),
                hash_many: |messages, digests| MIDSTATE.hash_many(messages, digests),
                hash_many_with: |backend, messages, digests| {
                    MIDSTATE.hash_many_with(backend, messages, digests);
                },
            },
        ]
    }

    #[inline(always)]
    fn initial_state<W: Words>(token: W::Token) -> [W; 8] {
        hazmat::initial_state(token)
    }

    #[inline(always)]
    fn compress<W: Words>(token: W::Token, state: &mut [W; 8], block: [W; 16]) {
        hazmat::compress(token, state, block);
    }
}

impl Keyed<32> for Sha256 {
    fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
        let mac = Hmac::<sha2::Sha256>::new_from_slice(key).unwrap();
        mac.chain_update(message).finalize().into_bytes().into()
    }

    fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32, output: &mut [u8]) {
        pbkdf2_hmac::<sha2::Sha256>(password, salt, rounds, output);
    }

    fn hmac_many(backend: Backend, keys: &[&[u8]], messages: &[&[u8]], macs: &mut [[u8; 32]]) {
        hmac_many_with(backend, keys.iter().copied(), messages.iter().copied(), macs);
    }

    fn pbkdf2_many(
        backend: Backend,
        passwords: &[&[u8]],
        salts: &[&[u8]],
        rounds: u32,
        outputs: &mut [Vec<u8>],
    ) {
        let (passwords, salts) = (passwords.iter().copied(), salts.iter().copied());
        pbkdf2_many_with(backend, passwords, salts, rounds, outputs);
    }
}
