//! Estimates what a search costs and what its answer is worth, without searching.

use std::time::Duration;

use super::SearchSpace;
use crate::format::Format;

/// If more addresses than this are expected by chance, an answer is noise, and a tool should refuse
/// to search.
pub const NOISE: f64 = 8.0;

/// If at least this many addresses are expected by chance, even a single one that was found is
/// uncertain, and a tool should say so.
pub const DOUBTFUL: f64 = 0.1;

/// What a search costs and what its answer is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    candidates: f64,
    hashes: f64,
    expected_by_chance: f64,
}

impl<F: Format> SearchSpace<F> {
    /// Estimates what the search will cost, and what its answer will be worth.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let parts = || self.parts.iter();
        Estimate {
            candidates: parts().map(|part| self.candidates(part)).sum(),
            hashes: parts().map(|part| self.hashes(part, part.root)).sum(),
            expected_by_chance: parts().map(|part| part.by_chance).sum(),
        }
    }
}

impl Estimate {
    /// The estimate for a search of another kind, for a [`Ladder`](crate::Ladder) of its own: the
    /// numbers of texts, of hashes, and of hits by chance.
    #[must_use]
    pub const fn new(candidates: f64, hashes: f64, expected_by_chance: f64) -> Self {
        Self { candidates, hashes, expected_by_chance }
    }

    /// The estimate for another search of the same candidates: the numbers of hashes and of hits by
    /// chance.
    #[must_use]
    pub const fn with(self, hashes: f64, expected_by_chance: f64) -> Self {
        Self { hashes, expected_by_chance, ..self }
    }

    /// The number of texts that the damage allows and that have the length and the first bytes of an
    /// address or a key, whatever their checksum: in decimal, and rounded if there are more than
    /// 2^53.
    #[must_use]
    pub fn candidates(&self) -> String {
        // An empty sum is a negative zero.
        format!("{:.0}", self.candidates + 0.0)
    }

    /// About how many double hashes the search takes: one for each prefix that some candidate has,
    /// or less for keys with a byte that has few legal values.
    /// It is derived from the distances between candidates, and right within about a hundredth of a
    /// percent for searches of a million hashes.
    #[must_use]
    pub fn hashes(&self) -> f64 {
        self.hashes
    }

    /// The number of addresses or keys expected by chance: one in 2^32 candidates has a correct
    /// checksum. Of keys with a byte that has few legal values, even fewer are legal.
    #[must_use]
    pub fn expected_by_chance(&self) -> f64 {
        self.expected_by_chance
    }

    /// The time that the search takes on some threads, on each of which a hash takes this many
    /// nanoseconds, as [`Search::measure`](crate::Search::measure) says.
    #[must_use]
    pub fn duration(&self, nanoseconds: f64, threads: usize) -> Duration {
        let seconds = self.hashes * nanoseconds / 1e9 / threads.max(1) as f64;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}
