//! Outputs of any length by RustCrypto's types.

use alloc::vec::Vec;

use crate::xof_lanes::XofLanes;

/// Computes the outputs of many messages at once with RustCrypto's types, of both generations of
/// `digest`: what [`DigestMany`](crate::DigestMany) is for digests of one length.
///
/// The features `shake` and `sha3-0_10` implement it.
#[cfg_attr(feature = "shake", doc = "```")]
#[cfg_attr(not(feature = "shake"), doc = "```ignore")]
/// use sha3_multi::XofMany;
/// use shake::Shake128;
/// use shake::digest::ExtendableOutput;
///
/// fn streams<X: XofMany>(seeds: &[[u8; 32]]) -> Vec<[u8; 504]> {
///     X::xof_many(seeds)
/// }
///
/// let mut expected = [0; 504];
/// Shake128::digest_xof([7; 32], &mut expected);
/// assert_eq!(streams::<Shake128>(&[[6; 32], [7; 32]])[1], expected);
/// ```
pub trait XofMany {
    /// The function in lanes, on the default backend.
    #[must_use]
    fn lanes() -> XofLanes;

    /// Returns the first `N` bytes of the output for each message; see [`XofLanes::xof_many`].
    #[must_use]
    fn xof_many<const N: usize>(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<[u8; N]> {
        Self::lanes().xof_many(messages)
    }

    /// Fills `outputs[i]` with the output for the `i`-th message. Outputs may have different
    /// lengths.
    ///
    /// # Panics
    ///
    /// Panics if `outputs.len()` is not the number of messages.
    #[track_caller]
    fn xof_many_into<D: AsMut<[u8]>>(
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        outputs: &mut [D],
    ) {
        Self::lanes().xof_many_into(messages, outputs);
    }
}

/// Implements [`XofMany`] for these types.
macro_rules! impl_xof_many {
    ($($feature:literal $Xof:ty: $lanes:ident;)+) => {$(
        #[cfg(feature = $feature)]
        impl XofMany for $Xof {
            fn lanes() -> XofLanes {
                XofLanes::$lanes()
            }
        }
    )+};
}

impl_xof_many! {
    "shake" shake::Shake128: shake128;
    "shake" shake::Shake256: shake256;
    "sha3-0_10" sha3_0_10::Shake128: shake128;
    "sha3-0_10" sha3_0_10::Shake256: shake256;
}
