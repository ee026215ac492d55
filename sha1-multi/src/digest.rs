//! `DigestMany` for the `Sha1` of RustCrypto.

use hash_lanes::engine::{Start, Times, hash_many};
use hash_lanes::{Backend, DigestMany};

use crate::Sha1Lanes;

/// One generation of the crate `sha1`.
macro_rules! digest_many {
    ($feature:literal, $sha1:ident) => {
        #[cfg(feature = $feature)]
        impl DigestMany<Sha1Lanes> for $sha1::Sha1 {
            type Output = $sha1::digest::Output<Self>;

            #[track_caller]
            fn digest_many_into_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [Self::Output])
            where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                let start = Start::of::<Sha1Lanes>();
                hash_many::<Sha1Lanes, 5, _, _, _>(backend, start, Times::Once, messages, digests);
            }
        }
    };
}
digest_many!("digest", sha1);
digest_many!("digest-0_10", sha1_0_10);
