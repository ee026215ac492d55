//! Keys of SP 800-230: their calls take seconds to minutes, so they can be watched, stopped, and
//! spared the most of their work by cached nodes.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use hash_lanes::Backend;

use crate::encoding::Signature;
use crate::fors;
use crate::hypertree::{
    CACHED_HEIGHT, Ground, NoSignature, cached_nodes, climb_from_cached, leaf_hashes,
};
use crate::keys::{KeyError, MAX_CONTEXT, SigningKey, VerifyingKey, prefix, value};
use crate::parameters::{LimitedSet, Parameters};
use crate::suite::{Node, Nodes, OptRand, PkSeed, SkPrf, SkSeed, Suite, nodes};
use crate::watch::{OnProgress, Stopped, Watch};

/// The upper nodes of a key's tree: with them a signature takes a fifth to a half of the
/// hashes.
///
/// They are public, and have no secret in them. A cache is checked against the key when it is read,
/// and again by every signature, so that a wrong one never makes a wrong signature.
#[derive(Clone)]
pub struct TreeCache<P: LimitedSet> {
    nodes: Nodes,
    set: PhantomData<P>,
}

/// Why a long call has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The progress function stopped it.
    Stopped,
    /// The context is longer than 255 bytes.
    Context {
        /// Its bytes.
        len: usize,
    },
    /// A part of the key, or the random bytes, has another length than the parameter set needs; or
    /// the root of the key is not that of its secret part.
    Key(KeyError),
    /// The cached nodes are not those of the key.
    Cache {
        /// The parameter set.
        set: &'static str,
    },
    /// A cache has another length.
    CacheLength {
        /// The parameter set.
        set: &'static str,
        /// The bytes that it needs.
        expected: usize,
        /// The bytes that were given.
        found: usize,
    },
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the call was stopped"),
            Self::Context { len } => {
                write!(f, "a context has at most {MAX_CONTEXT} bytes, not {len}")
            }
            Self::Key(error) => error.fmt(f),
            Self::Cache { set } => write!(
                f,
                "the cached nodes are not those of this {set} key: compute them again with \
                 `tree_cache`"
            ),
            Self::CacheLength { set, expected, found } => {
                write!(f, "a cache of {set} has {expected} bytes, not {found}")
            }
        }
    }
}

impl core::error::Error for CallError {}

impl From<KeyError> for CallError {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl From<Stopped> for CallError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The number of cached nodes.
const fn cached(parameters: &Parameters) -> usize {
    1 << (parameters.tree_height() - CACHED_HEIGHT)
}

/// The hashes of the whole tree, as [`Watch`] counts them.
fn tree_hashes(parameters: &Parameters) -> u64 {
    (leaf_hashes(parameters) + 1) << parameters.tree_height()
}

impl<P: LimitedSet> TreeCache<P> {
    /// The bytes of a cache: 96 or 128 KiB.
    #[must_use]
    pub const fn bytes_len() -> usize {
        cached(&P::PARAMETERS) * P::PARAMETERS.n
    }

    /// The nodes, from the left, n bytes each.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.nodes.iter().flat_map(|node| node.bytes(P::PARAMETERS.n)).copied().collect()
    }

    /// The cache of a key with these bytes, as [`Self::to_bytes`] writes them. It is checked by the
    /// root of the key, which takes some thousand hashes.
    ///
    /// # Errors
    ///
    /// Returns [`CallError::CacheLength`] if `bytes` has another length, or [`CallError::Cache`] if
    /// the nodes are not those of `key`.
    pub fn from_bytes(key: &VerifyingKey<P>, bytes: &[u8]) -> Result<Self, CallError> {
        let set = &P::PARAMETERS;
        if bytes.len() != Self::bytes_len() {
            let (expected, found) = (Self::bytes_len(), bytes.len());
            return Err(CallError::CacheLength { set: set.name, expected, found });
        }
        let mut nodes = nodes(cached(set));
        for (node, bytes) in nodes.iter_mut().zip(bytes.chunks_exact(set.n)) {
            *node = Node::of(bytes);
        }
        let hashes = P::Suite::new(key.backend, set.n, &[key.seed]);
        let root = climb_from_cached(&hashes, set, None, nodes.clone()).roots[0];
        if root.bytes(set.n) != key.root.bytes(set.n) {
            return Err(CallError::Cache { set: set.name });
        }
        Ok(Self { nodes, set: PhantomData })
    }
}

