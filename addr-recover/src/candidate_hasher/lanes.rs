//! Hashes candidates in SIMD lanes. Everything here is `#[inline(always)]`; see `LaneJob`.

use hash_lanes::engine::{Kernel, KernelSet, LaneJob, Lanes, Words};
use sha256_multi::hazmat::{compress_32_bytes, compress_const_tail, initial_state};

use super::layout::{LIMBS, Layout, MESSAGE_WORDS};
use super::pending::Pending;
use super::table::{Masks, Sums, TABLE_LIMBS};
use super::tail::Tail;

/// The first word of the double hash of a message.
#[inline(always)]
fn double_hash<W: Words>(token: W::Token, layout: Layout, message: [W; MESSAGE_WORDS]) -> W {
    let [w0, w1, w2, w3, w4, w5] = message;
    let zero = W::splat(token, 0);
    let length = W::splat(token, layout.length());
    let block =
        [w0, w1, w2, w3, w4, w5, zero, zero, zero, zero, zero, zero, zero, zero, zero, length];
    let mut state = initial_state(token);
    compress_const_tail(token, &mut state, block);
    compress_32_bytes(token, state)[0]
}

/// On Zen 4, interleaving a second group of 16 lanes lowers the time per hash from 31.4 to 29.1 ns.
/// A second group of 8 lanes raises it from 35.6 to 43.9 ns.
///
/// There is little left to gain. Two groups take 6,095 vector operations, 41 % of them shifts and
/// rotations. Zen 4 could execute two 512-bit operations per cycle. But no mix of independent
/// rotations, additions and logic takes less than 0.54 cycles each (measured; 0.51 for additions
/// alone, 0.57 for three-operand logic). That makes 28.0 ns per hash at 3.69 GHz.
pub(crate) const KERNELS: KernelSet = KernelSet::of(&[
    Kernel::Avx512x16x2,
    Kernel::Avx512x16,
    Kernel::Avx512x8,
    Kernel::Avx2x8,
    Kernel::Sse4_2x4,
    Kernel::Sse2x4,
    Kernel::Neonx4,
    Kernel::Simd128x4,
    Kernel::Portable,
]);

/// Hashes the prefix of `base` plus each sum, and tests the tails.
pub(crate) struct HashTable<'a> {
    pub(crate) layout: Layout,
    pub(crate) base: [u32; LIMBS],
    pub(crate) sums: &'a Sums,
    pub(crate) tail: &'a Tail,
    pub(crate) masks: &'a mut Masks,
}

impl LaneJob for HashTable<'_> {
    const KERNELS: KernelSet = KERNELS;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        for group in 0..self.sums.len().div_ceil(V::COUNT) {
            let mut sums = [V::splat(token, 0); TABLE_LIMBS];
            for i in 0..TABLE_LIMBS {
                sums[i] = V::from_words(token, &self.sums.limbs[i][group * V::COUNT..]);
            }
            let (rest, excess) = self.test(token, sums);
            self.masks.hits[group] = rest.zeros();
            self.masks.carries[group] =
                !excess.zeros() & (u32::MAX >> (u32::BITS - V::COUNT as u32));
        }
    }
}

impl HashTable<'_> {
    /// Returns what is left of the tail, 0 if it can be spelled, and how far the checksum exceeds
    /// the greatest one that no tail carries from.
    #[inline(always)]
    fn test<W: Words>(&self, token: W::Token, sums: [W; TABLE_LIMBS]) -> (W, W) {
        let (message, checksum) = self.candidates(token, sums);
        let hash = double_hash(token, self.layout, message);
        let tail = self.tail;
        let mut rest = hash - checksum + W::splat(token, tail.offset);
        for &step in &tail.steps {
            rest = rest.min(rest - W::splat(token, step));
        }
        let max = W::splat(token, !tail.span);
        (rest, checksum - checksum.min(max))
    }

    /// The message words and the checksums of the base plus each sum.
    #[inline(always)]
    fn candidates<W: Words>(
        &self,
        token: W::Token,
        sums: [W; TABLE_LIMBS],
    ) -> ([W; MESSAGE_WORDS], W) {
        let base = |i: usize| W::splat(token, self.base[i]);
        let mut limbs = [W::splat(token, 0); LIMBS];
        let mut carry = W::splat(token, 0);
        for i in (0..TABLE_LIMBS).rev() {
            let at = i + LIMBS - TABLE_LIMBS;
            let (a, b) = (base(at), sums[i]);
            limbs[at] = a + b + carry;
            // The top bit carries if it is set in both addends, or in one of them but not in the
            // sum.
            carry = ((a & b) | ((a | b) & !limbs[at])).shift_right(31);
        }
        limbs[0] = base(0);
        limbs[1] = base(1);
        let [w0, w1, w2, w3, w4, limb5, limb6] = limbs;
        let (left, right) = self.layout.checksum_shifts();
        let w5 = (limb5 & W::splat(token, self.layout.message_bits()))
            | W::splat(token, self.layout.padding_bit());
        ([w0, w1, w2, w3, w4, w5], limb5.shift_left(left) | limb6.shift_right(right))
    }
}

/// See [`CandidateHasher::hash_pending`](super::CandidateHasher::hash_pending).
pub(super) struct HashPending<'a>(pub(super) &'a mut Pending);

impl LaneJob for HashPending<'_> {
    const KERNELS: KernelSet = KERNELS;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let pending = self.0;
        let (left, right) = pending.layout.message_shifts();
        for group in 0..pending.entries.len().div_ceil(V::COUNT) {
            let at = group * V::COUNT;
            let mut message = [V::splat(token, 0); MESSAGE_WORDS];
            for i in 0..MESSAGE_WORDS {
                let word = V::from_words(token, &pending.words[i][at..]);
                if i > 0 {
                    message[i - 1] = message[i - 1] | word.shift_right(right);
                }
                message[i] = word.shift_left(left);
            }
            let padding = V::splat(token, pending.layout.padding_bit());
            message[MESSAGE_WORDS - 1] = message[MESSAGE_WORDS - 1] | padding;
            let hash = double_hash(token, pending.layout, message);
            let above = hash - V::from_words(token, &pending.from[at..]);
            let within = above.min(V::from_words(token, &pending.width[at..]));
            hash.to_words(&mut pending.hashes[at..]);
            pending.in_range[group] = (above - within).zeros();
        }
    }
}
