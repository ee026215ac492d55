//! Many messages, and many blocks.

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
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::columns::Layout;
use crate::core512::{Source, Sumhash512Core};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::permute_batch::PermuteBatch;
use crate::table::Table;
use crate::{Block, State};

/// Hashes each message into the digest at its own place. The messages may have different lengths.
///
/// ```
/// let messages = ["one", "two", "three"];
/// let mut digests = [[0; 64]; 3];
/// sumhash512::hash_many(&messages, &mut digests);
/// ```
///
/// # Panics
///
/// If there are not as many digests as messages.
#[cfg(feature = "statics")]
#[track_caller]
pub fn hash_many<'m, I, M>(messages: I, digests: &mut [State])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash_many_with(Backend::detect(), messages, digests);
}

/// [`hash_many`] with a backend of one's choice.
///
/// # Panics
///
/// If there are not as many digests as messages.
#[cfg(feature = "statics")]
#[track_caller]
pub fn hash_many_with<'m, I, M>(backend: Backend, messages: I, digests: &mut [State])
where
    I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
    M: AsRef<[u8]> + ?Sized + 'm,
{
    hash_into(Source::Shared, backend, messages, digests, |digest, state| *digest = state);
}

/// Compresses a block into each state, as one step of as many messages: the state becomes the sum
/// of the columns of the ones in the state and, behind it, the block.
///
/// # Panics
///
/// If there are not as many blocks as states.
#[cfg(feature = "statics")]
#[track_caller]
pub fn compress_many(states: &mut [State], blocks: &[Block]) {
    compress_many_with(Backend::detect(), states, blocks);
}

/// [`compress_many`] with a backend of one's choice.
///
/// # Panics
///
/// If there are not as many blocks as states.
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
    /// If there are not as many digests as messages.
    #[track_caller]
    pub fn hash_many<'m, I, M>(&self, messages: I, digests: &mut [State])
    where
        I: IntoIterator<Item = &'m M, IntoIter: ExactSizeIterator>,
        M: AsRef<[u8]> + ?Sized + 'm,
    {
        self.hash_many_with(Backend::detect(), messages, digests);
    }

    /// [`Self::hash_many`] with a backend of one's choice.
    ///
    /// # Panics
    ///
    /// If there are not as many digests as messages.
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
    /// If there are not as many blocks as states.
    #[track_caller]
    pub fn compress_many(&self, states: &mut [State], blocks: &[Block]) {
        self.compress_many_with(Backend::detect(), states, blocks);
    }

    /// [`Self::compress_many`] with a backend of one's choice.
    ///
    /// # Panics
    ///
    /// If there are not as many blocks as states.
    #[track_caller]
    pub fn compress_many_with(&self, backend: Backend, states: &mut [State], blocks: &[Block]) {
        compress_each(Source::Table(self), backend, states, blocks);
    }
}

/// Hashes each message; `store` puts its state into the place for its digest.
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
    hash_lanes::engine::check_counts(messages.len(), digests.len());
    let one = |message: &[u8]| {
        let (blocks, rest) = message.as_chunks();
        let mut core = Sumhash512Core::start(table, backend);
        core.update_blocks(blocks);
        core.finalize(rest)
    };
    let messages = messages.map(AsRef::as_ref);
    #[cfg(all(
        feature = "amx",
        target_arch = "x86_64",
        target_pointer_width = "64",
        target_os = "linux"
    ))]
    if let Some(amx) = backend.amx
        && messages.len() >= Tiles::MIN_MESSAGES
    {
        return batch::hash_many(&mut Tiles::new(amx), messages, digests, one, store);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(mut permutes) = permutes(table, backend) {
        return batch::hash_many(&mut permutes, messages, digests, one, store);
    }
    for (message, digest) in messages.zip(digests) {
        store(digest, one(message));
    }
}

/// AVX-512 for many messages, where they are to be hashed in constant time. With a table it is not
/// quicker than one message after another (64 messages on Zen 4: 150 ns a block, with
/// the sums of eight columns 100).
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn permutes(table: Source<'_>, backend: Backend) -> Option<PermuteBatch<'_>> {
    match (table, backend.avx512) {
        (Source::Table(Table(Layout::ConstantTime(columns))), Some(avx512)) => {
            Some(PermuteBatch { avx512, columns })
        }
        _ => None,
    }
}

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
    if let Some(mut permutes) = permutes(table, backend)
        && count >= PermuteBatch::MIN_MESSAGES
    {
        return batch::compress_many(&mut permutes, states, blocks);
    }
    let form = table.layout(backend, given);
    for (state, block) in states.iter_mut().zip(blocks) {
        form.chain(backend.level, state, core::slice::from_ref(block), false);
    }
}
