//! The parameter sets of FIPS 205 §11 and of the draft of SP 800-230, one row each.

use core::iter;

use hybrid_array::ArraySize;

use crate::suite::{Sha2Category1, Sha2Category35, Shake, Suite};

/// The numbers of a parameter set, with the names of FIPS 205 table 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The name, such as `SLH-DSA-SHA2-128s`.
    pub name: &'static str,
    /// n: the bytes of a hash value.
    pub n: usize,
    /// h: the height of the hypertree.
    pub h: usize,
    /// d: the layers of the hypertree.
    pub d: usize,
    /// a: the height of a tree of FORS.
    pub a: usize,
    /// k: the trees of FORS.
    pub k: usize,
    /// lg(w): the bits of a digit that a WOTS+ chain signs.
    pub lg_w: usize,
}

impl Parameters {
    /// h': the height of an XMSS tree.
    pub(crate) const fn tree_height(&self) -> usize {
        self.h / self.d
    }

    /// w: the values of a digit (FIPS 205 equation 5.1).
    pub(crate) const fn w(&self) -> u32 {
        1 << self.lg_w
    }

    /// `len_1`: the digits of a message (FIPS 205 equation 5.2).
    pub(crate) const fn message_digits(&self) -> usize {
        (8 * self.n).div_ceil(self.lg_w)
    }

    /// len: the chains of a WOTS+ key, one for each digit of the message and of its checksum (FIPS
    /// 205 equations 5.3 and 5.4).
    pub(crate) const fn wots_len(&self) -> usize {
        let max_checksum = self.message_digits() * (self.w() as usize - 1);
        self.message_digits() + max_checksum.ilog2() as usize / self.lg_w + 1
    }

    /// The bytes of the message digest that FORS signs.
    pub(crate) const fn md_len(&self) -> usize {
        (self.k * self.a).div_ceil(8)
    }

    /// The bytes of the message digest that choose the XMSS tree.
    pub(crate) const fn tree_index_len(&self) -> usize {
        (self.h - self.tree_height()).div_ceil(8)
    }

    /// The bytes of the message digest that choose the leaf of the tree.
    pub(crate) const fn leaf_index_len(&self) -> usize {
        self.tree_height().div_ceil(8)
    }

    /// m: the bytes of the message digest.
    pub(crate) const fn digest_len(&self) -> usize {
        self.md_len() + self.tree_index_len() + self.leaf_index_len()
    }

    /// The bytes of a FORS signature.
    pub(crate) const fn fors_len(&self) -> usize {
        self.k * (1 + self.a) * self.n
    }

    /// The bytes of the signature of one layer.
    pub(crate) const fn xmss_len(&self) -> usize {
        (self.wots_len() + self.tree_height()) * self.n
    }

    /// The bytes of a signature.
    #[must_use]
    pub const fn signature_len(&self) -> usize {
        self.n + self.fors_len() + self.d * self.xmss_len()
    }

    /// The bytes of a verifying key.
    #[must_use]
    pub const fn verifying_key_len(&self) -> usize {
        2 * self.n
    }

    /// The bytes of a signing key.
    #[must_use]
    pub const fn signing_key_len(&self) -> usize {
        4 * self.n
    }
}

/// The numbers of `b` bits each at the beginning of `bytes`, the most significant bit first
/// (`base_2b`, FIPS 205 §4.4).
///
/// Panics if they need more bytes than there are.
pub(crate) fn base_2b(bytes: &[u8], b: usize) -> impl Iterator<Item = u32> {
    let (mut read, mut bits, mut left) = (0, 0_u64, 0);
    iter::repeat_with(move || {
        while left < b {
            bits = bits << 8 | u64::from(bytes[read]);
            read += 1;
            left += 8;
        }
        left -= b;
        (bits >> left) as u32 & ((1 << b) - 1)
    })
}

/// A parameter set: one of the types of this crate.
pub trait ParameterSet: sealed::Sealed + Copy + Default + core::fmt::Debug + Eq + 'static {
    /// Its numbers.
    const PARAMETERS: Parameters;

    /// The bytes of a verifying key.
    type VerifyingKeyLen: ArraySize;

    /// The bytes of a signing key.
    type SigningKeyLen: ArraySize;

    #[doc(hidden)]
    type Suite: Suite;
}

