//! `DigestMany` for the `Ripemd160` of RustCrypto.

use hash_lanes::engine::{Hashing, InitialState, hash_many};
use hash_lanes::{Backend, DigestMany};

use crate::Ripemd160Lanes;

/// One generation of the crate `ripemd`.
macro_rules! digest_many {
    ($feature:literal, $ripemd:ident) => {
        #[cfg(feature = $feature)]
        impl DigestMany<Ripemd160Lanes> for $ripemd::Ripemd160 {
            type Output = $ripemd::digest::Output<Self>;

            #[track_caller]
            fn digest_many_into_with<'m, I, M>(
                backend: Backend,
                messages: I,
                digests: &mut [Self::Output],
            ) where
                I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
                M: AsRef<[u8]> + ?Sized + 'm,
            {
                let initial = InitialState::of::<Ripemd160Lanes>();
                hash_many::<Ripemd160Lanes, 5, _, _, _>(
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
digest_many!("ripemd", ripemd);
digest_many!("ripemd-0_1", ripemd_0_1);
