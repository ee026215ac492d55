//! Trees over any hash function, with custom prefixes and padding.

use core::fmt;

use hash_lanes::HashMany;

use crate::hasher::{Node, NodeHasher, Odd};
use crate::staged::{self, HashMessages};

/// The number of levels on which a node can be missing, in a tree of 2^63 leaves.
const LEVELS: usize = 63;

/// A custom family of trees for a hash `H` with digests of `N` bytes.
///
/// The prefixes of leaves and nodes and the treatment of odd nodes are configurable. By default
/// there are no prefixes and odd nodes are promoted.
///
/// For example, these are the trees of RFC 6962:
///
/// ```
/// use merkle_lanes::{AnyDigest, root, rfc6962::Rfc6962};
/// use sha256_multi::Sha256Lanes;
///
/// let family =
///     AnyDigest::<_, 32>::new(Sha256Lanes::default()).leaf_prefix(&[0]).node_prefix(&[1]);
///
/// let leaves = [[1; 32], [2; 32], [3; 32]];
/// assert_eq!(root(&family, &leaves), root(&Rfc6962::new(), &leaves));
/// ```
///
/// A hash without lanes is a function of one message:
///
/// ```
/// use merkle_lanes::{AnyDigest, Tree};
/// use sha2::{Digest, Sha384};
///
/// let sha384 = |message: &[u8]| Sha384::digest(message);
/// let family = AnyDigest::<_, 48>::new(sha384).padded_with_subtrees_of([0; 48]);
/// let mut tree = Tree::new(family);
/// tree.extend_data(&["first", "second", "third"]);
/// tree.prove(2)?.verify(tree.hasher(), &tree.head(), 2, &tree.leaves()[2])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct AnyDigest<H, const N: usize> {
    hash: H,
    leaf_prefix: &'static [u8],
    node_prefix: &'static [u8],
    odd: Odd,
    /// The padding for each level. Zeros unless odd nodes are padded.
    missing: [[u8; N]; LEVELS],
    /// Whether `missing` depends on how nodes are hashed.
    missing_subtrees: bool,
    empty_root: [u8; N],
}

impl<H: HashMany, const N: usize> AnyDigest<H, N> {
    /// Creates a family without prefixes that promotes odd nodes. The root of an empty tree is the
    /// digest of the empty message.
    ///
    /// # Panics
    ///
    /// Panics if the digest does not have `N` bytes, or if `N == 0`.
    #[must_use]
    #[track_caller]
    pub fn new(hash: H) -> Self {
        let bytes = H::zero_digest().as_ref().len();
        assert!(bytes == N && N > 0, "a digest of {bytes} bytes does not fill nodes of {N} bytes");
        let mut family = Self {
            hash,
            leaf_prefix: &[],
            node_prefix: &[],
            odd: Odd::Promoted,
            missing: [[0; N]; LEVELS],
            missing_subtrees: false,
            empty_root: [0; N],
        };
        let mut digest = [[0; N]];
        family.hash_many([[].as_slice()].into_iter(), &mut digest);
        family.empty_root = digest[0];
        family
    }

    /// Sets the leaf prefix: a leaf is H(prefix ‖ data).
    #[must_use]
    pub fn leaf_prefix(self, leaf_prefix: &'static [u8]) -> Self {
        Self { leaf_prefix, ..self }
    }

    /// Sets the node prefix: a node is H(prefix ‖ left ‖ right).
    #[must_use]
    pub fn node_prefix(self, node_prefix: &'static [u8]) -> Self {
        let family = Self { node_prefix, ..self };
        if family.missing_subtrees {
            let leaf = family.missing[0];
            family.padded_with_subtrees_of(leaf)
        } else {
            family
        }
    }

    /// Promotes odd nodes unchanged.
    #[must_use]
    pub fn promoted(self) -> Self {
        self.with_odd(Odd::Promoted, [0; N])
    }

    /// Hashes odd nodes with themselves.
    ///
    /// A tree whose last leaves are repeated then has the same root as the tree without the
    /// repetition (CVE-2012-2459). A verifier must therefore know the number of leaves.
    #[must_use]
    pub fn duplicated(self) -> Self {
        self.with_odd(Odd::Duplicated, [0; N])
    }

    /// Hashes odd nodes with `node` on every level.
    #[must_use]
    pub fn padded_with(self, node: [u8; N]) -> Self {
        self.with_odd(Odd::Padded, node)
    }

    fn with_odd(self, odd: Odd, missing: [u8; N]) -> Self {
        Self { odd, missing: [missing; LEVELS], missing_subtrees: false, ..self }
    }

    /// Pads trees with copies of `leaf` up to the next power of two. A missing node is the root of
    /// a subtree of such leaves.
    ///
    /// This call computes the roots for all 63 levels.
    #[must_use]
    pub fn padded_with_subtrees_of(self, leaf: [u8; N]) -> Self {
        let mut missing = [leaf; LEVELS];
        for level in 1..LEVELS {
            missing[level] = self.hash_node(&missing[level - 1], &missing[level - 1]);
        }
        Self { odd: Odd::Padded, missing, missing_subtrees: true, ..self }
    }

    /// Sets the root of a tree without leaves.
    #[must_use]
    pub fn with_empty_root(self, root: [u8; N]) -> Self {
        Self { empty_root: root, ..self }
    }
}

impl<H: HashMany, const N: usize> HashMessages for AnyDigest<H, N> {
    type Node = [u8; N];

    fn hash_many<'m, I>(&self, messages: I, digests: &mut [[u8; N]])
    where
        I: ExactSizeIterator<Item = &'m [u8]>,
    {
        if let [digest] = digests {
            // Every node of a proof waits for the one before it, so this one needs no vector.
            let mut output = [H::zero_digest()];
            self.hash.hash_many_into(messages, &mut output);
            digest.copy_from_slice(output[0].as_ref());
            return;
        }
        let outputs = self.hash.hash_many(messages);
        for (digest, output) in digests.iter_mut().zip(outputs) {
            digest.copy_from_slice(output.as_ref());
        }
    }
}

crate::hasher::hash_node!([H: HashMany, const N: usize] AnyDigest<H, N>, [u8; N]);

impl<H: HashMany, const N: usize> NodeHasher for AnyDigest<H, N> {
    type Node = [u8; N];

    fn odd(&self) -> Odd {
        self.odd
    }

    fn missing(&self, level: u32) -> [u8; N] {
        self.missing.get(level as usize).copied().unwrap_or(Node::ZERO)
    }

    fn empty_root(&self) -> [u8; N] {
        self.empty_root
    }

    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [[u8; N]]) {
        staged::hash_leaves(self, self.leaf_prefix, data, leaves);
    }

    #[track_caller]
    fn hash_level(&self, children: &[[u8; N]], parents: &mut [[u8; N]]) {
        staged::hash_parents(self, self.node_prefix, children, parents);
    }
}

impl<H: HashMany + Default, const N: usize> Default for AnyDigest<H, N> {
    fn default() -> Self {
        Self::new(H::default())
    }
}

impl<H, const N: usize> fmt::Debug for AnyDigest<H, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyDigest")
            .field("leaf_prefix", &self.leaf_prefix)
            .field("node_prefix", &self.node_prefix)
            .field("odd", &self.odd)
            .finish_non_exhaustive()
    }
}
