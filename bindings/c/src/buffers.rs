//! Turns the pointers that C passes into slices.
//!
//! Everything is checked on addresses first. What cannot be checked is what `hashlanes.h` asks of
//! the caller: that the buffers exist, are as long as stated, and that nobody writes to an input or
//! touches an output during the call.

use std::ptr;
use std::slice;

use crate::Status;

/// The bytes from one address to another.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    start: usize,
    end: usize,
}

impl Range {
    /// No bytes, which nothing overlaps.
    pub(crate) const NONE: Self = Self { start: 0, end: 0 };

    /// `count` values of type `T` at `start`; refused unless they can be a slice.
    pub(crate) fn new<T>(start: *const T, count: usize) -> Result<Self, Status> {
        let bytes = count.checked_mul(size_of::<T>()).ok_or(Status::HASHLANES_OVERFLOW)?;
        if bytes == 0 {
            return Ok(Self::NONE);
        }
        if start.is_null() {
            return Err(Status::HASHLANES_NULL);
        }
        if !start.is_aligned() {
            return Err(Status::HASHLANES_UNALIGNED);
        }
        let end = start.addr().checked_add(bytes);
        let end = end.filter(|_| isize::try_from(bytes).is_ok());
        Ok(Self { start: start.addr(), end: end.ok_or(Status::HASHLANES_OVERFLOW)? })
    }

    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// The `count` values at `start`, or none if that is null. Refused if the output overlaps them.
///
/// # Safety
///
/// Unless `count` is 0 or the values are refused, they must be initialised, and must not be written
/// to during `'a`.
pub(crate) unsafe fn input<'a, T>(
    start: *const T,
    count: usize,
    output: Range,
) -> Result<&'a [T], Status> {
    let range = Range::new(start, count)?;
    if range.end == 0 {
        return Ok(&[]);
    }
    if range.overlaps(output) {
        return Err(Status::HASHLANES_OVERLAP);
    }
    // SAFETY: `Range::new` has checked that the pointer is aligned and not null, and that the size
    // is at most `isize::MAX` and does not wrap. The caller vouches for the rest.
    Ok(unsafe { slice::from_raw_parts(start, count) })
}

/// The `count` digests of `N` bytes at `start`, zeroed.
///
/// # Safety
///
/// Unless `count` is 0 or [`Range::new`] refuses them, the bytes must be writable, and must only be
/// used through the result during `'a`.
pub(crate) unsafe fn output<'a, const N: usize>(
    start: *mut u8,
    count: usize,
) -> Result<&'a mut [[u8; N]], Status> {
    let start = start.cast::<[u8; N]>();
    if Range::new(start, count)?.end == 0 {
        return Ok(&mut []);
    }
    // SAFETY: `Range::new` has checked the pointer and the size, as in `input`; the caller promises
    // that the bytes are writable. They may be uninitialised, which a slice must not be.
    unsafe { ptr::write_bytes(start, 0, count) };
    // SAFETY: they are initialised now. The caller promises that nothing else refers to them.
    Ok(unsafe { slice::from_raw_parts_mut(start, count) })
}

/// The `length` bytes at `start`, which are read and written.
///
/// # Safety
///
/// As for [`output`], and the bytes must be initialised.
pub(crate) unsafe fn updated<'a>(start: *mut u8, length: usize) -> Result<&'a mut [u8], Status> {
    if Range::new(start, length)?.end == 0 {
        return Ok(&mut []);
    }
    // SAFETY: `Range::new` has checked the pointer and the size, as in `input`. The caller promises
    // that the bytes are initialised, and that nothing else refers to them.
    Ok(unsafe { slice::from_raw_parts_mut(start, length) })
}