impl<P: LimitedSet> fmt::Debug for TreeCache<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TreeCache({}, {} nodes)", P::PARAMETERS.name, self.nodes.len())
    }
}

impl<P: LimitedSet> SigningKey<P> {
    /// [`Self::from_seeds`], watched, with the upper nodes of the key's tree, which it computes
    /// anyway.
    ///
    /// # Errors
    ///
    /// Returns [`CallError::Key`] if a seed has not n bytes, or [`CallError::Stopped`].
    pub fn from_seeds_with_cache(
        sk_seed: &[u8],
        sk_prf: &[u8],
        pk_seed: &[u8],
        progress: OnProgress<'_>,
    ) -> Result<(Self, TreeCache<P>), CallError> {
        let set = &P::PARAMETERS;
        let backend = Backend::detect();
        let (sk_seed, sk_prf) =
            (SkSeed::new(value::<P>(sk_seed)?), SkPrf::new(value::<P>(sk_prf)?));
        let seed = PkSeed(value::<P>(pk_seed)?);
        let suite = P::Suite::new(backend, set.n, &[seed]);
        let watch = Watch::new(progress, tree_hashes(set));
        let nodes = cached_nodes(&suite, set, &sk_seed, &watch)?;
        let root = climb_from_cached(&suite, set, None, nodes.clone()).roots[0];
        let key = Self::of_parts(sk_seed, sk_prf, VerifyingKey::of_parts(seed, root, backend));
        Ok((key, TreeCache { nodes, set: PhantomData }))
    }

    /// The upper nodes of the key's tree. It takes as long as the key.
    ///
    /// # Errors
    ///
    /// Returns [`CallError::Stopped`], or [`CallError::Key`] if the root of the key is not that of
    /// its secret part.
    pub fn tree_cache(&self, progress: OnProgress<'_>) -> Result<TreeCache<P>, CallError> {
        let (set, key) = (&P::PARAMETERS, &self.verifying_key);
        let suite = P::Suite::new(key.backend, set.n, &[key.seed]);
        let watch = Watch::new(progress, tree_hashes(set));
        let nodes = cached_nodes(&suite, set, &self.sk_seed, &watch)?;
        let root = climb_from_cached(&suite, set, None, nodes.clone()).roots[0];
        if root.bytes(set.n) != key.root.bytes(set.n) {
            return Err(KeyError::Root { set: set.name }.into());
        }
        Ok(TreeCache { nodes, set: PhantomData })
    }

