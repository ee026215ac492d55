//! `DigestMany`: many messages at once through the digest types.

use alloc::vec::Vec;

use hash_lanes::engine::ManyInto;

use crate::State;
use crate::many::Sumhash512Lanes;

impl ManyInto for Sumhash512Lanes<'_> {
    #[track_caller]
    fn many_into<'m, I, M, D>(self, messages: I, digests: &mut [D])
    where
        I: IntoIterator<Item = &'m M>,
        M: AsRef<[u8]> + ?Sized + 'm,
        D: AsMut<[u8]>,
    {
        self.many_into(messages, digests, |digest, state| {
            digest.as_mut().copy_from_slice(&state);
        });
    }

    fn many<I, D>(self, messages: I) -> Vec<D>
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
        D: AsMut<[u8]> + Clone + Default,
    {
        let digest = |state: &State| {
            let mut digest = D::default();
            digest.as_mut().copy_from_slice(state);
            digest
        };
        self.hash_many(messages).iter().map(digest).collect()
    }
}

hash_lanes::define_digest_many! {
    [#[cfg(feature = "digest")] Sumhash512Lanes<'_> => digest::Output<crate::Sumhash512>]
    "digest" crate::Sumhash512 => digest::Output<Self>, Sumhash512Lanes::default();
    "digest-0_10" crate::digest_0_10::Sumhash512 => digest_0_10::Output<Self>,
        Sumhash512Lanes::default();
}
