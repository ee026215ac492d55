//! Many messages at once with the digest types.

use crate::core512::Source;
use crate::many::hash_into;
use crate::{State, shared};

/// Hashes each message into a digest of RustCrypto's type.
#[track_caller]
fn hash_into_arrays<'m, I, M, D>(backend: hash_lanes::Backend, messages: I, digests: &mut [D])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    hash_into(Source::Shared, backend.into(), messages, digests, copy_to_array);
}

fn copy_to_array<D: AsMut<[u8]>>(digest: &mut D, state: State) {
    digest.as_mut().copy_from_slice(&state);
}

/// sumhash512 for code that is generic over [`HashMany`](hash_lanes::HashMany).
#[cfg(feature = "digest")]
#[derive(Clone, Copy, Debug)]
pub enum Sumhash512Many {}

hash_lanes::define_digest_many! {
    hash_into_arrays,
    #[cfg(feature = "digest")] Sumhash512Many => digest::Output<crate::Sumhash512>;
    "digest" crate::Sumhash512 => digest::Output<Self>;
    "digest-0_10" crate::digest_0_10::Sumhash512 => digest_0_10::Output<Self>;
}

/// Implements [`DigestMany`] for a constant-time digest type.
macro_rules! impl_constant_time {
    ($feature:literal $Digest:ty => $Output:ty) => {
        #[cfg(feature = $feature)]
        impl DigestMany for $Digest {
            type Output = $Output;

            #[track_caller]
            fn digest_many_into_with<'m, I, M>(
                backend: hash_lanes::Backend,
                messages: I,
                digests: &mut [Self::Output],
            ) where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                let matrix = Source::Table(shared::constant_time());
                hash_into(matrix, backend.into(), messages, digests, copy_to_array);
            }
        }
    };
}
impl_constant_time!("digest" crate::Sumhash512Ct => digest::Output<Self>);
impl_constant_time!("digest-0_10" crate::digest_0_10::Sumhash512Ct => digest_0_10::Output<Self>);
