//! The parameter sets of FIPS 205 §11, one row each.

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
}

/// w: the values of a digit that a WOTS+ chain signs, for every parameter set.
pub(crate) const W: u32 = 16;

impl Parameters {
    /// h': the height of an XMSS tree.
    pub(crate) const fn tree_height(&self) -> usize {
        self.h / self.d
    }

    /// len: the chains of a WOTS+ key. All parameter sets have three digits of checksum.
    pub(crate) const fn wots_len(&self) -> usize {
        2 * self.n + 3
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

/// A parameter set: one of the twelve types of this crate.
pub trait ParameterSet: sealed::Sealed + Copy + Default + core::fmt::Debug + Eq + 'static {
    /// Its numbers.
    const PARAMETERS: Parameters;

    #[doc(hidden)]
    type Suite: Suite;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! parameter_sets {
    ($($Set:ident, $Suite:ty, $name:literal, n = $n:literal, h = $h:literal, d = $d:literal,
        a = $a:literal, k = $k:literal;)+) => {$(
        #[doc = concat!("`", $name, "`: keys of ", $n, " bytes for each of their parts.")]
        #[allow(non_camel_case_types, reason = "the underscore separates two numbers")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Set;

        impl sealed::Sealed for $Set {}

        impl ParameterSet for $Set {
            const PARAMETERS: Parameters =
                Parameters { name: $name, n: $n, h: $h, d: $d, a: $a, k: $k };

            type Suite = $Suite;
        }
    )+};
}

// FIPS 205 table 2.
parameter_sets! {
    Sha2_128s, Sha2Category1, "SLH-DSA-SHA2-128s", n = 16, h = 63, d = 7, a = 12, k = 14;
    Sha2_128f, Sha2Category1, "SLH-DSA-SHA2-128f", n = 16, h = 66, d = 22, a = 6, k = 33;
    Sha2_192s, Sha2Category35, "SLH-DSA-SHA2-192s", n = 24, h = 63, d = 7, a = 14, k = 17;
    Sha2_192f, Sha2Category35, "SLH-DSA-SHA2-192f", n = 24, h = 66, d = 22, a = 8, k = 33;
    Sha2_256s, Sha2Category35, "SLH-DSA-SHA2-256s", n = 32, h = 64, d = 8, a = 14, k = 22;
    Sha2_256f, Sha2Category35, "SLH-DSA-SHA2-256f", n = 32, h = 68, d = 17, a = 9, k = 35;
    Shake128s, Shake, "SLH-DSA-SHAKE-128s", n = 16, h = 63, d = 7, a = 12, k = 14;
    Shake128f, Shake, "SLH-DSA-SHAKE-128f", n = 16, h = 66, d = 22, a = 6, k = 33;
    Shake192s, Shake, "SLH-DSA-SHAKE-192s", n = 24, h = 63, d = 7, a = 14, k = 17;
    Shake192f, Shake, "SLH-DSA-SHAKE-192f", n = 24, h = 66, d = 22, a = 8, k = 33;
    Shake256s, Shake, "SLH-DSA-SHAKE-256s", n = 32, h = 64, d = 8, a = 14, k = 22;
    Shake256f, Shake, "SLH-DSA-SHAKE-256f", n = 32, h = 68, d = 17, a = 9, k = 35;
}
