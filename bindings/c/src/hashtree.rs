//! The functions of [hashtree](https://github.com/OffchainLabs/hashtree), with its semantics.

use std::ffi::c_int;
use std::process::abort;
use std::sync::RwLock;

use sha256_multi::Sha256Lanes;

use crate::Status;
use crate::nodes::nodes;

/// A function that `hashtree_init` can install.
#[allow(non_camel_case_types)]
pub type hashtree_hash_fcn =
    Option<unsafe extern "C" fn(output: *mut u8, input: *const u8, count: u64)>;

/// The function that `hashtree_init` installed.
static OVERRIDE: RwLock<hashtree_hash_fcn> = RwLock::new(None);

/// Makes `hashtree_hash` call another function, or hashlanes again if that is null. Calling it is
/// optional. Returns 1.
#[unsafe(no_mangle)]
pub extern "C" fn hashtree_init(r#override: hashtree_hash_fcn) -> c_int {
    // Nothing panics while it holds the lock, so that it is never poisoned.
    *OVERRIDE.write().unwrap_or_else(std::sync::PoisonError::into_inner) = r#override;
    1
}

/// Writes the SHA-256 digest of each of the `count` 64-byte nodes at `input` to `output`.
///
/// `output` may be `input`. It has no way to report errors: null, sizes that overflow, and an
/// output that begins inside the input but not at its first byte abort the process with a message.
/// Apart from that, the rules of the other functions hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_hash(output: *mut u8, input: *const u8, count: u64) {
    let function = *OVERRIDE.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(function) = function {
        // SAFETY: the caller's arguments are those of the function it has installed.
        return unsafe { function(output, input, count) };
    }
    // SAFETY: the caller keeps the rules.
    unsafe { hash(Sha256Lanes::default(), "hashtree_hash", output, input, count) }
}

/// Hashes nodes, or aborts with a message that names the function.
///
/// # Safety
///
/// As for [`hashtree_hash`].
unsafe fn hash(lanes: Sha256Lanes, name: &str, output: *mut u8, input: *const u8, count: u64) {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    // SAFETY: the caller keeps the rules.
    let status = unsafe { nodes(input, count, output, |n, d| lanes.hash_pairs_into(n, d)) };
    if status != Status::HASHLANES_OK {
        eprintln!("{name}: null, a size that overflows, or an output inside the input");
        abort()
    }
}

/// [`hash`] on the backend of this name. Aborts with a message if the machine lacks it.
///
/// # Safety
///
/// As for [`hashtree_hash`].
unsafe fn hash_on(backend: &str, name: &str, output: *mut u8, input: *const u8, count: u64) {
    let Some(backend) = crate::backend(backend) else {
        eprintln!("{name}: this machine cannot run {backend}");
        abort()
    };
    // SAFETY: the caller keeps the rules.
    unsafe { hash(Sha256Lanes::on(backend), name, output, input, count) }
}

/// `hashtree_hash`, one node at a time. Aborts the process if the machine cannot.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_sse_x1(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("portable", "hashtree_sha256_sse_x1", output, input, count) }
}

/// `hashtree_hash`, one node at a time. Aborts the process if the machine cannot.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_avx_x1(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("portable", "hashtree_sha256_avx_x1", output, input, count) }
}

/// `hashtree_hash`, four nodes at a time, in registers of 128 bits. Aborts the process if the
/// machine cannot.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_avx_x4(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("sse2x4", "hashtree_sha256_avx_x4", output, input, count) }
}

/// `hashtree_hash`, eight nodes at a time with AVX2. Aborts the process if the machine cannot.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_avx2_x8(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("avx2x8", "hashtree_sha256_avx2_x8", output, input, count) }
}

/// `hashtree_hash`, sixteen nodes at a time with AVX-512. Aborts the process if the machine cannot.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_avx512_x16(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("avx512x16", "hashtree_sha256_avx512_x16", output, input, count) }
}

/// `hashtree_hash`, two nodes at a time with SHA instructions. Aborts the process if the
/// machine cannot.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_shani_x2(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("shax2", "hashtree_sha256_shani_x2", output, input, count) }
}

/// `hashtree_hash`, one node at a time. Aborts the process if the machine cannot.
#[cfg(target_arch = "aarch64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_neon_x1(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("portable", "hashtree_sha256_neon_x1", output, input, count) }
}

/// `hashtree_hash`, four nodes at a time with NEON. Aborts the process if the machine cannot.
#[cfg(target_arch = "aarch64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_neon_x4(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("neonx4", "hashtree_sha256_neon_x4", output, input, count) }
}

/// `hashtree_hash`, one node at a time with SHA instructions. Aborts the process if the
/// machine cannot.
#[cfg(target_arch = "aarch64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashtree_sha256_sha_x1(output: *mut u8, input: *const u8, count: u64) {
    // SAFETY: the caller keeps the rules.
    unsafe { hash_on("shax1", "hashtree_sha256_sha_x1", output, input, count) }
}
