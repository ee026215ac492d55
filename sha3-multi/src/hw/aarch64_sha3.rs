//! Two lanes of NEON with `ARMv8.2`'s SHA3 instructions: `eor3`, `rax1`, `xar` and `bcax`.

use core::arch::aarch64::{vbcaxq_u64, veor3q_u64, vrax1q_u64, vxarq_u64};
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use fearless_simd::prelude::*;
use fearless_simd::{Level, aarch64::Neon, u64x2};
use hash_lanes::engine::{
    ByteOrder, LaneJob, Lanes, ROW_WORDS, Row, ShaExtensions, ShaInstructions, Words,
};

/// Proof that the CPU has the instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sha3(Neon);

impl ShaInstructions for Sha3 {
    fn of(sha: ShaExtensions) -> Option<Self> {
        // Every target that has the instructions has NEON.
        Level::baseline().as_neon().filter(|_| sha.has_sha3()).map(Self)
    }
}

impl Sha3 {
    /// Runs `part`, compiled for the instructions.
    #[inline(always)]
    fn vectorize<R>(self, part: impl FnOnce() -> R) -> R {
        #[inline]
        #[target_feature(enable = "neon,sha3")]
        fn vectorize_sha3<R>(part: impl FnOnce() -> R) -> R {
            part()
        }
        // SAFETY: `self` proves the instructions.
        unsafe { vectorize_sha3(part) }
    }
}

/// Runs a job in two lanes.
pub(crate) fn run<J: LaneJob<Word = u64>>(token: Sha3, job: J) -> J::Output {
    token.vectorize(
        #[inline(always)]
        || job.run::<Words2>(token),
    )
}

/// Two words. They are made with a [`Sha3`] only, so that they prove the instructions, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words2(u64x2<Neon>);

/// Defines a function for one instruction. It is separate because code that is inlined everywhere
/// cannot enable instructions.
macro_rules! instruction {
    (
        $name:ident$(<$BITS:ident>)?($a:ident, $($word:ident),+):
        $intrinsic:ident($($order:ident),+)
    ) => {
        #[inline]
        #[target_feature(enable = "neon,sha3")]
        fn $name$(<const $BITS: i32>)?($a: Words2, $($word: Words2),+) -> Words2 {
            let words = $intrinsic$(::<$BITS>)?($($order.0.into()),+);
            Words2(words.simd_into($a.0.simd))
        }
    };
}
instruction!(xor3(a, b, c): veor3q_u64(a, b, c));
instruction!(xor_rotated_by_1(a, b): vrax1q_u64(a, b));
instruction!(xor_rotate_right<BITS>(a, b): vxarq_u64(a, b));
instruction!(xor_and_not(a, b, c): vbcaxq_u64(a, c, b));

/// Implements operators by those of NEON.
macro_rules! operators {
    ($($Operator:ident $method:ident)+) => {$(
        impl $Operator for Words2 {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
    )+};
}
operators!(Add add Sub sub BitAnd bitand BitOr bitor BitXor bitxor);

impl Not for Words2 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Words for Words2 {
    type Word = u64;

    type Token = Sha3;

    const HAS_32_REGISTERS: bool = true;

    #[inline(always)]
    fn token(self) -> Sha3 {
        Sha3(self.0.simd)
    }

    #[inline(always)]
    fn vectorize<R>(token: Sha3, part: impl FnOnce() -> R) -> R {
        token.vectorize(part)
    }

    #[inline(always)]
    fn splat(token: Sha3, word: u64) -> Self {
        Self(Words::splat(token.0, word))
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        Self(self.0.shift_right(bits))
    }

    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        Self(self.0.shift_left(bits))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(Words::min(self.0, other.0))
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(Words::swap_bytes(self.0))
    }

    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        // SAFETY: words prove the instruction.
        unsafe { xor3(self, b, c) }
    }

    #[inline(always)]
    fn xor5(self, b: Self, c: Self, d: Self, e: Self) -> Self {
        self.xor3(b, c).xor3(d, e)
    }

    #[inline(always)]
    fn xor_rotated_by_1(self, b: Self) -> Self {
        // SAFETY: words prove the instruction.
        unsafe { xor_rotated_by_1(self, b) }
    }

    #[inline(always)]
    fn xor_rotate_right<const BITS: i32>(self, b: Self) -> Self {
        if BITS == 0 {
            // More pipes execute this.
            return self ^ b;
        }
        // SAFETY: words prove the instruction.
        unsafe { xor_rotate_right::<BITS>(self, b) }
    }

    #[inline(always)]
    fn xor_and_not(self, b: Self, c: Self) -> Self {
        // SAFETY: words prove the instruction.
        unsafe { xor_and_not(self, b, c) }
    }
}

/// The words of each vector in an array, as [`Words2`].
#[inline(always)]
fn wrap<const N: usize>(words: [u64x2<Neon>; N]) -> [Words2; N] {
    let mut wrapped = [Words2(words[0]); N];
    for i in 0..N {
        wrapped[i] = Words2(words[i]);
    }
    wrapped
}

/// The reverse of [`wrap`].
#[inline(always)]
fn unwrap<const N: usize>(words: [Words2; N]) -> [u64x2<Neon>; N] {
    let mut unwrapped = [words[0].0; N];
    for i in 0..N {
        unwrapped[i] = words[i].0;
    }
    unwrapped
}

impl Lanes for Words2 {
    const COUNT: usize = <u64x2<Neon> as Lanes>::COUNT;

    #[inline(always)]
    fn from_words(token: Sha3, words: &[u64]) -> Self {
        Self(Lanes::from_words(token.0, words))
    }

    #[inline(always)]
    fn to_words(self, words: &mut [u64]) {
        self.0.to_words(words);
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        self.0.zeros()
    }

    #[inline(always)]
    fn load_rows<'a>(
        token: Sha3,
        order: ByteOrder,
        row: impl Fn(usize) -> &'a Row<u64>,
    ) -> [Self; ROW_WORDS] {
        wrap(Lanes::load_rows(token.0, order, row))
    }

    #[inline(always)]
    fn store_rows(words: [Self; ROW_WORDS], row: impl FnMut(usize, [u64; ROW_WORDS])) {
        Lanes::store_rows(unwrap(words), row);
    }

    #[inline(always)]
    fn load_quads(token: Sha3, quad: impl Fn(usize) -> [u64; 4]) -> [Self; 4] {
        wrap(Lanes::load_quads(token.0, quad))
    }

    #[inline(always)]
    fn store_quads(words: [Self; 4], quad: impl FnMut(usize, [u64; 4])) {
        Lanes::store_quads(unwrap(words), quad);
    }
}
