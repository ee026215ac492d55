//! Who hashes: every backend of ours, sha2, and with the feature `rivals` the other crates.

use std::hint::black_box;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use sha256_multi::Backend;

use crate::batch::Batch;
use crate::shape::{Operation, Set, Shape};
use crate::versions::label;

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// What a candidate is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What our users get who name no backend.
    Auto,
    /// Another backend of ours.
    Backend,
    /// Someone else's.
    Rival,
}

impl Role {
    /// The word for it in a record.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Backend => "backend",
            Self::Rival => "rival",
        }
    }
}

/// Hashes each message of the batch into the digest of the same index.
pub(crate) type Hash = Box<dyn FnMut(&Batch<'_>, &mut [Digest])>;

/// Something that can hash a shape.
pub struct Candidate {
    /// The backend's name, or the rival's with its version.
    pub name: String,
    /// What it is to us.
    pub role: Role,
    operation: Operation,
    hash: Hash,
}

impl std::fmt::Debug for Candidate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Candidate")
            .field("name", &self.name)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

impl Candidate {
    /// Asserts that this candidate gives the digests that sha2 gives.
    ///
    /// # Panics
    ///
    /// If it does not.
    pub fn check(&mut self, batch: &Batch<'_>) {
        let once = |message: &&[u8]| -> Digest { Sha256::digest(message).into() };
        let mut expected: Vec<Digest> = batch.messages.iter().map(once).collect();
        if matches!(self.operation, Operation::DoubleHashPairs | Operation::DoubleHashMany) {
            expected.iter_mut().for_each(|digest| *digest = Sha256::digest(*digest).into());
        }

        let mut digests = vec![[0xa5; 32]; expected.len()];
        (self.hash)(batch, &mut digests);
        for (index, (got, expected)) in digests.iter().zip(&expected).enumerate() {
            assert_eq!(got, expected, "{}: wrong digest of message {index}", self.name);
        }
    }

    /// How many of a batch's messages are hashed within the time of one call.
    #[must_use]
    pub fn hashes_timed(&self, batch: &Batch<'_>) -> usize {
        if self.operation == Operation::DigestAfterPairs { 1 } else { batch.messages.len() }
    }

    /// How long `calls` calls take.
    pub fn time(&mut self, batch: &Batch<'_>, digests: &mut [Digest], calls: u64) -> Duration {
        clean_vector_state();
        if self.operation == Operation::DigestAfterPairs {
            return (0..calls).map(|_| self.time_digest_after(batch, digests)).sum();
        }
        let start = Instant::now();
        for _ in 0..calls {
            (self.hash)(black_box(batch), black_box(&mut *digests));
        }
        start.elapsed()
    }

    /// How long one digest by sha2 takes right after this candidate's call, which is not timed.
    ///
    /// The reading of the clock is in it, the same for all candidates; the row of sha2 itself is what the
    /// digest costs when no lanes were used before it.
    fn time_digest_after(&mut self, batch: &Batch<'_>, digests: &mut [Digest]) -> Duration {
        let node = &batch.nodes()[0];
        (self.hash)(black_box(batch), black_box(&mut *digests));
        let start = Instant::now();
        black_box(Sha256::digest(black_box(node)));
        start.elapsed()
    }
}

/// Has the upper halves of the vector registers declared unused.
///
/// hashtree's AVX kernels leave them dirty, and then SHA-NI code runs at two thirds of its speed for as
/// long as nobody cleans up: sha2's row would tell of the row before it. The compiler ends every function
/// that uses AVX, as this backend's kernel does, with the instruction that cleans.
fn clean_vector_state() {
    if let Some(avx2) = Backend::by_name("avx2") {
        sha256_multi::hash_pairs_with(avx2, black_box(&[[0; 64]; 8]), black_box(&mut [[0; 32]; 8]));
    }
}

/// The candidates for a shape: all of our backends, the best first, and then the others.
#[must_use]
pub fn candidates(shape: &Shape) -> Vec<Candidate> {
    let operation = shape.operation;
    let mut all = Vec::new();

    for backend in Backend::available() {
        let role = if backend.name() == Backend::detect().name() { Role::Auto } else { Role::Backend };
        all.push(Candidate {
            name: backend.name().to_owned(),
            role,
            operation,
            hash: ours(operation, backend),
        });
    }

    let mut others = vec![sha2(operation)];
    #[cfg(feature = "rivals")]
    others.extend(crate::rivals::rivals(shape));
    if shape.set == Set::Small {
        // One line is printed for each count: the two that hash pairs in lanes, and one that does not.
        others.retain(|(name, _)| {
            ["sha2-0.11", "hashtree-rs", "p3-sha256"].iter().any(|few| name.starts_with(few))
        });
    }
    let rival = |(name, hash)| Candidate { name, role: Role::Rival, operation, hash };
    all.extend(others.into_iter().map(rival));
    all
}

fn ours(operation: Operation, backend: Backend) -> Hash {
    match operation {
        Operation::HashPairs | Operation::DigestAfterPairs => Box::new(move |batch, digests| {
            sha256_multi::hash_pairs_with(backend, batch.nodes(), digests);
        }),
        Operation::HashMany => Box::new(move |batch, digests| {
            sha256_multi::hash_many_with(backend, &batch.messages, digests);
        }),
        Operation::DoubleHashPairs => Box::new(move |batch, digests| {
            sha256_multi::double_hash_pairs_with(backend, batch.nodes(), digests);
        }),
        Operation::DoubleHashMany => Box::new(move |batch, digests| {
            sha256_multi::double_hash_many_with(backend, &batch.messages, digests);
        }),
    }
}

fn sha2(operation: Operation) -> (String, Hash) {
    (label("sha2", "0.11"), each(operation, |message| Sha256::digest(message).into()))
}

/// Hashes the messages one after another, as code does that knows no lanes.
pub(crate) fn each(operation: Operation, once: impl Fn(&[u8]) -> Digest + 'static) -> Hash {
    let twice = matches!(operation, Operation::DoubleHashPairs | Operation::DoubleHashMany);
    Box::new(move |batch, digests| {
        for (message, digest) in batch.messages.iter().zip(digests) {
            *digest = once(message);
            if twice {
                *digest = once(digest);
            }
        }
    })
}
