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

/// A row of the cost tables: a measured microarchitecture and those that share its costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Microarch {
    /// AMD Zen 3; also Zen and Zen 2, and Hygon's CPUs.
    Zen3,
    /// AMD Zen 4; also Zen 5, x86 CPUs of other vendors, and all x86 CPUs without the feature
    /// `std`.
    Zen4,
    /// Intel; costs measured on Granite Rapids.
    Intel,
    /// Every CPU that is not x86; costs counted for ARM Neoverse, not measured.
    Other,
}

impl Microarch {
    /// The number of rows.
    pub(crate) const COUNT: usize = 4;

    /// The row of the running CPU.
    ///
    /// Without the feature `std`, [`Backend::detect`](crate::Backend::detect) is called for every
    /// batch, and CPUID would make a virtual machine exit each time. So it is not asked.
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
        {
            let cpuid = raw_cpuid::CpuId::new();
            let (family, model) =
                cpuid.get_feature_info().map_or((0, 0), |info| (info.family_id(), info.model_id()));
            let vendor = cpuid.get_vendor_info();
            Self::of(vendor.as_ref().map_or("", |vendor| vendor.as_str()), family, model)
        }
        #[cfg(not(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64"))))]
        if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
            Self::Zen4
        } else {
            Self::Other
        }
    }

    /// The row of an x86 CPU, for a vendor, family and model as CPUID displays them.
    #[cfg_attr(
        not(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64"))),
        allow(dead_code, reason = "only x86 has CPUID")
    )]
    fn of(vendor: &str, family: u8, model: u8) -> Self {
        match (vendor, family, model) {
            // Family 19h is Zen 3, except for these models.
            ("AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => Self::Zen4,
            // Hygon's cores are Zen's.
            ("AuthenticAMD", 0..=0x19, _) | ("HygonGenuine", _, _) => Self::Zen3,
            ("GenuineIntel", _, _) => Self::Intel,
            _ => Self::Zen4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Microarch;

    #[test]
    fn no_x86_cpu_has_costs_of_arm() {
        let is_x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        assert_eq!(Microarch::detect() == Microarch::Other, !is_x86);
    }

    /// Families and models from the vendors' processor programming references.
    #[test]
    fn rows_of_known_cpus() {
        for (vendor, family, model, row) in [
            ("AuthenticAMD", 0x17, 0x31, Microarch::Zen3), // EPYC Rome, Zen 2
            ("AuthenticAMD", 0x19, 0x01, Microarch::Zen3), // EPYC Milan
            ("AuthenticAMD", 0x19, 0x21, Microarch::Zen3), // Ryzen 5000
            ("AuthenticAMD", 0x19, 0x50, Microarch::Zen3), // Cezanne
            ("AuthenticAMD", 0x19, 0x11, Microarch::Zen4), // EPYC Genoa
            ("AuthenticAMD", 0x19, 0x61, Microarch::Zen4), // Ryzen 7000
            ("AuthenticAMD", 0x19, 0x74, Microarch::Zen4), // Phoenix
            ("AuthenticAMD", 0x19, 0xa0, Microarch::Zen4), // EPYC Bergamo
            ("AuthenticAMD", 0x1a, 0x44, Microarch::Zen4), // Ryzen 9000, Zen 5
            ("GenuineIntel", 0x06, 0x8f, Microarch::Intel), // Sapphire Rapids
            ("HygonGenuine", 0x18, 0x01, Microarch::Zen3), // Dhyana, with Zen's cores
            ("CentaurHauls", 0x07, 0x3b, Microarch::Zen4), // another x86
        ] {
            assert_eq!(
                Microarch::of(vendor, family, model),
                row,
                "{vendor} {family:#x} {model:#x}"
            );
        }
    }
}
