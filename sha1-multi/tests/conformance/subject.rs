//! Describes SHA-1 to the tests for every hash.

use hash_lanes::Words;
use hash_lanes_testing::{SingleWay, Subject, Way};
use sha1::Digest;
use sha1_multi::{Sha1Lanes, hash, hash_many, hash_many_with, hash_with, hazmat};

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
