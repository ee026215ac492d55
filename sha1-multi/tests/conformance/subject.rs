//! Describes SHA-1 to the tests for every hash.

use hash_lanes::{Backend, Words};
use hash_lanes_testing::hmac::Keyed;
use hash_lanes_testing::{SingleWay, Subject, Way};
use hmac::{Hmac, KeyInit, Mac};
use pbkdf2::pbkdf2_hmac;
use sha1::Digest;
use sha1_multi::{
    Sha1Lanes, hash, hash_many, hash_many_with, hash_with, hazmat, hmac_many_with, pbkdf2_many_with,
};

#[derive(Debug)]
pub(crate) enum Sha1 {}

impl Subject<5> for Sha1 {
    type Digest = [u8; 20];
    type Lanes = Sha1Lanes;
    const IV: [u32; 5] = hazmat::IV;

    fn reference(message: &[u8]) -> [u8; 20] {
        sha1::Sha1::digest(message).into()
    }

    fn hash_many<'m, I, M>(messages: I, digests: &mut [[u8; 20]])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        hash_many(messages, digests);
    }

    fn ways() -> Vec<Way<[u8; 20]>> {
        vec![Way {
            name: "SHA-1",
            reference: Self::reference,
            hash_many: |messages, digests| hash_many(messages, digests),
            hash_many_with: |backend, messages, digests| hash_many_with(backend, messages, digests),
        }]
    }

    fn single_ways() -> Vec<SingleWay<[u8; 20]>> {
        vec![SingleWay {
            name: "SHA-1",
            reference: Self::reference,
            hash,
            hash_with: Some(hash_with),
        }]
    }

    #[inline(always)]
    fn initial_state<W: Words>(token: W::Token) -> [W; 5] {
        hazmat::initial_state(token)
    }

    #[inline(always)]
    fn compress<W: Words>(token: W::Token, state: &mut [W; 5], block: [W; 16]) {
        hazmat::compress(token, state, block);
    }
}

impl Keyed<20> for Sha1 {
    fn hmac(key: &[u8], message: &[u8]) -> [u8; 20] {
        let mac = Hmac::<sha1::Sha1>::new_from_slice(key).unwrap();
        mac.chain_update(message).finalize().into_bytes().into()
    }

    fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32, output: &mut [u8]) {
        pbkdf2_hmac::<sha1::Sha1>(password, salt, rounds, output);
    }

    fn hmac_many(backend: Backend, keys: &[&[u8]], messages: &[&[u8]], macs: &mut [[u8; 20]]) {
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
