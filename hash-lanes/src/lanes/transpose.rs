//! Transposes rows of message bytes to vectors of words and back: 4 x 4 words of 32 bits, or 2 x 2
//! of 64 bits, at a time within 128-bit blocks.

/// Interleaves two vectors within each 128-bit block: the building block of a transposition.
///
/// It works within blocks, not whole vectors, because that is one instruction without an index
/// register on every instruction set. From each block `[a0 a1 a2 a3]` and `[b0 b1 b2 b3]` the
/// methods return:
pub(super) trait Interleave: Copy {
    /// `[a0 b0 a1 b1]`.
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

/// Converts words between `order` and the byte order of this CPU.
macro_rules! reorder {
    ($words:expr, $order:expr) => {
        if $order.is_foreign() {
            for word in $words.iter_mut() {
                *word = Words::swap_bytes(*word);
            }
        }
    };
}
pub(super) use reorder;

/// Implements [`Interleave`] for a vector type with four `core::arch` intrinsics.
#[cfg(target_feature = "sse2")]
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
#[cfg(target_feature = "sse2")]
pub(super) use interleave_by;
