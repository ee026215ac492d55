//! Chains of hashes, as in hash-based signatures.

use alloc::vec::Vec;

use hash_lanes::engine::{ChainHash, Start, Starts};
use hash_lanes::{Backend, ChainError, ChainLayout};

use crate::sha256::Sha256;
use crate::{Midstate, Sha256Lanes};

hash_lanes::define_chains!("SHA-256", "sha256_multi", Sha256Lanes, 32, 55);

impl Midstate {
    /// [`hash_chains`] of messages after the prefix, which each step hashes, too.
    ///
    /// # Panics
    ///
    /// Panics if [`hash_chains`] does.
    #[track_caller]
    pub fn hash_chains(&self, layout: &ChainLayout, messages: &mut [u8], steps: &[u32]) {
        self.hash_chains_with(Backend::detect(), layout, messages, steps);
    }

    /// [`Self::hash_chains`] with the given backend.
    ///
    /// # Panics
    ///
    /// Panics if [`hash_chains`] does.
    #[track_caller]
    pub fn hash_chains_with(
        &self,
        backend: Backend,
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) {
        expect(Sha256::hash_chains(backend, Starts::One(self.start()), layout, messages, steps));
    }

    /// [`Self::hash_chains_with`] with a prefix for each chain, such as the public seeds of several
    /// keys. All prefixes have one length.
    ///
    /// ```
    /// use sha256_multi::{Backend, ChainLayout, Midstate};
    ///
    /// let layout = ChainLayout::new(32, 0..32);
    /// let prefixes = [1, 2].map(|key| Midstate::new(&[key; 64]));
    /// let mut together = [[7; 32]; 2];
    /// let messages = together.as_flattened_mut();
    /// Midstate::hash_chains_after_each(Backend::detect(), &prefixes, &layout, messages, &[3, 5]);
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
        backend: Backend,
        prefixes: &[Self],
        layout: &ChainLayout,
        messages: &mut [u8],
        steps: &[u32],
    ) {
        let prefix_len = prefixes.first().map_or(0, Self::prefix_len);
        if let Some(other) = prefixes.iter().find(|prefix| prefix.prefix_len() != prefix_len) {
            let other = other.prefix_len();
            panic!("one prefix has {prefix_len} bytes, another {other}: they need one length");
        }
        assert_eq!(prefixes.len(), steps.len(), "as many prefixes as chains");
        let starts: Vec<Start<'_>> = prefixes.iter().map(Self::start).collect();
        expect(Sha256::hash_chains(backend, Starts::Each(&starts), layout, messages, steps));
    }
}

#[track_caller]
fn expect(result: Result<(), ChainError>) {
    if let Err(error) = result {
        panic!("{error}");
    }
}
