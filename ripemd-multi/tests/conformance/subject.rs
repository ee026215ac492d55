//! Describes RIPEMD-160 and HASH160 to the tests for every hash.

use hash_lanes::Words;
use hash_lanes_testing::{SingleWay, Subject, Way};
use ripemd::Digest;
use ripemd_multi::{
    Ripemd160Lanes, hash, hash_many, hash_many_with, hash160, hash160_many, hash160_many_with,
    hash160_with, hazmat,
};

#[derive(Debug)]
pub(crate) enum Ripemd160 {}

fn reference_hash160(message: &[u8]) -> [u8; 20] {
    Ripemd160::reference(&sha2::Sha256::digest(message))
}

impl Subject<5> for Ripemd160 {
    type Digest = [u8; 20];
    type Lanes = Ripemd160Lanes;
    const IV: [u32; 5] = hazmat::IV;

    fn reference(message: &[u8]) -> [u8; 20] {
        ripemd::Ripemd160::digest(message).into()
    }

    fn hash_many<'m, I, M>(messages: I, digests: &mut [[u8; 20]])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        hash_many(messages, digests);
    }

    fn ways() -> Vec<Way<[u8; 20]>> {
        vec![
            Way {
                name: "RIPEMD-160",
                reference: Self::reference,
                hash_many: |messages, digests| hash_many(messages, digests),
                hash_many_with: |backend, messages, digests| {
                    hash_many_with(backend, messages, digests);
                },
            },
            Way {
                name: "HASH160",
                reference: reference_hash160,
                hash_many: |messages, digests| hash160_many(messages, digests),
                hash_many_with: |backend, messages, digests| {
                    hash160_many_with(backend, messages, digests);
                },
            },
        ]
    }

    fn single_ways() -> Vec<SingleWay<[u8; 20]>> {
        vec![
            SingleWay { name: "RIPEMD-160", reference: Self::reference, hash, hash_with: None },
            SingleWay {
                name: "HASH160",
                reference: reference_hash160,
                hash: hash160,
                hash_with: Some(hash160_with),
            },
        ]
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
