//! Implements `DigestMany` for the digest types.

use hash_lanes::{Backend, DigestMany};

use crate::core512::Source;
use crate::many::hash_into;

/// Identifies this crate as the implementor of [`DigestMany`].
#[derive(Clone, Copy, Debug)]
pub enum Sumhash512Many {}

/// Implements the trait for one generation of the digest traits.
macro_rules! digest_many {
    ($feature:literal, $digest:ident, $sumhash512:path) => {
        #[cfg(feature = $feature)]
        impl DigestMany<Sumhash512Many> for $sumhash512 {
            type Output = $digest::Output<Self>;

            #[track_caller]
            fn digest_many_into_with<'m, I, M>(
                backend: Backend,
                messages: I,
                digests: &mut [Self::Output],
            ) where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                hash_into(Source::Shared, backend.into(), messages, digests, |digest, state| {
                    digest.copy_from_slice(&state);
                });
            }
        }
    };
}
digest_many!("digest", digest, crate::Sumhash512);
digest_many!("digest-0_10", digest_0_10, crate::digest_0_10::Sumhash512);
