//! Tests each operation on words against the scalar formula of the standard.

use hash_lanes::engine::{LaneJob, Lanes, MAX_LANES, Words};
use proptest::prelude::*;

use crate::{InTwoGroups, kernels};

type Vectors = [[u32; MAX_LANES]; 3];

#[inline(always)]
fn operations<W: Words>([a, b, c]: [W; 3]) -> Vec<W> {
    let mut results = vec![
        a + b,
        a - b,
        !a,
        a & b,
        a | b,
        a ^ b,
        a.xor3(b, c),
        a.choose(b, c),
        a.majority(b, c),
        a.min(b),
        a.swap_bytes(),
        W::splat(a.token(), 0x1234_5678),
        W::splat_opaque(a.token(), 0x9abc_def0),
    ];
    for bits in 1..32 {
        results.extend([
            a.shift_right(bits),
            a.shift_left(bits),
            a.rotate_right(bits),
            a.rotate_left(bits),
        ]);
    }
    results
}

/// The same operations on one lane; Ch and Maj as in FIPS 180-4 (4.2) and (4.3).
fn scalar_operations([a, b, c]: [u32; 3]) -> Vec<u32> {
    let [a0, a1, a2, a3] = a.to_be_bytes();
    let mut results = vec![
        a.wrapping_add(b),
        a.wrapping_sub(b),
        !a,
        a & b,
        a | b,
        a ^ b,
        a ^ b ^ c,
        (a & b) ^ (!a & c),
        (a & b) ^ (a & c) ^ (b & c),
        a.min(b),
        u32::from_be_bytes([a3, a2, a1, a0]),
        0x1234_5678,
        0x9abc_def0,
    ];
    for bits in 1..32 {
        results.extend([a >> bits, a << bits, a.rotate_right(bits), a.rotate_left(bits)]);
    }
    results
}

fn assert_each_lane(results: &[[u32; MAX_LANES]], vectors: &Vectors, lanes: usize, context: &str) {
    for lane in 0..lanes {
        let expected = scalar_operations(vectors.map(|words| words[lane]));
        assert_eq!(results.len(), expected.len());
        for (operation, (result, expected)) in results.iter().zip(expected).enumerate() {
            assert_eq!(result[lane], expected, "{context}, operation {operation}, lane {lane}");
        }
    }
}

/// The value of words that no lane is stored to.
const UNTOUCHED: u32 = 0x0dd0_beef;

#[inline(always)]
fn stored<V: Lanes>(vector: V) -> [u32; MAX_LANES] {
    let mut words = [UNTOUCHED; MAX_LANES];
    vector.to_words(&mut words);
    words
}

#[inline(always)]
fn loaded<V: Lanes>(token: V::Token, [a, b, c]: &Vectors) -> [V; 3] {
    [V::from_words(token, a), V::from_words(token, b), V::from_words(token, c)]
}

struct Operations<'a>(&'a Vectors);

impl LaneJob for Operations<'_> {
    type Output = Vec<[u32; MAX_LANES]>;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Self::Output {
        let mut results = Vec::new();
        for result in operations(loaded::<V>(token, self.0)) {
            results.push(stored(result));
        }
        results
    }
}

proptest! {
    #[test]
    fn operations_of_every_kernel(vectors in any::<Vectors>()) {
        for kernel in kernels() {
            let results = kernel.run(Operations(&vectors));
            assert_each_lane(&results, &vectors, kernel.lanes(), &format!("{kernel:?}"));
            prop_assert!(results.as_flattened().chunks(MAX_LANES).all(|words| {
                words[kernel.lanes()..].iter().all(|&word| word == UNTOUCHED)
            }), "{:?} stored more than its lanes", kernel);
        }
    }

    #[test]
    fn operations_on_interleaved_groups(vectors in any::<Vectors>()) {
        for kernel in kernels() {
            let results = kernel.run(InTwoGroups(Operations(&vectors)));
            assert_each_lane(&results, &vectors, 2 * kernel.lanes(), &format!("two of {kernel:?}"));
        }
    }
}

/// A shift, or a rotation, by any number of bits.
#[cfg(debug_assertions)]
struct Shift(usize, u32);

#[cfg(debug_assertions)]
impl LaneJob for Shift {
    type Output = [u32; MAX_LANES];

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Self::Output {
        let (word, bits) = (V::splat(token, 1), self.1);
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
fn shifts_out_of_range_panic_in_debug_builds() {
    for kernel in kernels() {
        for operation in 0..4 {
            let is_panic =
                |bits| std::panic::catch_unwind(|| kernel.run(Shift(operation, bits))).is_err();
            assert!(!is_panic(1) && !is_panic(31), "{kernel:?}, operation {operation}");
            assert!(is_panic(32) && is_panic(33), "{kernel:?}, operation {operation}");
        }
    }
}

struct Zeros<'a>(&'a [u32; MAX_LANES]);

impl LaneJob for Zeros<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> u32 {
        V::from_words(token, self.0).zeros()
    }
}

#[test]
fn zeros_are_reported_lane_by_lane() {
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
            let words =
                core::array::from_fn(
                    |lane| if zeros >> lane & 1 == 1 { 0 } else { 1 << (lane % 31) },
                );
            let lanes = |count: usize| u32::MAX >> (32 - count);
            assert_eq!(
                kernel.run(Zeros(&words)),
                zeros & lanes(kernel.lanes()),
                "{kernel:?}, {zeros:#x}"
            );
            let of_two = kernel.run(InTwoGroups(Zeros(&words)));
            assert_eq!(of_two, zeros & lanes(2 * kernel.lanes()), "two of {kernel:?}, {zeros:#x}");
        }
    }
}
