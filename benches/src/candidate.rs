//! Lists the candidates for each shape: our backends, the RustCrypto crates and, with the feature
//! `rivals`, other crates.

use std::hint::black_box;
use std::iter::repeat_n;
use std::time::{Duration, Instant};

use pbkdf2::pbkdf2_hmac_array;
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use sha256_multi::Backend;

use crate::batch::Batch;
use crate::hash::{Hash, SALT, boxed, each, twice};
use crate::shape::{Function, Operation, PBKDF2_ROUNDS, Set, Shape};
use crate::versions::label;

/// The role of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Our default backend.
    Auto,
    /// Another backend of ours.
    Backend,
    /// Another crate.
    Rival,
}

impl Role {
    /// The name in a record.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Backend => "backend",
            Self::Rival => "rival",
        }
    }
}

/// Something that can hash a shape.
pub struct Candidate {
    /// The backend's name, or the rival's with its version.
    pub name: String,
    /// The role.
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
    /// A buffer for the digests of a batch.
    #[must_use]
    pub fn digests(&self, batch: &Batch<'_>) -> Vec<u8> {
        vec![0xa5; batch.messages.len() * self.operation.function().digest_bytes()]
    }

    /// Asserts that this candidate returns the same digests as RustCrypto.
    ///
    /// # Panics
    ///
    /// Panics if a digest differs.
    pub fn check(&mut self, batch: &Batch<'_>) {
        let (_, mut hash) = rust_crypto(self.operation);
        let mut expected = self.digests(batch);
        hash(batch, &mut expected);

        let mut digests = self.digests(batch);
        (self.hash)(batch, &mut digests);
        let bytes = self.operation.function().digest_bytes();
        for (index, (got, expected)) in
            digests.chunks(bytes).zip(expected.chunks(bytes)).enumerate()
        {
            assert_eq!(got, expected, "{}: wrong digest of message {index}", self.name);
        }
    }

    /// The number of messages in a batch whose hashing is timed.
    #[must_use]
    pub fn hashes_timed(&self, batch: &Batch<'_>) -> usize {
        if self.operation == Operation::DigestAfterPairs { 1 } else { batch.messages.len() }
    }

