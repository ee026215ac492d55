//! Chains of hashes, as in hash-based signatures.

use alloc::vec::Vec;

use hash_lanes::engine::{Start, Starts, try_hash_chains as run};
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
    hash(Sha256Lanes::default().backend(), WHOLE, layout, messages, steps)
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
        expect(hash(self.backend(), WHOLE, layout, messages, steps));
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
        let start = Starts::One(prefix.start());
        expect(hash(self.backend(), start, layout, messages, steps));
    }

    /// [`Self::hash_chains_after`] with a prefix for each chain, such as the public seeds of
    /// several keys. All prefixes have one length.
    ///
    /// ```
    /// use sha256_multi::{ChainLayout, Midstate, Sha256Lanes};
    ///
    /// let layout = ChainLayout::new(32, 0..32);
    /// let prefixes = [1, 2].map(|key| Midstate::new(&[key; 64]));
    /// let mut together = [[7; 32]; 2];
    /// let lanes = Sha256Lanes::default();
    /// lanes.hash_chains_after_each(&prefixes, &layout, together.as_flattened_mut(), &[3, 5]);
    ///
    /// let mut alone = [7; 32];
    /// prefixes[1].hash_chains(&layout, &mut alone, &[5]);
    /// assert_eq!(together[1], alone);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`hash_chains`] does, if `prefixes.len() != steps.len()`, or if the prefixes have
    /// several lengths.
    #[track_caller]
    pub fn hash_chains_after_each(
        self,
        prefixes: &[Midstate],
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) {
        let prefix_len = prefixes.first().map_or(0, Midstate::prefix_len);
        if let Some(other) = prefixes.iter().find(|prefix| prefix.prefix_len() != prefix_len) {
            let other = other.prefix_len();
            panic!("one prefix has {prefix_len} bytes, another {other}: they need one length");
        }
        assert_eq!(prefixes.len(), steps.len(), "as many prefixes as chains");
        let starts: Vec<Start<'_>> = prefixes.iter().map(Midstate::start).collect();
        let starts = Starts::Each(&starts);
        expect(hash(self.backend(), starts, layout, messages, steps));
    }
}

const WHOLE: Starts<'_> = Starts::One(Start::WHOLE);

// Not generic, so that the kernels are compiled in this crate and not in its users.
fn hash(
    backend: Backend,
    starts: Starts<'_>,
    layout: &ChainLayout,
    messages: &mut [u8],
    steps: &[u32],
) -> Result<(), ChainError> {
    run::<Sha256>(backend, starts, layout, messages, steps)
}

#[track_caller]
fn expect(result: Result<(), ChainError>) {
    if let Err(error) = result {
        panic!("{error}");
    }
}
