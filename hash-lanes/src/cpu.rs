//! What is known of the running CPU beside its vector instructions.

/// Proof that this CPU has the instructions for SHA-1 and SHA-256: SHA-NI with SSSE3 and SSE4.1 on
/// x86, the SHA2 extension (which brings SHA1) on aarch64.
///
/// Only detection makes one, so a function that takes it may call code compiled for them.
#[derive(Clone, Copy, Debug)]
pub struct ShaExtensions {
    minds_upper_state: bool,
}

impl ShaExtensions {
    /// Whether the CPU has AVX, and with it upper halves of the vector registers, which slow its SHA
    /// instructions down when they are not zero: SHA-256 takes 2.1 times as long on Zen 4.
    #[must_use]
    pub const fn minds_upper_state(self) -> bool {
        self.minds_upper_state
    }

    /// The token, if this CPU has them.
    ///
    /// Without the feature `std` only what the compilation target guarantees is found.
    #[must_use]
    pub fn detect() -> Option<Self> {
        has_sha().then(|| Self { minds_upper_state: has_avx() })
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

#[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
fn has_sha() -> bool {
    use std::arch::is_x86_feature_detected;
    is_x86_feature_detected!("sha") && is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("sse4.1")
}

#[cfg(all(feature = "std", target_arch = "aarch64"))]
fn has_sha() -> bool {
    std::arch::is_aarch64_feature_detected!("sha2")
}

#[cfg(not(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))))]
fn has_sha() -> bool {
    cfg!(any(
        all(target_feature = "sha", target_feature = "ssse3", target_feature = "sse4.1"),
        all(target_arch = "aarch64", target_feature = "sha2"),
    ))
}

/// CPU designs for which the best number of messages for a kernel was measured apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Design {
    /// AMD Zen 4: 512-bit operations take two passes through 256-bit units, and the SHA
    /// instructions of four messages overlap.
    Zen4,
    /// Every other, Intel's among them.
    Other,
}

impl Design {
    /// The design of the running CPU; [`Self::Other`] without the feature `std`.
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
        {
            let cpuid = raw_cpuid::CpuId::new();
            let is_amd = cpuid.get_vendor_info().is_some_and(|vendor| vendor.as_str() == "AuthenticAMD");
            // Family 19h is Zen 3 and Zen 4; where it matters, AVX-512 tells them apart.
            let is_family_19h = cpuid.get_feature_info().is_some_and(|info| info.family_id() == 0x19);
            if is_amd && is_family_19h {
                return Self::Zen4;
            }
        }
        Self::Other
    }
}
