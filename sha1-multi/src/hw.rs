//! Hashes with the CPU's SHA-1 instructions, interleaving one to four messages to hide their
//! latency of several cycles.
//!
//! `unsafe` is only here, in `x86_asm` and in `aarch64_asm`, to call instructions that
//! [`ShaExtensions`] proves.
//!
//! See sha256-multi/docs/sha-instructions.md for what breaks such kernels.
#![allow(unsafe_code)]
#![cfg_attr(
    not(any(target_feature = "sse2", target_arch = "aarch64")),
    allow(dead_code, unused_variables, reason = "other CPUs have no SHA instructions to call")
)]

#[cfg(all(target_arch = "aarch64", not(miri)))]
mod aarch64_asm;
#[cfg(target_arch = "aarch64")]
mod aarch64_sha1;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod x86_asm;
#[cfg(target_feature = "sse2")]
mod x86_sha;

#[cfg(all(target_arch = "aarch64", not(miri)))]
use aarch64_asm as asm;
use hash_lanes::engine::{Block, Row, ShaExtensions};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use x86_asm as asm;

/// Calls a kernel for `$streams` messages at a time, one to four. All arguments are identifiers.
macro_rules! call {
    ($sha:ident, $streams:expr, $kernel:ident, $($argument:ident),*) => {
        match $streams {
            1 => call_one!($sha, $kernel::<1>, $($argument),*),
            2 => call_one!($sha, $kernel::<2>, $($argument),*),
            3 => call_one!($sha, $kernel::<3>, $($argument),*),
            4 => call_one!($sha, $kernel::<4>, $($argument),*),
            streams => unreachable!("{streams} messages for a kernel of one to four"),
        }
    };
}

#[cfg(target_feature = "sse2")]
macro_rules! call_one {
    ($sha:ident, $kernel:ident::<$n:literal>, $($argument:ident),*) => {
        if $sha.has_avx() {
            // SAFETY: the token proves the SHA instructions and SSE4.1, `has_avx` proves AVX.
            unsafe { x86_sha::vex::$kernel::<$n>($($argument),*) }
        } else {
            // SAFETY: the token proves the SHA instructions and SSE4.1.
            unsafe { x86_sha::legacy::$kernel::<$n>($($argument),*) }
        }
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! call_one {
    ($sha:ident, $kernel:ident::<$n:literal>, $($argument:ident),*) => {{
        let _: ShaExtensions = $sha;
        // SAFETY: the token proves the SHA2 extension, which needs NEON.
        unsafe { aarch64_sha1::$kernel::<$n>($($argument),*) }
    }};
}

/// On other CPUs no token exists, so this is never called.
#[cfg(not(any(target_feature = "sse2", target_arch = "aarch64")))]
macro_rules! call_one {
    ($sha:ident, $kernel:ident::<$n:literal>, $($argument:ident),*) => {{
        let _: ShaExtensions = $sha;
        unreachable!("no SHA instructions on this architecture")
    }};
}

/// Whether the kernels are assembly: in unoptimised builds, which enable debug assertions. A block
/// takes 60 times as long there without it.
///
/// Otherwise the compiler interleaves the streams better: assembly takes up to 6 % longer on Zen 5.
/// That is not measured on aarch64.
pub(crate) const IS_ASSEMBLY: bool = cfg!(all(
    any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"),
    debug_assertions,
    not(miri)
));

/// Hashes the blocks of one to four messages into their states. All messages have the same number
/// of blocks.
pub(crate) fn compress_streams(sha: ShaExtensions, states: &mut [Row], messages: &[&[Block]]) {
    #[cfg(all(
        any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"),
        not(miri)
    ))]
    if IS_ASSEMBLY {
        return asm::compress_streams(sha, states, messages);
    }
    assert!(
        messages.iter().all(|blocks| blocks.len() == messages[0].len()),
        "the messages have different numbers of blocks"
    );
    call!(sha, messages.len(), compress_streams, states, messages);
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
    call!(sha, streams, hash_equal, state, messages, message_bytes, rows);
}
