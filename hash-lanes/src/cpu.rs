//! Detects the SHA instructions of the running CPU.

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

/// The functions that load messages for x86 SHA kernels, as quads: four words in a vector.
///
/// The caller defines `quad`, which makes a quad of words, and `byte_order`, which gives the index
/// of the byte of the message for each byte of a quad.
#[doc(hidden)]
#[macro_export]
macro_rules! load_quads {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn load_block(block: &Block) -> Quads {
            let (quads, _) = block.as_chunks::<16>();
            [load_quad(&quads[0]), load_quad(&quads[1]), load_quad(&quads[2]), load_quad(&quads[3])]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_quad(bytes: &[u8; 16]) -> __m128i {
            quad_of(u128::from_le_bytes(*bytes))
        }

        /// The words of 16 bytes, the first of which is in the lowest bits.
        #[inline]
        #[target_feature(enable = $features)]
        fn quad_of(bytes: u128) -> __m128i {
            _mm_shuffle_epi8(vector(bytes), byte_order())
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn vector(bytes: u128) -> __m128i {
            _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
        }

        /// How messages of equal length end.
        struct Ending {
            len: usize,
            padded_len: usize,
            /// Moves the bytes after the last whole quad from the end of a quad to its beginning.
            move_rest: __m128i,
            /// The one bit, in the quad that it is in.
            one_bit: __m128i,
            /// The length field, in the last quad.
            length: __m128i,
        }

        impl Ending {
            #[inline]
            #[target_feature(enable = $features)]
            fn new(len: usize, blocks: usize, message_bits: u64) -> Self {
                let rest = len % 16;
                // Indices above 15 become those that `pshufb` replaces by zero.
                let skip = _mm_set1_epi8((0x80 - rest) as i8);
                Self {
                    len,
                    padded_len: blocks * BLOCK_BYTES,
                    move_rest: _mm_adds_epu8(byte_order(), skip),
                    one_bit: quad_of(0x80 << (8 * rest)),
                    length: quad([0, 0, (message_bits >> 32) as u32, message_bits as u32]),
                }
            }
        }

        /// The words of the 16 bytes at `at`, a multiple of 16, of a padded message.
        ///
        /// Made in registers: padding that is stored in parts and then loaded as a whole defeats
        /// store forwarding.
        #[inline]
        #[target_feature(enable = $features)]
        fn padded_quad(ending: &Ending, message: &[u8], at: usize) -> __m128i {
            if let Some(quad) = message.get(at..at + 16).and_then(|quad| quad.first_chunk()) {
                return load_quad(quad);
            }
            let mut quad = _mm_setzero_si128();
            if at <= ending.len {
                quad = ending.one_bit;
                if at < ending.len {
                    let rest = match message.last_chunk() {
                        Some(last) => {
                            _mm_shuffle_epi8(vector(u128::from_le_bytes(*last)), ending.move_rest)
                        }
                        None => quad_of($crate::engine::short_quad(message)),
                    };
                    quad = _mm_or_si128(quad, rest);
                }
            }
            if at + 16 == ending.padded_len {
                quad = _mm_or_si128(quad, ending.length);
            }
            quad
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
