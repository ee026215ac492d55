//! Lists that are erased when they are dropped or grow, with the feature `zeroize`.

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

use super::{Blank, ERASES, erase, erase_outputs};

/// A list that is erased when it is dropped, and where it was when it grows, with the feature
/// `zeroize`.
#[derive(Clone)]
pub struct Erased<T: Blank> {
    values: Vec<T>,
}

impl<T: Blank> Erased<T> {
    /// An empty list, which does not allocate.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: Vec::new() }
    }

    /// An empty list with room for `count` values.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        Self { values: Vec::with_capacity(count) }
    }

    /// A list of one value.
    pub(crate) fn of(value: T) -> Self {
        Self { values: alloc::vec![value] }
    }

    /// A list of these values.
    pub(crate) fn copied(values: &[T]) -> Self {
        Self { values: values.to_vec() }
    }

    /// A list of `count` blank values.
    #[must_use]
    pub fn blank(count: usize) -> Self {
        Self { values: alloc::vec![T::BLANK; count] }
    }

    /// A list of `count` values, or `None` if they do not fit into memory, where `vec!` ends the
    /// process.
    pub(crate) fn try_filled(count: usize, value: T) -> Option<Self> {
        let mut values = Vec::new();
        values.try_reserve_exact(count).ok()?;
        values.resize(count, value);
        Some(Self { values })
    }

    /// Appends a value.
    pub fn push(&mut self, value: T) {
        self.reserve(1);
        self.values.push(value);
    }

    /// Appends values.
    pub fn extend_from_slice(&mut self, values: &[T]) {
        self.reserve(values.len());
        self.values.extend_from_slice(values);
    }

    /// Appends blank values, or removes the last ones, until there are `count`.
    pub fn resize(&mut self, count: usize) {
        self.reserve(count.saturating_sub(self.values.len()));
        self.values.resize(count, T::BLANK);
    }

    /// Removes all values. They are overwritten by the next ones.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// The list as a vector, for functions that fill one. What they move when they make it grow is
    /// not erased.
    #[cfg(feature = "std")]
    pub(crate) fn as_vec(&mut self) -> &mut Vec<T> {
        &mut self.values
    }

    /// Makes room for `more` values.
    pub(crate) fn reserve(&mut self, more: usize) {
        let (count, room) = (self.values.len(), self.values.capacity());
        if ERASES && more > room - count {
            let mut grown = Vec::with_capacity(count.saturating_add(more).max(2 * room));
            grown.extend_from_slice(&self.values);
            // Drops and erases the old list.
            *self = Self { values: grown };
        } else {
            self.values.reserve(more);
        }
    }
}

impl<T: Blank> Default for Erased<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Blank> Deref for Erased<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<T: Blank> DerefMut for Erased<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl AsRef<[u8]> for Erased<u8> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl<T: Blank> Drop for Erased<T> {
    fn drop(&mut self) {
        if ERASES {
            // With what is left of values that were removed.
            self.values.resize(self.values.capacity(), T::BLANK);
            erase(&mut self.values);
        }
    }
}

impl<T: Blank> fmt::Debug for Erased<T> {
    /// Omits the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Erased").field("count", &self.len()).finish_non_exhaustive()
    }
}

/// The most bytes that are allocated because a size hint says so. More follow as they are needed: a
/// hint may lie.
const MAX_HINTED_BYTES: usize = 1 << 20;

/// An empty list of outputs, with room for as many as a size hint announces, up to 1 MiB.
#[must_use]
pub fn outputs_of_hint<D>(hint: usize) -> Vec<D> {
    Vec::with_capacity(hint.min(MAX_HINTED_BYTES / size_of::<D>().max(1)))
}

/// Appends copies of `blank` to outputs until there are `count`. When the list grows, the outputs
/// are erased where they were.
pub fn extend_outputs<D: AsMut<[u8]> + Clone>(outputs: &mut Vec<D>, count: usize, blank: &D) {
    let room = outputs.capacity();
    if ERASES && count > room {
        let mut grown = Vec::with_capacity(count.max(2 * room));
        grown.extend_from_slice(outputs);
        core::mem::swap(outputs, &mut grown);
        erase_outputs(&mut grown);
    }
    outputs.resize(count.max(outputs.len()), blank.clone());
}
