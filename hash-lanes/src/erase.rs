//! Erases what hashing leaves on the heap, with the feature `zeroize`.

#[cfg(feature = "alloc")]
mod erased;

use zeroize::optimization_barrier;

#[cfg(feature = "alloc")]
pub use erased::{Erased, extend_outputs, outputs_of_hint};

/// Whether secrets are erased before their memory is freed.
pub(crate) const ERASES: bool = cfg!(feature = "zeroize");

/// Plain values, which a blank one overwrites.
pub trait Blank: Copy {
    /// A value of zeros.
    const BLANK: Self;
}

impl Blank for u8 {
    const BLANK: Self = 0;
}

impl Blank for u64 {
    const BLANK: Self = 0;
}

impl<T: Blank, const N: usize> Blank for [T; N] {
    const BLANK: Self = [T::BLANK; N];
}

/// Overwrites values, with the feature `zeroize`.
///
/// The compiler may not leave the stores out, and may use the widest ones.
#[inline]
pub fn erase<T: Blank>(values: &mut [T]) {
    if ERASES {
        values.fill(T::BLANK);
        optimization_barrier(values);
    }
}

/// Overwrites outputs, with the feature `zeroize`.
pub(crate) fn erase_outputs<D: AsMut<[u8]>>(outputs: &mut [D]) {
    if ERASES {
        outputs.iter_mut().for_each(|output| erase(output.as_mut()));
    }
}
