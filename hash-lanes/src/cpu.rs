//! Detects the SHA instructions of the running CPU.

use core::convert::Infallible;

/// The maximum number of messages interleaved through the SHA instructions.
pub(crate) const MAX_STREAMS: usize = 4;

/// Proof that this CPU has the instructions for SHA-1 and SHA-256: SHA-NI with SSE4.1 on x86, the
/// SHA2 extension (which includes SHA1) on aarch64.
///
/// Only detection creates it, so a function that takes it may call code compiled for them.
#[derive(Clone, Copy, Debug)]
pub struct ShaExtensions {
    has_avx: bool,
    has_sha512: bool,
}

impl ShaExtensions {
    /// Whether the CPU also has AVX. Kernels then use the VEX encoding, which saves register
    /// copies.
    ///
    /// AVX adds the upper halves of the vector registers. SHA instructions are slow while these are
    /// dirty: SHA-256 takes 2.1 times as long on Zen 4.
    #[must_use]
    pub const fn has_avx(self) -> bool {
        self.has_avx
    }

    /// Whether the CPU also has instructions for SHA-512: SHA512 with AVX2 on x86, the SHA512
    /// extension (in Rust a part of `sha3`) on aarch64.
    #[must_use]
    pub const fn has_sha512(self) -> bool {
        self.has_sha512
    }

    /// Whether the CPU also has instructions for Keccak: the SHA3 extension of aarch64. Rust
    /// detects it together with the SHA512 extension.
    #[must_use]
    pub const fn has_sha3(self) -> bool {
        cfg!(target_arch = "aarch64") && self.has_sha512
    }

    /// Returns the proof if this CPU has the instructions.
    ///
    /// Without the feature `std`, only instructions that the compilation target guarantees count.
    #[must_use]
    pub fn detect() -> Option<Self> {
        has_sha().then(|| Self { has_avx: has_avx(), has_sha512: has_sha512() })
    }
}

/// Proof that the CPU has the instructions for one hash.
///
/// [`ShaExtensions`] itself for SHA-1 and SHA-256; [`Infallible`], which has no values, for a hash
/// without instructions.
pub trait ShaInstructions: Copy {
    /// The proof, unless these instructions are missing.
    fn of(sha: ShaExtensions) -> Option<Self>;
}

impl ShaInstructions for ShaExtensions {
    #[inline]
    fn of(sha: ShaExtensions) -> Option<Self> {
        Some(sha)
    }
}

impl ShaInstructions for Infallible {
    #[inline]
    fn of(_: ShaExtensions) -> Option<Self> {
        None
    }
}

#[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
fn has_avx() -> bool {
    std::arch::is_x86_feature_detected!("avx")
}

#[cfg(not(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64"))))]
fn has_avx() -> bool {
    cfg!(target_feature = "avx")
}

/// The x86 SHA kernels of a hash crate, `legacy` for CPUs without AVX and `vex`. VEX-encoded
/// instructions have a separate destination operand, which saves register copies.
///
/// `$kernels!` takes the target features, which [`ShaExtensions`] proves, and in `vex` the function
/// that cleans the upper halves of the vector registers. The caller may have left these dirty,
/// which makes SHA-256 take 2.1 times as long on Zen 4.
#[doc(hidden)]
#[macro_export]
macro_rules! sha_kernels {
    ($kernels:ident) => {
        pub(super) mod legacy {
            $kernels!("sha,sse4.1");
        }

        pub(super) mod vex {
            $kernels!("sha,sse4.1,avx", _mm256_zeroupper);
        }
    };
}

/// The function of a hash crate that runs its assembly for one to four messages.
///
/// `$call!` takes the token and the call of a kernel, `compress_1` to `compress_4`: of the states,
/// of pointers that each lead to as many blocks, and of that number, which is not 0.
#[doc(hidden)]
#[macro_export]
macro_rules! sha_assembly {
    ($call:ident) => {
        /// See [`super::compress_streams`].
        pub(super) fn compress_streams(
            sha: $crate::engine::ShaExtensions,
            states: &mut [$crate::engine::Row],
            messages: &[&[$crate::engine::Block]],
        ) {
            match *messages {
                [] => {}
                [a] => $crate::sha_assembly!($call, sha, states, compress_1, a),
                [a, b] => $crate::sha_assembly!($call, sha, states, compress_2, a b),
                [a, b, c] => $crate::sha_assembly!($call, sha, states, compress_3, a b c),
                [a, b, c, d] => $crate::sha_assembly!($call, sha, states, compress_4, a b c d),
                _ => unreachable!("no kernel for {} messages", messages.len()),
            }
        }
    };
    // Without iterators, which take as long as rounds in unoptimised builds.
    ($call:ident, $sha:ident, $states:ident, $kernel:ident, $first:ident $($other:ident)*) => {{
        let count = $first.len();
        $(assert!($other.len() == count, "the messages have different numbers of blocks");)*
        if count == 0 {
            return;
        }
        let states = $states.first_chunk_mut().expect("a state for each message");
        let blocks = [$first.as_ptr() $(, $other.as_ptr())*];
        $call!($sha, $kernel(states, blocks, count))
    }};
}

/// Detects the features that [`sha_kernels`] enables.
#[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
fn has_sha() -> bool {
    std::arch::is_x86_feature_detected!("sha") && std::arch::is_x86_feature_detected!("sse4.1")
}

#[cfg(all(feature = "std", target_arch = "aarch64"))]
fn has_sha() -> bool {
    std::arch::is_aarch64_feature_detected!("sha2")
}

#[cfg(not(all(
    feature = "std",
    any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")
)))]
fn has_sha() -> bool {
    cfg!(any(
        all(target_feature = "sha", target_feature = "sse4.1"),
        all(target_arch = "aarch64", target_feature = "sha2"),
    ))
}

#[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
fn has_sha512() -> bool {
    std::arch::is_x86_feature_detected!("sha512") && std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(all(feature = "std", target_arch = "aarch64"))]
fn has_sha512() -> bool {
    std::arch::is_aarch64_feature_detected!("sha3")
}

#[cfg(not(all(
    feature = "std",
    any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")
)))]
fn has_sha512() -> bool {
    cfg!(any(
        all(target_feature = "sha512", target_feature = "avx2"),
        all(target_arch = "aarch64", target_feature = "sha3"),
    ))
}
