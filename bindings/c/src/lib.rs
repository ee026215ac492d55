//! hashlanes for C: many messages, hashed at once. cbindgen makes `hashlanes.h` from this file.
//!
//! Each function checks its arguments and calls one function of a hash crate. [`buffers`] turns
//! pointers into slices.

// The rules of all functions are at the top of `hashlanes.h`.
#![allow(clippy::missing_safety_doc)]

mod buffers;
#[cfg(feature = "hashtree")]
mod hashtree;

use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use hash_lanes::Backend;
use merkle_lanes::ssz::{Ssz, pack};

use crate::buffers::{Range, input, output};

/// What a function returns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum hashlanes_status {
    /// The output is complete.
    HASHLANES_OK = 0,
    /// A pointer is null although its buffer is not empty.
    HASHLANES_NULL = 1,
    /// The output overlaps an input.
    HASHLANES_OVERLAP = 2,
    /// A size in bytes, or the end of a buffer, exceeds the address space.
    HASHLANES_OVERFLOW = 3,
    /// An array of pointers or lengths is not aligned.
    HASHLANES_UNALIGNED = 4,
    /// There are more chunks than the limit, or the limit exceeds 2^63.
    HASHLANES_LIMIT = 5,
    /// A bug in hashlanes. The output is unspecified.
    HASHLANES_BUG = 6,
}

use hashlanes_status as Status;

/// Runs `body`, and keeps its panics from unwinding into C.
fn guarded(body: impl FnOnce() -> Result<(), Status>) -> Status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Status::HASHLANES_OK,
        Ok(Err(status)) => status,
        Err(_) => Status::HASHLANES_BUG,
    }
}

/// Passes messages given as pointers and lengths to `hash`.
///
/// # Safety
///
/// The caller of the C function keeps the rules at the top of `hashlanes.h`.
unsafe fn many<const N: usize>(
    pointers: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
    hash: impl FnOnce(&mut dyn Iterator<Item = &[u8]>, &mut [[u8; N]]),
) -> Status {
    guarded(|| {
        let written = Range::new(digests.cast::<[u8; N]>(), count)?;
        // SAFETY: the rules say so of the pointers.
        let pointers = unsafe { input(pointers, count, written) }?;
        // SAFETY: the rules say so of the lengths.
        let lengths = unsafe { input(lengths, count, written) }?;
        let messages = pointers.iter().zip(lengths).map(|(&pointer, &length)| {
            // SAFETY: the rules say so of each message.
            unsafe { input(pointer, length, written) }
        });
        // Before anything is written.
        messages.clone().try_for_each(|message| message.map(drop))?;
        // SAFETY: the output is the caller's, and overlaps nothing that is borrowed.
        let digests = unsafe { output(digests, count) }?;
        // None is refused, or this would not be reached.
        hash(&mut messages.map(Result::unwrap_or_default), digests);
        Ok(())
    })
}

/// Passes one buffer of `length` bytes to `hash`. A length of `None` has overflowed.
///
/// # Safety
///
/// As for [`many`].
unsafe fn one<const N: usize>(
    bytes: *const u8,
    length: Option<usize>,
    count: usize,
    digests: *mut u8,
    hash: impl FnOnce(&[u8], &mut [[u8; N]]),
) -> Status {
    guarded(|| {
        let length = length.ok_or(Status::HASHLANES_OVERFLOW)?;
        let written = Range::new(digests.cast::<[u8; N]>(), count)?;
        // SAFETY: the rules say so of the bytes.
        let bytes = unsafe { input(bytes, length, written) }?;
        // SAFETY: the output is the caller's, and does not overlap the bytes.
        let digests = unsafe { output(digests, count) }?;
        hash(bytes, digests);
        Ok(())
    })
}

/// Passes `count` messages of `length` bytes, end to end, to `hash`.
///
/// # Safety
///
/// As for [`many`].
unsafe fn equal<const N: usize>(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
    hash: impl FnOnce(&mut dyn Iterator<Item = &[u8]>, &mut [[u8; N]]),
) -> Status {
    let hash = |bytes: &[u8], digests: &mut [_]| {
        hash(&mut (0..count).map(|i| &bytes[i * length..][..length]), digests);
    };
    // SAFETY: the caller keeps the rules.
    unsafe { one(messages, length.checked_mul(count), count, digests, hash) }
}

/// Writes the SHA-256 digest of each message to `digests`, 32 bytes each. Message `i` is the
/// `lengths[i]` bytes at `messages[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256_many(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { many(messages, lengths, count, digests, |m, d| sha256_multi::hash_many_into(m, d)) }
}

/// Writes the SHA-256 digest of each message to `digests`, 32 bytes each. The messages have
/// `length` bytes each and lie end to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256_equal(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { equal(messages, length, count, digests, |m, d| sha256_multi::hash_many_into(m, d)) }
}

/// Writes the SHA-1 digest of each message to `digests`, 20 bytes each. Message `i` is the
/// `lengths[i]` bytes at `messages[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha1_many(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { many(messages, lengths, count, digests, |m, d| sha1_multi::hash_many_into(m, d)) }
}

