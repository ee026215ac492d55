//! Prefixes collected until there are enough of them to hash in lanes.

use sha256_multi::Backend;

use crate::number::{self, Number, Prefix};
use crate::tail::Tail;

/// Prefixes hashed by one call: a multiple of every number of lanes, and with the digests still in the second-level cache.
const PREFIXES: usize = 1024;

/// One thread's prefixes on their way to the hash function. Its memory is taken once, for all of them.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    backend: Backend,
    tail: &'a Tail,
    prefixes: Vec<Prefix>,
    /// Of each prefix, what is to be added to its checksum to have what the tail must add.
    shifts: Vec<i64>,
    digests: Vec<[u8; 32]>,
    tally: Tally,
}

/// What came of the prefixes hashed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) hashes: u64,
    /// The numbers whose tail can be spelled as their checksum asks.
    pub(crate) numbers: Vec<Number>,
}

impl Tally {
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.hashes += other.hashes;
        self.numbers.extend(other.numbers);
        self
    }
}

impl<'a> Batch<'a> {
    pub(crate) fn new(backend: Backend, tail: &'a Tail) -> Self {
        Self {
            backend,
            tail,
            prefixes: Vec::with_capacity(PREFIXES),
            shifts: Vec::with_capacity(PREFIXES),
            digests: vec![[0; 32]; PREFIXES],
            tally: Tally::default(),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, prefix: Number, shift: i64) {
        self.prefixes.push(number::to_bytes(prefix));
        self.shifts.push(shift);
        if self.prefixes.len() == PREFIXES {
            self.hash();
        }
    }

    /// Hashes what is left.
    pub(crate) fn finish(mut self) -> Tally {
        self.hash();
        self.tally
    }

    fn hash(&mut self) {
        let digests = &mut self.digests[..self.prefixes.len()];
        sha256_multi::double_hash_many_with(self.backend, &self.prefixes, digests);
        for ((prefix, shift), digest) in self.prefixes.iter().zip(&self.shifts).zip(digests) {
            let checksum = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
            if self.tail.can_add(i64::from(checksum) + shift) {
                self.tally.numbers.push(number::join(prefix, checksum));
            }
        }
        self.tally.hashes += self.prefixes.len() as u64;
        self.prefixes.clear();
        self.shifts.clear();
    }
}
