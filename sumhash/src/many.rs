//! Hashes many messages, and compresses many blocks.

use hash_lanes::engine::{check_counts, exactly};

#[cfg(all(
    feature = "amx",
    target_arch = "x86_64",
    target_pointer_width = "64",
    target_os = "linux"
))]
use crate::amx::Tiles;
use crate::backend::Backend;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::batch::{self, Batch as _};
use crate::core512::{Source, Sumhash512Core};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::permute_batch::PermuteBatch;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::table::AnyLayout;
use crate::table::Table;
use crate::{Block, State};

/// Hashes each message into the digest at the same index. Lengths may differ.
///
/// ```
/// let messages = ["one", "two", "three"];
/// let mut digests = [[0; 64]; 3];
/// sumhash512::hash_many(&messages, &mut digests);
/// ```
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
#[cfg(feature = "statics")]
#[track_caller]
pub fn hash_many<'m, I, M>(messages: I, digests: &mut [State])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash_many_with(Backend::detect(), messages, digests);
}

/// [`hash_many`] with an explicit backend.
///
/// # Panics
///
/// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
#[cfg(feature = "statics")]
#[track_caller]
pub fn hash_many_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [State])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash_into(Source::Shared, backend, messages, digests, |digest, state| *digest = state);
}

/// Compresses one block into each state.
///
/// Each state becomes the sum of the columns at the one bits of the state followed by the block.
///
/// # Panics
///
/// Panics if `blocks.len() != states.len()`.
#[cfg(feature = "statics")]
#[track_caller]
pub fn compress_many(states: &mut [State], blocks: &[Block]) {
    compress_many_with(Backend::detect(), states, blocks);
}

/// [`compress_many`] with an explicit backend.
///
/// # Panics
///
/// Panics if `blocks.len() != states.len()`.
#[cfg(feature = "statics")]
#[track_caller]
pub fn compress_many_with(backend: Backend, states: &mut [State], blocks: &[Block]) {
    compress_each(Source::Shared, backend, states, blocks);
}

impl Table {
    /// [`hash_many`](crate::hash_many) with this table.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
    #[track_caller]
    pub fn hash_many<'m, I, M>(&self, messages: I, digests: &mut [State])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        self.hash_many_with(Backend::detect(), messages, digests);
    }

    /// [`Self::hash_many`] with an explicit backend.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len() != messages.len()`, or if the iterator's length is wrong.
    #[track_caller]
    pub fn hash_many_with<'m, I, M>(&self, backend: Backend, messages: I, digests: &mut [State])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        hash_into(Source::Table(self), backend, messages, digests, |digest, state| *digest = state);
    }

    /// [`compress_many`](crate::compress_many) with this table.
    ///
    /// # Panics
    ///
    /// Panics if `blocks.len() != states.len()`.
    #[track_caller]
    pub fn compress_many(&self, states: &mut [State], blocks: &[Block]) {
        self.compress_many_with(Backend::detect(), states, blocks);
    }

    /// [`Self::compress_many`] with an explicit backend.
    ///
    /// # Panics
    ///
    /// Panics if `blocks.len() != states.len()`.
    #[track_caller]
    pub fn compress_many_with(&self, backend: Backend, states: &mut [State], blocks: &[Block]) {
        compress_each(Source::Table(self), backend, states, blocks);
    }
}

/// Hashes each message, and writes its digest with `store`.
#[track_caller]
pub(crate) fn hash_into<'m, I, M, D>(
    table: Source<'_>,
    backend: Backend,
    messages: I,
    digests: &mut [D],
    store: impl Fn(&mut D, State),
) where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    let messages = messages.into_iter();
    check_counts(messages.len(), digests.len());
    let hash_one = |message: &[u8]| {
        let (blocks, rest) = message.as_chunks();
        let mut core = Sumhash512Core::start(table, backend);
        core.update_blocks(blocks);
        core.finalize(rest)
    };
    let messages = exactly(messages, digests.len()).map(AsRef::as_ref);
    #[cfg(all(
        feature = "amx",
        target_arch = "x86_64",
        target_pointer_width = "64",
        target_os = "linux"
    ))]
    if let Some(amx) = backend.amx
        && digests.len() >= Tiles::MIN_MESSAGES
    {
        return batch::hash_many(&mut Tiles::new(amx), messages, digests, hash_one, store);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(mut batch) = permute_batch(table, backend) {
        return batch::hash_many(&mut batch, messages, digests, hash_one, store);
    }
    for (message, digest) in messages.zip(digests) {
        store(digest, hash_one(message));
    }
}

/// The AVX-512 batch, for the constant-time table only.
///
/// Lookups are faster one message after another: on Zen 4, 64 messages take 150 ns per block in
/// lanes, but 100 ns with the large table.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn permute_batch(table: Source<'_>, backend: Backend) -> Option<PermuteBatch<'_>> {
    match (table, backend.avx512) {
        (Source::Table(Table(AnyLayout::ConstantTime(table))), Some(avx512)) => {
            Some(PermuteBatch { avx512, table })
        }
        _ => None,
    }
}

/// Compresses a block into each state, in a batch if that is faster.
#[track_caller]
fn compress_each(table: Source<'_>, backend: Backend, states: &mut [State], blocks: &[Block]) {
    let (count, given) = (states.len(), blocks.len());
    assert!(count == given, "{given} blocks cannot be compressed into {count} states");
    #[cfg(all(
        feature = "amx",
        target_arch = "x86_64",
        target_pointer_width = "64",
        target_os = "linux"
    ))]
    if let Some(amx) = backend.amx
        && count >= Tiles::MIN_MESSAGES
    {
        return batch::compress_many(&mut Tiles::new(amx), states, blocks);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(mut batch) = permute_batch(table, backend)
        && count >= PermuteBatch::MIN_MESSAGES
    {
        return batch::compress_many(&mut batch, states, blocks);
    }
    let table = table.get(backend, given);
    for (state, block) in states.iter_mut().zip(blocks) {
        table.chain(&backend, state, core::slice::from_ref(block), false);
    }
}
