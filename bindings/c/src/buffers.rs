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
    /// `count` values of type `T` at `start`; refused unless they can be a slice.
    pub(crate) fn new<T>(start: *const T, count: usize) -> Result<Self, Status> {
        let bytes = count.checked_mul(size_of::<T>()).ok_or(Status::HASHLANES_OVERFLOW)?;
        if bytes == 0 {
            return Ok(Self { start: 0, end: 0 });
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

    #[cfg(feature = "hashtree")]
    pub(crate) fn starts_after(self, other: Self) -> bool {
        self.start > other.start
    }

    /// Refuses an output that overlaps this input.
    pub(crate) fn check_output(self, output: Self) -> Result<(), Status> {
        if self.overlaps(output) { Err(Status::HASHLANES_OVERLAP) } else { Ok(()) }
    }
}

/// The `count` values at `start`, or none if that is null.
///
/// # Safety
///
/// Unless `count` is 0 or [`Range::new`] refuses them, the values must be initialised, and must not
/// be written to during `'a`.
pub(crate) unsafe fn input<'a, T>(start: *const T, count: usize) -> Result<&'a [T], Status> {
    let range = Range::new(start, count)?;
    if range.end == 0 {
        return Ok(&[]);
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

/// Messages given as pointers and lengths, each of them checked.
///
/// # Safety
///
/// Unless [`Range::new`] refuses them, `input` must be sound for the `count` pointers, for the
/// `count` lengths, and for each message, during `'a`. The output must be writable, if it is not
/// refused either.
pub(crate) unsafe fn messages<'a, const N: usize>(
    pointers: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *const u8,
) -> Result<impl Iterator<Item = &'a [u8]>, Status> {
    let written = Range::new(digests.cast::<[u8; N]>(), count)?;
    Range::new(pointers, count)?.check_output(written)?;
    Range::new(lengths, count)?.check_output(written)?;
    // SAFETY: the caller promises it.
    let pointers = unsafe { input(pointers, count) }?;
    // SAFETY: the caller promises it.
    let lengths = unsafe { input(lengths, count) }?;
    for (&pointer, &length) in pointers.iter().zip(lengths) {
        Range::new(pointer, length)?.check_output(written)?;
    }
    Ok(pointers.iter().zip(lengths).map(|(&pointer, &length)| {
        // SAFETY: the caller promises it of each message. All have passed `Range::new`, so that
        // `unwrap_or_default` never replaces one.
        unsafe { input(pointer, length) }.unwrap_or_default()
    }))
}
