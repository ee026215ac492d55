//! Vector commitments.

use alloc::vec;
use alloc::vec::Vec;

use super::domains::BOTTOM_LEAF;
use super::{Algorand, HashFunction};
use crate::hasher::{NodeHasher, levels_above};
use crate::node::Node;
use crate::proof::{InclusionProof, MultiProof, VerifyError};
use crate::tree::{NoSuchLeafError, Tree};

/// The deepest tree there is.
const MAX_DEPTH: u32 = 63;

/// A tree that commits to a vector: a leaf stands where the bits of its index, in reverse order,
/// say, and where there is none, a bottom leaf. So a proof of known depth proves at which index an
/// element is.
///
/// ```
/// use merkle_lanes::NodeHasher;
/// use merkle_lanes::algorand::{Algorand, Sumhash512, VectorCommitment, verify_element};
///
/// let hasher = Algorand::new(Sumhash512::new(), b"MX");
/// let vector = VectorCommitment::from_data(hasher, &["first", "second", "third"]);
/// let (root, depth) = (vector.root(), vector.depth());
///
/// let proof = vector.prove(2)?;
/// verify_element(&hasher, &root, depth, (2, &hasher.hash_leaf(b"third")), &proof)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VectorCommitment<F: HashFunction> {
    tree: Tree<Algorand<F>>,
    elements: u64,
}

impl<F: HashFunction> VectorCommitment<F> {
    /// The commitment to elements that have been hashed.
    #[must_use]
    pub fn from_leaves(hasher: Algorand<F>, leaves: &[F::Node]) -> Self {
        let elements = leaves.len() as u64;
        let depth = levels_above(elements);
        let mut bottom = [F::Node::ZERO];
        hasher.function.hash_many([BOTTOM_LEAF].into_iter(), &mut bottom);
        let mut placed = vec![bottom[0]; 1 << depth];
        for (index, leaf) in (0..).zip(leaves) {
            placed[reverse(index, depth) as usize] = *leaf;
        }
        Self { tree: Tree::from_leaves(hasher, placed), elements }
    }

    /// The commitment to elements.
    #[must_use]
    pub fn from_data<M: AsRef<[u8]> + Sync>(hasher: Algorand<F>, elements: &[M]) -> Self {
        let mut leaves = vec![F::Node::ZERO; elements.len()];
        hasher.hash_leaves(elements, &mut leaves);
        Self::from_leaves(hasher, &leaves)
    }

    /// The root. With no element, it is the bottom leaf.
    #[must_use]
    pub fn root(&self) -> F::Node {
        self.tree.root()
    }

    /// How deep the tree is.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.tree.depth()
    }

    /// How many elements there are.
    #[must_use]
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// The tree, with its leaves where they stand.
    #[must_use]
    pub fn tree(&self) -> &Tree<Algorand<F>> {
        &self.tree
    }

    /// Proves that an element is at that index.
    ///
    /// # Errors
    ///
    /// If there is no such element.
    pub fn prove(&self, index: u64) -> Result<InclusionProof<F::Node>, NoSuchLeafError> {
        if index >= self.elements {
            return Err(NoSuchLeafError { index, size: self.elements });
        }
        self.tree.prove(reverse(index, self.depth()))
    }

    /// Proves that elements are at those indices, which come in any order, but none of them twice.
    ///
    /// # Errors
    ///
    /// If there is no element at one of them, one comes twice, or there is none at all.
    pub fn prove_many(&self, indices: &[u64]) -> Result<MultiProof<F::Node>, VerifyError> {
        if let Some(&index) = indices.iter().find(|&&index| index >= self.elements) {
            return Err(VerifyError::NoSuchLeaf { index, size: self.elements });
        }
        let mut positions: Vec<u64> =
            indices.iter().map(|&index| reverse(index, self.depth())).collect();
        positions.sort_unstable();
        self.tree.prove_many(&positions).map_err(|error| of_elements(error, self.depth()))
    }
}

/// Where, in the tree of a vector commitment of that depth, the element of an index stands.
///
/// That is what many proofs are verified with at once: a [`Claim`](crate::Claim) of a leaf at this
/// index, in a tree of `2^depth` leaves.
///
/// # Errors
///
/// If a commitment of that depth has no such element, or no tree is that deep.
pub fn position(index: u64, depth: u32) -> Result<u64, VerifyError> {
    let size = size(depth)?;
    if index >= size {
        Err(VerifyError::NoSuchLeaf { index, size })
    } else {
        Ok(reverse(index, depth))
    }
}

/// Verifies that the vector commitment of that root and depth has an element, given by its index
/// and leaf.
///
/// The verifier must know the depth from elsewhere than the proof, or the proof shows only that the
/// leaf is somewhere. The proof must be as long as the tree is deep, which go-algorand does not
/// check.
///
/// # Errors
///
/// If the proof does not show it.
pub fn verify_element<F: HashFunction>(
    hasher: &Algorand<F>,
    root: &F::Node,
    depth: u32,
    (index, leaf): (u64, &F::Node),
    proof: &InclusionProof<F::Node>,
) -> Result<(), VerifyError> {
    proof.verify(hasher, root, size(depth)?, position(index, depth)?, leaf)
}

/// Verifies that the vector commitment of that root and depth has elements, given by their indices,
/// in any order, and leaves.
///
/// # Errors
///
/// If the proof does not show it, or an index comes twice.
pub fn verify_elements<F: HashFunction>(
    hasher: &Algorand<F>,
    root: &F::Node,
    depth: u32,
    elements: &[(u64, F::Node)],
    proof: &MultiProof<F::Node>,
) -> Result<(), VerifyError> {
    let mut leaves = elements
        .iter()
        .map(|&(index, leaf)| Ok((position(index, depth)?, leaf)))
        .collect::<Result<Vec<_>, VerifyError>>()?;
    leaves.sort_unstable_by_key(|&(position, _)| position);
    proof.verify(hasher, root, size(depth)?, &leaves).map_err(|error| of_elements(error, depth))
}

/// The error with the index of an element that comes twice, instead of the position of its leaf.
fn of_elements(error: VerifyError, depth: u32) -> VerifyError {
    match error {
        VerifyError::Unsorted { index, before } => {
            VerifyError::Unsorted { index: reverse(index, depth), before: reverse(before, depth) }
        }
        error => error,
    }
}

/// How many leaves a commitment of that depth has.
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

/// The lowest `depth` bits of an index, which has no others, in reverse order.
fn reverse(index: u64, depth: u32) -> u64 {
    index.reverse_bits().checked_shr(u64::BITS - depth).unwrap_or(0)
}