    /// The time of `calls` calls.
    pub fn time(&mut self, batch: &Batch<'_>, digests: &mut [u8], calls: u64) -> Duration {
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

    /// The time of one sha2 digest right after this candidate's call, which is not timed.
    ///
    /// It includes reading the clock, which is the same for all candidates. The row of sha2 itself
    /// shows the cost of the digest when no lanes ran before it.
    fn time_digest_after(&mut self, batch: &Batch<'_>, digests: &mut [u8]) -> Duration {
        let node = &batch.arrays::<64>()[0];
        (self.hash)(black_box(batch), black_box(&mut *digests));
        let start = Instant::now();
        black_box(Sha256::digest(black_box(node)));
        start.elapsed()
    }
}

/// Cleans the upper halves of the vector registers.
///
/// hashtree's AVX kernels leave them dirty, which slows SHA-NI code to two thirds of its speed
/// until the next `vzeroupper`. sha2's row would then depend on the row before it. The compiler
/// emits `vzeroupper` at the end of every function that uses AVX, such as this backend's kernel.
pub(crate) fn clean_vector_state() {
    if let Ok(avx2) = "avx2".parse::<Backend>() {
        sha256_multi::hash_pairs_with(avx2, black_box(&[[0; 64]; 8]), black_box(&mut [[0; 32]; 8]));
    }
}

/// The candidates for a shape: our backends, the best first, then the other crates.
#[must_use]
pub fn candidates(shape: &Shape) -> Vec<Candidate> {
    let operation = shape.operation;
    let mut all = Vec::new();

    for backend in backends(operation) {
        all.push(Candidate {
            name: backend.name().to_owned(),
            role: if all.is_empty() { Role::Auto } else { Role::Backend },
            operation,
            hash: ours(operation, backend),
        });
    }

    let mut others = vec![rust_crypto(operation)];
    #[cfg(feature = "rivals")]
    others.extend(crate::rivals::rivals(shape));
    if shape.set == Set::Small {
        // These results are printed on one line per count, so keep the two that hash pairs in
        // lanes, and one that does not.
        others.retain(|(name, _)| {
            ["sha2-0.11", "hashtree-rs", "p3-sha256"].iter().any(|kept| name.starts_with(kept))
        });
    }
    let rival = |(name, hash)| Candidate { name, role: Role::Rival, operation, hash };
    all.extend(others.into_iter().map(rival));
    all
}

/// Our backends that run an operation differently from each other. The first is the default.
fn backends(operation: Operation) -> Vec<Backend> {
    let default = Backend::detect();
    let mut all = Backend::available();
    if operation.function() == Function::Ripemd160 {
        // RIPEMD-160 does not use SHA instructions, so backends with and without them are alike.
        all.retain(|backend| backend.sha().is_none());
    }
    if matches!(operation, Operation::Sha1One | Operation::Ripemd160One | Operation::Hash160One) {
        // A single message uses either SHA instructions or the portable code, so keep the plainest
        // backend of each kind.
        let plainest =
            |has_sha| all.iter().rfind(|backend| backend.sha().is_some() == has_sha).copied();
        let has_sha = default.sha().is_some();
        return [has_sha, !has_sha].into_iter().filter_map(plainest).collect();
    }
    let differs = |backend: &Backend| {
        (backend.widest().kernel() != default.widest().kernel(), *backend != default)
    };
    all.sort_by_key(differs);
    all
}

fn ours(operation: Operation, backend: Backend) -> Hash {
    match operation {
        Operation::HashPairs | Operation::DigestAfterPairs => boxed(move |batch, digests| {
            sha256_multi::hash_pairs_with(backend, batch.arrays::<64>(), digests);
        }),
        Operation::HashMany => boxed(move |batch, digests| {
            sha256_multi::hash_many_with(backend, &batch.messages, digests);
        }),
        Operation::DoubleHashPairs => boxed(move |batch, digests| {
            sha256_multi::double_hash_pairs_with(backend, batch.arrays::<64>(), digests);
        }),
        Operation::DoubleHashMany => boxed(move |batch, digests| {
            sha256_multi::double_hash_many_with(backend, &batch.messages, digests);
        }),
        Operation::Sha1Many => boxed(move |batch, digests| {
            sha1_multi::hash_many_with(backend, &batch.messages, digests);
        }),
        Operation::Sha1One => each(move |message| sha1_multi::hash_with(backend, message)),
        Operation::Ripemd160Many => boxed(move |batch, digests| {
            ripemd_multi::hash_many_with(backend, &batch.messages, digests);
        }),
        Operation::Ripemd160One => each(ripemd_multi::hash),
        Operation::Hash160Many => boxed(move |batch, digests| {
            ripemd_multi::hash160_many_with(backend, &batch.messages, digests);
        }),
        Operation::Hash160One => each(move |message| ripemd_multi::hash160_with(backend, message)),
        Operation::Pbkdf2Sha256Many => boxed::<32>(move |batch, keys| {
            let salts = repeat_n(SALT, keys.len());
            let passwords = &batch.messages;
            sha256_multi::pbkdf2_many_with(backend, passwords, salts, PBKDF2_ROUNDS, keys);
        }),
        Operation::Pbkdf2Sha1Many => boxed::<20>(move |batch, keys| {
            let salts = repeat_n(SALT, keys.len());
            let passwords = &batch.messages;
            sha1_multi::pbkdf2_many_with(backend, passwords, salts, PBKDF2_ROUNDS, keys);
        }),
    }
}

/// The RustCrypto candidate, whose digests are the reference for all others.
fn rust_crypto(operation: Operation) -> (String, Hash) {
    let (sha2, ripemd) = (label("sha2", "0.11"), label("ripemd", "0.2"));
    match operation.function() {
        Function::Sha1 => (label("sha1", "0.11"), each(|message| Sha1::digest(message).into())),
        Function::Sha256 => (sha2, each(|message| Sha256::digest(message).into())),
        Function::Sha256Double => (sha2, each(twice(|message| Sha256::digest(message).into()))),
        Function::Ripemd160 => (ripemd, each(|message| Ripemd160::digest(message).into())),
        Function::Hash160 => (
            format!("{sha2}+{ripemd}"),
            each(|message| Ripemd160::digest(Sha256::digest(message)).into()),
        ),
        Function::Pbkdf2Sha256 => (
            label("pbkdf2", "0.13"),
            each(|password| pbkdf2_hmac_array::<Sha256, 32>(password, SALT, PBKDF2_ROUNDS)),
        ),
        Function::Pbkdf2Sha1 => (
            label("pbkdf2", "0.13"),
            each(|password| pbkdf2_hmac_array::<Sha1, 20>(password, SALT, PBKDF2_ROUNDS)),
        ),
    }
}
