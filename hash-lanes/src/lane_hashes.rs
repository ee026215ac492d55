//! What the doors need of the hashes with a [`HashFunction`]: their kernels hash the lanes.

use crate::any_hash::{AnyHash, Begun};
use crate::backend::Backend;
use crate::blocks::block_bytes;
use crate::ending::known_bytes;
use crate::hash::{Sink, Start};
use crate::many::{Digests, hash_into, hash_parts, store_rows};
use crate::stream::{
    CompiledHash, EndingOf, HashFunction, RowOf, WordOf, hash_message, initial_row,
};

impl<F: HashFunction> AnyHash for F {
    type Digest = <F as HashFunction>::Digest;
    type State = RowOf<F::Kernels>;

    const BLOCK_BYTES: usize = block_bytes::<WordOf<F>>();

    fn initial_state() -> RowOf<F::Kernels> {
        initial_row::<F>()
    }

    fn whole_bytes(len: usize, continues: bool) -> usize {
        if continues {
            len - len % block_bytes::<WordOf<F>>()
        } else {
            known_bytes::<EndingOf<F>, WordOf<F>>(len)
        }
    }

    fn hash_message(backend: Backend, message: &[u8]) -> <F as HashFunction>::Digest {
        hash_message::<F>(backend, message)
    }

    #[inline]
    fn hash_all(
        backend: Backend,
        after: Option<(&RowOf<F::Kernels>, u64)>,
        messages: impl Iterator<Item: AsRef<[u8]>>,
        digests: &mut dyn Digests,
    ) {
        let start =
            after.map_or(Start::WHOLE, |(state, hashed)| Start::ending(Some(state), hashed));
        hash_into::<F>(backend, start, messages, digests);
    }

    fn end<'m>(
        backend: Backend,
        messages: impl Iterator<Item = Begun<'m, RowOf<F::Kernels>>>,
        digests: &mut dyn Digests,
    ) {
        let ends = |(state, hashed, bytes)| (Start::ending(Some(state), hashed), bytes);
        let mut sink = |first: usize, rows: &[RowOf<F::Kernels>]| {
            store_rows::<F>(digests, first, rows);
        };
        hash_parts::<F>(backend, messages.map(ends), &mut sink);
    }

    fn absorb<'m>(
        backend: Backend,
        parts: impl Iterator<Item = Begun<'m, RowOf<F::Kernels>>>,
        sink: &mut dyn Sink<RowOf<F::Kernels>>,
    ) {
        let continues = |(state, hashed, bytes)| (Start::continuing(Some(state), hashed), bytes);
        hash_parts::<F>(backend, parts.map(continues), sink);
    }

    fn absorb_one(
        backend: Backend,
        (state, hashed, bytes): Begun<'_, RowOf<F::Kernels>>,
    ) -> RowOf<F::Kernels> {
        F::Kernels::hash_one(backend, Start::continuing(Some(state), hashed), bytes)
    }
}
