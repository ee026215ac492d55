//! The keys, and signing and verifying with them (FIPS 205 §9, §10).

use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use hash_lanes::Backend;
use hybrid_array::Array;
use signature::rand_core::{CryptoRng, TryCryptoRng};
use signature::{
    Error, KeypairRef, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner,
    RandomizedSigner, Signer, Verifier,
};
use subtle::ConstantTimeEq;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::address::{Address, Kind};
use crate::encoding::Signature;
use crate::fors::Md;
use crate::hypertree::{Ground, NoSignature, Place};
use crate::parameters::ParameterSet;
use crate::published::publish;
use crate::suite::{Node, OptRand, Padded, PkSeed, Randomizer, SkPrf, SkSeed, Suite, padded};
use crate::verify::{Job, verify};
use crate::watch::Watch;
use crate::{fors, hypertree};

/// The longest context string.
pub(crate) const MAX_CONTEXT: usize = 255;

/// A key that signs. It is erased when it is dropped.
///
/// ```
/// use slh_dsa_multi::{Sha2_128f, SigningKey};
/// use slh_dsa_multi::signature::{Keypair, Signer, Verifier};
///
/// let seeds = [[1; 16], [2; 16], [3; 16]]; // from a random number generator
/// let key = SigningKey::<Sha2_128f>::from_seeds(&seeds[0], &seeds[1], &seeds[2]).unwrap();
///
/// let signature = key.sign(b"a message");
/// key.verifying_key().verify(b"a message", &signature).unwrap();
/// ```
#[derive(Clone)]
pub struct SigningKey<P: ParameterSet> {
    pub(crate) sk_seed: SkSeed,
    sk_prf: SkPrf,
    pub(crate) verifying_key: VerifyingKey<P>,
}

/// A key that verifies signatures.
#[derive(Clone, Copy)]
pub struct VerifyingKey<P: ParameterSet> {
    pub(crate) seed: PkSeed,
    pub(crate) root: Node,
    pub(crate) backend: Backend,
    set: PhantomData<P>,
}

/// A key that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// It has another length than keys, or seeds, of its parameter set.
    Length {
        /// The parameter set.
        set: &'static str,
        /// The bytes that it needs.
        expected: usize,
        /// The bytes that were given.
        found: usize,
    },
    /// Its public part is not that of its secret part, or the machine made a fault while it signed.
    Root {
        /// The parameter set.
        set: &'static str,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { set, expected, found } => {
                write!(f, "{set} needs {expected} bytes here, not {found}")
            }
            Self::Root { set } => {
                write!(f, "the root of this {set} key is not that of its seeds: it is damaged")
            }
        }
    }
}

impl core::error::Error for KeyError {}

/// A value of n bytes, the length of which is checked.
pub(crate) fn value<P: ParameterSet>(bytes: &[u8]) -> Result<Padded, KeyError> {
    let set = P::PARAMETERS;
    if bytes.len() != set.n {
        let (expected, found) = (set.n, bytes.len());
        return Err(KeyError::Length { set: set.name, expected, found });
    }
    Ok(padded(bytes))
}

/// A part of a message before the message: its context (FIPS 205 §10.2).
pub(crate) fn prefix(context: &[u8]) -> Result<[u8; 2], Error> {
    match u8::try_from(context.len()) {
        Ok(len) => Ok([0, len]),
        Err(_) => Err(Error::from_source(format!(
            "a context has at most {MAX_CONTEXT} bytes, not {}",
            context.len()
        ))),
    }
}

