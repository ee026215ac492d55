//! The CPU's SHA-256 instructions: one message, or two interleaved, because each
//! instruction's result is awaited for several cycles.
//!
//! The only file with `unsafe`, and only to call what [`ShaExtensions`] proves to be there.
#![allow(unsafe_code)]
#![cfg_attr(
    not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, unused_variables, reason = "other CPUs have no SHA instructions to call")
)]

#[cfg(target_arch = "aarch64")]
mod aarch64_sha2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha;

#[cfg(target_arch = "aarch64")]
use aarch64_sha2 as kernel;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use x86_sha as kernel;

use hash_lanes::{Block, ShaExtensions, check_counts};

/// The same slice; where `N` messages are interleaved its length is hidden from the compiler, so that
/// a loop over it stays one.
///
/// Unrolled, the instructions of one message are put before those of the other, which undoes the
/// interleaving: a node then takes 52 ns on Zen 4 instead of 35.
#[inline(always)]
fn kept_a_loop<const N: usize, T>(slice: &[T]) -> &[T] {
    if N > 1 { core::hint::black_box(slice) } else { slice }
}

/// Calls the kernel's function `$call` after making sure that nothing slows it down.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! with_sha {
    ($sha:ident, $call:expr) => {{
        let _: ShaExtensions = $sha;
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if $sha.minds_upper_state() {
            // SAFETY: only a CPU with AVX minds.
            unsafe { kernel::clean_upper_state() }
        }
        // SAFETY: the kernel needs exactly the instructions whose presence the token proves.
        unsafe { $call }
    }};
}

/// On other CPUs there is no token, so none of this is ever called.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
macro_rules! with_sha {
    ($sha:ident, $call:expr) => {{
        let _: ShaExtensions = $sha;
        unreachable!("no SHA instructions on this architecture")
    }};
}

/// Hashes the blocks of one or two messages into their states. Both have equally many blocks.
pub(crate) fn compress(sha: ShaExtensions, states: &mut [[u32; 8]], messages: &[&[Block]]) {
    assert!(messages.iter().all(|blocks| blocks.len() == messages[0].len()), "messages of unequal length");
    match messages.len() {
        1 => with_sha!(sha, kernel::compress::<1>(states, messages)),
        2 => with_sha!(sha, kernel::compress::<2>(states, messages)),
        count => unreachable!("{count} messages for a kernel of one or two"),
    }
}

/// Hashes 64-byte messages once, or twice, two at a time; there is a digest for each.
pub(crate) fn hash_pairs<const DOUBLE: bool>(sha: ShaExtensions, nodes: &[Block], digests: &mut [[u8; 32]]) {
    let even = nodes.len() & !1;
    if even > 0 {
        with_sha!(sha, kernel::hash_pairs::<2, DOUBLE>(&nodes[..even], &mut digests[..even]));
    }
    if even < nodes.len() {
        with_sha!(sha, kernel::hash_pairs::<1, DOUBLE>(&nodes[even..], &mut digests[even..]));
    }
}

/// Hashes messages of one block twice, as Bitcoin does, four at a time, and writes the first word of each hash.
///
/// The blocks are padded, and given as words.
///
/// # Panics
///
/// If there are not as many first words as blocks.
#[track_caller]
pub fn double_hash_blocks(sha: ShaExtensions, blocks: &[[u32; 16]], first_words: &mut [u32]) {
    check_counts(blocks.len(), first_words.len());
    let most = blocks.len() & !3;
    if most > 0 {
        with_sha!(sha, kernel::double_hash_blocks::<4>(&blocks[..most], &mut first_words[..most]));
    }
    if most < blocks.len() {
        with_sha!(sha, kernel::double_hash_blocks::<1>(&blocks[most..], &mut first_words[most..]));
    }
}

/// Asks for a block that is to be read soon to be brought into the cache.
///
/// For kernels whose lanes are loaded from places that are far apart, in an order that the CPU does not foresee.
#[inline(always)]
pub fn prefetch(block: &Block) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE, which has the instruction, is part of the architecture. It is a hint, and reads nothing.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T1 }>(block.as_ptr().cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = block;
}
