//! Runs a computation with a chosen instruction set enabled.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::x86::{Avx2, Avx512};
use fearless_simd::{Level as Detected, Simd, dispatch};

/// A computation over rows that is generic over the instructions that add them.
///
/// Implementors are structs with their inputs as fields, because a closure cannot be generic.
pub(crate) trait RowJob {
    /// The result.
    type Output;

    /// Runs the job. The implementation and everything it calls must be `#[inline(always)]`: code
    /// that stays out of line is compiled without the instructions.
    fn run<S: Simd>(self, token: S) -> Self::Output;
}

/// An instruction set, with the proof that the CPU has it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512(Avx512),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(Avx2),
    /// The instructions that the compilation target guarantees.
    Portable,
}

impl Level {
    /// Runs `job` inside a function compiled with these instructions.
    #[inline]
    pub(crate) fn run<J: RowJob>(self, job: J) -> J::Output {
        match self {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512(token) => token.vectorize(
                #[inline(always)]
                || job.run(token),
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(token) => token.vectorize(
                #[inline(always)]
                || job.run(token),
            ),
            Self::Portable => dispatch!(Detected::baseline(), token => job.run(token)),
        }
    }
}