impl<P: ParameterSet> SigningKey<P> {
    /// A new key, from `rng`: a generator for `rand_core` 0.10, such as `rand::rng()` of `rand`
    /// 0.10.
    pub fn new<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut seeds = Zeroizing::new([[0; 32]; 3]);
        seeds.iter_mut().for_each(|seed| rng.fill_bytes(&mut seed[..P::PARAMETERS.n]));
        let [sk_seed, sk_prf, seed] = *seeds;
        Self::of_seeds(Backend::detect(), SkSeed::new(sk_seed), SkPrf::new(sk_prf), PkSeed(seed))
    }

    /// The key of three random seeds of n bytes (`slh_keygen_internal`, FIPS 205 §9.1).
    ///
    /// # Errors
    ///
    /// Returns [`KeyError::Length`] if a seed has another length.
    pub fn from_seeds(sk_seed: &[u8], sk_prf: &[u8], pk_seed: &[u8]) -> Result<Self, KeyError> {
        Self::from_seeds_on(Backend::detect(), sk_seed, sk_prf, pk_seed)
    }

    /// [`Self::from_seeds`] on this backend, on which the key signs, too.
    ///
    /// # Errors
    ///
    /// Returns [`KeyError::Length`] if a seed has another length.
    pub fn from_seeds_on(
        backend: Backend,
        sk_seed: &[u8],
        sk_prf: &[u8],
        pk_seed: &[u8],
    ) -> Result<Self, KeyError> {
        let (sk_seed, sk_prf) =
            (SkSeed::new(value::<P>(sk_seed)?), SkPrf::new(value::<P>(sk_prf)?));
        Ok(Self::of_seeds(backend, sk_seed, sk_prf, PkSeed(value::<P>(pk_seed)?)))
    }

    fn of_seeds(backend: Backend, sk_seed: SkSeed, sk_prf: SkPrf, seed: PkSeed) -> Self {
        let parameters = &P::PARAMETERS;
        let suite = P::Suite::new(backend, parameters.n, &[seed]);
        let root = hypertree::root(&suite, parameters, &sk_seed);
        Self::of_parts(sk_seed, sk_prf, VerifyingKey::of_parts(seed, root, backend))
    }

    /// The key with these bytes, as [`Self::to_bytes`] writes them. It computes the root again,
    /// which takes as long as [`Self::from_seeds`], so that a damaged key is found at once.
    ///
    /// # Errors
    ///
    /// Returns [`KeyError`] if `bytes` has another length, or a root that is not that of its seeds.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        let given = Self::from_bytes_trusting_root(bytes)?;
        let VerifyingKey { seed, root, backend, .. } = given.verifying_key;
        let key = Self::of_seeds(backend, given.sk_seed, given.sk_prf, seed);
        if root != key.verifying_key.root {
            return Err(KeyError::Root { set: P::PARAMETERS.name });
        }
        Ok(key)
    }

    /// [`Self::from_bytes`] without the check of the root, for bytes whose integrity something else
    /// protects. A damaged key is found by its first signature, which is refused.
    ///
    /// # Errors
    ///
    /// Returns [`KeyError::Length`] if `bytes` has another length.
    pub fn from_bytes_trusting_root(bytes: &[u8]) -> Result<Self, KeyError> {
        let set = P::PARAMETERS;
        if bytes.len() != set.signing_key_len() {
            let (expected, found) = (set.signing_key_len(), bytes.len());
            return Err(KeyError::Length { set: set.name, expected, found });
        }
        let mut parts = bytes.chunks_exact(set.n);
        let mut part = || value::<P>(parts.next().unwrap_or(&[]));
        let (sk_seed, sk_prf) = (SkSeed::new(part()?), SkPrf::new(part()?));
        let (seed, root) = (PkSeed(part()?), Node::of(&part()?));
        let verifying_key = VerifyingKey::of_parts(seed, root, Backend::detect());
        Ok(Self::of_parts(sk_seed, sk_prf, verifying_key))
    }

    pub(crate) const fn of_parts(
        sk_seed: SkSeed,
        sk_prf: SkPrf,
        verifying_key: VerifyingKey<P>,
    ) -> Self {
        Self { sk_seed, sk_prf, verifying_key }
    }

    /// SK.seed, SK.prf, PK.seed and PK.root, n bytes each (FIPS 205 figure 15).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Array<u8, P::SigningKeyLen>> {
        let n = P::PARAMETERS.n;
        let mut bytes = Zeroizing::new(Array::default());
        let VerifyingKey { seed, root, .. } = &self.verifying_key;
        let parts = [&*self.sk_seed.0, &*self.sk_prf.0, &seed.0, root.as_ref()];
        for (bytes, part) in bytes.chunks_exact_mut(n).zip(parts) {
            bytes.copy_from_slice(&part[..n]);
        }
        bytes
    }

    /// [`Self::from_seeds`], as the crate `slh-dsa` names it: for known-answer tests.
    ///
    /// # Panics
    ///
    /// Panics if a seed has not n bytes.
    #[track_caller]
    #[must_use]
    pub fn slh_keygen_internal(sk_seed: &[u8], sk_prf: &[u8], pk_seed: &[u8]) -> Self {
        Self::from_seeds(sk_seed, sk_prf, pk_seed).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`Self::sign_internal`], as the crate `slh-dsa` names it: for known-answer tests.
    ///
    /// # Panics
    ///
    /// Panics where [`Self::sign_internal`] returns an error.
    #[track_caller]
    #[must_use]
    pub fn slh_sign_internal(&self, message: &[&[u8]], opt_rand: Option<&[u8]>) -> Signature<P> {
        self.sign_internal(message, opt_rand).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The key that verifies.
    #[must_use]
    pub const fn verifying_key(&self) -> VerifyingKey<P> {
        self.verifying_key
    }

    /// Signs `message` after `context`, a string that keeps the signatures of one application from
    /// being valid in another (FIPS 205 §10.2.1).
    ///
    /// `opt_rand` are n random bytes, for *hedged* signing. Without them, equal messages have equal
    /// signatures (*deterministic*), and a fault of the machine while it signs may give away the
    /// key.
    ///
    /// # Errors
    ///
    /// Returns an error if `context` is longer than 255 bytes, if `opt_rand` has not n bytes, or if
    /// the root that was signed is not that of the key.
    pub fn try_sign_with_context(
        &self,
        message: &[u8],
        context: &[u8],
        opt_rand: Option<&[u8]>,
    ) -> Result<Signature<P>, Error> {
        let opt_rand = match opt_rand {
            Some(bytes) => Some(OptRand(value::<P>(bytes).map_err(Error::from_source)?)),
            None => None,
        };
        let message = [&prefix(context)?, context, message];
        self.sign_parts(&message, opt_rand).map_err(Error::from_source)
    }

    /// Signs a message in parts as it is, without a context (`slh_sign_internal`, FIPS 205 §9.2).
    ///
    /// A signature of a message without context may be one of another message with a context: use
    /// it for tests, and for protocols that build their own messages.
    ///
    /// # Errors
    ///
    /// Returns [`KeyError::Length`] if `opt_rand` has not n bytes, or [`KeyError::Root`] if the
    /// root that was signed is not that of the key.
    pub fn sign_internal(
        &self,
        message: &[&[u8]],
        opt_rand: Option<&[u8]>,
    ) -> Result<Signature<P>, KeyError> {
        self.sign_parts(message, opt_rand.map(value::<P>).transpose()?.map(OptRand))
    }

    fn sign_parts(
        &self,
        message: &[&[u8]],
        opt_rand: Option<OptRand>,
    ) -> Result<Signature<P>, KeyError> {
        let ground = Ground { watch: &Watch::nobody(), cache: None };
        // Nobody stops it.
        let wrong_root = |_| KeyError::Root { set: P::PARAMETERS.name };
        self.sign_on(&ground, message, opt_rand).map_err(wrong_root)
    }

    /// Signs a message in parts, with what may be known or stop it.
    pub(crate) fn sign_on(
        &self,
        ground: &Ground<'_>,
        message: &[&[u8]],
        opt_rand: Option<OptRand>,
    ) -> Result<Signature<P>, NoSignature> {
        let parameters = &P::PARAMETERS;
        let n = parameters.n;
        let VerifyingKey { seed, root, backend, .. } = &self.verifying_key;
        let suite = P::Suite::new(*backend, n, &[*seed]);
        let opt_rand = opt_rand.unwrap_or(OptRand(seed.0));
        let mut r = P::Suite::prf_msg(n, &self.sk_prf, &opt_rand, message);
        publish(&mut r.0[..n]);
        let digest = Digest::new::<P>(&r, seed, root, message);
        let mut signature = Vec::with_capacity(parameters.signature_len());
        signature.extend_from_slice(&r.0[..n]);
        let sk_seed = &self.sk_seed;
        let (address, md) = (digest.fors(), digest.md::<P>());
        let watch = ground.watch;
        let key = fors::sign(&suite, parameters, sk_seed, address, md, &mut signature, watch)?;
        let (place, to) = (digest.place, &mut signature);
        let mut found = hypertree::sign(&suite, parameters, sk_seed, key, place, to, ground)?;
        publish(found.bytes_mut(n));
        // A key, cached nodes or a machine with a fault: the signature could give away the key.
        if found.bytes(n) != root.bytes(n) {
            return Err(if ground.cache.is_some() {
                NoSignature::Cache
            } else {
                NoSignature::Root
            });
        }
        Ok(Signature::of_bytes(signature))
    }

    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature<P>, Error> {
        let mut opt_rand = [0; 32];
        rng.try_fill_bytes(&mut opt_rand[..P::PARAMETERS.n]).map_err(|_| Error::new())?;
        let parts: Vec<&[u8]> = [&[0, 0][..]].iter().chain(message).copied().collect();
        self.sign_parts(&parts, Some(OptRand(opt_rand))).map_err(Error::from_source)
    }
}

