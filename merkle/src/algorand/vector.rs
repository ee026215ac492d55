//! Vector commitments: trees in which the depth alone determines the position of an element.

use alloc::vec;
use alloc::vec::Vec;

use super::domains::BOTTOM_LEAF;
use super::{Algorand, HashFunction};
use crate::hasher::{Node, NodeHasher, levels_above};
use crate::proof::{InclusionProof, MultiProof, TreeHead, VerifyError};
use crate::tree::{NoSuchLeafError, Tree};

/// The maximum depth of a tree.
const MAX_DEPTH: u32 = 63;

/// A tree that commits to a vector: a proof of known depth proves the index of an element.
///
/// A leaf is at the position given by the reversed bits of its index. Positions without an element
/// have a bottom leaf.
///
/// ```
/// use merkle_lanes::NodeHasher;
/// use merkle_lanes::algorand::{Algorand, Sumhash512, VectorCommitment, verify_element};
///
/// let hasher = Algorand::new(Sumhash512::new(), b"MX");
/// let vector = VectorCommitment::from_data(hasher, &["first", "second", "third"]);
///
/// let proof = vector.prove(2)?;
/// verify_element(&hasher, &vector.head(), 2, &hasher.hash_leaf(b"third"), &proof)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VectorCommitment<F: HashFunction> {
    tree: Tree<Algorand<F>>,
    len: u64,
}

impl<F: HashFunction> VectorCommitment<F> {
    /// Commits to elements that have already been hashed.
    #[must_use]
    pub fn from_leaves(hasher: Algorand<F>, leaves: &[F::Node]) -> Self {
        let len = leaves.len() as u64;
        let depth = levels_above(len);
        let mut bottom = [F::Node::ZERO];
        hasher.function.hash_many([BOTTOM_LEAF].into_iter(), &mut bottom);
        let mut placed = vec![bottom[0]; 1 << depth];
        for (index, leaf) in (0..).zip(leaves) {
            placed[reverse(index, depth) as usize] = *leaf;
        }
        Self { tree: Tree::from_leaves(hasher, placed), len }
    }

    /// Hashes elements and commits to them.
    #[must_use]
    pub fn from_data<M: AsRef<[u8]> + Sync>(hasher: Algorand<F>, elements: &[M]) -> Self {
        let mut leaves = vec![F::Node::ZERO; elements.len()];
        hasher.hash_leaves(elements, &mut leaves);
        Self::from_leaves(hasher, &leaves)
    }

    /// The root. Without elements, it is the bottom leaf.
    #[must_use]
    pub fn root(&self) -> F::Node {
        self.tree.root()
    }

    /// The depth and the root: what verifiers need.
    #[must_use]
    pub fn head(&self) -> VectorHead<F::Node> {
        VectorHead { depth: self.depth(), root: self.root() }
    }

    /// The depth of the tree.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.tree.depth()
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tree, with its leaves in their actual positions.
    #[must_use]
    pub fn tree(&self) -> &Tree<Algorand<F>> {
        &self.tree
    }

    /// Proves the element at an index.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if `index >= self.len()`.
    pub fn prove(&self, index: u64) -> Result<InclusionProof<F::Node>, NoSuchLeafError> {
        if index >= self.len {
            return Err(NoSuchLeafError { index, size: self.len });
        }
        self.tree.prove(reverse(index, self.depth()))
    }

    /// Proves the elements at some indices, which must be distinct and can be in any order.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::NoSuchLeaf`] if an index is out of range, [`VerifyError::Unsorted`]
    /// if an index is repeated, and [`VerifyError::NoLeaves`] if there are none.
    pub fn prove_many(&self, indices: &[u64]) -> Result<MultiProof<F::Node>, VerifyError> {
        if let Some(&index) = indices.iter().find(|&&index| index >= self.len) {
            return Err(VerifyError::NoSuchLeaf { index, size: self.len });
        }
        let mut positions: Vec<u64> =
            indices.iter().map(|&index| reverse(index, self.depth())).collect();
        positions.sort_unstable();
        self.tree.prove_many(&positions).map_err(|error| with_element_index(error, self.depth()))
    }
}

