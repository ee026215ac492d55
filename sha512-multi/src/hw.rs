//! Hashes with the CPU's SHA-512 instructions, interleaving one to four messages to hide their
//! latency of several cycles.
//!
//! `unsafe` is only here and in the files below, to call instructions that
//! [`Sha512Instructions`] proves.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod aarch64_sha512;
#[cfg(target_feature = "sse2")]
mod x86_sha512;

use hash_lanes::engine::{Block, Row, ShaExtensions, ShaInstructions};

#[cfg(target_arch = "aarch64")]
use aarch64_sha512 as kernels;
#[cfg(target_feature = "sse2")]
use x86_sha512 as kernels;

/// Proof that the CPU has instructions for SHA-512.
#[derive(Clone, Copy, Debug)]
pub struct Sha512Instructions(());

impl ShaInstructions for Sha512Instructions {
    #[inline]
    fn of(sha: ShaExtensions) -> Option<Self> {
        sha.has_sha512().then_some(Self(()))
    }
}

/// Hashes the blocks of one to four messages into their states. All messages have the same number
/// of blocks.
pub(crate) fn compress_streams(
    _: Sha512Instructions,
    states: &mut [Row<u64>],
    messages: &[&[Block<u64>]],
) {
    assert!(
        messages.iter().all(|blocks| blocks.len() == messages[0].len()),
        "the messages have different numbers of blocks"
    );
    #[cfg(any(target_feature = "sse2", target_arch = "aarch64"))]
    match messages.len() {
        // SAFETY: the token proves the instructions.
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