/// What `H_msg` says of a message: what FORS signs, and with which key (FIPS 205 §9.2).
pub(crate) struct Digest {
    /// As many bytes as the parameter set with the longest digest has, 256f.
    bytes: [u8; 49],
    pub(crate) place: Place,
}

impl Digest {
    pub(crate) fn new<P: ParameterSet>(
        r: &Randomizer,
        seed: &PkSeed,
        root: &Node,
        message: &[&[u8]],
    ) -> Self {
        let parameters = &P::PARAMETERS;
        let n = parameters.n;
        let mut bytes = [0; 49];
        let digest = &mut bytes[..parameters.digest_len()];
        P::Suite::h_msg(n, r, seed, root, message, digest);
        let number = |from: usize, len: usize, bits: usize| {
            let bytes = bytes[from..from + len].iter();
            let number = bytes.fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
            // Of no bits, if there is one tree.
            number & u64::MAX.checked_shr(64 - bits as u32).unwrap_or(0)
        };
        let (at, height) = (parameters.md_len(), parameters.tree_height());
        let tree = number(at, parameters.tree_index_len(), parameters.h - height);
        let leaf = number(at + parameters.tree_index_len(), parameters.leaf_index_len(), height);
        Self { bytes, place: Place { tree, leaf: leaf as u32 } }
    }

