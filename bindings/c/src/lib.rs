//! hashlanes for C: many messages, hashed at once. cbindgen makes `hashlanes.h` from this file.
//!
//! Each function checks its arguments and calls one function of a hash crate. [`buffers`] turns
//! pointers into slices.

// The rules of all functions are at the top of `hashlanes.h`.
#![allow(clippy::missing_safety_doc)]

mod buffers;
#[cfg(feature = "hashtree")]
mod hashtree;
mod nodes;

use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, OnceLock};

use hash_lanes::{Backend, ChainError, ChainLayout};
use merkle_lanes::RootBuilder;
use merkle_lanes::ssz::{Ssz, pack};
use sha3_multi::{XofLanes, keccak256, sha3_256};
use sha256_multi::Sha256Lanes;

use crate::buffers::{Range, input, output, updated};
use crate::nodes::nodes;

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
    /// This machine has no kernel of that name.
    HASHLANES_KERNEL = 7,
    /// A value or counter does not fit into the messages of the chains, or a message is too long.
    HASHLANES_LAYOUT = 8,
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

/// The backend of this name, if the machine can run it. Detects the machine's only once.
fn backend(name: &str) -> Option<Backend> {
    static BACKENDS: LazyLock<Vec<Backend>> =
        LazyLock::new(|| [Backend::available(), Backend::single_kernels()].concat());
    BACKENDS.iter().copied().find(|backend| backend.name() == name)
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

/// Writes the SHA-512 digest of each message to `digests`, 64 bytes each. Message `i` is the
/// `lengths[i]` bytes at `messages[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha512_many(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { many(messages, lengths, count, digests, |m, d| sha512_multi::hash_many_into(m, d)) }
}

/// Writes the SHA-512 digest of each message to `digests`, 64 bytes each. The messages have
/// `length` bytes each and lie end to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha512_equal(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { equal(messages, length, count, digests, |m, d| sha512_multi::hash_many_into(m, d)) }
}

/// Writes the Keccak-256 digest of each message to `digests`, 32 bytes each. Message `i` is the
/// `lengths[i]` bytes at `messages[i]`. Keccak-256 is Ethereum's hash, and not SHA3-256.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_keccak256_many(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { many(messages, lengths, count, digests, |m, d| keccak256::hash_many_into(m, d)) }
}

/// Writes the Keccak-256 digest of each message to `digests`, 32 bytes each. The messages have
/// `length` bytes each and lie end to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_keccak256_equal(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { equal(messages, length, count, digests, |m, d| keccak256::hash_many_into(m, d)) }
}

/// Writes the SHA3-256 digest of each message to `digests`, 32 bytes each. Message `i` is the
/// `lengths[i]` bytes at `messages[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha3_256_many(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { many(messages, lengths, count, digests, |m, d| sha3_256::hash_many_into(m, d)) }
}

/// Writes the SHA3-256 digest of each message to `digests`, 32 bytes each. The messages have
/// `length` bytes each and lie end to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha3_256_equal(
    messages: *const u8,
    length: usize,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { equal(messages, length, count, digests, |m, d| sha3_256::hash_many_into(m, d)) }
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

/// Writes the SHA-256 digest of each of the `count` 64-byte nodes at `input` to `digests`, which
/// may be `input`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256_nodes(
    input: *const u8,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { nodes(input, count, digests, |n, d| sha256_multi::hash_pairs_into(n, d)) }
}

/// Hashes each of the `count` 64-byte nodes at `input` twice with SHA-256, as in Bitcoin, and
/// writes the digests to `digests`, which may be `input`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256_nodes_twice(
    input: *const u8,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { nodes(input, count, digests, |n, d| sha256_multi::double_hash_pairs_into(n, d)) }
}

/// `hashlanes_sha256_nodes` with the kernels of this name: those of `hashlanes_kernel_name`, or a
/// set of them such as `avx2+sha` or `portable`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256_nodes_on(
    kernel: *const c_char,
    input: *const u8,
    count: usize,
    digests: *mut u8,
) -> hashlanes_status {
    if kernel.is_null() {
        return Status::HASHLANES_NULL;
    }
    // SAFETY: the caller promises a text that ends with a zero byte.
    let name = unsafe { CStr::from_ptr(kernel) };
    let Some(backend) = name.to_str().ok().and_then(backend) else {
        return Status::HASHLANES_KERNEL;
    };
    let lanes = Sha256Lanes::on(backend);
    // SAFETY: the caller keeps the rules.
    unsafe { nodes(input, count, digests, |n, d| lanes.hash_pairs_into(n, d)) }
}

