//! Builds one candidate at a time, for the SHA instructions.

use super::layout::{LIMBS, Layout, MESSAGE_WORDS};
use super::table::TABLE_LIMBS;

/// A block without its message words: only padding.
pub(super) fn padding(layout: Layout) -> [u32; 16] {
    let mut block = [0; 16];
    block[15] = layout.length();
    block
}

/// The message words and the checksum of `base` plus the sum with these lower words.
#[inline]
pub(super) fn candidate(
    layout: Layout,
    base: [u32; LIMBS],
    sum: [u32; TABLE_LIMBS],
) -> ([u32; MESSAGE_WORDS], u32) {
    let mut limbs = base;
    let mut carry = false;
    for i in (0..TABLE_LIMBS).rev() {
        let at = i + LIMBS - TABLE_LIMBS;
        let (once, first) = base[at].overflowing_add(sum[i]);
        let (twice, second) = once.overflowing_add(u32::from(carry));
        limbs[at] = twice;
        carry = first | second;
    }
    let [w0, w1, w2, w3, w4, limb5, limb6] = limbs;
    let (left, right) = layout.checksum_shifts();
    let w5 = limb5 & layout.message_bits() | layout.padding_bit();
    ([w0, w1, w2, w3, w4, w5], limb5 << left | limb6 >> right)
}
