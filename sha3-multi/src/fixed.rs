//! The functions whose digests have one length.

use hash_lanes::engine::{Absorb, AnyHash, Begun, Digests, Sink, into_slice};
use hash_lanes::{Backend, Lanes};

use crate::function::{Function, into_digests};
use crate::jobs::{EMPTY, LongRow, Sponge, State};

/// A sponge with 24 rounds and digests of `BYTES` bytes, at most 64: its rate in bytes, and what
/// follows the message (FIPS 202 §B.2).
#[derive(Clone, Copy, Debug)]
pub enum FixedSponge<const RATE: usize, const SUFFIX: u8, const BYTES: usize> {}

impl<const RATE: usize, const SUFFIX: u8, const BYTES: usize> FixedSponge<RATE, SUFFIX, BYTES> {
    const SPONGE: Sponge = {
        assert!(RATE.is_multiple_of(8) && RATE >= 72 && RATE <= 168, "a rate of SHA-3");
        assert!(BYTES <= RATE && BYTES <= size_of::<LongRow>(), "a digest of one block");
        Sponge { rate: RATE, suffix: SUFFIX, rounds: 24 }
    };

    const fn on(backend: Backend) -> Function {
        Function { backend, sponge: Self::SPONGE }
    }
}

impl<const RATE: usize, const SUFFIX: u8, const BYTES: usize> AnyHash
    for FixedSponge<RATE, SUFFIX, BYTES>
{
    type Digest = [u8; BYTES];
    type State = State;

    const BLOCK_BYTES: usize = RATE;

    fn initial_state() -> State {
        EMPTY
    }

    fn hash_message(backend: Backend, message: &[u8]) -> [u8; BYTES] {
        let mut digest = [[0; BYTES]];
        into_slice([message], &mut digest, |_, digests| {
            into_digests(BYTES, digests, |output| Self::on(backend).run_one(message, output));
        });
        digest[0]
    }

    fn hash_all(
        backend: Backend,
        after: Option<(&State, u64)>,
        messages: impl Iterator<Item: AsRef<[u8]>>,
        digests: &mut dyn Digests,
    ) {
        // Kernels begin without a state before the first byte.
        let initial = after.filter(|&(_, before)| before > 0).map(|(state, _)| state);
        into_digests(BYTES, digests, |output| Self::on(backend).run(initial, messages, output));
    }

    fn end<'m>(
        backend: Backend,
        messages: impl Iterator<Item = Begun<'m, State>>,
        digests: &mut dyn Digests,
    ) {
        into_digests(BYTES, digests, |output| Self::on(backend).end(messages, output));
    }

    fn absorb<'m>(
        backend: Backend,
        parts: impl Iterator<Item = Begun<'m, State>>,
        sink: &mut dyn Sink<State>,
    ) {
        Self::on(backend).absorb(parts, sink);
    }

    fn absorb_one(backend: Backend, part: Begun<'_, State>) -> State {
        Self::on(backend).absorb_one(part)
    }
}

/// Defines a module with the functions of a hash, and the name of its value that carries a backend.
macro_rules! functions {
    ($(
        $name:literal, $module:ident, $Lanes:ident: $Hash:ident, $bytes:literal, $rate:literal,
        $suffix:literal;
    )+) => {
        /// The functions as the engine sees them.
        pub mod engine {
            pub use super::FixedSponge;

            $(
                #[doc = concat!($name, ", as the engine sees it.")]
                pub type $Hash = FixedSponge<$rate, $suffix, $bytes>;
            )+
        }

        $(
            #[doc = concat!($name, ": digests of ", stringify!($bytes), " bytes.")]
            pub mod $module {
                use crate::$Lanes;
                use crate::engine::$Hash;

                hash_lanes::define_functions!(
                    $name, concat!("sha3_multi::", stringify!($module)), $Hash, $Lanes, $bytes
                );
            }

            #[doc = concat!($name, " on one backend: the functions of")]
            #[doc = concat!("[`", stringify!($module), "`] as methods, for a backend other than")]
            /// the default.
            pub type $Lanes = Lanes<engine::$Hash>;
        )+
    };
}

crate::each_function!(functions);

hash_lanes::impl_digest_many! {
    "sha3" sha3::Keccak224 => sha3::digest::Output<Self>, engine::Keccak224: Keccak224Lanes;
    "sha3" sha3::Keccak256 => sha3::digest::Output<Self>, engine::Keccak256: Keccak256Lanes;
    "sha3" sha3::Keccak384 => sha3::digest::Output<Self>, engine::Keccak384: Keccak384Lanes;
    "sha3" sha3::Keccak512 => sha3::digest::Output<Self>, engine::Keccak512: Keccak512Lanes;
    "sha3" sha3::Sha3_224 => sha3::digest::Output<Self>, engine::Sha3_224: Sha3_224Lanes;
    "sha3" sha3::Sha3_256 => sha3::digest::Output<Self>, engine::Sha3_256: Sha3_256Lanes;
    "sha3" sha3::Sha3_384 => sha3::digest::Output<Self>, engine::Sha3_384: Sha3_384Lanes;
    "sha3" sha3::Sha3_512 => sha3::digest::Output<Self>, engine::Sha3_512: Sha3_512Lanes;
    "sha3-0_10" sha3_0_10::Keccak224 => sha3_0_10::digest::Output<Self>,
        engine::Keccak224: Keccak224Lanes;
    "sha3-0_10" sha3_0_10::Keccak256 => sha3_0_10::digest::Output<Self>,
        engine::Keccak256: Keccak256Lanes;
    "sha3-0_10" sha3_0_10::Keccak384 => sha3_0_10::digest::Output<Self>,
        engine::Keccak384: Keccak384Lanes;
    "sha3-0_10" sha3_0_10::Keccak512 => sha3_0_10::digest::Output<Self>,
        engine::Keccak512: Keccak512Lanes;
    "sha3-0_10" sha3_0_10::Sha3_224 => sha3_0_10::digest::Output<Self>,
        engine::Sha3_224: Sha3_224Lanes;
    "sha3-0_10" sha3_0_10::Sha3_256 => sha3_0_10::digest::Output<Self>,
        engine::Sha3_256: Sha3_256Lanes;
    "sha3-0_10" sha3_0_10::Sha3_384 => sha3_0_10::digest::Output<Self>,
        engine::Sha3_384: Sha3_384Lanes;
    "sha3-0_10" sha3_0_10::Sha3_512 => sha3_0_10::digest::Output<Self>,
        engine::Sha3_512: Sha3_512Lanes;
}
