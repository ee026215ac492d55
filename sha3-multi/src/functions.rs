//! The functions whose digests have one length, and what they have without an allocator.

/// The functions: a macro gets the name of each, its module, its value that carries a backend, its
/// marker, the length of its digests, its rate, and what follows the message. Also for the tests
/// and tools of the workspace.
#[doc(hidden)]
#[macro_export]
macro_rules! each_function {
    ($then:ident) => {
        $then! {
            "Keccak-224", keccak224, Keccak224Lanes: Keccak224, 28, 144, 0x01;
            "Keccak-256", keccak256, Keccak256Lanes: Keccak256, 32, 136, 0x01;
            "Keccak-384", keccak384, Keccak384Lanes: Keccak384, 48, 104, 0x01;
            "Keccak-512", keccak512, Keccak512Lanes: Keccak512, 64, 72, 0x01;
            "SHA3-224", sha3_224, Sha3_224Lanes: Sha3_224, 28, 144, 0x06;
            "SHA3-256", sha3_256, Sha3_256Lanes: Sha3_256, 32, 136, 0x06;
            "SHA3-384", sha3_384, Sha3_384Lanes: Sha3_384, 48, 104, 0x06;
            "SHA3-512", sha3_512, Sha3_512Lanes: Sha3_512, 64, 72, 0x06;
            "SHAKE128 as a hash", shake128, Shake128Lanes: Shake128, 32, 168, 0x1f;
            "SHAKE256 as a hash", shake256, Shake256Lanes: Shake256, 64, 136, 0x1f;
        }
    };
}

/// Defines a module with the function of one message. With the feature `alloc`, `fixed.rs` defines
/// it with those of many.
#[cfg(not(feature = "alloc"))]
macro_rules! functions {
    ($(
        $name:literal, $module:ident, $Lanes:ident: $Hash:ident, $bytes:literal, $rate:literal,
        $suffix:literal;
    )+) => {
        $(
            #[doc = concat!($name, ": digests of ", stringify!($bytes), " bytes.")]
            pub mod $module {
                use crate::XofLanes;
                use crate::jobs::Sponge;

                #[doc = concat!($name, " of one message.")]
                ///
                /// ```
                /// use sha3_multi::{sha3_224, shake256};
                ///
                /// // FIPS 202, the message of no bytes.
                /// assert_eq!(sha3_224::hash("")[..4], [0x6b, 0x4e, 0x03, 0x42]);
                /// assert_eq!(shake256::hash("")[..4], [0x46, 0xb9, 0xdd, 0x2b]);
                /// ```
                #[must_use]
                pub fn hash(message: impl AsRef<[u8]>) -> [u8; $bytes] {
                    XofLanes::new(Sponge { rate: $rate, suffix: $suffix, rounds: 24 }).xof(message)
                }
            }
        )+
    };
}

#[cfg(not(feature = "alloc"))]
crate::each_function!(functions);
