//! The CPU's SHA-1 instructions: one message, or two interleaved, because each
//! instruction's result is awaited for several cycles.
//!
//! The only file with `unsafe`, and only to call what [`ShaExtensions`] proves to be there.
#![allow(unsafe_code)]
#![cfg_attr(
    not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, unused_variables, reason = "other CPUs have no SHA instructions to call")
)]

#[cfg(target_arch = "aarch64")]
mod aarch64_sha1;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha;

#[cfg(target_arch = "aarch64")]
use aarch64_sha1 as kernel;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use x86_sha as kernel;

use hash_lanes::{Block, ShaExtensions};

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
pub(crate) fn compress(sha: ShaExtensions, states: &mut [[u32; 5]], messages: &[&[Block]]) {
    assert!(messages.iter().all(|blocks| blocks.len() == messages[0].len()), "messages of unequal length");
    match messages.len() {
        1 => with_sha!(sha, kernel::compress::<1>(states, messages)),
        2 => with_sha!(sha, kernel::compress::<2>(states, messages)),
        count => unreachable!("{count} messages for a kernel of one or two"),
    }
}
