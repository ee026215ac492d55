//! What the doors need of the hashes with a [`HashFunction`]: their kernels hash the lanes.
//!
//! Messages in parts are joined on the stack if they are short. Long ones are hashed in place, part
//! by part.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::any_hash::{AnyHash, Begun};
use crate::backend::Backend;
use crate::blocks::block_bytes;
use crate::ending::known_bytes;
use crate::hash::{GROUP, Sink, Start};
use crate::many::{Digests, hash_into, hash_parts, store_rows};
use crate::many_hasher::ManyHasher;
use crate::parts::Parts;
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
        messages: impl Iterator<Item: AsRef<[u8]>>,
        digests: &mut dyn Digests,
    ) {
        hash_into::<F>(backend, Start::WHOLE, messages, digests);
    }

    fn hash_concat<P: Parts>(
        backend: Backend,
        prefix: Begun<'_, RowOf<F::Kernels>>,
        messages: impl Iterator<Item = P>,
        digests: &mut dyn Digests,
    ) {
        hash_concat::<F, P>(backend, prefix, messages, digests);
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

/// The size of the buffer in which short messages are joined, and the maximum length of those.
const JOINED_BYTES: usize = 64 * GROUP + MAX_JOINED;
const MAX_JOINED: usize = 256;

/// Hashes messages in parts, each after the same prefix.
fn hash_concat<F: HashFunction, P: Parts>(
    backend: Backend,
    prefix: Begun<'_, RowOf<F::Kernels>>,
    messages: impl Iterator<Item = P>,
    digests: &mut dyn Digests,
) {
    let (mut joined, mut long) = (Joined::new(), Vec::new());
    for (number, message) in messages.enumerate() {
        if !joined.has_room() {
            hash_joined::<F>(backend, prefix, &mut joined, digests);
        }
        if !joined.push(number, prefix.2, &message) {
            long.push((number, message));
            if long.len() == GROUP {
                hash_long::<F, P>(backend, prefix, &mut long, digests);
            }
        }
    }
    hash_joined::<F>(backend, prefix, &mut joined, digests);
    hash_long::<F, P>(backend, prefix, &mut long, digests);
}

/// Hashes the messages that are joined, and removes them.
fn hash_joined<F: HashFunction>(
    backend: Backend,
    (state, hashed, _): Begun<'_, RowOf<F::Kernels>>,
    joined: &mut Joined,
    digests: &mut dyn Digests,
) {
    let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
    let mut begin = 0;
    for &(_, end) in &joined.messages {
        slices.push(&joined.bytes[begin..end]);
        begin = end;
    }
    let start = Start::ending(Some(state), hashed);
    let mut numbered = Numbered { digests, number: |i: usize| joined.messages[i].0 };
    hash_into::<F>(backend, start, slices.iter(), &mut numbered);
    joined.messages.clear();
}

/// Hashes long messages, and removes them.
fn hash_long<F: HashFunction, P: Parts>(
    backend: Backend,
    (state, hashed, rest): Begun<'_, RowOf<F::Kernels>>,
    messages: &mut Vec<(usize, P)>,
    digests: &mut dyn Digests,
) {
    if messages.is_empty() {
        return;
    }
    let initial = (*state, hashed);
    let mut hasher = ManyHasher::<F>::with_pending(backend, initial, rest, messages.len());
    for i in 0..P::COUNT {
        let parts: Vec<_> = messages.iter().map(|(_, message)| message.part(i)).collect();
        hasher.update_all(&parts);
    }
    hasher.end_all(&mut Numbered { digests, number: |i: usize| messages[i].0 });
    messages.clear();
}

/// Digests of messages that have other numbers.
struct Numbered<'d, N> {
    digests: &'d mut dyn Digests,
    /// The number of a message.
    number: N,
}

impl<N: Fn(usize) -> usize> Digests for Numbered<'_, N> {
    fn store(&mut self, i: usize, digest: &[u8]) {
        self.digests.store((self.number)(i), digest);
    }

    fn store_rows(&mut self, first: usize, rows: &[u8], row_bytes: usize) {
        for (i, row) in (first..).zip(rows.chunks_exact(row_bytes)) {
            self.store(i, row);
        }
    }
}

/// Short messages, joined.
struct Joined {
    bytes: [u8; JOINED_BYTES],
    /// The number of each message, and where its bytes end.
    messages: ArrayVec<(usize, usize), GROUP>,
}

impl Joined {
    const fn new() -> Self {
        Self { bytes: [0; JOINED_BYTES], messages: ArrayVec::new_const() }
    }

    fn end(&self) -> usize {
        self.messages.last().map_or(0, |&(_, end)| end)
    }

    /// Whether there is room for any message that is joined.
    fn has_room(&self) -> bool {
        !self.messages.is_full() && self.end() + MAX_JOINED <= JOINED_BYTES
    }

    /// Joins a message, or returns `false` if it is too long. Each part is asked for its bytes
    /// once, because they may be others the next time.
    fn push<P: Parts>(&mut self, number: usize, rest: &[u8], message: &P) -> bool {
        let begin = self.end();
        let Some(mut room) = self.bytes.get_mut(begin..begin + MAX_JOINED) else { return false };
        let mut append = |bytes: &[u8]| match room.split_off_mut(..bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                true
            }
            None => false,
        };
        if !append(rest) || !(0..P::COUNT).all(|i| append(message.part(i))) {
            return false;
        }
        let end = begin + MAX_JOINED - room.len();
        self.messages.push((number, end));
        true
    }
}
