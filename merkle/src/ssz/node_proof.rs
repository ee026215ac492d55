//! Proves nodes of an object at any depth, by generalized index: a branch or a multiproof.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{Chunk, GeneralizedIndex, Ssz};
use crate::hasher::{NodeHasher, Odd};
use crate::proof::{InclusionProof, TreeHead, VerifyError, nodes};
use crate::tree::Tree;

impl Ssz {
    /// Verifies that the object with this root has `node` at `index`. The branch has the siblings
    /// on the path from `node` to the root.
    ///
    /// This is `is_valid_merkle_branch` of the specification; [`GeneralizedIndex::at`] combines its
    /// depth and index.
    ///
    /// Unlike [`InclusionProof::verify`], it accepts any sibling where the object has no chunks,
    /// because the number of chunks is not known.
    ///
    /// ```
    /// use merkle_lanes::{NodeHasher, ssz::{GeneralizedIndex, Ssz}};
    ///
    /// let ssz = Ssz::new();
    /// let [a, b, c] = [[1; 32], [2; 32], [3; 32]];
    /// let root = ssz.hash_node(&a, &ssz.hash_node(&b, &c));
    /// let index = GeneralizedIndex::at(2, 3).unwrap();
    /// ssz.verify_branch(&root, index, &c, &vec![b, a].into())?;
    /// # Ok::<(), merkle_lanes::VerifyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the branch does not show this or does not have one node per
    /// level.
    pub fn verify_branch(
        &self,
        root: &Chunk,
        index: GeneralizedIndex,
        node: &Chunk,
        branch: &InclusionProof<Chunk>,
    ) -> Result<(), VerifyError> {
        // A full tree has no missing nodes.
        let size = 1 << index.depth();
        let full = Self { limit: Some(size), ..*self };
        branch.verify(&full, &TreeHead { size, root: *root }, index.position(), node)
    }
}

impl GeneralizedIndex {
    /// The node at this place in a tree whose root is at index 1: a chunk, a node above the chunks,
    /// or the padding for a missing one.
    ///
    /// Returns `None` for a place below the chunks, or for a missing node in a tree without
    /// padding.
    #[must_use]
    pub fn node_of<H: NodeHasher<Node = Chunk>>(self, tree: &Tree<H>) -> Option<Chunk> {
        let level = tree.depth().checked_sub(self.depth())?;
        let missing = || (tree.hasher().odd() == Odd::Padded).then(|| tree.hasher().missing(level));
        tree.node(level, self.position()).or_else(missing)
    }
}

/// Proves that an object has several nodes, at any depths. The proof has the nodes at the
/// [`helper_indices`], in that order. It is the `proof` of `verify_merkle_multiproof` in the
/// specification.
///
/// ```
/// use merkle_lanes::{Tree, ssz::{GeneralizedIndex, NodeProof, Ssz}};
///
/// let tree = Tree::from_leaves(Ssz::new(), [[1; 32], [2; 32], [3; 32], [4; 32], [5; 32]]);
/// let [upper, second] = [3, 9].map(|index| GeneralizedIndex::new(index).unwrap());
/// let proof = NodeProof::new(&tree, &[upper, second])?;
///
/// let nodes = [(upper, tree.level(2)[1]), (second, [2; 32])];
/// proof.verify(&Ssz::new(), &tree.root(), &nodes)?;
/// # Ok::<(), merkle_lanes::ssz::NodeProofError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeProof<N = Chunk>(Vec<N>);
nodes!(NodeProof, usize::MAX);

impl NodeProof {
    /// Proves that the object with this tree has nodes at these places, given in any order.
    ///
    /// The root of the tree must be at index 1.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`helper_indices`], and [`NodeProofError::NoSuchNode`] if a place is
    /// below the chunks.
    pub fn new<H: NodeHasher<Node = Chunk>>(
        tree: &Tree<H>,
        indices: &[GeneralizedIndex],
    ) -> Result<Self, NodeProofError> {
        let node = |index: GeneralizedIndex| {
            index.node_of(tree).ok_or(NodeProofError::NoSuchNode { index })
        };
        helper_indices(indices)?.into_iter().map(node).collect::<Result<_, _>>().map(Self)
    }

    /// Verifies that the object with this root has these nodes, given in any order.
    ///
    /// This is `verify_merkle_multiproof` of the specification, except that it rejects a node above
    /// another one. The specification would leave the lower node unproven.
    ///
    /// # Errors
    ///
    /// Returns a [`NodeProofError`] if the proof does not show this.
    pub fn verify(
        &self,
        hasher: &Ssz,
        root: &Chunk,
        nodes: &[(GeneralizedIndex, Chunk)],
    ) -> Result<(), NodeProofError> {
        if self.root(hasher, nodes)? == *root { Ok(()) } else { Err(NodeProofError::WrongRoot) }
    }

