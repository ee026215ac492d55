//! `DigestMany` for the `Sha1` of RustCrypto.

use hash_lanes::engine::{Hashing, InitialState, hash_many};
use hash_lanes::{Backend, DigestMany};

use crate::Sha1Lanes;

/// One generation of the crate `sha1`.
macro_rules! digest_many {
    ($feature:literal, $sha1:ident) => {
        #[cfg(feature = $feature)]
        impl DigestMany<Sha1Lanes> for $sha1::Sha1 {
            type Output = $sha1::digest::Output<Self>;

            #[track_caller]
            fn digest_many_into_with<'m, I, M>(
                backend: Backend,
                messages: I,
                digests: &mut [Self::Output],
            ) where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                let initial = InitialState::of::<Sha1Lanes>();
                hash_many::<Sha1Lanes, 5, _, _, _>(
                    backend,
                    initial,
                    Hashing::Single,
                    messages,
                    digests,
                );
            }
        }
    };
}
digest_many!("sha1", sha1);
digest_many!("sha1-0_10", sha1_0_10);
