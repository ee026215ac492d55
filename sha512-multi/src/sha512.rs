//! Describes SHA-512 to the engine, and the hashes that share its kernels.

use core::convert::Infallible;

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_WORDS, Block, ByteOrder, Chain, ChainHash, HashFunction, LaneHash, Lanes, Length,
    Pbkdf2Hash, Plans, Row, Sha2, ShaKernels, Shape, Starts, compile_kernels, row_of_words_of_u64,
    run_rounds, sha2, try_hash_chains,
};
use hash_lanes::{ChainError, ChainLayout};

use crate::constants::{IV, IV_384, IV_512_224, IV_512_256, K_BY_16};
use crate::hw::Sha512Instructions;
use crate::{costs, hazmat, hw};

/// SHA-512, as the engine sees it.
#[derive(Clone, Copy, Debug)]
pub enum Sha512 {}

impl Sha2 for Sha512 {
    type Word = u64;
    const BIG_SIGMA: [[u32; 3]; 2] = [[28, 34, 39], [14, 18, 41]];
    const SMALL_SIGMA: [[u32; 3]; 2] = [[1, 8, 7], [19, 61, 6]];
    const K: &'static [[u64; 16]] = &K_BY_16;
    const IV: [u64; 8] = IV;
}

impl LaneHash for Sha512 {
    type Word = u64;
    type State<V: Copy> = [V; 8];
    type Digest = [u8; 64];
    type Ending = Length;
    type Sha = Sha512Instructions;
    type Suspicions = Infallible;
    const ORDER: ByteOrder = ByteOrder::Big;
    const IV: [u64; 8] = IV;

    #[inline(always)]
    fn compress<V: Lanes<Word = u64>>(
        token: V::Token,
        state: &mut [V; 8],
        block: [V; BLOCK_WORDS],
        (): (),
    ) {
        hazmat::compress(token, state, block);
    }

    #[inline(always)]
    fn compress_const_tail<V: Lanes<Word = u64>>(
        token: V::Token,
        state: &mut [V; 8],
        block: [V; BLOCK_WORDS],
        (): (),
    ) {
        sha2::compress_const_tail::<Self, V>(token, state, block);
    }

    fn plans(shape: Shape) -> &'static Plans {
        costs::plans(shape)
    }
}

compile_kernels!(Sha512);

impl ShaKernels<Sha512> for Sha512Instructions {
    fn compress_streams(self, states: &mut [Row<u64>], messages: &[&[Block<u64>]]) {
        hw::compress_streams(self, states, messages);
    }
}

impl Pbkdf2Hash for Sha512 {
    fn run_rounds(backend: Backend, chains: &[Chain<Row<u64>>], rows: &mut [Row<u64>]) {
        run_rounds::<Self>(backend, chains, rows);
    }
}

impl ChainHash for Sha512 {
    fn hash_chains(
        backend: Backend,
        starts: Starts<'_, Row<u64>>,
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) -> Result<(), ChainError> {
        try_hash_chains::<Self>(backend, starts, layout, messages, steps)
    }
}

/// Defines a hash that differs from SHA-512 only in the initial hash value and in the number of
/// bytes that are kept.
macro_rules! truncated {
    ($(#[$doc:meta] $Hash:ident: $IV:expr, $bytes:literal;)+) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug)]
        pub enum $Hash {}

        impl HashFunction for $Hash {
            type Kernels = Sha512;
            type Digest = [u8; $bytes];

            fn initial() -> Option<&'static Row<u64>> {
                static INITIAL: Row<u64> = row_of_words_of_u64(ByteOrder::Big, $IV);
                Some(&INITIAL)
            }
        }
    )+};
}

truncated! {
    /// SHA-384 (FIPS 180-4 §6.5).
    Sha384: IV_384, 48;
    /// SHA-512/224 (FIPS 180-4 §6.6).
    Sha512_224: IV_512_224, 28;
    /// SHA-512/256 (FIPS 180-4 §6.7).
    Sha512_256: IV_512_256, 32;
}