/// A parameter set of FIPS 205, which has an object identifier.
pub trait FipsSet: ParameterSet {
    /// The last number of its identifier, after 2.16.840.1.101.3.4.3.
    const OID_ARC: u32;
}

/// A parameter set of the draft of SP 800-230, with a single tree whose upper nodes can be cached.
#[cfg(any(feature = "draft-sp800-230", test))]
#[cfg_attr(docsrs, doc(cfg(feature = "draft-sp800-230")))]
pub trait LimitedSet: ParameterSet {}

mod sealed {
    pub trait Sealed {}
}

/// The lengths of keys whose parts have n bytes, as types.
macro_rules! key_len {
    (verifying, 16) => {
        hybrid_array::sizes::U32
    };
    (verifying, 24) => {
        hybrid_array::sizes::U48
    };
    (verifying, 32) => {
        hybrid_array::sizes::U64
    };
    (signing, 16) => {
        hybrid_array::sizes::U64
    };
    (signing, 24) => {
        hybrid_array::sizes::U96
    };
    (signing, 32) => {
        hybrid_array::sizes::U128
    };
}

macro_rules! parameter_sets {
    ($visibility:vis $($Set:ident, $Suite:ty, $name:literal, $n:tt, $h:literal, $d:literal,
        $a:literal, $k:literal, $lg_w:literal $(, $oid:literal)?;)+) => {$(
        #[doc = concat!("`", $name, "`: keys of ", $n, " bytes for each of their parts.")]
        #[allow(non_camel_case_types, reason = "the underscore separates two numbers")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        $visibility struct $Set;

        impl sealed::Sealed for $Set {}

        impl ParameterSet for $Set {
            const PARAMETERS: Parameters =
                Parameters { name: $name, n: $n, h: $h, d: $d, a: $a, k: $k, lg_w: $lg_w };

            type VerifyingKeyLen = key_len!(verifying, $n);
            type SigningKeyLen = key_len!(signing, $n);
            type Suite = $Suite;
        }

        $(impl FipsSet for $Set {
            const OID_ARC: u32 = $oid;
        })?
    )+};
}

// FIPS 205 table 2: n, h, d, a, k, lg_w; then the last number of the object identifier.
parameter_sets! { pub
    Sha2_128s, Sha2Category1, "SLH-DSA-SHA2-128s", 16, 63, 7, 12, 14, 4, 20;
    Sha2_128f, Sha2Category1, "SLH-DSA-SHA2-128f", 16, 66, 22, 6, 33, 4, 21;
    Sha2_192s, Sha2Category35, "SLH-DSA-SHA2-192s", 24, 63, 7, 14, 17, 4, 22;
    Sha2_192f, Sha2Category35, "SLH-DSA-SHA2-192f", 24, 66, 22, 8, 33, 4, 23;
    Sha2_256s, Sha2Category35, "SLH-DSA-SHA2-256s", 32, 64, 8, 14, 22, 4, 24;
    Sha2_256f, Sha2Category35, "SLH-DSA-SHA2-256f", 32, 68, 17, 9, 35, 4, 25;
    Shake128s, Shake, "SLH-DSA-SHAKE-128s", 16, 63, 7, 12, 14, 4, 26;
    Shake128f, Shake, "SLH-DSA-SHAKE-128f", 16, 66, 22, 6, 33, 4, 27;
    Shake192s, Shake, "SLH-DSA-SHAKE-192s", 24, 63, 7, 14, 17, 4, 28;
    Shake192f, Shake, "SLH-DSA-SHAKE-192f", 24, 66, 22, 8, 33, 4, 29;
    Shake256s, Shake, "SLH-DSA-SHAKE-256s", 32, 64, 8, 14, 22, 4, 30;
    Shake256f, Shake, "SLH-DSA-SHAKE-256f", 32, 68, 17, 9, 35, 4, 31;
}

/// The parameter sets of FIPS 205, in the order of its table 2.
pub const FIPS_SETS: [Parameters; 12] = [
    Sha2_128s::PARAMETERS,
    Shake128s::PARAMETERS,
    Sha2_128f::PARAMETERS,
    Shake128f::PARAMETERS,
    Sha2_192s::PARAMETERS,
    Shake192s::PARAMETERS,
    Sha2_192f::PARAMETERS,
    Shake192f::PARAMETERS,
    Sha2_256s::PARAMETERS,
    Shake256s::PARAMETERS,
    Sha2_256f::PARAMETERS,
    Shake256f::PARAMETERS,
];

