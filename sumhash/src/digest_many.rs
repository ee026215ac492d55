//! Many messages at once with the digest types.

use hash_lanes::Backend;

use crate::core512::Source;
use crate::many::hash_into;
use crate::{State, shared};

/// Hashes each message into a digest of RustCrypto's type.
#[track_caller]
fn hash_shared<'m, I, M, D>(backend: Backend, messages: I, digests: &mut [D])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    hash_into(Source::Shared, backend.into(), messages, digests, copy_to_array);
}

/// [`hash_shared`] in constant time.
#[track_caller]
fn hash_in_constant_time<'m, I, M, D>(backend: Backend, messages: I, digests: &mut [D])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
    D: AsMut<[u8]>,
{
    let table = Source::Table(shared::constant_time());
    hash_into(table, backend.into(), messages, digests, copy_to_array);
}

fn copy_to_array<D: AsMut<[u8]>>(digest: &mut D, state: State) {
    digest.as_mut().copy_from_slice(&state);
}

/// sumhash512 for code that is generic over [`HashMany`](hash_lanes::HashMany).
#[cfg(feature = "digest")]
#[derive(Clone, Copy, Debug)]
pub enum Sumhash512Many {}

hash_lanes::define_digest_many! {
    #[cfg(feature = "digest")] Sumhash512Many => digest::Output<crate::Sumhash512>, hash_shared;
    "digest" crate::Sumhash512 => digest::Output<Self>, hash_shared;
    "digest" crate::Sumhash512Ct => digest::Output<Self>, hash_in_constant_time;
    "digest-0_10" crate::digest_0_10::Sumhash512 => digest_0_10::Output<Self>, hash_shared;
    "digest-0_10" crate::digest_0_10::Sumhash512Ct => digest_0_10::Output<Self>,
        hash_in_constant_time;
}