/// The depth and root of a vector commitment: what a verifier must know from a source other than
/// the proof.
///
/// With a wrong depth, a proof only shows that the leaf is somewhere in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VectorHead<N> {
    /// The depth of the tree.
    pub depth: u32,
    /// The root.
    pub root: N,
}

impl<N: Node> VectorHead<N> {
    /// The head of the tree, which has `2^depth` leaves.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::TooManyLeaves`] if no tree is that deep.
    pub fn tree_head(&self) -> Result<TreeHead<N>, VerifyError> {
        Ok(TreeHead { size: size(self.depth)?, root: self.root })
    }

    /// The position of an element in the tree. To verify many proofs at once, use it with
    /// [`tree_head`](Self::tree_head) in a [`Claim`](crate::Claim).
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::NoSuchLeaf`] if a commitment of that depth has no such element, and
    /// [`VerifyError::TooManyLeaves`] if no tree is that deep.
    pub fn position(&self, index: u64) -> Result<u64, VerifyError> {
        let size = size(self.depth)?;
        if index >= size {
            Err(VerifyError::NoSuchLeaf { index, size })
        } else {
            Ok(reverse(index, self.depth))
        }
    }
}

/// Verifies that the vector commitment with this head has `leaf` at `index`.
///
/// The length of the proof must equal the depth, which go-algorand does not check.
///
/// # Errors
///
/// Returns a [`VerifyError`] if the proof does not show this.
pub fn verify_element<F: HashFunction>(
    hasher: &Algorand<F>,
    head: &VectorHead<F::Node>,
    index: u64,
    leaf: &F::Node,
    proof: &InclusionProof<F::Node>,
) -> Result<(), VerifyError> {
    proof.verify(hasher, &head.tree_head()?, head.position(index)?, leaf)
}

/// Verifies that the vector commitment with this head has these elements. They are given by index
/// and leaf, in any order.
///
/// # Errors
///
/// Returns a [`VerifyError`] if the proof does not show this or an index is repeated.
pub fn verify_elements<F: HashFunction>(
    hasher: &Algorand<F>,
    head: &VectorHead<F::Node>,
    elements: &[(u64, F::Node)],
    proof: &MultiProof<F::Node>,
) -> Result<(), VerifyError> {
    let mut leaves = elements
        .iter()
        .map(|&(index, leaf)| Ok((head.position(index)?, leaf)))
        .collect::<Result<Vec<_>, VerifyError>>()?;
    leaves.sort_unstable_by_key(|&(position, _)| position);
    proof
        .verify(hasher, &head.tree_head()?, &leaves)
        .map_err(|error| with_element_index(error, head.depth))
}

/// Replaces the position of a repeated leaf by the index of its element.
fn with_element_index(error: VerifyError, depth: u32) -> VerifyError {
    match error {
        VerifyError::Unsorted { index, before } => {
            VerifyError::Unsorted { index: reverse(index, depth), before: reverse(before, depth) }
        }
        error => error,
    }
}

/// The number of leaves in a commitment of this depth.
fn size(depth: u32) -> Result<u64, VerifyError> {
    let capacity = 1 << MAX_DEPTH;
    if depth > MAX_DEPTH {
        return Err(VerifyError::TooManyLeaves {
            size: 1u64.checked_shl(depth).unwrap_or(u64::MAX),
            capacity,
        });
    }
    Ok(1 << depth)
}

/// Reverses the lowest `depth` bits of an index. The other bits must be zero.
fn reverse(index: u64, depth: u32) -> u64 {
    index.reverse_bits().checked_shr(u64::BITS - depth).unwrap_or(0)
}
