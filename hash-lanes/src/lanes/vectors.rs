//! The vector of each kernel, for words of 32 and 64 bits.

#[cfg(target_arch = "aarch64")]
use fearless_simd::aarch64::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use fearless_simd::wasm32::WasmSimd128;
#[cfg(target_feature = "sse2")]
use fearless_simd::x86::{Avx2, Avx512, Sse2};
#[cfg(any(
    target_feature = "sse2",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use fearless_simd::{u32x4, u64x2};
#[cfg(target_feature = "sse2")]
use fearless_simd::{u32x8, u32x16, u64x4, u64x8};

#[cfg(target_feature = "sse2")]
use super::bmi::Bmi;
use super::{Lanes, Portable, Scalar};
use crate::word::Word;

/// Declares the vectors of a word, one for each kernel and its proof, where the CPU can have it.
macro_rules! vectors {
    ($($(#[$cfg:meta])? $Vector:ident: $Token:ty, $of_u32:ty, $of_u64:ty;)+) => {
        /// A word that kernels have vectors of.
        ///
        /// A kernel's vector holds [`Kernel::messages`](crate::engine::Kernel::messages) words, one
        /// for each message.
        pub trait Vectors: Word {
            $(
                /// The vector of a kernel.
                $(#[$cfg])?
                type $Vector: Lanes<Word = Self, Token = $Token>;
            )+
        }

        impl Vectors for u32 {
            $(
                $(#[$cfg])?
                type $Vector = $of_u32;
            )+
        }

        impl Vectors for u64 {
            $(
                $(#[$cfg])?
                type $Vector = $of_u64;
            )+
        }
    };
}

vectors! {
    Portable: Portable, Scalar<u32>, Scalar<u64>;
    #[cfg(target_feature = "sse2")]
    Sse2: Sse2, u32x4<Sse2>, u64x2<Sse2>;
    #[cfg(target_feature = "sse2")]
    Avx2: Avx2, u32x8<Avx2>, u64x4<Avx2>;
    #[cfg(target_feature = "sse2")]
    Bmi: Avx2, Bmi<u32>, Bmi<u64>;
    #[cfg(target_feature = "sse2")]
    HalfAvx512: Avx512, u32x8<Avx512>, u64x4<Avx512>;
    #[cfg(target_feature = "sse2")]
    Avx512: Avx512, u32x16<Avx512>, u64x8<Avx512>;
    #[cfg(target_arch = "aarch64")]
    Neon: Neon, u32x4<Neon>, u64x2<Neon>;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128: WasmSimd128, u32x4<WasmSimd128>, u64x2<WasmSimd128>;
}
