//! HMAC (RFC 2104, FIPS 198-1) of many messages, each with its own key.

use alloc::vec;
use alloc::vec::Vec;
use core::ptr;

use crate::backend::Backend;
use crate::hash::{LaneHash, Row};
use crate::lanes::{BLOCK_BYTES, Block};
use crate::many::{check_counts, exactly};
use crate::message::{Hashing, Message};

/// The number of messages that are hashed together. More would keep the lanes full for longer if
/// their lengths differ, but take more memory.
pub(crate) const CHUNK: usize = 256;

/// The states after the first blocks of the inner and the outer hash, which contain only the key.
pub(crate) type KeyStates<const WORDS: usize> = [[u32; WORDS]; 2];

/// A lane hash with HMAC and PBKDF2. [`compile_hmac!`](crate::engine::compile_hmac) implements it.
pub trait HmacHash<const WORDS: usize>: LaneHash<WORDS> {
    /// Writes the HMAC of `messages[i]` with `keys[i]` to `macs[i]`. The lengths are equal.
    fn hmac(backend: Backend, keys: &[&[u8]], messages: &[&[u8]], macs: &mut [Self::Digest]);

    /// Derives `outputs[i]` from `passwords[i]` and `salts[i]` with PBKDF2. The lengths are equal,
    /// and `rounds` is not zero.
    fn pbkdf2(
        backend: Backend,
        passwords: &[&[u8]],
        salts: &[&[u8]],
        rounds: u32,
        outputs: &mut [&mut [u8]],
    );
}

/// Implements [`HmacHash`] for a hash whose state has `$words` words.
///
/// As with [`compile_kernels!`](crate::engine::compile_kernels), the kernels are compiled only in
/// the crate of the hash.
#[doc(hidden)]
#[macro_export]
macro_rules! compile_hmac {
    ($words:expr) => {
        fn hmac(
            backend: $crate::Backend,
            keys: &[&[u8]],
            messages: &[&[u8]],
            macs: &mut [Self::Digest],
        ) {
            $crate::engine::hmac::<Self, $words>(backend, keys, messages, macs);
        }

        fn pbkdf2(
            backend: $crate::Backend,
            passwords: &[&[u8]],
            salts: &[&[u8]],
            rounds: u32,
            outputs: &mut [&mut [u8]],
        ) {
            $crate::engine::pbkdf2::<Self, $words>(backend, passwords, salts, rounds, outputs);
        }
    };
}

/// Writes the HMAC of the `i`-th message with the `i`-th key to `macs[i]`.
///
/// # Panics
///
/// Panics if the numbers of keys, messages and MACs differ, or if an iterator's length is wrong.
#[track_caller]
pub fn hmac_many<'m, H, const WORDS: usize, I, K, J, M>(
    backend: Backend,
    keys: I,
    messages: J,
    macs: &mut [H::Digest],
) where
    H: HmacHash<WORDS>,
    I: IntoIterator<Item = &'m K, IntoIter: ExactSizeIterator>,
    K: AsRef<[u8]> + ?Sized + 'm,
    J: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    let (keys, messages) = (keys.into_iter(), messages.into_iter());
    check_counts(messages.len(), macs.len());
    assert!(keys.len() == macs.len(), "{} keys do not match {} messages", keys.len(), macs.len());
    let keys = slices(keys, macs.len());
    let messages = slices(messages, macs.len());
    H::hmac(backend, &keys, &messages, macs);
}

/// The bytes of the items of an iterator whose `len()` is `len`.
pub(crate) fn slices<'m, T: AsRef<[u8]> + ?Sized + 'm>(
    items: impl Iterator<Item = &'m T>,
    len: usize,
) -> Vec<&'m [u8]> {
    exactly(items, len).map(T::as_ref).collect()
}

