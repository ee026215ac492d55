//! Rows of message bytes to vectors of words and back, by 4 x 4 words within 128-bit blocks.

use super::ByteOrder;

/// Interleaving of two vectors within each 128-bit block: the step that transposing is made of.
///
/// Blocks, not whole vectors, because that is one instruction without an index register on every
/// instruction set.
pub(super) trait Interleave: Copy {
    /// Of each block `[a0 a1 a2 a3]` and `[b0 b1 b2 b3]`: `[a0 b0 a1 b1]`.
    fn low_words(self, other: Self) -> Self;
    /// `[a2 b2 a3 b3]`.
    fn high_words(self, other: Self) -> Self;
    /// `[a0 a1 b0 b1]`.
    fn low_pairs(self, other: Self) -> Self;
    /// `[a2 a3 b2 b3]`.
    fn high_pairs(self, other: Self) -> Self;
}

/// Transposes the 4 x 4 words in each 128-bit block: word `j` of vector `i` becomes word `i` of
/// vector `j`.
#[inline(always)]
pub(super) fn transpose_4x4<V: Interleave>([a, b, c, d]: [V; 4]) -> [V; 4] {
    let ab_low = a.low_words(b);
    let ab_high = a.high_words(b);
    let cd_low = c.low_words(d);
    let cd_high = c.high_words(d);
    [
        ab_low.low_pairs(cd_low),
        ab_low.high_pairs(cd_low),
        ab_high.low_pairs(cd_high),
        ab_high.high_pairs(cd_high),
    ]
}

/// Whether words in `order` have to be swapped to be this CPU's own.
pub(super) const fn is_foreign(order: ByteOrder) -> bool {
    match order {
        ByteOrder::Big => cfg!(target_endian = "little"),
        ByteOrder::Little => cfg!(target_endian = "big"),
    }
}

/// Words in `order` to this CPU's own order, or the other way.
macro_rules! reorder {
    ($words:expr, $order:expr) => {
        if super::transpose::is_foreign($order) {
            for word in $words.iter_mut() {
                *word = Words::swap_bytes(*word);
            }
        }
    };
}
pub(super) use reorder;

/// Implements [`Interleave`] for a vector of the level by four `core::arch` intrinsics.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! interleave_by {
    ($vector:ty, $level:ident: $($method:ident = $intrinsic:ident),*) => {
        impl Interleave for $vector {
            $(
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    kernel!(
                        #[inline(always)]
                        fn interleave(token: $level, a: $vector, b: $vector) -> $vector {
                            $intrinsic(a.into(), b.into()).simd_into(token)
                        }
                    );
                    interleave(self.simd, self, other)
                }
            )*
        }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) use interleave_by;
