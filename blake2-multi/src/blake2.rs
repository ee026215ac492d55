//! Describes the functions to the engine.

use core::convert::Infallible;

use hash_lanes::engine::{
    BLOCK_WORDS, ByteOrder, Counter, CounterAndFlag, HashFunction, KernelSet, LaneHash, Lanes,
    Plans, Row, Shape, compile_kernels, row_of_words, row_of_words_of_u64,
};

use crate::costs;
use crate::rounds::{self, Blake2};

/// Defines the functions of a word: that with the longest digests, which has the kernels, and those
/// that differ from it in the parameter block and in the number of bytes that are kept.
macro_rules! functions {
    (
        $word:ident, $plans:path, $row_of_words:ident, rounds $rounds:literal,
        rotations $rotations:expr,
        $(#[$doc:meta])+ $Hash:ident: $bytes:literal, iv $iv:expr;
        $($(#[$short_doc:meta])+ $Short:ident: $short_bytes:literal;)*
    ) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug)]
        pub enum $Hash {}

        impl Blake2 for $Hash {
            type Word = $word;
            const IV: [$word; 8] = $iv;
            const ROTATIONS: [u32; 4] = $rotations;
            const ROUNDS: usize = $rounds;
        }

        impl LaneHash for $Hash {
            type Word = $word;
            type State<V: Copy> = [V; 8];
            type Digest = [u8; $bytes];
            type Ending = CounterAndFlag;
            type Sha = Infallible;
            type Suspicions = Infallible;
            const KERNELS: KernelSet = costs::KERNELS;
            const ORDER: ByteOrder = ByteOrder::Little;
            const IV: [$word; 8] = Self::initial($bytes);

            #[inline(always)]
            fn compress<V: Lanes<Word = $word>>(
                token: V::Token,
                state: &mut [V; 8],
                block: [V; BLOCK_WORDS],
                counter: Counter<V>,
            ) {
                rounds::compress::<Self, V>(token, state, block, counter);
            }

            fn plans(shape: Shape) -> &'static Plans {
                $plans(shape)
            }
        }

        compile_kernels!($Hash);

        impl $Hash {
            /// The initial state for digests of this many bytes, without a key (RFC 7693 §3.3).
            const fn initial(digest_bytes: $word) -> [$word; 8] {
                let mut state = <Self as Blake2>::IV;
                state[0] ^= 0x0101_0000 ^ digest_bytes;
                state
            }
        }

        $(
            $(#[$short_doc])+
            #[derive(Clone, Copy, Debug)]
            pub enum $Short {}

            impl HashFunction for $Short {
                type Kernels = $Hash;
                type Digest = [u8; $short_bytes];

                fn initial() -> Option<&'static Row<$word>> {
                    static INITIAL: Row<$word> =
                        $row_of_words(ByteOrder::Little, $Hash::initial($short_bytes));
                    Some(&INITIAL)
                }
            }
        )*
    };
}

functions! {
    u32, costs::plans_s, row_of_words, rounds 10, rotations [16, 12, 8, 7],
    /// BLAKE2s-256, as the engine sees it.
    Blake2s256: 32, iv [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ];
    /// BLAKE2s-128, as the engine sees it.
    Blake2s128: 16;
}

functions! {
    u64, costs::plans_b, row_of_words_of_u64, rounds 12, rotations [32, 24, 16, 63],
    /// BLAKE2b-512, as the engine sees it.
    Blake2b512: 64, iv [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ];
    /// BLAKE2b-256, as the engine sees it.
    Blake2b256: 32;
}
