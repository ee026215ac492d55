//! Verifies signatures, many at once: their chains and nodes share the lanes.

use alloc::vec::Vec;
use core::fmt;

use signature::Error;

use crate::encoding::Signature;
use crate::keys::{Digest, VerifyingKey, prefix};
use crate::parameters::ParameterSet;
use crate::suite::{PkSeed, Randomizer, Suite, padded};
use crate::{fors, hypertree};

/// The signatures that are hashed together: enough to fill the lanes at every level of a path.
const GROUP: usize = 64;

/// A signature, and what its key and message say of it.
pub(crate) struct Job<'s, P: ParameterSet> {
    key: &'s VerifyingKey<P>,
    digest: Digest,
    fors: &'s [u8],
    layers: &'s [u8],
}

impl<'s, P: ParameterSet> Job<'s, P> {
    /// A signature of a message in parts.
    pub(crate) fn new(
        key: &'s VerifyingKey<P>,
        message: &[&[u8]],
        signature: &'s Signature<P>,
    ) -> Self {
        let (r, rest) = signature.bytes().split_at(P::PARAMETERS.n);
        let (fors, layers) = rest.split_at(P::PARAMETERS.fors_len());
        let digest = Digest::new::<P>(&Randomizer(padded(r)), &key.seed, &key.root, message);
        Self { key, digest, fors, layers }
    }
}

/// Whether each signature is valid (FIPS 205 §9.3). Hashes on the backend of the first one's key.
pub(crate) fn verify<P: ParameterSet>(jobs: &[Job<'_, P>]) -> Vec<bool> {
    let Some(first) = jobs.first() else { return Vec::new() };
    let parameters = &P::PARAMETERS;
    let mut seeds: Vec<PkSeed> = Vec::new();
    let keys: Vec<u32> = jobs
        .iter()
        .map(|job| {
            let known = seeds.iter().position(|&seed| seed == job.key.seed);
            known.unwrap_or_else(|| {
                seeds.push(job.key.seed);
                seeds.len() - 1
            }) as u32
        })
        .collect();
    let suite = P::Suite::new(first.key.backend, parameters.n, &seeds);
    let few_time: Vec<fors::Signed<'_>> = jobs
        .iter()
        .zip(&keys)
        .map(|(job, &key)| fors::Signed {
            address: job.digest.fors().of_key(key),
            md: job.digest.md::<P>(),
            signature: job.fors,
        })
        .collect();
    let messages = fors::public_keys_of(&suite, parameters, &few_time);
    let signed: Vec<hypertree::Signed<'_>> = jobs
        .iter()
        .zip(&keys)
        .map(|(job, &key)| hypertree::Signed {
            key,
            place: job.digest.place,
            signature: job.layers,
        })
        .collect();
    let roots = hypertree::roots_of(&suite, parameters, messages, &signed);
    let n = parameters.n;
    jobs.iter()
        .zip(roots.iter())
        .map(|(job, root)| root.bytes(n) == job.key.root.bytes(n))
        .collect()
}

/// Signatures that are not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongSignatures {
    indices: Vec<usize>,
    count: usize,
}

impl WrongSignatures {
    /// Their indices, in ascending order.
    #[must_use]
    pub fn signatures(&self) -> &[usize] {
        &self.indices
    }
}

impl fmt::Display for WrongSignatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wrong, first) = (self.indices.len(), self.indices[0]);
        write!(f, "{wrong} of {} signatures are not valid, the first at index {first}", self.count)
    }
}

impl core::error::Error for WrongSignatures {}

impl<P: ParameterSet> VerifyingKey<P> {
    /// Verifies many signatures, each with its key and its message, with an empty context.
    ///
    /// Keys, messages and signatures may all differ. One signature has chains and paths of uneven
    /// lengths, which leave lanes idle; many fill them. The hashes run on the backend of the first
    /// key.
    ///
    /// ```
    /// use slh_dsa_multi::signature::Signer;
    /// use slh_dsa_multi::{Sha2_128f, SigningKey, VerifyingKey};
    ///
    /// type Key = SigningKey<Sha2_128f>;
    /// let keys = [1, 2].map(|i| Key::from_seeds(&[i; 16], &[3; 16], &[i; 16]).unwrap());
    /// let signatures = [keys[0].sign(b"one"), keys[1].sign(b"two")];
    /// let [one, two] = keys.map(|key| key.verifying_key());
    ///
    /// let right = [(&one, b"one", &signatures[0]), (&two, b"two", &signatures[1])];
    /// VerifyingKey::verify_many(right).unwrap();
    /// let swapped = [(&one, b"two", &signatures[0]), (&two, b"two", &signatures[1])];
    /// assert_eq!(VerifyingKey::verify_many(swapped).unwrap_err().signatures(), [0]);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`WrongSignatures`], which says which are not valid, if any is not.
    pub fn verify_many<'s, M: AsRef<[u8]>>(
        signatures: impl IntoIterator<Item = (&'s Self, M, &'s Signature<P>)>,
    ) -> Result<(), WrongSignatures> {
        Self::verify_many_parts(&[0, 0], &[], signatures)
    }

    /// [`Self::verify_many`] after `context`, the same for all messages.
    ///
    /// # Errors
    ///
    /// The outer error says that `context` is longer than 255 bytes; the inner one is that of
    /// [`Self::verify_many`].
    pub fn try_verify_many_with_context<'s, M: AsRef<[u8]>>(
        context: &[u8],
        signatures: impl IntoIterator<Item = (&'s Self, M, &'s Signature<P>)>,
    ) -> Result<Result<(), WrongSignatures>, Error> {
        Ok(Self::verify_many_parts(&prefix(context)?, context, signatures))
    }

    fn verify_many_parts<'s, M: AsRef<[u8]>>(
        prefix: &[u8],
        context: &[u8],
        signatures: impl IntoIterator<Item = (&'s Self, M, &'s Signature<P>)>,
    ) -> Result<(), WrongSignatures> {
        let mut wrong = WrongSignatures { indices: Vec::new(), count: 0 };
        let mut signatures = signatures.into_iter().fuse();
        loop {
            let jobs = signatures.by_ref().take(GROUP);
            let jobs: Vec<Job<'_, P>> = jobs
                .map(|(key, message, signature)| {
                    Job::new(key, &[prefix, context, message.as_ref()], signature)
                })
                .collect();
            if jobs.is_empty() {
                break;
            }
            let valid = verify(&jobs);
            let numbers = (wrong.count..).zip(valid);
            wrong.indices.extend(numbers.filter(|&(_, valid)| !valid).map(|(number, _)| number));
            wrong.count += jobs.len();
        }
        if wrong.indices.is_empty() { Ok(()) } else { Err(wrong) }
    }
}