    pub(crate) fn md<P: ParameterSet>(&self) -> Md<'_> {
        Md(&self.bytes[..P::PARAMETERS.md_len()])
    }

    /// The address of the FORS key.
    pub(crate) fn fors(&self) -> Address {
        Address::of_tree(0, self.place.tree).with(Kind::ForsTree, self.place.leaf)
    }
}

impl<P: ParameterSet> VerifyingKey<P> {
    /// The key with this root, of which only the first n bytes count.
    pub(crate) fn of_parts(seed: PkSeed, root: Node, backend: Backend) -> Self {
        let n = P::PARAMETERS.n;
        let mut root = Node::of(root.bytes(n));
        publish(root.bytes_mut(n));
        Self { seed, root, backend, set: PhantomData }
    }

    /// The key with these bytes, as [`Self::to_bytes`] writes them.
    ///
    /// # Errors
    ///
    /// Returns [`KeyError::Length`] if `bytes` has another length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        let set = P::PARAMETERS;
        if bytes.len() != set.verifying_key_len() {
            let (expected, found) = (set.verifying_key_len(), bytes.len());
            return Err(KeyError::Length { set: set.name, expected, found });
        }
        let (seed, root) = bytes.split_at(set.n);
        let (seed, root) = (PkSeed(value::<P>(seed)?), Node::of(&value::<P>(root)?));
        Ok(Self::of_parts(seed, root, Backend::detect()))
    }

    /// The key, which verifies on this backend.
    #[must_use]
    pub const fn with_backend(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// PK.seed and PK.root, n bytes each (FIPS 205 figure 16).
    #[must_use]
    pub fn to_bytes(&self) -> Array<u8, P::VerifyingKeyLen> {
        let n = P::PARAMETERS.n;
        let mut bytes = Array::default();
        bytes[..n].copy_from_slice(&self.seed.0[..n]);
        bytes[n..].copy_from_slice(self.root.bytes(n));
        bytes
    }

    /// [`Self::verify_internal`], as the crate `slh-dsa` names it.
    ///
    /// # Errors
    ///
    /// Returns an error if the signature is not valid.
    pub fn slh_verify_internal(
        &self,
        message: &[&[u8]],
        signature: &Signature<P>,
    ) -> Result<(), Error> {
        self.verify_internal(message, signature)
    }

    /// Verifies a signature of `message` after `context` (FIPS 205 §10.3).
    ///
    /// # Errors
    ///
    /// Returns an error if `context` is longer than 255 bytes or the signature is not valid.
    pub fn try_verify_with_context(
        &self,
        message: &[u8],
        context: &[u8],
        signature: &Signature<P>,
    ) -> Result<(), Error> {
        self.verify_internal(&[&prefix(context)?, context, message], signature)
    }

    /// Verifies a signature of a message in parts, without a context (`slh_verify_internal`,
    /// FIPS 205 §9.3).
    ///
    /// # Errors
    ///
    /// Returns an error if the signature is not valid.
    pub fn verify_internal(
        &self,
        message: &[&[u8]],
        signature: &Signature<P>,
    ) -> Result<(), Error> {
        match verify(&[Job::new(self, message, signature)])[..] {
            [true] => Ok(()),
            _ => Err(Error::new()),
        }
    }
}