/// Implements [`HmacHash::hmac`].
pub fn hmac<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    keys: &[&[u8]],
    messages: &[&[u8]],
    macs: &mut [H::Digest],
) {
    let messages = messages.chunks(CHUNK);
    for ((keys, messages), macs) in keys.chunks(CHUNK).zip(messages).zip(macs.chunks_mut(CHUNK)) {
        let keys = Keys::<WORDS>::new::<H>(backend, keys);
        for (mac, row) in macs.iter_mut().zip(keys.authenticate::<H>(backend, messages)) {
            *mac = H::digest(&row);
        }
    }
}

/// The states of some keys.
pub(crate) struct Keys<const WORDS: usize> {
    distinct: Vec<KeyStates<WORDS>>,
    /// For each key, its index in `distinct`.
    indices: Vec<usize>,
}

impl<const WORDS: usize> Keys<WORDS> {
    /// Hashes the block of each key. Consecutive keys that are one slice are hashed once.
    pub(crate) fn new<H: LaneHash<WORDS>>(backend: Backend, keys: &[&[u8]]) -> Self {
        let mut distinct: Vec<&[u8]> = Vec::with_capacity(keys.len());
        let mut indices = Vec::with_capacity(keys.len());
        for &key in keys {
            // Compare addresses, not contents: a branch on a key would leak it.
            if !distinct.last().is_some_and(|&last| ptr::eq(last, key)) {
                distinct.push(key);
            }
            indices.push(distinct.len() - 1);
        }
        Self { distinct: key_states::<H, WORDS>(backend, &distinct), indices }
    }

    /// The states of the `i`-th key.
    pub(crate) fn states(&self, i: usize) -> &KeyStates<WORDS> {
        &self.distinct[self.indices[i]]
    }

    /// The HMAC of each message with its key.
    pub(crate) fn authenticate<H: LaneHash<WORDS>>(
        &self,
        backend: Backend,
        messages: &[&[u8]],
    ) -> Vec<Row> {
        let hash = |part: usize, messages: &mut dyn Iterator<Item = &[u8]>| {
            let mut rows = vec![[0; 32]; self.indices.len()];
            H::hash_messages(
                backend,
                Hashing::Single,
                &mut messages.zip(&self.indices).map(|(bytes, &key)| Message {
                    state: Some(&self.distinct[key][part]),
                    bytes,
                    ends_after: Some(BLOCK_BYTES as u64),
                }),
                &mut |first, finished| {
                    rows[first..][..finished.len()].copy_from_slice(finished);
                },
            );
            rows
        };
        let inner = hash(0, &mut messages.iter().copied());
        hash(1, &mut inner.iter().map(|row| &row[..4 * WORDS]))
    }
}

/// Hashes the block of each key (RFC 2104 §2): the key, or its digest if it is longer than a block,
/// with zeros appended, XOR ipad or opad.
fn key_states<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    keys: &[&[u8]],
) -> Vec<KeyStates<WORDS>> {
    let mut blocks: Vec<[Block; 2]> = vec![[[0x36; BLOCK_BYTES], [0x5c; BLOCK_BYTES]]; keys.len()];
    let mut xor = |i: usize, key: &[u8]| {
        for pad in &mut blocks[i] {
            for (byte, key) in pad.iter_mut().zip(key) {
                *byte ^= key;
            }
        }
    };
    let mut long = Vec::new();
    for (i, key) in keys.iter().enumerate() {
        if key.len() > BLOCK_BYTES {
            long.push(i);
        } else {
            xor(i, key);
        }
    }
    H::hash_messages(
        backend,
        Hashing::Single,
        &mut long.iter().map(|&i| Message::whole(keys[i])),
        &mut |first, rows| {
            for (&i, row) in long[first..].iter().zip(rows) {
                xor(i, &row[..4 * WORDS]);
            }
        },
    );
    let mut states = vec![[[0; WORDS]; 2]; keys.len()];
    H::hash_messages(
        backend,
        Hashing::Single,
        &mut blocks.as_flattened().iter().map(|block| Message {
            state: None,
            bytes: block,
            ends_after: None,
        }),
        &mut |first, rows| {
            for (state, row) in states.as_flattened_mut()[first..].iter_mut().zip(rows) {
                *state = H::state(row);
            }
        },
    );
    states
}
