//! Detects the SHA instructions and the microarchitecture of the running CPU.

/// The maximum number of messages interleaved through the SHA instructions.
pub(crate) const MAX_STREAMS: usize = 4;

/// Proof that this CPU has the instructions for SHA-1 and SHA-256: SHA-NI with SSE4.1 on x86, the
/// SHA2 extension (which includes SHA1) on aarch64.
///
/// Only detection creates it, so a function that takes it may call code compiled for them.
#[derive(Clone, Copy, Debug)]
pub struct ShaExtensions {
    has_avx: bool,
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

    /// Returns the proof if this CPU has the instructions.
    ///
    /// Without the feature `std`, only instructions that the compilation target guarantees count.
    #[must_use]
    pub fn detect() -> Option<Self> {
        has_sha().then(|| Self { has_avx: has_avx() })
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

/// A microarchitecture whose costs were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Microarch {
    /// AMD Zen 3, family 25.
    Zen3,
    /// AMD Zen 4, family 25.
    Zen4,
    /// AMD Zen 5 with full 512-bit data paths: the EPYC 9005 and Ryzen 9000, family 26.
    Zen5,
    /// Intel Granite Rapids.
    GraniteRapids,
}

impl Microarch {
    /// The number of rows in a cost table: one for each microarchitecture, and one for CPUs that
    /// are not x86.
    pub const ROWS: usize = 5;

    /// The microarchitecture of the running CPU; `None` if its costs were not measured.
    ///
    /// Without the feature `std`, [`Backend::detect`](crate::Backend::detect) is called for every
    /// batch, and CPUID would make a virtual machine exit each time. So it is not asked. Neither is
    /// it under Miri, which cannot run it.
    #[must_use]
    pub fn detect() -> Option<Self> {
        #[cfg(all(feature = "std", not(miri), any(target_arch = "x86", target_arch = "x86_64")))]
        {
            let cpuid = raw_cpuid::CpuId::new();
            let (family, model) =
                cpuid.get_feature_info().map_or((0, 0), |info| (info.family_id(), info.model_id()));
            let vendor = cpuid.get_vendor_info();
            Self::of(vendor.as_ref().map_or("", |vendor| vendor.as_str()), family, model)
        }
        #[cfg(not(all(
            feature = "std",
            not(miri),
            any(target_arch = "x86", target_arch = "x86_64")
        )))]
        None
    }

    /// The row of a CPU that is similar to the running one, whose own costs were not measured: on
    /// Intel's that of Granite Rapids, on other x86 that of Zen 5, whose lanes win early and whose
    /// SHA instructions are fast.
    #[cfg(feature = "std")]
    pub(crate) fn similar() -> usize {
        #[cfg(all(not(miri), any(target_arch = "x86", target_arch = "x86_64")))]
        {
            let vendor = raw_cpuid::CpuId::new().get_vendor_info();
            let is_intel = vendor.is_some_and(|vendor| vendor.as_str() == "GenuineIntel");
            (if is_intel { Self::GraniteRapids } else { Self::Zen5 }) as usize
        }
        #[cfg(not(all(not(miri), any(target_arch = "x86", target_arch = "x86_64"))))]
        {
            Self::ROWS - 1
        }
    }

    /// Without `std` CPUID is not asked.
    #[cfg(not(feature = "std"))]
    pub(crate) const fn similar() -> usize {
        let is_x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        if is_x86 { Self::Zen5 as usize } else { Self::ROWS - 1 }
    }

    /// The microarchitecture of an x86 CPU, for a vendor, family and model as CPUID displays them.
    #[cfg_attr(
        not(all(feature = "std", not(miri), any(target_arch = "x86", target_arch = "x86_64"))),
        allow(dead_code, reason = "only x86 has CPUID")
    )]
    fn of(vendor: &str, family: u8, model: u8) -> Option<Self> {
        Some(match (vendor, family, model) {
            // Family 19h is Zen 3, except for these models.
            ("AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => Self::Zen4,
            ("AuthenticAMD", 0x19, _) => Self::Zen3,
            // Others of family 1Ah split 512-bit operations.
            ("AuthenticAMD", 0x1a, 0x00..=0x1f | 0x40..=0x4f) => Self::Zen5,
            // As it is shown by some hypervisors, and by its own number.
            ("GenuineIntel", 0x06, 0xa7 | 0xad | 0xae) => Self::GraniteRapids,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Microarch;

    /// Families and models from the vendors' processor programming references.
    #[test]
    fn only_measured_cpus_are_known() {
        for (vendor, family, model, expected) in [
            ("AuthenticAMD", 0x17, 0x31, None), // EPYC Rome, Zen 2
            ("AuthenticAMD", 0x19, 0x01, Some(Microarch::Zen3)), // EPYC Milan
            ("AuthenticAMD", 0x19, 0x21, Some(Microarch::Zen3)), // Ryzen 5000
            ("AuthenticAMD", 0x19, 0x50, Some(Microarch::Zen3)), // Cezanne
            ("AuthenticAMD", 0x19, 0x11, Some(Microarch::Zen4)), // EPYC Genoa
            ("AuthenticAMD", 0x19, 0x61, Some(Microarch::Zen4)), // Ryzen 7000
            ("AuthenticAMD", 0x19, 0x74, Some(Microarch::Zen4)), // Phoenix
            ("AuthenticAMD", 0x19, 0xa0, Some(Microarch::Zen4)), // EPYC Bergamo
            ("AuthenticAMD", 0x1a, 0x02, Some(Microarch::Zen5)), // EPYC Turin
            ("AuthenticAMD", 0x1a, 0x44, Some(Microarch::Zen5)), // Ryzen 9000
            ("AuthenticAMD", 0x1a, 0x24, None), // Strix Point
            ("GenuineIntel", 0x06, 0xad, Some(Microarch::GraniteRapids)),
            ("GenuineIntel", 0x06, 0x8f, None), // Sapphire Rapids
            ("HygonGenuine", 0x18, 0x01, None),
        ] {
            let known = Microarch::of(vendor, family, model);
            assert_eq!(known, expected, "{vendor} {family:#x} {model:#x}");
        }
    }
}
