//! The keys, and signing and verifying with them (FIPS 205 §9, §10).

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use hash_lanes::Backend;
use signature::rand_core::{CryptoRng, TryCryptoRng};
use signature::{
    Error, KeypairRef, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner,
    RandomizedSigner, Signer, Verifier,
};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::address::{Address, Kind};
use crate::encoding::Signature;
use crate::parameters::ParameterSet;
use crate::published::publish;
use crate::suite::{Node, Suite};
use crate::{fors, hypertree};

/// The longest context string.
const MAX_CONTEXT: usize = 255;

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
    /// On the heap, so that moving the key does not copy it.
    secret: Box<Secret>,
    verifying_key: VerifyingKey<P>,
}

/// The secret part of a key.
#[derive(Clone, Default)]
struct Secret {
    seed: Node,
    prf: Node,
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.seed.zeroize();
        self.prf.zeroize();
    }
}

impl Secret {
    /// Of two seeds, which are as long as the parameter set says.
    fn new<P: ParameterSet>(seed: &[u8], prf: &[u8]) -> Result<Box<Self>, KeyError> {
        let mut secret = Box::<Self>::default();
        fill::<P>(&mut secret.seed, seed)?;
        fill::<P>(&mut secret.prf, prf)?;
        Ok(secret)
    }
}

/// A key that verifies signatures.
#[derive(Clone, Copy)]
pub struct VerifyingKey<P: ParameterSet> {
    seed: Node,
    root: Node,
    backend: Backend,
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
    /// Its public part is not that of its secret part.
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

/// The value whose first n bytes are `bytes`.
fn node<P: ParameterSet>(bytes: &[u8]) -> Result<Node, KeyError> {
    let mut node = [0; 32];
    fill::<P>(&mut node, bytes)?;
    Ok(node)
}

/// Writes `bytes` to the first n bytes of a value.
fn fill<P: ParameterSet>(node: &mut Node, bytes: &[u8]) -> Result<(), KeyError> {
    let set = P::PARAMETERS;
    if bytes.len() != set.n {
        let (expected, found) = (set.n, bytes.len());
        return Err(KeyError::Length { set: set.name, expected, found });
    }
    node[..set.n].copy_from_slice(bytes);
    Ok(())
}

/// A part of a message before the message: its context (FIPS 205 §10.2).
fn prefix(context: &[u8]) -> Result<[u8; 2], Error> {
    match u8::try_from(context.len()) {
        Ok(len) => Ok([0, len]),
        Err(_) => Err(Error::from_source(format!(
            "a context has at most {MAX_CONTEXT} bytes, not {}",
            context.len()
        ))),
    }
}

impl<P: ParameterSet> SigningKey<P> {
    /// A new key, from `rng`.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let (mut secret, mut seed) = (Box::<Secret>::default(), [0; 32]);
        for seed in [&mut secret.seed, &mut secret.prf, &mut seed] {
            rng.fill_bytes(&mut seed[..P::PARAMETERS.n]);
        }
        Self::of_seeds(Backend::detect(), secret, seed)
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
        let secret = Secret::new::<P>(sk_seed, sk_prf)?;
        Ok(Self::of_seeds(backend, secret, node::<P>(pk_seed)?))
    }

    fn of_seeds(backend: Backend, secret: Box<Secret>, seed: Node) -> Self {
        let parameters = &P::PARAMETERS;
        let suite = P::Suite::new(backend, &seed[..parameters.n]);
        let mut root = hypertree::root(&suite, parameters, &secret.seed);
        root[parameters.n..].fill(0);
        publish(&mut root[..parameters.n]);
        let verifying_key = VerifyingKey { seed, root, backend, set: PhantomData };
        Self { secret, verifying_key }
    }

