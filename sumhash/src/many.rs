//! Hashes many messages.

use alloc::vec::Vec;
use core::fmt;

use hash_lanes::engine::{Digests, HashAll, into_slice, into_vec};

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
/// assert_eq!(hash.hash_many(["MB"])[0][..4], [0xc1, 0xa3, 0x59, 0xd3]);
/// ```
#[derive(Clone, Copy)]
pub struct Sumhash512Lanes<'t> {
    pub(crate) table: Source<'t>,
    pub(crate) instructions: Instructions,
}

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
        into_vec(messages, &[0; 64], |messages, digests| self.hash_all(messages, digests))
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
        into_slice(messages, digests, |messages, digests| self.hash_all(messages, digests));
    }
}

#[doc(hidden)]
impl HashAll for Sumhash512Lanes<'_> {
    fn hash_all(self, messages: impl Iterator<Item: AsRef<[u8]>>, digests: &mut dyn Digests) {
        let Self { table, instructions } = self;
        for (number, message) in messages.enumerate() {
            let (blocks, rest) = message.as_ref().as_chunks();
            let mut core = Sumhash512Core::start(table, instructions);
            core.update_blocks(blocks);
            digests.store(number, &core.finalize(rest));
        }
    }
}

#[cfg(feature = "digest")]
impl hash_lanes::HashMany for Sumhash512Lanes<'_> {
    type Output = digest::Output<crate::Sumhash512>;

    fn zero_digest() -> Self::Output {
        Self::Output::default()
    }
}

/// Returns the digest of each message. Lengths may differ.
///
/// ```
/// let digests = sumhash512::hash_many(["one", "two", "three"]);
/// assert_eq!(digests.len(), 3);
/// ```
#[must_use]
pub fn hash_many(messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<State> {
    Sumhash512Lanes::default().hash_many(messages)
}

/// Hashes the `i`-th message into `digests[i]`.
///
/// # Panics
///
/// Panics if `digests.len()` is not the number of messages.
#[track_caller]
pub fn hash_many_into(messages: impl IntoIterator<Item: AsRef<[u8]>>, digests: &mut [State]) {
    Sumhash512Lanes::default().hash_many_into(messages, digests);
}

#[cfg(any(feature = "digest", feature = "digest-0_10"))]
hash_lanes::impl_digest_many! {
    "digest" crate::Sumhash512 => digest::Output<Self>,
        Sumhash512Lanes<'static>: Sumhash512Lanes<'static>;
    "digest-0_10" crate::digest_0_10::Sumhash512 => digest_0_10::Output<Self>,
        Sumhash512Lanes<'static>: Sumhash512Lanes<'static>;
}
