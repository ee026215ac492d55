//! Hashes messages that consist of some slices, after a common prefix.
//!
//! Short messages are joined on the stack. Long ones are hashed in place, part by part.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::ending::known_bytes;
use crate::erase::Erased;
use crate::hash::{GROUP, Start};
use crate::many::{Digests, hash_stream, into_slice, into_vec};
use crate::many_hasher::ManyHasher;
use crate::stream::{CompiledHash, EndingOf, HashFunction, RowOf, WordOf, initial_row};
use crate::word::Array;

/// The size of the buffer in which short messages are joined, and the maximum length of those.
const JOINED_BYTES: usize = 64 * GROUP + MAX_JOINED;
const MAX_JOINED: usize = 256;

/// A message in parts: a tuple of up to four values with bytes, or an array of slices.
///
/// The message is the bytes of all parts, one after the other.
pub trait Parts {
    /// The number of parts.
    const COUNT: usize;

    /// Part `i`, below [`Self::COUNT`].
    fn part(&self, i: usize) -> &[u8];
}

macro_rules! parts_of_tuple {
    ($count:literal $($Part:ident $i:tt),+) => {
        impl<$($Part: AsRef<[u8]>),+> Parts for ($($Part,)+) {
            const COUNT: usize = $count;

            #[inline]
            fn part(&self, i: usize) -> &[u8] {
                match i {
                    $($i => self.$i.as_ref(),)+
                    _ => &[],
                }
            }
        }
    };
}

parts_of_tuple!(1 A 0);
parts_of_tuple!(2 A 0, B 1);
parts_of_tuple!(3 A 0, B 1, C 2);
parts_of_tuple!(4 A 0, B 1, C 2, D 3);

impl<P: Parts + ?Sized> Parts for &P {
    const COUNT: usize = P::COUNT;

    #[inline]
    fn part(&self, i: usize) -> &[u8] {
        (**self).part(i)
    }
}

impl<const N: usize> Parts for [&[u8]; N] {
    const COUNT: usize = N;

    #[inline]
    fn part(&self, i: usize) -> &[u8] {
        self[i]
    }
}

/// The common prefix of many messages, hashed once. It may have any length, or be empty.
///
/// Each message follows it in parts, which need not be joined: a hash-based signature hashes
/// `prefix || address || value`. Neither [`hash_many_into`](Self::hash_many_into) nor the joining
/// allocates for messages of at most 256 bytes.
#[derive(Clone)]
pub struct Prefix<F: HashFunction> {
    backend: Backend,
    /// The state after the whole blocks, alone in a list, and their length.
    state: Erased<RowOf<F::Kernels>>,
    hashed: u64,
    /// The bytes after them.
    rest: Erased<u8>,
    hash: PhantomData<fn() -> F>,
}

impl<F: HashFunction> Prefix<F> {
    /// Hashes the prefix.
    #[must_use]
    pub fn new(prefix: &[u8]) -> Self {
        Self::with_backend(Backend::detect(), prefix)
    }

    /// [`Self::new`] with the given backend.
    #[must_use]
    pub fn with_backend(backend: Backend, prefix: &[u8]) -> Self {
        Self::after_state(backend, initial_row::<F>(), prefix)
    }

    /// [`Self::with_backend`] from another initial state.
    #[doc(hidden)]
    #[must_use]
    pub fn after_state(backend: Backend, mut state: RowOf<F::Kernels>, prefix: &[u8]) -> Self {
        let (whole, rest) = prefix.split_at(known_bytes::<EndingOf<F>, WordOf<F>>(prefix.len()));
        if !whole.is_empty() {
            let start = Start::continuing(Some(&state), 0);
            state = F::Kernels::hash_one(backend, start, whole);
        }
        let (state, rest) = (Erased::of(state), Erased::copied(rest));
        Self { backend, state, hashed: whole.len() as u64, rest, hash: PhantomData }
    }

    /// A hasher of `count` messages that arrive in parts, each after the prefix.
    ///
    /// # Panics
    ///
    /// Panics if the buffers of `count` messages do not fit into memory.
    #[track_caller]
    #[must_use]
    pub fn many_hasher(&self, count: usize) -> ManyHasher<F> {
        let initial = (self.state[0], self.hashed);
        ManyHasher::with_pending(self.backend, initial, &self.rest, count)
    }

    /// Returns the digest of the prefix followed by each message.
    #[must_use]
    pub fn hash_many(&self, messages: impl IntoIterator<Item: Parts>) -> Vec<F::Digest> {
        into_vec(messages, &F::Digest::filled(0), |messages, digests| {
            self.hash_all(messages, digests);
        })
    }

    /// Hashes the prefix followed by the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_many_into(
        &self,
        messages: impl IntoIterator<Item: Parts>,
        digests: &mut [F::Digest],
    ) {
        into_slice(messages, digests, |messages, digests| {
            self.hash_all(messages, digests);
        });
    }

    fn hash_all<P: Parts>(&self, messages: impl Iterator<Item = P>, digests: &mut dyn Digests) {
        let (mut joined, mut long) = (Joined::new(), Vec::new());
        for (number, message) in messages.enumerate() {
            if !joined.has_room() {
                self.hash_joined(&mut joined, digests);
            }
            if !joined.push(number, &self.rest, &message) {
                long.push((number, message));
                if long.len() == GROUP {
                    self.hash_long(&mut long, digests);
                }
            }
        }
        self.hash_joined(&mut joined, digests);
        self.hash_long(&mut long, digests);
    }

    /// Hashes the messages that are joined, and removes them.
    fn hash_joined(&self, joined: &mut Joined, digests: &mut dyn Digests) {
        let start = Start::ending(Some(&self.state[0]), self.hashed);
        let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
        let mut begin = 0;
        for &(_, end) in &joined.messages {
            slices.push(&joined.bytes[begin..end]);
            begin = end;
        }
        hash_stream::<F, _>(self.backend, start, slices.iter(), &mut |first: usize,
                                                                      rows: &[RowOf<
            F::Kernels,
        >]| {
            for ((number, _), row) in joined.messages[first..].iter().zip(rows) {
                digests.store(*number, row.elements());
            }
        });
        joined.messages.clear();
    }

    /// Hashes long messages, and removes them.
    fn hash_long<P: Parts>(&self, messages: &mut Vec<(usize, P)>, digests: &mut dyn Digests) {
        if messages.is_empty() {
            return;
        }
        let mut hasher = self.many_hasher(messages.len());
        for i in 0..P::COUNT {
            let parts: Vec<_> = messages.iter().map(|(_, message)| message.part(i)).collect();
            hasher.update_all(&parts);
        }
        hasher.finish_all(&mut |first: usize, rows: &[RowOf<F::Kernels>]| {
            for ((number, _), row) in messages[first..].iter().zip(rows) {
                digests.store(*number, row.elements());
            }
        });
        messages.clear();
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

impl<F: HashFunction> fmt::Debug for Prefix<F> {
    /// Omits the state, which may be that of a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prefix").field("backend", &self.backend).finish_non_exhaustive()
    }
}
