//! Tests each operation on words against the scalar formula of the standard.

use hash_lanes::engine::{LaneJob, Lanes, MAX_LANES, Vectors, Word, Words};
use proptest::prelude::*;

use crate::{InTwoGroups, kernels};

type Inputs<W> = [[W; MAX_LANES]; 3];

/// A word with the operations of one lane.
trait Scalar: Vectors + From<u32> {
    /// The same operations as [`operations`]; Ch and Maj as in FIPS 180-4 (4.2) and (4.3), chi as
    /// in FIPS 202 §3.2.4.
    fn operations(words: [Self; 3]) -> Vec<Self>;
}

macro_rules! scalar {
    ($Word:ty) => {
        impl Scalar for $Word {
            fn operations([a, b, c]: [Self; 3]) -> Vec<Self> {
                let mut bytes = a.to_be_bytes();
                bytes.reverse();
                let mut results = vec![
                    a.wrapping_add(b),
                    a.wrapping_sub(b),
                    !a,
                    a & b,
                    a | b,
                    a ^ b,
                    a ^ b ^ c,
                    a ^ b ^ c ^ b.wrapping_add(c) ^ a.wrapping_add(b),
                    a ^ b.rotate_left(1),
                    a ^ b,
                    (a ^ b).rotate_right(1),
                    (a ^ b).rotate_right(8),
                    (a ^ b).rotate_right(31),
                    a ^ ((b ^ Self::MAX) & c),
                    (a & b) ^ (!a & c),
                    (a & b) ^ (a & c) ^ (b & c),
                    Ord::min(a, b),
                    Self::from_be_bytes(bytes),
                    0x1234_5678,
                    0x9abc_def0,
                ];
                for bits in 1..Self::BITS {
                    let rotated = [a.rotate_right(bits), a.rotate_left(bits)];
                    results.extend([a >> bits, a << bits].into_iter().chain(rotated));
                }
                results
            }
        }
    };
}
scalar!(u32);
scalar!(u64);

#[inline(always)]
fn operations<V: Words<Word: Scalar>>([a, b, c]: [V; 3]) -> Vec<V> {
    let mut results = vec![
        a + b,
        a - b,
        !a,
        a & b,
        a | b,
        a ^ b,
        a.xor3(b, c),
        a.xor5(b, c, b + c, a + b),
        a.xor_rotated_by_1(b),
        a.xor_rotate_right::<0>(b),
        a.xor_rotate_right::<1>(b),
        a.xor_rotate_right::<8>(b),
        a.xor_rotate_right::<31>(b),
        a.xor_and_not(b, c),
        a.choose(b, c),
        a.majority(b, c),
        a.min(b),
        a.swap_bytes(),
        V::splat(a.token(), 0x1234_5678.into()),
        V::splat_opaque(a.token(), 0x9abc_def0.into()),
    ];
    for bits in 1..V::Word::BITS {
        results.extend([
            a.shift_right(bits),
            a.shift_left(bits),
            a.rotate_right(bits),
            a.rotate_left(bits),
        ]);
    }
    results
}

fn assert_each_lane<W: Scalar>(
    results: &[[W; MAX_LANES]],
    vectors: &Inputs<W>,
    lanes: usize,
    context: &str,
) {
    for lane in 0..lanes {
        let expected = W::operations(vectors.map(|words| words[lane]));
        assert_eq!(results.len(), expected.len());
        for (operation, (result, expected)) in results.iter().zip(expected).enumerate() {
            assert_eq!(result[lane], expected, "{context}, operation {operation}, lane {lane}");
        }
    }
}

/// The value of words that no lane is stored to.
const UNTOUCHED: u32 = 0x0dd0_beef;

#[inline(always)]
fn stored<V: Lanes<Word: Scalar>>(vector: V) -> [V::Word; MAX_LANES] {
    let mut words = [UNTOUCHED.into(); MAX_LANES];
    vector.to_words(&mut words);
    words
}

#[inline(always)]
fn loaded<V: Lanes>(token: V::Token, [a, b, c]: &Inputs<V::Word>) -> [V; 3] {
    [V::from_words(token, a), V::from_words(token, b), V::from_words(token, c)]
}

struct Operations<'a, W>(&'a Inputs<W>);

