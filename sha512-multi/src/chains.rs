//! Chains of hashes.

use hash_lanes::engine::{Start, Starts, try_hash_chains as run};
use hash_lanes::{Backend, ChainError, ChainLayout};

use crate::Sha512Lanes;
use crate::sha512::Sha512;

/// Hashes the `i`-th message `steps[i]` times, each time with the first bytes of the digest in the
/// place of its value, and its counter advanced. `messages` are end to end, and are replaced by
/// those after the last step.
///
/// One SHA-512 chain is sequential, but many of them fill the lanes: a chain that ends gives its
/// lane to the next. The steps are public: which chain is in which lane depends on them.
///
/// ```
/// use sha512_multi::{ChainLayout, hash, hash_chains};
///
/// // Two digests, hashed three times and once more.
/// let mut digests = [[1; 64], [2; 64]];
/// hash_chains(&ChainLayout::new(64, 0..64), digests.as_flattened_mut(), &[3, 1]);
/// assert_eq!(digests, [hash(hash(hash([1; 64]))), hash([2; 64])]);
/// ```
///
/// # Panics
///
/// Panics if `messages.len() != steps.len() * layout.message_len()`, if a message is longer than
/// 111 bytes, or if its value is longer than 64.
#[track_caller]
pub fn hash_chains(layout: &ChainLayout, messages: &mut [u8], steps: &[u32]) {
    Sha512Lanes::default().hash_chains(layout, messages, steps);
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
    hash(Sha512Lanes::default().backend(), layout, messages, steps)
}

impl Sha512Lanes {
    /// [`hash_chains`] on this backend.
    ///
    /// # Panics
    ///
    /// Panics if [`hash_chains`] does.
    #[track_caller]
    pub fn hash_chains(self, layout: &ChainLayout, messages: &mut [u8], steps: &[u32]) {
        expect(hash(self.backend(), layout, messages, steps));
    }
}

// Not generic, so that the kernels are compiled in this crate and not in its users.
fn hash(
    backend: Backend,
    layout: &ChainLayout,
    messages: &mut [u8],
    steps: &[u32],
) -> Result<(), ChainError> {
    run::<Sha512>(backend, Starts::One(Start::WHOLE), layout, messages, steps)
}

#[track_caller]
fn expect(result: Result<(), ChainError>) {
    if let Err(error) = result {
        panic!("{error}");
    }
}