/// In constant time.
impl<P: ParameterSet> PartialEq for SigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        let secrets =
            self.sk_seed.0.ct_eq(&*other.sk_seed.0) & self.sk_prf.0.ct_eq(&*other.sk_prf.0);
        bool::from(secrets) && self.verifying_key == other.verifying_key
    }
}

impl<P: ParameterSet> Eq for SigningKey<P> {}

impl<P: ParameterSet> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        (self.seed, self.root) == (other.seed, other.root)
    }
}

impl<P: ParameterSet> Eq for VerifyingKey<P> {}

impl<P: ParameterSet> Hash for VerifyingKey<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.seed, self.root).hash(state);
    }
}

/// Its secret parts erase themselves.
impl<P: ParameterSet> ZeroizeOnDrop for SigningKey<P> {}

/// Only the public part.
impl<P: ParameterSet> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("SigningKey");
        debug.field("verifying_key", &self.verifying_key).finish_non_exhaustive()
    }
}

impl<P: ParameterSet> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({}, ", P::PARAMETERS.name)?;
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

impl<P: ParameterSet> TryFrom<&[u8]> for SigningKey<P> {
    type Error = KeyError;

    fn try_from(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::from_bytes(bytes)
    }
}

impl<P: ParameterSet> TryFrom<&[u8]> for VerifyingKey<P> {
    type Error = KeyError;

    fn try_from(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::from_bytes(bytes)
    }
}

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for SigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }
}

impl<P: ParameterSet> KeypairRef for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}

/// Deterministic, with an empty context.
impl<P: ParameterSet> Signer<Signature<P>> for SigningKey<P> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature<P>, Error> {
        self.try_multipart_sign(&[message])
    }
}

/// Deterministic, with an empty context.
impl<P: ParameterSet> MultipartSigner<Signature<P>> for SigningKey<P> {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature<P>, Error> {
        let parts: Vec<&[u8]> = [&[0, 0][..]].iter().chain(message).copied().collect();
        self.sign_parts(&parts, None).map_err(Error::from_source)
    }
}

/// Hedged, with an empty context.
impl<P: ParameterSet> RandomizedSigner<Signature<P>> for SigningKey<P> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature<P>, Error> {
        self.try_sign_with_rng(rng, &[message])
    }
}

/// Hedged, with an empty context.
impl<P: ParameterSet> RandomizedMultipartSigner<Signature<P>> for SigningKey<P> {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature<P>, Error> {
        self.try_sign_with_rng(rng, message)
    }
}

/// With an empty context.
impl<P: ParameterSet> Verifier<Signature<P>> for VerifyingKey<P> {
    fn verify(&self, message: &[u8], signature: &Signature<P>) -> Result<(), Error> {
        self.multipart_verify(&[message], signature)
    }
}

/// With an empty context.
impl<P: ParameterSet> MultipartVerifier<Signature<P>> for VerifyingKey<P> {
    fn multipart_verify(&self, message: &[&[u8]], signature: &Signature<P>) -> Result<(), Error> {
        let parts: Vec<&[u8]> = [&[0, 0][..]].iter().chain(message).copied().collect();
        self.verify_internal(&parts, signature)
    }
}