    /// [`Self::try_sign_with_context`], watched, and with cached nodes if there are some.
    ///
    /// # Errors
    ///
    /// Returns a [`CallError`] if an argument has a wrong length, if the call is stopped, or if the
    /// cache or the root is not that of the key.
    pub fn try_sign_with_cache(
        &self,
        message: &[u8],
        context: &[u8],
        opt_rand: Option<&[u8]>,
        cache: Option<&TreeCache<P>>,
        progress: OnProgress<'_>,
    ) -> Result<Signature<P>, CallError> {
        let set = &P::PARAMETERS;
        let opt_rand = opt_rand.map(value::<P>).transpose()?.map(OptRand);
        let prefix = prefix(context).map_err(|_| CallError::Context { len: context.len() })?;
        let of_part = (leaf_hashes(set) + 1) << CACHED_HEIGHT;
        let of_tree = if cache.is_some() { of_part } else { of_part + tree_hashes(set) };
        let watch = Watch::new(progress, fors::hashes(set) + of_tree);
        let ground = Ground { watch: &watch, cache: cache.map(|cache| &*cache.nodes) };
        self.sign_on(&ground, &[&prefix, context, message], opt_rand).map_err(|error| match error {
            NoSignature::Stopped => CallError::Stopped,
            NoSignature::Cache => CallError::Cache { set: set.name },
            NoSignature::Root => KeyError::Root { set: set.name }.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use core::ops::ControlFlow::{Break, Continue};
    use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::parameters::small::TallTree;

    const SEEDS: [[u8; 16]; 3] = [[1; 16], [2; 16], [3; 16]];

    fn key_and_cache() -> (SigningKey<TallTree>, TreeCache<TallTree>) {
        let [a, b, c] = &SEEDS;
        SigningKey::from_seeds_with_cache(a, b, c, &|_| Continue(())).unwrap()
    }

    #[test]
    fn a_cached_signature_is_the_uncached_one_for_a_fraction_of_the_hashes() {
        let (key, cache) = key_and_cache();
        let [a, b, c] = &SEEDS;
        let alone = SigningKey::<TallTree>::from_seeds(a, b, c).unwrap();
        assert_eq!(alone.to_bytes(), key.to_bytes());
        assert_eq!(alone, key);
        let read = VerifyingKey::from_bytes(&key.verifying_key().to_bytes()).unwrap();
        assert_eq!(read, key.verifying_key());
        let bytes = cache.to_bytes();
        assert_eq!(bytes.len(), TreeCache::<TallTree>::bytes_len());
        assert_eq!(key.tree_cache(&|_| Continue(())).unwrap().to_bytes(), bytes);
        let cache = TreeCache::from_bytes(&key.verifying_key(), &bytes).unwrap();
        let expected = key.try_sign_with_context(b"message", b"c", None).unwrap();
        let totals = [Some(&cache), None].map(|cache| {
            let (done, total) = (AtomicU64::new(0), AtomicU64::new(0));
            let signature = key.try_sign_with_cache(b"message", b"c", None, cache, &|progress| {
                assert!(progress.done <= progress.total);
                done.fetch_max(progress.done, Relaxed);
                total.store(progress.total, Relaxed);
                Continue(())
            });
            assert_eq!(signature.unwrap(), expected);
            // What is not counted are roots and upper nodes.
            assert!(done.load(Relaxed) >= total.load(Relaxed) / 100 * 99);
            total.load(Relaxed)
        });
        assert!(totals[0] * 50 < totals[1], "{totals:?}");
    }

    #[test]
    fn a_wrong_cache_makes_no_signature() {
        let (key, cache) = key_and_cache();
        let bytes = cache.to_bytes();
        let verifying_key = key.verifying_key();
        for at in [0, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let error = TreeCache::from_bytes(&verifying_key, &changed).unwrap_err();
            assert_eq!(error, CallError::Cache { set: "tall-tree" });
            // In memory, after it was checked.
            let mut damaged = cache.clone();
            damaged.nodes[at / 16].bytes_mut(16)[at % 16] ^= 1;
            let signed = key.try_sign_with_cache(b"", b"", None, Some(&damaged), &|_| Continue(()));
            assert_eq!(signed.unwrap_err(), CallError::Cache { set: "tall-tree" });
        }
        TreeCache::from_bytes(&verifying_key, &bytes[1..]).unwrap_err();
        // Another key, and a key with another secret part.
        let other = VerifyingKey::<TallTree>::from_bytes(&[7; 32]).unwrap();
        TreeCache::from_bytes(&other, &bytes).unwrap_err();
        let mut secret = key.to_bytes();
        secret[0] ^= 1;
        let damaged = SigningKey::<TallTree>::from_bytes_trusting_root(&secret).unwrap();
        let signed = damaged.try_sign_with_cache(b"", b"", None, Some(&cache), &|_| Continue(()));
        assert_eq!(signed.unwrap_err(), CallError::Cache { set: "tall-tree" });
        let signed = damaged.try_sign_with_cache(b"", b"", None, None, &|_| Continue(()));
        let root = KeyError::Root { set: "tall-tree" };
        assert_eq!(signed.unwrap_err(), CallError::Key(root.clone()));
        assert_eq!(damaged.sign_internal(&[b""], None).unwrap_err(), root);
        assert_eq!(
            damaged.tree_cache(&|_| Continue(())).unwrap_err(),
            CallError::Key(root.clone())
        );
        assert_eq!(SigningKey::<TallTree>::from_bytes(&secret).unwrap_err(), root);
    }

    #[test]
    fn calls_can_be_stopped() {
        let (key, cache) = key_and_cache();
        let calls = AtomicU64::new(0);
        let stop = |_| if calls.fetch_add(1, Relaxed) < 1 { Continue(()) } else { Break(()) };
        let [a, b, c] = &SEEDS;
        let stopped = SigningKey::<TallTree>::from_seeds_with_cache(a, b, c, &|_| Break(()));
        assert_eq!(stopped.unwrap_err(), CallError::Stopped);
        for cache in [Some(&cache), None] {
            calls.store(0, Relaxed);
            let signed = key.try_sign_with_cache(b"", b"", None, cache, &stop);
            assert_eq!(signed.unwrap_err(), CallError::Stopped);
        }
        let long = key.try_sign_with_cache(b"", &[0; 256], None, None, &|_| Continue(()));
        assert_eq!(long.unwrap_err(), CallError::Context { len: 256 });
    }
}
