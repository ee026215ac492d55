//! Hashes with the CPU's SHA-512 instructions, interleaving one to four messages to hide their
//! latency of several cycles.
//!
//! `unsafe` is only here and in the files below, to call instructions that [`ShaExtensions`]
//! proves.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod aarch64_sha512;
#[cfg(target_feature = "sse2")]
mod x86_sha512;

use hash_lanes::engine::{Block, Row, ShaExtensions};

#[cfg(target_arch = "aarch64")]
use aarch64_sha512 as kernels;
#[cfg(target_feature = "sse2")]
use x86_sha512 as kernels;

/// Hashes the blocks of one to four messages into their states. All messages have the same number
/// of blocks.
///
/// # Panics
///
/// Panics if the CPU has no SHA-512 instructions.
pub(crate) fn compress_streams(
    sha: ShaExtensions,
    states: &mut [Row<u64>],
    messages: &[&[Block<u64>]],
) {
    assert!(
        messages.iter().all(|blocks| blocks.len() == messages[0].len()),
        "the messages have different numbers of blocks"
    );
    assert!(sha.has_sha512(), "the CPU has no SHA-512 instructions");
    #[cfg(any(target_feature = "sse2", target_arch = "aarch64"))]
    match messages.len() {
        // SAFETY: `has_sha512` proves the instructions.
        1 => unsafe { kernels::compress_streams::<1>(states, messages) },
        // SAFETY: as above.
        2 => unsafe { kernels::compress_streams::<2>(states, messages) },
        // SAFETY: as above.
        3 => unsafe { kernels::compress_streams::<3>(states, messages) },
        // SAFETY: as above.
        4 => unsafe { kernels::compress_streams::<4>(states, messages) },
        streams => unreachable!("{streams} messages for a kernel of one to four"),
    }
    #[cfg(not(any(target_feature = "sse2", target_arch = "aarch64")))]
    let _ = states;
}
