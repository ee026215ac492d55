//! Runs a computation at one lane width, with that width's instructions enabled.
//!
//! See docs/lanes.md for how lanes become machine code. On x86, kernels need a target with `sse2`:
//! LLVM cannot pass vectors on others, such as `x86_64-unknown-none`.
#![cfg_attr(
    not(any(
        target_feature = "sse2",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        unused_variables,
        reason = "other CPUs have only the portable lane"
    )
)]

use fearless_simd::Level as Detected;
#[cfg(target_arch = "aarch64")]
use fearless_simd::aarch64::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use fearless_simd::wasm32::WasmSimd128;
#[cfg(target_feature = "sse2")]
use fearless_simd::x86::{Avx2, Avx512, Sse2};

use crate::cpu::ShaExtensions;
#[cfg(any(target_feature = "sse2", target_arch = "aarch64"))]
use crate::lanes::Interleaved;
use crate::lanes::{Lanes, Portable, Vectors};
use crate::word::Word;

/// Defines [`Kernel`]: the name of each variant and the number of messages in a full pass, with
/// words of 32 bits.
macro_rules! kernels {
    ($($(#[$doc:meta])+ $Kernel:ident = $name:literal, $messages:literal;)+) => {
        /// One way to hash a few messages at once; variants are ordered widest first.
        ///
        /// The names of lane kernels count words of 32 bits. Of words of 64 bits their vectors hold
        /// half as many.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Kernel {
            $($(#[$doc])+ $Kernel,)+
        }

        impl Kernel {
            /// Every kernel, widest first.
            pub const ALL: &'static [Self] = &[$(Self::$Kernel,)+];

            /// A name such as `avx512x16x2` or `shax4`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Kernel => $name,)+
                }
            }

            /// The number of messages in a full pass, with words of 32 bits.
            const fn messages_of_u32(self) -> usize {
                match self {
                    $(Self::$Kernel => $messages,)+
                }
            }
        }
    };
}

kernels! {
    /// Two interleaved groups of 16 lanes of AVX-512.
    Avx512x16x2 = "avx512x16x2", 32;
    /// 16 lanes of AVX-512.
    Avx512x16 = "avx512x16", 16;
    /// 8 lanes of AVX-512, in 256-bit registers.
    Avx512x8 = "avx512x8", 8;
    /// 8 lanes of AVX2.
    Avx2x8 = "avx2x8", 8;
    /// 4 lanes of SSE2.
    Sse2x4 = "sse2x4", 4;
    /// Two interleaved groups of 4 lanes of NEON.
    Neonx4x2 = "neonx4x2", 8;
    /// 4 lanes of NEON.
    Neonx4 = "neonx4", 4;
    /// 4 lanes of wasm simd128.
    Simd128x4 = "simd128x4", 4;
    /// Four interleaved messages with the CPU's SHA instructions.
    Shax4 = "shax4", 4;
    /// Three interleaved messages with the SHA instructions.
    Shax3 = "shax3", 3;
    /// Two interleaved messages with the SHA instructions.
    Shax2 = "shax2", 2;
    /// One message with the SHA instructions.
    Shax1 = "shax1", 1;
    /// One message in the general registers, with the BMI instructions of CPUs with AVX2.
    Bmix1 = "bmix1", 1;
    /// One message with portable code.
    Portable = "portable", 1;
}

impl Kernel {
    /// The number of messages in a full pass of a hash with words of type `W`.
    #[must_use]
    pub const fn messages<W: Word>(self) -> usize {
        self.messages_of(W::BYTES)
    }

    /// [`Self::messages`] with words of 4 or 8 bytes.
    pub(crate) const fn messages_of(self, word_bytes: usize) -> usize {
        let messages = self.messages_of_u32();
        if self.is_sha() || matches!(self, Self::Bmix1 | Self::Portable) {
            messages
        } else {
            messages * size_of::<u32>() / word_bytes
        }
    }

    /// Whether it uses the CPU's SHA instructions.
    #[must_use]
    pub const fn is_sha(self) -> bool {
        KernelSet::SHA.contains(self)
    }

    /// Whether it uses AVX-512.
    #[must_use]
    pub const fn is_avx512(self) -> bool {
        KernelSet::AVX512.contains(self)
    }
}

/// Whether the target has no vectors, so that the portable kernel is the only one. Then messages
/// are hashed in order, without plans or lanes, whose code would take most of the memory of a
/// microcontroller.
pub(crate) const ONLY_PORTABLE: bool = !cfg!(any(
    target_feature = "sse2",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
));

/// A set of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelSet(u16);

impl KernelSet {
    /// The lane kernels of one group.
    pub const SINGLE_GROUPS: Self = Self::of(&[
        Kernel::Avx512x16,
        Kernel::Avx512x8,
        Kernel::Avx2x8,
        Kernel::Sse2x4,
        Kernel::Neonx4,
        Kernel::Simd128x4,
        Kernel::Portable,
    ]);

    /// Every lane kernel that most hashes have.
    pub const LANES: Self = Self::SINGLE_GROUPS.with(Kernel::Avx512x16x2).with(Kernel::Neonx4x2);

    /// Every kernel of AVX-512.
    pub(crate) const AVX512: Self =
        Self::of(&[Kernel::Avx512x16x2, Kernel::Avx512x16, Kernel::Avx512x8]);

    /// Every kernel of the SHA instructions.
    pub(crate) const SHA: Self =
        Self::of(&[Kernel::Shax4, Kernel::Shax3, Kernel::Shax2, Kernel::Shax1]);

    /// The set of `kernels`.
    #[must_use]
    pub const fn of(kernels: &[Kernel]) -> Self {
        let mut set = Self(0);
        let mut i = 0;
        while i < kernels.len() {
            set = set.with(kernels[i]);
            i += 1;
        }
        set
    }

    /// This set plus `kernel`.
    #[must_use]
    pub const fn with(self, kernel: Kernel) -> Self {
        Self(self.0 | 1 << kernel as u32)
    }

    /// The kernels of the set, widest first.
    pub(crate) fn iter(self) -> impl Iterator<Item = Kernel> {
        Kernel::ALL.iter().copied().filter(move |&kernel| self.contains(kernel))
    }

    /// The kernels that are in either set.
    #[cfg(any(target_feature = "sse2", target_arch = "aarch64"))]
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the sets have kernels in common.
    pub(crate) const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether `kernel` is in the set.
    #[must_use]
    pub const fn contains(self, kernel: Kernel) -> bool {
        self.0 & 1 << kernel as u32 != 0
    }
}

/// A computation over any number of lanes.
///
/// Implement it for a struct with the inputs as fields, because a closure cannot be generic.
pub trait LaneJob {
    /// The kernels that the job is compiled for. Each takes seconds to compile.
    const KERNELS: KernelSet = KernelSet::SINGLE_GROUPS;

    /// The word of the lanes: `u32` or `u64`.
    type Word: Vectors;

    /// The result.
    type Output;

    /// Runs the job. Mark the implementation and everything that it calls `#[inline(always)]`: code
    /// that stays out of line is compiled without the vector instructions and 100 times slower.
    fn run<V: Lanes<Word = Self::Word>>(self, token: V::Token) -> Self::Output;
}

/// Runs `job` in a function that is compiled for the instructions of `V`. The symbol of this
/// function names `V` and the job.
#[inline(always)]
fn run_in<V: Lanes<Word = J::Word>, J: LaneJob>(token: V::Token, job: J) -> J::Output {
    // The closure calls `run` by its path; passed as a function value, `run` would stay out of
    // line.
    V::vectorize(
        token,
        #[inline(always)]
        || job.run::<V>(token),
    )
}

/// A lane kernel that this CPU can run.
#[derive(Clone, Copy, Debug)]
pub struct LaneKernel(Level);

/// Defines [`Level`] and what depends on its variants: each kernel with the instruction set of
/// `fearless_simd`, the method of [`Detected`] that proves it, and the vector type for the job `J`.
macro_rules! lane_kernels {
    ($(#[$cfg:meta] $Kernel:ident: $Token:ty, $detect:ident, $vector:ty;)+) => {
        /// One variant per vector type, with the proof that the CPU has it.
        #[derive(Clone, Copy, Debug)]
        enum Level {
            $(#[$cfg] $Kernel($Token),)+
            Portable,
        }

        impl LaneKernel {
            /// The lanes of `kernel`, if it has lanes and the CPU has its instructions.
            #[inline]
            pub(crate) fn detect(kernel: Kernel, detected: Detected) -> Option<Self> {
                match kernel {
                    $(#[$cfg] Kernel::$Kernel => detected.$detect().map(Level::$Kernel),)+
                    Kernel::Portable => Some(Level::Portable),
                    _ => None,
                }
                .map(Self)
            }

            /// Which kernel it is.
            #[must_use]
            pub const fn kernel(self) -> Kernel {
                match self.0 {
                    $(#[$cfg] Level::$Kernel(_) => Kernel::$Kernel,)+
                    Level::Portable => Kernel::Portable,
                }
            }

            /// Runs `job` with these lanes.
            ///
            /// # Panics
            ///
            /// Panics if [`LaneJob::KERNELS`] does not contain this kernel.
            // Inlined, each codegen unit that calls it would compile kernels of its own.
            #[inline(never)]
            pub fn run<J: LaneJob>(self, job: J) -> J::Output {
                match self.0 {
                    $(#[$cfg]
                    Level::$Kernel(token) if const { J::KERNELS.contains(Kernel::$Kernel) } => {
                        run_in::<$vector, J>(token, job)
                    })+
                    Level::Portable if const { J::KERNELS.contains(Kernel::Portable) } => {
                        run_in::<<J::Word as Vectors>::Portable, J>(Portable, job)
                    }
                    _ => unreachable!("LaneJob::KERNELS lacks {:?}", self.kernel()),
                }
            }
        }
    };
}

lane_kernels! {
    #[cfg(target_feature = "sse2")]
    Avx512x16x2: Avx512, as_avx512, Interleaved<<J::Word as Vectors>::Avx512>;
    #[cfg(target_feature = "sse2")]
    Avx512x16: Avx512, as_avx512, <J::Word as Vectors>::Avx512;
    #[cfg(target_feature = "sse2")]
    Avx512x8: Avx512, as_avx512, <J::Word as Vectors>::HalfAvx512;
    #[cfg(target_feature = "sse2")]
    Avx2x8: Avx2, as_avx2, <J::Word as Vectors>::Avx2;
    #[cfg(target_feature = "sse2")]
    Sse2x4: Sse2, as_sse2, <J::Word as Vectors>::Sse2;
    #[cfg(target_feature = "sse2")]
    Bmix1: Avx2, as_avx2, <J::Word as Vectors>::Bmi;
    #[cfg(target_arch = "aarch64")]
    Neonx4x2: Neon, as_neon, Interleaved<<J::Word as Vectors>::Neon>;
    #[cfg(target_arch = "aarch64")]
    Neonx4: Neon, as_neon, <J::Word as Vectors>::Neon;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128x4: WasmSimd128, as_wasm_simd128, <J::Word as Vectors>::Simd128;
}

impl LaneKernel {
    /// One lane of portable code.
    pub const PORTABLE: Self = Self(Level::Portable);

    /// The number of messages in a full pass of a hash with words of type `W`: 1, 2, 4, 8, 16 or
    /// 32.
    #[must_use]
    pub const fn lanes<W: Word>(self) -> usize {
        self.kernel().messages::<W>()
    }
}

/// One pass over some messages.
#[derive(Clone, Copy, Debug)]
pub enum Pass<S = ShaExtensions> {
    /// One message in each lane.
    Lanes(LaneKernel),
    /// This many messages, one to four, interleaved for the CPU's SHA instructions.
    Sha(S, u8),
}

impl<S> Pass<S> {
    /// The maximum number of messages in the pass of a hash with words of type `W`.
    #[must_use]
    pub const fn messages<W: Word>(&self) -> usize {
        match self {
            Self::Lanes(kernel) => kernel.lanes::<W>(),
            Self::Sha(_, streams) => *streams as usize,
        }
    }
}
