//! Chains of hashes, as in hash-based signatures.

use hash_lanes::engine::{Start, try_hash_chains as run};
use hash_lanes::{Backend, ChainError, ChainLayout};

use crate::sha256::Sha256;
use crate::{Midstate, Sha256Lanes};

/// Hashes the `i`-th message `steps[i]` times, each time with the first bytes of the digest in the
/// place of its value, and its counter advanced. `messages` are end to end, and are replaced by
/// those after the last step.
///
/// One SHA-256 chain is sequential, but many of them fill the lanes: a chain that ends gives its
/// lane to the next. The steps are public: which chain is in which lane depends on them.
///
/// ```
/// use sha256_multi::{ChainLayout, hash, hash_chains};
///
/// // Two digests, hashed three times and once more.
/// let mut digests = [[1; 32], [2; 32]];
/// hash_chains(&ChainLayout::new(32, 0..32), digests.as_flattened_mut(), &[3, 1]);
/// assert_eq!(digests, [hash(&hash(&hash(&[1; 32]))), hash(&[2; 32])]);
/// ```
///
/// # Panics
///
/// Panics if `messages.len() != steps.len() * layout.message_len()`, if a message is longer than 55
/// bytes, or if its value is longer than 32.
#[track_caller]
pub fn hash_chains(layout: &ChainLayout, messages: &mut [u8], steps: &[u32]) {
    Sha256Lanes::default().hash_chains(layout, messages, steps);
}

/// [`hash_chains`], for chains from outside.
///
/// # Errors
///
/// Returns a [`ChainError`] where [`hash_chains`] panics.
pub fn try_hash_chains(
    layout: &ChainLayout,
    messages: &mut [u8],
    steps: &[u32],
) -> Result<(), ChainError> {
    hash(Sha256Lanes::default().backend(), Start::WHOLE, layout, messages, steps)
}

impl Midstate {
    /// [`hash_chains`] of messages after the prefix, which each step hashes, too.
    ///
    /// # Panics
    ///
    /// Panics if [`hash_chains`] does.
    #[track_caller]
    pub fn hash_chains(&self, layout: &ChainLayout, messages: &mut [u8], steps: &[u32]) {
        Sha256Lanes::default().hash_chains_after(self, layout, messages, steps);
    }
}

impl Sha256Lanes {
    /// [`hash_chains`] on this backend.
    ///
    /// # Panics
    ///
    /// Panics if [`hash_chains`] does.
    #[track_caller]
    pub fn hash_chains(self, layout: &ChainLayout, messages: &mut [u8], steps: &[u32]) {
        expect(hash(self.backend(), Start::WHOLE, layout, messages, steps));
    }

    /// [`Midstate::hash_chains`] on this backend.
    ///
    /// # Panics
    ///
    /// Panics if [`hash_chains`] does.
    #[track_caller]
    pub fn hash_chains_after(
        self,
        prefix: &Midstate,
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) {
        expect(hash(self.backend(), prefix.start(), layout, messages, steps));
    }
}

// Not generic, so that the kernels are compiled in this crate and not in its users.
fn hash(
    backend: Backend,
    start: Start<'_>,
    layout: &ChainLayout,
    messages: &mut [u8],
    steps: &[u32],
) -> Result<(), ChainError> {
    run::<Sha256>(backend, start, layout, messages, steps)
}

#[track_caller]
fn expect(result: Result<(), ChainError>) {
    if let Err(error) = result {
        panic!("{error}");
    }
}
