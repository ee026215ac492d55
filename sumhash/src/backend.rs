//! Picks the instruction set for column sums, and runs computations with it.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::x86::{Avx2, Avx512};
use fearless_simd::{Level, Simd, dispatch};
use hash_lanes::Backend;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use hash_lanes::engine::Kernel;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use hash_lanes::engine::Microarch;

/// The instructions that add columns of eight 64-bit words. The lanes of a [`Backend`] make no
/// difference here, only its instruction set.
///
/// It carries the proof that the CPU has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct Instructions {
    /// Adds columns: AVX-512, AVX2 or what the compilation target guarantees.
    level: Level,
    /// Whether the large table is faster, once it is built.
    prefers_large: bool,
}

impl Instructions {
    /// It prefers the small table: 185 ns per block on Zen 4, versus 200 ns with the large one.
    const PORTABLE: Self = Self { level: Level::baseline(), prefers_large: false };

    /// Those of the default backend.
    pub(crate) fn detect() -> Self {
        let default = || Backend::detect().into();
        #[cfg(feature = "std")]
        {
            static DEFAULT: std::sync::OnceLock<Instructions> = std::sync::OnceLock::new();
            *DEFAULT.get_or_init(default)
        }
        #[cfg(not(feature = "std"))]
        default()
    }

    /// AVX-512.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn avx512(avx512: Avx512, avx2: Avx2, microarch: Option<Microarch>) -> Self {
        // Latency in ns per block, with the large and the small table, by how columns are added:
        //   Zen 4:          whole 113 and 131, in halves 102 and 131
        //   Granite Rapids: whole  89 and 132, in halves 143 and 131
        // Zen 4 splits 64-byte loads in two anyway, and a whole load waits for both halves when
        // they come from a distant cache level. On Zen 5, whole columns take 0.75 to 0.91 of the
        // time of halves.
        let level = if microarch == Some(Microarch::Zen4) {
            Level::Avx2(avx2)
        } else {
            Level::Avx512(avx512)
        };
        Self { level, prefers_large: true }
    }

    /// Runs `job` inside a function compiled with the instructions that add columns.
    #[inline]
    pub(crate) fn run<J: ColumnJob>(&self, job: J) -> J::Output {
        match self.level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512(token) => token.vectorize(
                #[inline(always)]
                || job.run(token),
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(token) => token.vectorize(
                #[inline(always)]
                || job.run(token),
            ),
            _ => dispatch!(Level::baseline(), token => job.run(token)),
        }
    }

    /// Whether the large table is faster than the small one, once it is built.
    #[cfg(feature = "statics")]
    pub(crate) const fn prefers_large(self) -> bool {
        self.prefers_large
    }
}

/// A computation over columns that is generic over the instructions that add them.
///
/// Implementors are structs with their inputs as fields, because a closure cannot be generic.
pub(crate) trait ColumnJob {
    /// The result.
    type Output;

    /// Runs the job. The implementation and everything it calls must be `#[inline(always)]`: code
    /// that stays out of line is compiled without the instructions.
    fn run<S: Simd>(self, token: S) -> Self::Output;
}

impl From<Backend> for Instructions {
    /// The vector instructions of the backend's lanes.
    fn from(lanes: Backend) -> Self {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            #[cfg(feature = "std")]
            let detected = Level::new();
            #[cfg(not(feature = "std"))]
            let detected = Level::baseline();
            let kernel = lanes.widest().kernel();
            match (detected.as_avx512(), detected.as_avx2()) {
                (Some(avx512), Some(avx2)) if kernel.is_avx512() => {
                    Self::avx512(avx512, avx2, lanes.microarch())
                }
                (_, Some(avx2)) if kernel == Kernel::Avx2x8 => Self {
                    level: Level::Avx2(avx2),
                    prefers_large: matches!(
                        lanes.microarch(),
                        Some(Microarch::Zen3 | Microarch::Zen4)
                    ),
                },
                _ => Self::PORTABLE,
            }
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        {
            let _ = lanes;
            Self::PORTABLE
        }
    }
}
