//! Hashes many messages.

use alloc::vec::Vec;
use core::fmt;

use hash_lanes::engine::{check_counts, check_hint};

use crate::backend::Instructions;
use crate::core512::{Source, Sumhash512Core};
use crate::table::Table;
use crate::{Backend, State};

/// sumhash512 on one backend and with one table: for a backend other than the default, or your own
/// table. It implements [`HashMany`](hash_lanes::HashMany).
///
/// ```
/// use sumhash512::{Sumhash512Lanes, Table};
///
/// let table = Table::new();
/// let hash = Sumhash512Lanes::with_table(&table).on("portable".parse().unwrap());
/// assert_eq!(hash.hash_many(["one", "two"]), sumhash512::hash_many(["one", "two"]));
/// ```
#[derive(Clone, Copy)]
pub struct Sumhash512Lanes<'t> {
    pub(crate) table: Source<'t>,
    pub(crate) instructions: Instructions,
}

#[cfg(feature = "statics")]
impl Default for Sumhash512Lanes<'static> {
    /// On the default backend, with the shared table.
    fn default() -> Self {
        Self { table: Source::Shared, instructions: Instructions::detect() }
    }
}

impl fmt::Debug for Sumhash512Lanes<'_> {
    /// Omits the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sumhash512Lanes { ... }")
    }
}

impl<'t> Sumhash512Lanes<'t> {
    /// On the default backend, with your own table.
    #[must_use]
    pub fn with_table(table: &'t Table) -> Self {
        Self { table: Source::Table(table), instructions: Instructions::detect() }
    }

    /// On `backend`.
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { instructions: backend.into(), ..self }
    }

    /// Returns the digest of each message.
    #[must_use]
    pub fn hash_many(self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<State> {
        let messages = messages.into_iter();
        let mut digests = Vec::new();
        let _ = digests.try_reserve_exact(messages.size_hint().0);
        self.hash_each(messages, |digest| digests.push(digest));
        digests
    }

    /// Hashes the `i`-th message into `digests[i]`.
    ///
    /// # Panics
    ///
    /// Panics if `digests.len()` is not the number of messages.
    #[track_caller]
    pub fn hash_many_into(
        self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        digests: &mut [State],
    ) {
        self.many_into(messages, digests, |digest, state| *digest = state);
    }

    /// [`Self::hash_many_into`] for any type of digest.
    #[track_caller]
    pub(crate) fn many_into<D>(
        self,
        messages: impl IntoIterator<Item: AsRef<[u8]>>,
        digests: &mut [D],
        store: impl Fn(&mut D, State),
    ) {
        let messages = messages.into_iter();
        let count = digests.len();
        check_hint(&messages, count);
        let (mut digests, mut hashed) = (digests.iter_mut(), 0);
        self.hash_each(messages, |state| {
            hashed += 1;
            if let Some(digest) = digests.next() {
                store(digest, state);
            }
        });
        check_counts(hashed, count);
    }

    /// Hashes each message, and passes its digest to `store`.
    fn hash_each(self, messages: impl Iterator<Item: AsRef<[u8]>>, mut store: impl FnMut(State)) {
        let Self { table, instructions } = self;
        for message in messages {
            let (blocks, rest) = message.as_ref().as_chunks();
            let mut core = Sumhash512Core::start(table, instructions);
            core.update_blocks(blocks);
            store(core.finalize(rest));
        }
    }
}

/// Returns the digest of each message. Lengths may differ.
///
/// ```
/// let digests = sumhash512::hash_many(["one", "two", "three"]);
/// assert_eq!(digests.len(), 3);
/// ```
#[cfg(feature = "statics")]
#[must_use]
pub fn hash_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<State> {
    Sumhash512Lanes::default().hash_many(messages)
}

/// Hashes the `i`-th message into `digests[i]`.
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[cfg(feature = "statics")]
#[track_caller]
pub fn hash_many_into(messages: impl IntoIterator<Item: AsRef<[u8]>>, digests: &mut [State]) {
    Sumhash512Lanes::default().hash_many_into(messages, digests);
}
