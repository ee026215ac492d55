//! `DigestMany` for the `Sha256` of RustCrypto.

use hash_lanes::engine::{Hashing, InitialState, hash_many};
use hash_lanes::{Backend, DigestMany};

use crate::Sha256Lanes;

/// One generation of the crate `sha2`.
macro_rules! digest_many {
    ($feature:literal, $sha2:ident) => {
        #[cfg(feature = $feature)]
        impl DigestMany<Sha256Lanes> for $sha2::Sha256 {
            type Output = $sha2::digest::Output<Self>;

            #[track_caller]
            fn digest_many_into_with<'m, I, M>(
                backend: Backend,
                messages: I,
                digests: &mut [Self::Output],
            ) where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                let initial = InitialState::of::<Sha256Lanes>();
                hash_many::<Sha256Lanes, 8, _, _, _>(
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
digest_many!("sha2", sha2);
digest_many!("sha2-0_10", sha2_0_10);