/// Writes the SHA-1 digest of each message to `digests`, 20 bytes each. The messages have
/// `length` bytes each and lie end to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha1_equal(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { equal(messages, length, count, digests, |m, d| sha1_multi::hash_many_into(m, d)) }
}

/// Writes the RIPEMD-160 digest of each message to `digests`, 20 bytes each. Message `i` is the
/// `lengths[i]` bytes at `messages[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_ripemd160_many(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { many(messages, lengths, count, digests, |m, d| ripemd_multi::hash_many_into(m, d)) }
}

/// Writes the RIPEMD-160 digest of each message to `digests`, 20 bytes each. The messages have
/// `length` bytes each and lie end to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_ripemd160_equal(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { equal(messages, length, count, digests, |m, d| ripemd_multi::hash_many_into(m, d)) }
}

/// Writes the HASH160 (RIPEMD-160 of SHA-256) digest of each message to `digests`, 20 bytes each.
/// Message `i` is the `lengths[i]` bytes at `messages[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hash160_many(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { many(messages, lengths, count, digests, |m, d| ripemd_multi::hash160_many_into(m, d)) }
}

/// Writes the HASH160 (RIPEMD-160 of SHA-256) digest of each message to `digests`, 20 bytes each.
/// The messages have `length` bytes each and lie end to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hash160_equal(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { equal(messages, length, count, digests, |m, d| ripemd_multi::hash160_many_into(m, d)) }
}

/// Writes the sumhash512 digest of each message to `digests`, 64 bytes each. Message `i` is the
/// `lengths[i]` bytes at `messages[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sumhash512_many(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { many(messages, lengths, count, digests, |m, d| sumhash512::hash_many_into(m, d)) }
}

/// Writes the sumhash512 digest of each message to `digests`, 64 bytes each. The messages have
/// `length` bytes each and lie end to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sumhash512_equal(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { equal(messages, length, count, digests, |m, d| sumhash512::hash_many_into(m, d)) }
}

/// Writes the SHA-256 digest of each of the `count` 64-byte nodes at `input` to `digests`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256_nodes(
    input: *const u8,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    let hash = |nodes: &[u8], digests: &mut [_]| {
        sha256_multi::hash_pairs_into(nodes.as_chunks::<64>().0, digests)
    };
    // SAFETY: the caller keeps the rules.
    unsafe { one(input, count.checked_mul(64), count, digests, hash) }
}

/// Hashes each of the `count` 64-byte nodes at `input` twice with SHA-256, as in Bitcoin, and
/// writes the digests to `digests`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256_nodes_twice(
    input: *const u8,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    let hash = |nodes: &[u8], digests: &mut [_]| {
        sha256_multi::double_hash_pairs_into(nodes.as_chunks::<64>().0, digests)
    };
    // SAFETY: the caller keeps the rules.
    unsafe { one(input, count.checked_mul(64), count, digests, hash) }
}

/// Writes the SSZ root of `length` bytes to the 32 bytes at `root`. The last chunk is padded with
/// zeros.
///
/// `limit` is the maximum number of 32-byte chunks of a list. If it is 0, the depth of the tree
/// follows the number of chunks, as in vectors and containers. The length of a list is not mixed
/// in.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_ssz_root(
    bytes: *const u8,
    length: usize,
    limit: u64,
    root: *mut u8,
) -> hashlanes_status {
    if limit > 1 << 63 || limit != 0 && length.div_ceil(32) as u64 > limit {
        return Status::HASHLANES_LIMIT;
    }
    let hash = |bytes: &[u8], root: &mut [_]| {
        let tree = if limit == 0 { Ssz::new() } else { Ssz::with_limit(limit) };
        root[0] = match bytes.as_chunks() {
            (chunks, []) => merkle_lanes::root(&tree, chunks),
            _ => merkle_lanes::root(&tree, &pack(bytes)),
        };
    };
    // SAFETY: the caller keeps the rules.
    unsafe { one(bytes, Some(length), 1, root, hash) }
}

/// The name of the kernels that this CPU runs, such as `avx512+sha`. It lives as long as the
/// process.
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_backend() -> *const c_char {
    static NAME: OnceLock<CString> = OnceLock::new();
    NAME.get_or_init(|| CString::new(Backend::detect().name()).unwrap_or_default()).as_ptr()
}

/// What a status means, in English. It lives as long as the process. Any number is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_strerror(status: i32) -> *const c_char {
    let text: &CStr = match status {
        0 => c"success",
        1 => c"a pointer is null, but its buffer is not empty",
        2 => c"the output overlaps an input",
        3 => c"a size or the end of a buffer exceeds the address space",
        4 => c"an array of pointers or lengths is not aligned",
        5 => c"more chunks than the limit, or a limit above 2^63",
        6 => c"a bug in hashlanes",
        _ => c"not a status of hashlanes",
    };
    text.as_ptr()
}
