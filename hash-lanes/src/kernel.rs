//! Running a computation at one width of lanes, with that width's instructions enabled.
#![cfg_attr(
    not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    allow(dead_code, unused_imports, unused_macros, reason = "other CPUs have only the portable lane")
)]

use core::num::Wrapping;

use fearless_simd::Simd;
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use fearless_simd::u32x4;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::x86::{Avx2, Avx512, Sse2, Sse4_2};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::{u32x8, u32x16};

use crate::lanes::{Lanes, Portable};

/// A computation over lanes that does not care how many there are.
///
/// It is a struct with its inputs as fields, because a closure cannot be generic.
pub trait LaneJob {
    /// The result.
    type Output;

    /// Runs it. Mark the implementation and all that it calls `#[inline(always)]`: what stays out
    /// of line is compiled without the vector instructions and is 100 times slower.
    fn run<V: Lanes>(self, token: V::Token) -> Self::Output;
}

/// The lanes of one width that this CPU can run.
#[derive(Clone, Copy, Debug)]
pub struct LaneKernel(Level);

/// One variant per vector type, with the proof that the CPU has it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512x16(Avx512),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512x8(Avx512),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2x8(Avx2),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Sse4_2x4(Sse4_2),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Sse2x4(Sse2),
    #[cfg(target_arch = "aarch64")]
    Neon(fearless_simd::aarch64::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(fearless_simd::wasm32::WasmSimd128),
    Portable,
}

impl LaneKernel {
    /// One lane of portable code.
    pub const PORTABLE: Self = Self(Level::Portable);

    pub(crate) const fn new(level: Level) -> Self {
        Self(level)
    }

    /// How many messages a pass hashes: 1, 4, 8 or 16.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self.0 {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512x16(_) => 16,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512x8(_) | Level::Avx2x8(_) => 8,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Sse4_2x4(_) | Level::Sse2x4(_) => 4,
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => 4,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(_) => 4,
            Level::Portable => 1,
        }
    }

    /// Whether rotations and three-operand logic are single instructions, as in AVX-512.
    #[must_use]
    pub const fn is_avx512(self) -> bool {
        match self.0 {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512x16(_) | Level::Avx512x8(_) => true,
            _ => false,
        }
    }

    /// Runs `job` with these lanes.
    #[inline]
    pub fn run<J: LaneJob>(self, job: J) -> J::Output {
        /// Runs `job` inside a function that is compiled with the instructions of `token`. The
        /// closure calls it by its path: passed on as a function it would stay out of line.
        macro_rules! enable {
            ($token:ident, $job:ident, $vector:ty) => {
                $token.vectorize(
                    #[inline(always)]
                    || $job.run::<$vector>($token),
                )
            };
        }
        match self.0 {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512x16(token) => enable!(token, job, u32x16<Avx512>),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512x8(token) => enable!(token, job, u32x8<Avx512>),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2x8(token) => enable!(token, job, u32x8<Avx2>),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Sse4_2x4(token) => enable!(token, job, u32x4<Sse4_2>),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Sse2x4(token) => enable!(token, job, u32x4<Sse2>),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(token) => enable!(token, job, u32x4<fearless_simd::aarch64::Neon>),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(token) => enable!(token, job, u32x4<fearless_simd::wasm32::WasmSimd128>),
            Level::Portable => job.run::<Wrapping<u32>>(Portable),
        }
    }
}
