//! On several threads with the feature `rayon`, else on one.

use alloc::vec::Vec;

/// `map` of each item, in their order; the first error that is found, if there is one.
pub(crate) fn try_map<T: Sync, R: Send, E: Send>(
    items: &[T],
    try_map: impl Fn(&T) -> Result<R, E> + Send + Sync,
) -> Result<Vec<R>, E> {
    map(items, try_map).into_iter().collect()
}

/// `map` of each item, in their order.
#[cfg(feature = "rayon")]
pub(crate) fn map<T: Sync, R: Send>(items: &[T], map: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter().map(map).collect()
}

/// `map` of each item, in their order.
#[cfg(not(feature = "rayon"))]
pub(crate) fn map<T, R>(items: &[T], map: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(map).collect()
}