/// Evaluates an expression for a parameter set that is known by its name at run time.
///
/// The expression is compiled for each of the twelve sets of FIPS 205. The identifier names the
/// type of the set in it. Returns `None` if no set has the name.
///
/// ```
/// use slh_dsa_multi::{KeyError, VerifyingKey, with_fips_set};
///
/// fn is_key(set: &str, bytes: &[u8]) -> Option<bool> {
///     with_fips_set!(set, P => VerifyingKey::<P>::from_bytes(bytes).is_ok())
/// }
///
/// assert_eq!(is_key("SLH-DSA-SHAKE-192s", &[7; 48]), Some(true));
/// assert_eq!(is_key("SLH-DSA-SHAKE-192s", &[7; 47]), Some(false));
/// assert_eq!(is_key("SPHINCS+", &[7; 48]), None);
/// ```
#[macro_export]
macro_rules! with_fips_set {
    ($name:expr, $Set:ident => $value:expr) => {
        $crate::with_fips_set!(@ $name, $Set => $value;
            Sha2_128s Shake128s Sha2_128f Shake128f Sha2_192s Shake192s
            Sha2_192f Shake192f Sha2_256s Shake256s Sha2_256f Shake256f)
    };
    (@ $name:expr, $Set:ident => $value:expr; $($Known:ident)+) => {{
        let name: &str = $name;
        $(if name == <$crate::$Known as $crate::ParameterSet>::PARAMETERS.name {
            type $Set = $crate::$Known;
            ::core::option::Option::Some($value)
        } else)+ {
            ::core::option::Option::None
        }
    }};
}

/// The sets of the draft of SP 800-230.
#[cfg(feature = "draft-sp800-230")]
mod limited {
    use super::{LimitedSet, ParameterSet, Parameters, sealed};
    use crate::suite::{Sha2Category1, Sha2Category35, Shake};

    // Initial public draft of 2026-04-13: a key signs at most 2^24 messages.
    parameter_sets! { pub
        Sha2_128_24, Sha2Category1, "SLH-DSA-SHA2-128-24", 16, 22, 1, 24, 6, 2;
        Sha2_192_24, Sha2Category35, "SLH-DSA-SHA2-192-24", 24, 21, 1, 25, 9, 3;
        Sha2_256_24, Sha2Category35, "SLH-DSA-SHA2-256-24", 32, 21, 1, 25, 12, 2;
        Shake128_24, Shake, "SLH-DSA-SHAKE-128-24", 16, 22, 1, 24, 6, 2;
        Shake192_24, Shake, "SLH-DSA-SHAKE-192-24", 24, 21, 1, 25, 9, 3;
        Shake256_24, Shake, "SLH-DSA-SHAKE-256-24", 32, 21, 1, 25, 12, 2;
    }

    impl LimitedSet for Sha2_128_24 {}
    impl LimitedSet for Sha2_192_24 {}
    impl LimitedSet for Sha2_256_24 {}
    impl LimitedSet for Shake128_24 {}
    impl LimitedSet for Shake192_24 {}
    impl LimitedSet for Shake256_24 {}
}
#[cfg(feature = "draft-sp800-230")]
pub use self::limited::*;

/// Sets that only the tests have: with the digits of SP 800-230, and trees of many heights.
#[cfg(test)]
pub(crate) mod small {
    use super::{LimitedSet, ParameterSet, Parameters, sealed};
    use crate::suite::{Sha2Category1, Sha2Category35, Shake};

    parameter_sets! { pub(crate)
        LowSha2, Sha2Category35, "low-SHA2", 24, 6, 2, 5, 3, 3;
        LowShake, Shake, "low-SHAKE", 32, 6, 1, 3, 5, 2;
        TallTree, Sha2Category1, "tall-tree", 16, 15, 1, 4, 3, 2;
        TallFors, Shake, "tall-FORS", 24, 4, 1, 16, 3, 3;
    }

    impl LimitedSet for TallTree {}
}