/// Where the messages of chains have what changes from step to step.
///
/// A step hashes the message, writes the beginning of the digest in the place of the value, and
/// adds one to the counter, the most significant byte first. A counter of no bytes is none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(non_camel_case_types)]
pub struct hashlanes_chain_layout {
    /// The bytes of a message.
    pub message_length: usize,
    /// The first byte of the value.
    pub value_start: usize,
    /// The bytes of the value.
    pub value_length: usize,
    /// The first byte of the counter.
    pub counter_start: usize,
    /// The bytes of the counter, at most 4.
    pub counter_length: usize,
}

impl hashlanes_chain_layout {
    fn checked(self) -> Result<ChainLayout, Status> {
        let range = |start: usize, length| {
            Ok(start..start.checked_add(length).ok_or(Status::HASHLANES_OVERFLOW)?)
        };
        let value = range(self.value_start, self.value_length)?;
        let counter = match self.counter_length {
            0 => None,
            length => Some(range(self.counter_start, length)?),
        };
        let layout = ChainLayout::try_new(self.message_length, value, counter);
        layout.map_err(|_| Status::HASHLANES_LAYOUT)
    }
}

/// Passes messages and their steps to `hash`, which advances them.
///
/// # Safety
///
/// As for [`many`].
unsafe fn chains(
    layout: *const hashlanes_chain_layout,
    messages: *mut u8,
    steps: *const u32,
    count: usize,
    hash: impl FnOnce(&ChainLayout, &mut [u8], &[u32]) -> Result<(), ChainError>,
) -> Status {
    guarded(|| {
        // SAFETY: the rules say so of the layout.
        let layout = unsafe { input(layout, 1, Range::NONE) }?;
        let layout = layout[0].checked()?;
        let length = layout.message_len().checked_mul(count).ok_or(Status::HASHLANES_OVERFLOW)?;
        let written = Range::new(messages, length)?;
        // SAFETY: the rules say so of the steps.
        let steps = unsafe { input(steps, count, written) }?;
        // SAFETY: the messages are the caller's, and overlap nothing that is borrowed.
        let messages = unsafe { updated(messages, length) }?;
        hash(&layout, messages, steps).map_err(|_| Status::HASHLANES_LAYOUT)
    })
}

/// Hashes message `i` of the `count` messages, which lie end to end, `steps[i]` times with SHA-256,
/// each time with the digest in the place of the value. The messages after the last step replace
/// them. A message has at most 55 bytes, and a value 32.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256_chains(
    layout: *const hashlanes_chain_layout,
    messages: *mut u8,
    steps: *const u32,
    count: usize,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { chains(layout, messages, steps, count, sha256_multi::try_hash_chains) }
}

/// Hashes message `i` of the `count` messages, which lie end to end, `steps[i]` times with SHA-512,
/// each time with the digest in the place of the value. The messages after the last step replace
/// them. A message has at most 111 bytes, and a value 64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha512_chains(
    layout: *const hashlanes_chain_layout,
    messages: *mut u8,
    steps: *const u32,
    count: usize,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe { chains(layout, messages, steps, count, sha512_multi::try_hash_chains) }
}

/// Hashes message `i` of the `count` messages, which lie end to end, `steps[i]` times with
/// SHAKE256, each time with the digest in the place of the value. The messages after the last step
/// replace them. A message has at most 135 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_shake256_chains(
    layout: *const hashlanes_chain_layout,
    messages: *mut u8,
    steps: *const u32,
    count: usize,
) -> hashlanes_status {
    // SAFETY: the caller keeps the rules.
    unsafe {
        chains(layout, messages, steps, count, |layout, messages, steps| {
            XofLanes::shake256().try_hash_chains(layout, messages, steps)
        })
    }
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
        // Its memory does not grow with the chunks: an allocation that fails would abort.
        let mut builder = RootBuilder::new(tree);
        let (chunks, rest) = bytes.as_chunks();
        builder.extend(chunks);
        builder.extend(&pack(rest));
        root[0] = builder.root();
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

/// The name of the kernel of this index that the machine can run, the widest first, such as
/// `avx2x8`, or null after the last. It lives as long as the process.
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_kernel_name(index: usize) -> *const c_char {
    static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| {
        let kernels = Backend::single_kernels();
        kernels.iter().filter_map(|kernel| CString::new(kernel.name()).ok()).collect()
    });
    NAMES.get(index).map_or(std::ptr::null(), |name| name.as_ptr())
}

/// The version of the library that is loaded, such as `0.1.0`; `HASHLANES_VERSION` is that of the
/// header. It lives as long as the process.
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
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
        7 => c"this machine has no kernel of that name",
        8 => c"a value, a counter or a message of the chains does not fit",
        _ => c"not a status of hashlanes",
    };
    text.as_ptr()
}
