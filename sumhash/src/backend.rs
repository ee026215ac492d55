//! Picks the instruction set for column sums, and runs computations with it.

use fearless_simd::Level;
#[cfg(target_feature = "sse2")]
use fearless_simd::Simd;
use hash_lanes::Backend;
#[cfg(target_feature = "sse2")]
use hash_lanes::engine::Kernel;

#[cfg(target_feature = "sse2")]
use crate::matrix::Whole;
use crate::matrix::{Column, Sums};

/// The instructions that add columns of eight 64-bit words. The lanes of a [`Backend`] make no
/// difference here, only its instruction set.
///
/// It carries the proof that the CPU has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct Instructions {
    /// AVX-512, AVX2 or what the compilation target guarantees.
    level: Level,
}

impl Instructions {
    const PORTABLE: Self = Self { level: Level::baseline() };

    /// Those of the default backend. A build with debug assertions, which may be unoptimised, adds
    /// in halves: without optimisation, whole columns take more than ten times as long.
    pub(crate) fn detect() -> Self {
        let default = || {
            let detected = Self::from(Backend::detect());
            let halves = || Self::halves().unwrap_or(detected);
            if cfg!(debug_assertions) && detected.adds_whole_columns() {
                halves()
            } else {
                detected
            }
        };
        #[cfg(feature = "std")]
        {
            static DEFAULT: std::sync::OnceLock<Instructions> = std::sync::OnceLock::new();
            *DEFAULT.get_or_init(default)
        }
        #[cfg(not(feature = "std"))]
        default()
    }

    /// Whether the large table is faster than the small one, once it is built. Without AVX it is
    /// not: a block takes 200 instead of 185 ns on Zen 4.
    pub(crate) fn prefer_large(self) -> bool {
        #[cfg(target_feature = "sse2")]
        return matches!(self.level, Level::Avx512(_) | Level::Avx2(_));
        #[cfg(not(target_feature = "sse2"))]
        false
    }

    /// Whether these are AVX-512, which adds a column at once.
    pub(crate) fn adds_whole_columns(self) -> bool {
        #[cfg(target_feature = "sse2")]
        return matches!(self.level, Level::Avx512(_));
        #[cfg(not(target_feature = "sse2"))]
        false
    }

    /// AVX-512 of this CPU, which adds whole columns.
    #[cfg(all(feature = "std", target_feature = "sse2"))]
    pub(crate) fn whole() -> Option<Self> {
        let level = Level::new();
        level.as_avx512().map(|_| Self { level })
    }

    /// AVX2, which adds each column in two halves, in place of AVX-512.
    ///
    /// Zen 4 splits 64-byte loads in two anyway, and a whole load waits for both halves when they
    /// come from a distant cache level: with the large table a block takes 113 ns with whole
    /// columns and 102 in halves. On Granite Rapids it takes 89 and 143.
    #[cfg(all(feature = "std", target_feature = "sse2"))]
    pub(crate) fn halves() -> Option<Self> {
        Level::new().as_avx2().map(|avx2| Self { level: Level::Avx2(avx2) })
    }

    #[cfg(not(all(feature = "std", target_feature = "sse2")))]
    pub(crate) fn whole() -> Option<Self> {
        None
    }

    #[cfg(not(all(feature = "std", target_feature = "sse2")))]
    pub(crate) fn halves() -> Option<Self> {
        None
    }

    /// Runs `job` inside a function compiled with the instructions that add columns.
    #[inline]
    pub(crate) fn run<J: ColumnJob>(&self, job: J) -> J::Output {
        match self.level {
            #[cfg(target_feature = "sse2")]
            Level::Avx512(token) => token.vectorize(
                #[inline(always)]
                || job.run(Whole::zero(token)),
            ),
            #[cfg(target_feature = "sse2")]
            Level::Avx2(token) => token.vectorize(
                #[inline(always)]
                || job.run(Column::ZERO),
            ),
            _ => job.run(Column::ZERO),
        }
    }
}

/// A computation over columns, which is compiled once for each set of instructions.
pub(crate) trait ColumnJob {
    /// The result.
    type Output;

    /// Runs the job. `zero` is the sum of no columns.
    ///
    /// The implementation and everything it calls must be `#[inline(always)]`: code that stays out
    /// of line is compiled without the instructions.
    fn run(self, zero: impl Sums) -> Self::Output;
}

impl From<Backend> for Instructions {
    /// The vector instructions of the backend's lanes.
    fn from(lanes: Backend) -> Self {
        #[cfg(target_feature = "sse2")]
        {
            #[cfg(feature = "std")]
            let detected = Level::new();
            #[cfg(not(feature = "std"))]
            let detected = Level::baseline();
            let kernel = lanes.widest().kernel();
            if kernel.is_avx512() && detected.as_avx512().is_some() {
                Self { level: detected }
            } else if kernel == Kernel::Avx2x8
                && let Some(avx2) = detected.as_avx2()
            {
                Self { level: Level::Avx2(avx2) }
            } else {
                Self::PORTABLE
            }
        }
        #[cfg(not(target_feature = "sse2"))]
        {
            let _ = lanes;
            Self::PORTABLE
        }
    }
}
