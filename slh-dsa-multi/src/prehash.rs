//! HashSLH-DSA: signs the digest of a message, which may have been hashed elsewhere (FIPS 205
//! §10.2.2, §10.3).

use core::fmt;

use signature::Error;

use crate::encoding::Signature;
use crate::keys::{MAX_CONTEXT, SigningKey, VerifyingKey};
use crate::parameters::ParameterSet;

/// The hash of a message that is signed by its digest.
///
/// FIPS 205 permits a hash only for parameter sets that are no stronger: a digest has at least 2n
/// bytes. A digest of SHAKE128 has 32 bytes, one of SHAKE256 has 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say all")]
#[allow(non_camel_case_types, reason = "the underscore separates two numbers")]
pub enum PreHash {
    Sha256,
    Sha384,
    Sha512,
    Sha512_256,
    Sha3_256,
    Sha3_384,
    Sha3_512,
    Shake128,
    Shake256,
}

impl PreHash {
    /// The last number of the object identifier, and the bytes of a digest.
    const fn row(self) -> (u8, usize) {
        match self {
            Self::Sha256 => (1, 32),
            Self::Sha384 => (2, 48),
            Self::Sha512 => (3, 64),
            Self::Sha512_256 => (6, 32),
            Self::Sha3_256 => (8, 32),
            Self::Sha3_384 => (9, 48),
            Self::Sha3_512 => (10, 64),
            Self::Shake128 => (11, 32),
            Self::Shake256 => (12, 64),
        }
    }

    /// The bytes of a digest.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        self.row().1
    }

    /// The DER encoding of its object identifier, in the arc 2.16.840.1.101.3.4.2.
    const fn oid(self) -> [u8; 11] {
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, self.row().0]
    }
}

/// A digest that cannot be signed, or with which nothing can be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PreHashError {
    /// The context is longer than 255 bytes.
    Context {
        /// Its bytes.
        len: usize,
    },
    /// The digest has another length than those of the hash.
    DigestLength {
        /// The hash.
        hash: PreHash,
        /// The bytes that were given.
        found: usize,
    },
    /// The hash is weaker than the parameter set.
    Weak {
        /// The hash.
        hash: PreHash,
        /// The parameter set.
        set: &'static str,
    },
}

impl fmt::Display for PreHashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Context { len } => {
                write!(f, "a context has at most {MAX_CONTEXT} bytes, not {len}")
            }
            Self::DigestLength { hash, found } => {
                write!(f, "a digest of {hash:?} has {} bytes, not {found}", hash.digest_len())
            }
            Self::Weak { hash, set } => write!(
                f,
                "{hash:?} is weaker than {set}: FIPS 205 needs a hash with a longer digest"
            ),
        }
    }
}

impl core::error::Error for PreHashError {}

/// What precedes a digest that is signed, but for the context in the middle.
fn around<P: ParameterSet>(
    hash: PreHash,
    digest: &[u8],
    context: &[u8],
) -> Result<([u8; 2], [u8; 11]), PreHashError> {
    let Ok(context_len) = u8::try_from(context.len()) else {
        return Err(PreHashError::Context { len: context.len() });
    };
    if digest.len() != hash.digest_len() {
        return Err(PreHashError::DigestLength { hash, found: digest.len() });
    }
    if hash.digest_len() < 2 * P::PARAMETERS.n {
        return Err(PreHashError::Weak { hash, set: P::PARAMETERS.name });
    }
    Ok(([1, context_len], hash.oid()))
}

impl<P: ParameterSet> SigningKey<P> {
    /// Signs a message by its `digest` (`hash_slh_sign`, FIPS 205 algorithm 23). `opt_rand` are n
    /// random bytes, or `None` for deterministic signing.
    ///
    /// A signature made so is not one of [`Self::try_sign_with_context`].
    ///
    /// ```
    /// use sha2::{Digest, Sha256};
    /// use slh_dsa_multi::{PreHash, Sha2_128f, SigningKey};
    ///
    /// let key = SigningKey::<Sha2_128f>::from_seeds(&[1; 16], &[2; 16], &[3; 16]).unwrap();
    /// let digest = Sha256::digest("a long message");
    /// let signature = key.try_sign_prehash(PreHash::Sha256, &digest, b"", None).unwrap();
    /// let verifying_key = key.verifying_key();
    /// verifying_key.try_verify_prehash(PreHash::Sha256, &digest, b"", &signature).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`PreHashError`] in the error if `context` is longer than 255 bytes, if `digest`
    /// has another length, or if `hash` is weaker than the parameter set. Also returns an error
    /// where [`Self::try_sign_with_context`] does.
    pub fn try_sign_prehash(
        &self,
        hash: PreHash,
        digest: &[u8],
        context: &[u8],
        opt_rand: Option<&[u8]>,
    ) -> Result<Signature<P>, Error> {
        let (prefix, oid) = around::<P>(hash, digest, context).map_err(Error::from_source)?;
        self.sign_internal(&[&prefix, context, &oid, digest], opt_rand).map_err(Error::from_source)
    }
}

impl<P: ParameterSet> VerifyingKey<P> {
    /// Verifies a signature of a message by its `digest` (`hash_slh_verify`, FIPS 205 algorithm
    /// 25).
    ///
    /// # Errors
    ///
    /// Returns a [`PreHashError`] in the error where [`SigningKey::try_sign_prehash`] does, or an
    /// error if the signature is not valid.
    pub fn try_verify_prehash(
        &self,
        hash: PreHash,
        digest: &[u8],
        context: &[u8],
        signature: &Signature<P>,
    ) -> Result<(), Error> {
        let (prefix, oid) = around::<P>(hash, digest, context).map_err(Error::from_source)?;
        self.verify_internal(&[&prefix, context, &oid, digest], signature)
    }
}
