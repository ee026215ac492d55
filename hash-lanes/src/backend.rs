//! The sets of kernels that this machine can run.
#![cfg_attr(
    not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    allow(dead_code, unused_imports, unused_macros, reason = "other CPUs have only the portable lane")
)]

use core::fmt;

use alloc::vec::Vec;

use fearless_simd::Level as Detected;

use crate::cpu::{Design, ShaExtensions};
use crate::kernel::{LaneKernel, Level};

/// A set of kernels that this machine can run, of which each batch takes the cheapest.
///
/// It carries the proof that the CPU has the instructions, so one that cannot run here cannot be
/// made. What each hash does with it is said in that hash's crate.
///
/// ```
/// use hash_lanes::Backend;
///
/// for backend in Backend::available() {
///     println!("{backend}");
/// }
/// assert_eq!(Backend::by_name("portable").unwrap().name(), "portable");
/// ```
#[derive(Clone, Copy)]
pub struct Backend {
    name: &'static str,
    design: Design,
    pub(crate) x16: Option<LaneKernel>,
    pub(crate) x8: Option<LaneKernel>,
    pub(crate) x4: Option<LaneKernel>,
    pub(crate) sha: Option<ShaExtensions>,
}

impl Backend {
    /// The best backend of this machine: the first of [`Self::available`].
    #[must_use]
    pub fn detect() -> Self {
        let best = || Self::found().next().unwrap_or_else(Self::portable);
        #[cfg(feature = "std")]
        {
            static BEST: std::sync::OnceLock<Backend> = std::sync::OnceLock::new();
            *BEST.get_or_init(best)
        }
        #[cfg(not(feature = "std"))]
        best()
    }

    /// The backend of that name, if this machine can run it.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().into_iter().find(|backend| backend.name == name)
    }

    /// Every backend that this machine can run, the best first, `portable` last.
    ///
    /// | name | kernels |
    /// |---|---|
    /// | `avx512+sha` | 16 and 8 lanes of AVX-512, SHA-NI |
    /// | `avx512` | 16 and 8 lanes of AVX-512 |
    /// | `avx512x16`, `avx512x8` | one of the two widths |
    /// | `avx2+sha`, `avx2` | 8 lanes of AVX2, with and without SHA-NI |
    /// | `sse4.2+sha` | 4 lanes, SHA-NI |
    /// | `sha-ni` | SHA-NI |
    /// | `sse4.2`, `sse2` | 4 lanes |
    /// | `neon+sha2`, `neon` | 4 lanes of NEON, with and without the SHA2 extension |
    /// | `simd128` | 4 lanes of wasm simd128 |
    /// | `portable` | one message after another |
    ///
    /// Each also has the portable kernel.
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::found().collect()
    }

    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn found() -> impl Iterator<Item = Self> {
        let portable = Self::portable();
        let sha = ShaExtensions::detect();
        let level = detected();
        let avx512 = level.as_avx512().map(|token| Self {
            name: "avx512",
            x16: Some(LaneKernel::new(Level::Avx512x16(token))),
            x8: Some(LaneKernel::new(Level::Avx512x8(token))),
            ..portable
        });
        let avx2 = level.as_avx2().map(|token| Self {
            name: "avx2",
            x8: Some(LaneKernel::new(Level::Avx2x8(token))),
            ..portable
        });
        let sse4_2 = level.as_sse4_2().map(|token| Self {
            name: "sse4.2",
            x4: Some(LaneKernel::new(Level::Sse4_2x4(token))),
            ..portable
        });
        [
            avx512.filter(|_| sha.is_some()).map(|avx512| Self { name: "avx512+sha", sha, ..avx512 }),
            avx512,
            avx512.map(|avx512| Self { name: "avx512x16", x8: None, ..avx512 }),
            avx512.map(|avx512| Self { name: "avx512x8", x16: None, ..avx512 }),
            avx2.filter(|_| sha.is_some()).map(|avx2| Self { name: "avx2+sha", sha, ..avx2 }),
            avx2,
            sse4_2.filter(|_| sha.is_some()).map(|sse4_2| Self { name: "sse4.2+sha", sha, ..sse4_2 }),
            sha.map(|_| Self { name: "sha-ni", sha, ..portable }),
            sse4_2,
            level.as_sse2().map(|token| Self {
                name: "sse2",
                x4: Some(LaneKernel::new(Level::Sse2x4(token))),
                ..portable
            }),
            Some(portable),
        ]
        .into_iter()
        .flatten()
    }

    #[cfg(target_arch = "aarch64")]
    fn found() -> impl Iterator<Item = Self> {
        let portable = Self::portable();
        let sha = ShaExtensions::detect();
        let neon = detected().as_neon().map(|token| Self {
            name: "neon",
            x4: Some(LaneKernel::new(Level::Neon(token))),
            ..portable
        });
        let neon_sha2 = neon.filter(|_| sha.is_some()).map(|neon| Self { name: "neon+sha2", sha, ..neon });
        [neon_sha2, neon, Some(portable)].into_iter().flatten()
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn found() -> impl Iterator<Item = Self> {
        let portable = Self::portable();
        let simd128 = detected().as_wasm_simd128().map(|token| Self {
            name: "simd128",
            x4: Some(LaneKernel::new(Level::Simd128(token))),
            ..portable
        });
        [simd128, Some(portable)].into_iter().flatten()
    }

    #[cfg(not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    fn found() -> impl Iterator<Item = Self> {
        core::iter::once(Self::portable())
    }

    fn portable() -> Self {
        Self { name: "portable", design: Design::detect(), x16: None, x8: None, x4: None, sha: None }
    }

    /// Its name: one of the table at [`Self::available`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The CPU design, where it decides which kernel is the cheapest.
    #[must_use]
    pub const fn design(self) -> Design {
        self.design
    }

    /// Its 16 lanes, if it has them.
    #[must_use]
    pub const fn x16(self) -> Option<LaneKernel> {
        self.x16
    }

    /// Its 8 lanes, if it has them.
    #[must_use]
    pub const fn x8(self) -> Option<LaneKernel> {
        self.x8
    }

    /// Its 4 lanes, if it has them.
    #[must_use]
    pub const fn x4(self) -> Option<LaneKernel> {
        self.x4
    }

    /// The CPU's SHA instructions, if it uses them.
    #[must_use]
    pub const fn sha(self) -> Option<ShaExtensions> {
        self.sha
    }

    /// The widest lanes that it has; one portable lane if it has no others.
    #[must_use]
    pub fn widest(self) -> LaneKernel {
        self.x16.or(self.x8).or(self.x4).unwrap_or(LaneKernel::PORTABLE)
    }
}

impl Default for Backend {
    fn default() -> Self {
        Self::detect()
    }
}

impl PartialEq for Backend {
    /// On one machine a name stands for one set of kernels.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Backend {}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Backend").field(&self.name).finish()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What the CPU has; without `std`, what the compilation target guarantees.
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
fn detected() -> Detected {
    #[cfg(feature = "std")]
    {
        Detected::new()
    }
    #[cfg(not(feature = "std"))]
    Detected::baseline()
}