impl<W: Scalar> LaneJob for Operations<'_, W> {
    type Word = W;

    type Output = Vec<[W; MAX_LANES]>;

    #[inline(always)]
    fn run<V: Lanes<Word = W>>(self, token: V::Token) -> Self::Output {
        let mut results = Vec::new();
        for result in operations(loaded::<V>(token, self.0)) {
            results.push(stored(result));
        }
        results
    }
}

fn assert_operations<W: Scalar>(vectors: &Inputs<W>) {
    for kernel in kernels() {
        let lanes = kernel.lanes::<W>();
        let results = kernel.run(Operations(vectors));
        assert_each_lane(&results, vectors, lanes, &format!("{kernel:?}"));
        assert!(
            results
                .as_flattened()
                .chunks(MAX_LANES)
                .all(|words| words[lanes..].iter().all(|&word| word == UNTOUCHED.into())),
            "{kernel:?} stored more than its lanes"
        );
        let results = kernel.run(InTwoGroups(Operations(vectors)));
        assert_each_lane(&results, vectors, 2 * lanes, &format!("two of {kernel:?}"));
    }
}

proptest! {
    #[test]
    fn operations_of_every_kernel(vectors in any::<Inputs<u64>>()) {
        assert_operations(&vectors);
        assert_operations(&vectors.map(|words| words.map(|word| word as u32)));
    }
}

/// A shift, or a rotation, by any number of bits.
#[cfg(debug_assertions)]
struct Shift<W>(usize, u32, std::marker::PhantomData<W>);

#[cfg(debug_assertions)]
impl<W: Scalar> LaneJob for Shift<W> {
    type Word = W;

    type Output = [W; MAX_LANES];

    #[inline(always)]
    fn run<V: Lanes<Word = W>>(self, token: V::Token) -> Self::Output {
        let (word, bits) = (V::splat(token, 1.into()), self.1);
        stored(match self.0 {
            0 => word.shift_left(bits),
            1 => word.shift_right(bits),
            2 => word.rotate_left(bits),
            _ => word.rotate_right(bits),
        })
    }
}

/// Kernels would disagree about the result.
#[cfg(debug_assertions)]
#[test]
#[cfg_attr(panic = "abort", ignore = "catches panics")]
fn shifts_out_of_range_panic_in_debug_builds() {
    fn assert_panics<W: Scalar>() {
        for kernel in kernels() {
            for operation in 0..4 {
                let is_panic = |bits| {
                    let shift = || kernel.run(Shift::<W>(operation, bits, Default::default()));
                    std::panic::catch_unwind(shift).is_err()
                };
                let (last, context) = (W::BITS - 1, format!("{kernel:?}, operation {operation}"));
                assert!(!is_panic(1) && !is_panic(last), "{context}");
                assert!(is_panic(last + 1) && is_panic(last + 2), "{context}");
            }
        }
    }
    assert_panics::<u32>();
    assert_panics::<u64>();
}

struct Zeros<'a, W>(&'a [W; MAX_LANES]);

impl<W: Vectors> LaneJob for Zeros<'_, W> {
    type Word = W;

    type Output = u32;

    #[inline(always)]
    fn run<V: Lanes<Word = W>>(self, token: V::Token) -> u32 {
        V::from_words(token, self.0).zeros()
    }
}

fn assert_zeros<W: Scalar>() {
    for kernel in kernels() {
        // Each lane alone, none, all, and patterns that differ between the halves.
        for zeros in (0..MAX_LANES).map(|lane| 1_u32 << lane).chain([
            0,
            u32::MAX,
            0xffff,
            0x5aa5_0ff0,
            0x1234_5678,
            0xfedc_ba98,
        ]) {
            let words: [W; MAX_LANES] = core::array::from_fn(|lane| {
                if zeros >> lane & 1 == 1 { 0.into() } else { (1 << (lane % 31)).into() }
            });
            let lanes = |count: usize| u32::MAX >> (32 - count);
            let count = kernel.lanes::<W>();
            assert_eq!(kernel.run(Zeros(&words)), zeros & lanes(count), "{kernel:?}, {zeros:#x}");
            let of_two = kernel.run(InTwoGroups(Zeros(&words)));
            assert_eq!(of_two, zeros & lanes(2 * count), "two of {kernel:?}, {zeros:#x}");
        }
    }
}

#[test]
fn zeros_are_reported_lane_by_lane() {
    assert_zeros::<u32>();
    assert_zeros::<u64>();
}