    /// Computes the root of the object that has these nodes, according to this proof. This is
    /// `calculate_multi_merkle_root` of the specification.
    ///
    /// The nodes of each depth are hashed in one call.
    ///
    /// # Errors
    ///
    /// Returns a [`NodeProofError`] if the places are invalid or the proof does not match them.
    pub fn root(
        &self,
        hasher: &Ssz,
        nodes: &[(GeneralizedIndex, Chunk)],
    ) -> Result<Chunk, NodeProofError> {
        let indices = Indices::new(nodes.iter().map(|&(index, _)| index))?;
        self.check_length(&indices)?;
        let mut all = nodes.to_vec();
        let mut entries = self.0.iter();
        indices.for_each_helper(|index| all.extend(entries.next().map(|&entry| (index, entry))))?;
        all.sort_unstable_by_key(|&(index, _)| Reverse(index));

        let mut rest = all.as_slice();
        // The nodes of one depth, each next to its sibling, from right to left.
        let mut row: Vec<(GeneralizedIndex, Chunk)> = Vec::new();
        let (mut children, mut parents) = (Vec::new(), Vec::new());
        for depth in (1..=indices.deepest()).rev() {
            row.extend_from_slice(take_depth(&mut rest, depth, |&(index, _)| index));
            row.sort_by_key(|&(index, _)| Reverse(index));
            children.clear();
            children.extend(row.iter().rev().map(|&(_, node)| node));
            parents.resize(children.len() / 2, [0; 32]);
            hasher.hash_level(&children, &mut parents);
            let places = row.chunks(2).filter_map(|pair| pair[0].0.parent());
            row = places.zip(parents.iter().rev().copied()).collect();
        }
        // Only the root is at depth 0, either computed or given.
        Ok(row.first().or(rest.first()).expect("there is a node").1)
    }

    fn check_length(&self, indices: &Indices) -> Result<(), NodeProofError> {
        let (mut expected, got) = (0, self.0.len());
        indices.for_each_helper(|_| expected += 1)?;
        if got == expected { Ok(()) } else { Err(NodeProofError::WrongLength { expected, got }) }
    }
}

/// The places of the nodes in a [`NodeProof`], in descending order: `get_helper_indices` of the
/// specification.
///
/// These are the siblings of the nodes on the paths from `indices` to the root that are not on
/// these paths themselves.
///
/// # Errors
///
/// Returns [`NodeProofError::NoNodes`] if there are no indices, [`NodeProofError::Repeated`] if one
/// is repeated, and [`NodeProofError::AboveAnother`] if a node is above another.
pub fn helper_indices(
    indices: &[GeneralizedIndex],
) -> Result<Vec<GeneralizedIndex>, NodeProofError> {
    let mut helpers = Vec::new();
    Indices::new(indices.iter().copied())?.for_each_helper(|index| helpers.push(index))?;
    Ok(helpers)
}

/// Distinct places in descending order; at least one.
struct Indices(Vec<GeneralizedIndex>);

impl Indices {
    fn new(indices: impl Iterator<Item = GeneralizedIndex>) -> Result<Self, NodeProofError> {
        let mut indices: Vec<GeneralizedIndex> = indices.collect();
        if indices.is_empty() {
            return Err(NodeProofError::NoNodes);
        }
        indices.sort_unstable_by_key(|&index| Reverse(index));
        match indices.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(NodeProofError::Repeated { index: pair[0] }),
            None => Ok(Self(indices)),
        }
    }

    fn deepest(&self) -> u32 {
        self.0[0].depth()
    }

    /// Calls `helper` with each of the [`helper_indices`].
    fn for_each_helper(
        &self,
        mut helper: impl FnMut(GeneralizedIndex),
    ) -> Result<(), NodeProofError> {
        let mut rest = self.0.as_slice();
        // The places of one depth on the paths to the root, from right to left.
        let mut row: Vec<GeneralizedIndex> = Vec::new();
        for depth in (0..=self.deepest()).rev() {
            row.extend_from_slice(take_depth(&mut rest, depth, |&index| index));
            row.sort_by_key(|&index| Reverse(index));
            // The given places are distinct, so one of two equal ones is above another node.
            if let Some(pair) = row.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(NodeProofError::AboveAnother { index: pair[0] });
            }
            let mut places = row.iter().copied().peekable();
            while let Some(sibling) = places.next().and_then(GeneralizedIndex::sibling) {
                // In descending order, the right sibling comes first.
                if places.next_if_eq(&sibling).is_none() {
                    helper(sibling);
                }
            }
            row = row.iter().filter_map(|index| index.parent()).collect();
            row.dedup();
        }
        Ok(())
    }
}

/// Splits off the leading elements of that depth.
fn take_depth<'a, T>(
    rest: &mut &'a [T],
    depth: u32,
    index: impl Fn(&T) -> GeneralizedIndex,
) -> &'a [T] {
    let (taken, left) =
        rest.split_at(rest.partition_point(|element| index(element).depth() == depth));
    *rest = left;
    taken
}

/// The error for a [`NodeProof`] that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeProofError {
    /// A proof of no nodes proves nothing.
    NoNodes,
    /// A place is given twice.
    Repeated {
        /// The place.
        index: GeneralizedIndex,
    },
    /// A node is above another one, which would determine its value.
    AboveAnother {
        /// The place of the upper node.
        index: GeneralizedIndex,
    },
    /// The tree has no node at a place in the proof.
    NoSuchNode {
        /// The place of the node.
        index: GeneralizedIndex,
    },
    /// The proof has fewer or more nodes than the places require.
    WrongLength {
        /// The expected number of nodes.
        expected: usize,
        /// The actual number of nodes.
        got: usize,
    },
    /// The proof leads to a different root.
    WrongRoot,
}

error_messages!(NodeProofError {
    Self::NoNodes => "no nodes to prove";
    Self::Repeated { index } => "generalized index {index} is repeated";
    Self::AboveAnother { index } =>
        "the node at generalized index {index} is above another node to prove";
    Self::NoSuchNode { index } => "the tree has no node at generalized index {index}";
    Self::WrongLength { expected, got } => "expected a proof of {expected} nodes, got {got}";
    Self::WrongRoot => "the proof leads to a different root";
});
