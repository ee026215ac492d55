//! What is searched for an address, whatever its format.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::answer::Repaired;
use crate::ethereum_space::EthereumSpace;
use crate::evidence::Estimate;
use crate::formats::ethereum;
use crate::kind::Version;
use crate::search::{Search, SearchError};
use crate::search_space::SearchSpace;

/// What is searched for an address, whatever its format.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AddressSpace {
    /// Addresses of Base58Check.
    Base58(SearchSpace),
    /// Addresses of Ethereum.
    Ethereum(EthereumSpace),
}

impl AddressSpace {
    /// What a search costs, and what its answer is worth.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        match self {
            Self::Base58(space) => space.estimate(),
            Self::Ethereum(space) => space.estimate(),
        }
    }

    /// The nanoseconds per hash on each thread of the current `rayon` pool.
    #[must_use]
    pub fn measure(&self) -> f64 {
        match self {
            Self::Base58(space) => Search::new(space).measure(),
            Self::Ethereum(space) => space.measure(),
        }
    }

    /// The kinds of addresses that the damage allows: the version, unless they have none, the
    /// names, and the number of candidates.
    #[must_use]
    pub fn kinds(&self) -> Vec<(Option<Version>, Vec<&'static str>, f64)> {
        match self {
            Self::Base58(space) => {
                let kinds = space.kinds().into_iter();
                kinds.map(|(version, names, count)| (Some(version), names, count)).collect()
            }
            Self::Ethereum(space) => {
                vec![(None, vec![ethereum::NAME], space.estimate().candidates)]
            }
        }
    }

    /// Whether the damage allows an address in the spelling of its format.
    #[must_use]
    pub fn allows(&self, address: &Repaired) -> bool {
        match (self, address.version) {
            (Self::Base58(space), Some(version)) => space.has(version, &address.address),
            (Self::Ethereum(space), None) => space.allows(&address.address),
            _ => false,
        }
    }

    /// All addresses that fit, sorted, and the number of hashes. Runs on the current `rayon` pool.
    /// Calls a function with the number of hashes so far, from any thread, and stops once it
    /// returns `false`.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Cancelled`] if it was stopped, and [`SearchError::TooManyHits`] if
    /// there are more than 100,000 addresses.
    pub fn search(
        &self,
        go_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(Vec<Repaired>, u64), SearchError> {
        self.run(None, go_on)
    }

    /// [`search`](Self::search) of one shard, with an index from 1 and their number, on this
    /// thread.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`search`](Self::search).
    ///
    /// # Panics
    ///
    /// Panics unless the index is from 1 to the number of shards.
    pub fn search_here(
        &self,
        shard: (usize, usize),
        go_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(Vec<Repaired>, u64), SearchError> {
        self.run(Some(shard), go_on)
    }

    /// Searches on the current `rayon` pool, or a shard on this thread.
    fn run(
        &self,
        shard: Option<(usize, usize)>,
        go_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(Vec<Repaired>, u64), SearchError> {
        match self {
            Self::Base58(space) => {
                let stop = AtomicBool::new(false);
                let progress = |hashes| {
                    stop.fetch_or(!go_on(hashes), Ordering::Relaxed);
                };
                let mut search = Search::new(space).cancel(&stop).progress(&progress);
                if let Some((index, count)) = shard {
                    search = search.on_this_thread().shard(index, count);
                }
                let outcome = search.run()?;
                Ok((outcome.hits.iter().map(Repaired::of).collect(), outcome.hashes))
            }
            Self::Ethereum(space) => {
                let hashes = AtomicU64::new(0);
                let go_on = |so_far| {
                    hashes.fetch_max(so_far, Ordering::Relaxed);
                    go_on(so_far)
                };
                let found = match shard {
                    None => space.search(&go_on),
                    Some(shard) => space.search_here(shard, &go_on),
                }?;
                Ok((found.into_iter().map(Repaired::of_ethereum).collect(), hashes.into_inner()))
            }
        }
    }
}