    /// The key with these bytes, as [`Self::to_bytes`] writes them. It computes the root again,
    /// which takes as long as [`Self::from_seeds`]; a key with another root would give away its
    /// secrets by its signatures.
    ///
    /// # Errors
    ///
    /// Returns [`KeyError`] if `bytes` has another length, or a root that is not that of its seeds.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        let set = P::PARAMETERS;
        if bytes.len() != set.signing_key_len() {
            let (expected, found) = (set.signing_key_len(), bytes.len());
            return Err(KeyError::Length { set: set.name, expected, found });
        }
        let mut parts = bytes.chunks_exact(set.n);
        let mut part = || parts.next().unwrap_or(&[]);
        let secret = Secret::new::<P>(part(), part())?;
        let key = Self::of_seeds(Backend::detect(), secret, node::<P>(part())?);
        if node::<P>(part())? != key.verifying_key.root {
            return Err(KeyError::Root { set: set.name });
        }
        Ok(key)
    }

    /// SK.seed, SK.prf, PK.seed and PK.root, n bytes each (FIPS 205 figure 15).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let n = P::PARAMETERS.n;
        let mut bytes = Zeroizing::new(Vec::with_capacity(4 * n));
        for part in [
            &self.secret.seed,
            &self.secret.prf,
            &self.verifying_key.seed,
            &self.verifying_key.root,
        ] {
            bytes.extend_from_slice(&part[..n]);
        }
        bytes
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
    /// Returns an error if `context` is longer than 255 bytes, or `opt_rand` has not n bytes.
    pub fn try_sign_with_context(
        &self,
        message: &[u8],
        context: &[u8],
        opt_rand: Option<&[u8]>,
    ) -> Result<Signature<P>, Error> {
        let opt_rand = match opt_rand {
            Some(bytes) => Some(node::<P>(bytes).map_err(Error::from_source)?),
            None => None,
        };
        Ok(self.sign_parts(&[&prefix(context)?, context, message], opt_rand))
    }

    /// Signs a message in parts as it is, without a context (`slh_sign_internal`, FIPS 205 §9.2).
    ///
    /// A signature of a message without context may be one of another message with a context: use
    /// it for tests, and for protocols that build their own messages.
    ///
    /// # Errors
    ///
    /// Returns [`KeyError::Length`] if `opt_rand` has not n bytes.
    pub fn sign_internal(
        &self,
        message: &[&[u8]],
        opt_rand: Option<&[u8]>,
    ) -> Result<Signature<P>, KeyError> {
        Ok(self.sign_parts(message, opt_rand.map(node::<P>).transpose()?))
    }

    fn sign_parts(&self, message: &[&[u8]], opt_rand: Option<Node>) -> Signature<P> {
        let parameters = &P::PARAMETERS;
        let n = parameters.n;
        let VerifyingKey { seed, root, backend, .. } = &self.verifying_key;
        let suite = P::Suite::new(*backend, &seed[..n]);
        let opt_rand = opt_rand.unwrap_or(*seed);
        let mut r = P::Suite::prf_msg(&self.secret.prf[..n], &opt_rand[..n], message);
        publish(&mut r[..n]);
        let digest = Digest::new::<P>(&r[..n], seed, root, message);
        let mut signature = Vec::with_capacity(parameters.signature_len());
        signature.extend_from_slice(&r[..n]);
        let sk_seed = &self.secret.seed;
        let (address, md) = (digest.fors(), digest.md::<P>());
        let key = fors::sign(&suite, parameters, sk_seed, address, md, &mut signature);
        let place = (digest.tree, digest.leaf);
        hypertree::sign(&suite, parameters, sk_seed, &key, place, &mut signature);
        Signature::of_bytes(signature)
    }

    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature<P>, Error> {
        let mut opt_rand = [0; 32];
        rng.try_fill_bytes(&mut opt_rand[..P::PARAMETERS.n]).map_err(|_| Error::new())?;
        let parts: Vec<&[u8]> = [&[0, 0][..]].iter().chain(message).copied().collect();
        Ok(self.sign_parts(&parts, Some(opt_rand)))
    }
}

/// What `H_msg` says of a message: what FORS signs, and with which key (FIPS 205 §9.2).
struct Digest {
    /// As many bytes as the parameter set with the longest digest has, 256f.
    bytes: [u8; 49],
    tree: u64,
    leaf: u32,
}

impl Digest {
    fn new<P: ParameterSet>(r: &[u8], seed: &Node, root: &Node, message: &[&[u8]]) -> Self {
        let parameters = &P::PARAMETERS;
        let n = parameters.n;
        let mut bytes = [0; 49];
        P::Suite::h_msg(r, &seed[..n], &root[..n], message, &mut bytes[..parameters.digest_len()]);
        let number = |from: usize, len: usize, bits: usize| {
            let bytes = bytes[from..from + len].iter();
            let number = bytes.fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
            number & (u64::MAX >> (64 - bits))
        };
        let (at, height) = (parameters.md_len(), parameters.tree_height());
        let tree = number(at, parameters.tree_index_len(), parameters.h - height);
        let leaf = number(at + parameters.tree_index_len(), parameters.leaf_index_len(), height);
        Self { bytes, tree, leaf: leaf as u32 }
    }

    fn md<P: ParameterSet>(&self) -> &[u8] {
        &self.bytes[..P::PARAMETERS.md_len()]
    }

    /// The address of the FORS key.
    fn fors(&self) -> Address {
        Address::of_tree(0, self.tree).with(Kind::ForsTree, self.leaf)
    }
}

impl<P: ParameterSet> VerifyingKey<P> {
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
        let (seed, root) = (node::<P>(seed)?, node::<P>(root)?);
        Ok(Self { seed, root, backend: Backend::detect(), set: PhantomData })
    }

    /// The key, which verifies on this backend.
    #[must_use]
    pub const fn with_backend(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// PK.seed and PK.root, n bytes each (FIPS 205 figure 16).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let n = P::PARAMETERS.n;
        [&self.seed[..n], &self.root[..n]].concat()
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
        let parameters = &P::PARAMETERS;
        let n = parameters.n;
        let suite = P::Suite::new(self.backend, &self.seed[..n]);
        let (r, rest) = signature.bytes().split_at(n);
        let (fors, layers) = rest.split_at(parameters.fors_len());
        let digest = Digest::new::<P>(r, &self.seed, &self.root, message);
        let md = digest.md::<P>();
        let key = fors::public_key_of(&suite, parameters, digest.fors(), md, fors);
        let place = (digest.tree, digest.leaf);
        let root = hypertree::root_of(&suite, parameters, key, place, layers);
        if root[..n] == self.root[..n] { Ok(()) } else { Err(Error::new()) }
    }
}

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
        Ok(self.sign_parts(&parts, None))
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
