//! Hashes with the CPU's SHA-256 instructions, interleaving one to four messages to hide their
//! latency of several cycles.
//!
//! `unsafe` is only here, in `x86_asm` and in `aarch64_asm`, to call instructions that
//! [`ShaExtensions`] proves, and in `prefetch`.
//!
//! See docs/sha-instructions.md for what breaks such kernels.
#![allow(unsafe_code)]
#![cfg_attr(
    not(any(target_feature = "sse2", target_arch = "aarch64")),
    allow(dead_code, unused_variables, reason = "other CPUs have no SHA instructions to call")
)]

#[cfg(all(target_arch = "aarch64", not(miri)))]
mod aarch64_asm;
#[cfg(target_arch = "aarch64")]
mod aarch64_sha2;
mod prefetch;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod x86_asm;
#[cfg(target_feature = "sse2")]
mod x86_sha;

#[cfg(all(target_arch = "aarch64", not(miri)))]
use aarch64_asm as asm;
use hash_lanes::engine::{Block, Row, ShaExtensions, check_counts};
pub use prefetch::prefetch;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use x86_asm as asm;

/// Calls a kernel for `$streams` messages at a time, one of the listed numbers. All arguments are
/// identifiers.
macro_rules! call {
    ($sha:ident, $streams:expr => [$($n:literal)*], $kernel:ident $generics:tt $arguments:tt) => {
        match $streams {
            $($n => call_one!($sha, $kernel, $n $generics $arguments),)*
            streams => unreachable!("no kernel for {streams} messages"),
        }
    };
}

#[cfg(target_feature = "sse2")]
macro_rules! call_one {
    ($sha:ident, $kernel:ident, $n:literal [$($generic:ident)?] $arguments:tt) => {
        if $sha.has_avx() {
            // SAFETY: the token proves the SHA instructions and SSE4.1, `has_avx` proves AVX.
            unsafe { x86_sha::vex::$kernel::<$n $(, $generic)?>$arguments }
        } else {
            // SAFETY: the token proves the SHA instructions and SSE4.1.
            unsafe { x86_sha::legacy::$kernel::<$n $(, $generic)?>$arguments }
        }
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! call_one {
    ($sha:ident, $kernel:ident, $n:literal [$($generic:ident)?] $arguments:tt) => {{
        let _: ShaExtensions = $sha;
        // SAFETY: the token proves the SHA2 extension, which needs NEON.
        unsafe { aarch64_sha2::$kernel::<$n $(, $generic)?>$arguments }
    }};
}

/// On other CPUs no token exists, so this is never called.
#[cfg(not(any(target_feature = "sse2", target_arch = "aarch64")))]
macro_rules! call_one {
    ($sha:ident, $kernel:ident, $n:literal $generics:tt $arguments:tt) => {{
        let _: ShaExtensions = $sha;
        unreachable!("no SHA instructions on this architecture")
    }};
}

/// Hashes the blocks of one to four messages into their states. All messages have the same number
/// of blocks.
pub(crate) fn compress_streams(sha: ShaExtensions, states: &mut [Row], messages: &[&[Block]]) {
    #[cfg(all(
        any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"),
        not(miri)
    ))]
    asm::compress_streams(sha, states, messages);
    #[cfg(not(all(
        any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"),
        not(miri)
    )))]
    {
        assert!(
            messages.iter().all(|blocks| blocks.len() == messages[0].len()),
            "the messages have different numbers of blocks"
        );
        call!(sha, messages.len() => [1 2 3 4], compress_streams[](states, messages));
    }
}

/// Whether [`compress_streams`], which is assembly and needs the padding in memory, hashes messages
/// of equal length faster than [`hash_equal`], which pads in registers.
///
/// Unoptimised builds enable debug assertions; a block takes 60 times as long there without
/// assembly. Otherwise messages of 1 KiB in two to four streams take 2 to 5 % less on Zen 5, and
/// single ones 5 % more. That is not measured on aarch64.
pub(crate) const fn prefers_streams(streams: usize, len: usize) -> bool {
    let is_x86 = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));
    let is_assembly = !cfg!(miri) && (is_x86 || cfg!(target_arch = "aarch64"));
    is_assembly && (cfg!(debug_assertions) || is_x86 && streams > 1 && len >= 1024)
}

/// Hashes 64-byte messages once, or twice if `DOUBLE`. `nodes.len()` is a multiple of `streams` and
/// equal to `digests.len()`. Two streams overlap with the next two, so four are not offered.
pub(crate) fn hash_pairs<const DOUBLE: bool>(
    sha: ShaExtensions,
    streams: usize,
    nodes: &[Block],
    digests: &mut [[u8; 32]],
) {
    call!(sha, streams => [1 2 3], hash_pairs[DOUBLE](nodes, digests));
}

/// Hashes messages of equal length that start from `state`, after `before` bytes. `messages.len()`
/// is a multiple of `streams` and equal to `rows.len()`.
pub(crate) fn hash_equal(
    sha: ShaExtensions,
    streams: usize,
    state: &Row,
    before: u64,
    messages: &[&[u8]],
    rows: &mut [Row],
) {
    let Some(first) = messages.first() else { return };
    let message_bytes = before.wrapping_add(first.len() as u64);
    call!(sha, streams => [1 2 3 4], hash_equal[](state, messages, message_bytes, rows));
}

/// Hashes single-block messages twice, as Bitcoin does, and writes the first word of each hash.
///
/// The blocks must contain the padding and are given as words.
///
/// # Panics
///
/// Panics if `blocks.len() != first_words.len()`.
#[track_caller]
pub fn double_hash_blocks(sha: ShaExtensions, blocks: &[[u32; 16]], first_words: &mut [u32]) {
    check_counts(blocks.len(), first_words.len());
    let (blocks, rest) = blocks.split_at(blocks.len() & !3);
    let (words, rest_words) = first_words.split_at_mut(blocks.len());
    if !blocks.is_empty() {
        call!(sha, 4 => [4], double_hash_blocks[](blocks, words));
    }
    if !rest.is_empty() {
        call!(sha, rest.len() => [1 2 3], double_hash_blocks[](rest, rest_words));
    }
}
