//! The CPU's SHA-256 instructions: one to four messages, interleaved because each instruction's
//! result is awaited for several cycles.
//!
//! The only file with `unsafe`, and only to call what [`ShaExtensions`] proves to be there.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod aarch64_sha2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha;

#[cfg(target_arch = "aarch64")]
use aarch64_sha2 as kernel;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use x86_sha as kernel;

use hash_lanes::{Block, ShaExtensions};

/// The same slice; where `N` messages are interleaved its length is hidden from the compiler, so that
/// a loop over it stays one.
///
/// Unrolled, the instructions of one message are put before those of the next one, which undoes the
/// interleaving: four messages together then take 43 ns each on Zen 4 instead of 33.
#[inline(always)]
fn kept_a_loop<const N: usize, T>(slice: &[T]) -> &[T] {
    if N > 1 { core::hint::black_box(slice) } else { slice }
}

/// Calls `kernel::$function::<N, ...>` with N = the number of messages.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! interleaved {
    ($sha:ident, $count:expr, $function:ident<$($constant:literal)?>($($argument:expr),*)) => {{
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if $sha.minds_upper_state() {
            // SAFETY: only a CPU with AVX minds.
            unsafe { kernel::clean_upper_state() }
        }
        // SAFETY: the kernel needs exactly the instructions whose presence the token proves.
        unsafe {
            match $count {
                1 => kernel::$function::<1 $(, $constant)?>($($argument),*),
                2 => kernel::$function::<2 $(, $constant)?>($($argument),*),
                3 => kernel::$function::<3 $(, $constant)?>($($argument),*),
                4 => kernel::$function::<4 $(, $constant)?>($($argument),*),
                count => unreachable!("{count} messages for a kernel of 1 to 4"),
            }
        }
    }};
}

/// On other CPUs there is no token, so none of this is ever called.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
macro_rules! interleaved {
    ($sha:ident, $count:expr, $function:ident<$($constant:literal)?>($($argument:expr),*)) => {{
        let _: (ShaExtensions, usize) = ($sha, $count);
        $(let _ = $argument;)*
        unreachable!("no SHA instructions on this architecture")
    }};
}

/// Hashes the blocks of one to four messages into their states. All have equally many blocks.
pub(crate) fn compress(sha: ShaExtensions, states: &mut [[u32; 8]], messages: &[&[Block]]) {
    assert!(messages.iter().all(|blocks| blocks.len() == messages[0].len()), "messages of unequal length");
    interleaved!(sha, states.len(), compress<>(states, messages));
}

/// Hashes one to four messages of 64 bytes.
pub(crate) fn hash_pairs(sha: ShaExtensions, nodes: &[Block], digests: &mut [[u8; 32]]) {
    interleaved!(sha, nodes.len(), hash_pairs<false>(nodes, digests));
}

/// Hashes one to four messages of 64 bytes twice.
pub(crate) fn double_hash_pairs(sha: ShaExtensions, nodes: &[Block], digests: &mut [[u8; 32]]) {
    interleaved!(sha, nodes.len(), hash_pairs<true>(nodes, digests));
}
