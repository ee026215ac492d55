//! Algorand's Merkle trees (`merklearray`): blocks commit to transactions with them, and state
//! proofs to participants and signatures.
//!
//! A leaf is H(domain ‖ data), a node is H("MA" ‖ left ‖ right), and a missing node is zeros.
//! A plain tree keeps its leaves in order. A [`VectorCommitment`] reorders them, so that the depth
//! alone determines the position of an element.
//!
//! Proofs are an [`InclusionProof`] for one leaf or a
//! [`MultiProof`](crate::MultiProof) for several. Their nodes have the same order as the hints of
//! `merklearray`, with zeros in place of empty hints for missing nodes. [`fixed_length_bytes`]
//! encodes a proof that is itself hashed.
//!
//! ```
//! use merkle_lanes::algorand::{Algorand, Sumhash512};
//! use merkle_lanes::Tree;
//!
//! let mut tree = Tree::new(Algorand::new(Sumhash512::new(), b"MX"));
//! tree.extend_data(&["first", "second", "third"]);
//! tree.prove(2)?.verify(tree.hasher(), &tree.head(), 2, &tree.leaves()[2])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod function;
pub mod state_proof;
mod vector;

pub use function::{HashFunction, Sha256, Sha512_256, Sumhash512};
pub use vector::{VectorCommitment, VectorHead, verify_element, verify_elements};

use alloc::vec;
use alloc::vec::Vec;

use crate::hasher::{Node, NodeHasher, Odd};
use crate::proof::InclusionProof;
use crate::staged;

/// The prefix of a node.
const NODE: &[u8] = b"MA";

/// Domain separators for data, from `protocol/hash.go`: those that state proofs use.
pub mod domains {
    /// The bottom leaf, which pads a vector commitment to a power of two.
    pub const BOTTOM_LEAF: &[u8] = b"MB";
    /// A participant: its weight, the lifetime of its keys, and the commitment to them.
    pub const PARTICIPANT: &[u8] = b"spp";
    /// A key: its scheme, its first round, and a Falcon public key.
    pub const KEY: &[u8] = b"KP";
    /// A signature slot. An empty slot has no data after the domain.
    pub const SIGNATURE_SLOT: &[u8] = b"sps";
}

/// The trees of `merklearray` with a choice of hash function: [`Sumhash512`] with 64-byte nodes,
/// [`Sha512_256`] or [`Sha256`].
///
/// In go-algorand, a plain tree without leaves has an empty root. Here the root is all zeros, and
/// no leaf can be proven against it.
#[derive(Clone, Copy, Debug)]
pub struct Algorand<F> {
    function: F,
    domain: &'static [u8],
}

impl<F: HashFunction> Algorand<F> {
    /// Creates the family with a hash function and the domain of its leaves.
    #[must_use]
    pub const fn new(function: F, domain: &'static [u8]) -> Self {
        Self { function, domain }
    }
}

crate::hasher::hash_node!([F: HashFunction] Algorand<F>, F::Node);

impl<F: HashFunction> NodeHasher for Algorand<F> {
    type Node = F::Node;

    fn odd(&self) -> Odd {
        Odd::Padded
    }

    /// Zeros on every level.
    fn missing(&self, _level: u32) -> F::Node {
        F::Node::ZERO
    }

    fn empty_root(&self) -> F::Node {
        F::Node::ZERO
    }

    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [F::Node]) {
        staged::hash_leaves(&self.function, self.domain, data, leaves);
    }

    #[track_caller]
    fn hash_level(&self, children: &[F::Node], parents: &mut [F::Node]) {
        self.function.hash_level(children, parents);
    }

    fn subtree_height(&self, nodes: usize) -> u32 {
        self.function.subtree_height(nodes)
    }

    #[track_caller]
    fn hash_subtrees(&self, leaves: &[F::Node], height: u32, roots: &mut [F::Node]) {
        F::hash_subtrees(self, leaves, height, roots);
    }
}

/// The maximum depth of a tree whose proofs have a fixed length: `MaxEncodedTreeDepth` of
/// go-algorand.
const MAX_ENCODED_DEPTH: usize = 16;

/// Encodes a proof with a fixed length, as in the signature slots of state proofs, which hash a
/// proof: a byte with the depth of the tree, then zeros in place of unused nodes, then the nodes of
/// the proof. There is room for 16 nodes: 1025 bytes with nodes of 64 bytes.
///
/// Returns `None` if the proof has more nodes.
#[must_use]
pub fn fixed_length_bytes<N: Node>(proof: &InclusionProof<N>) -> Option<Vec<u8>> {
    let unused = MAX_ENCODED_DEPTH.checked_sub(proof.nodes().len())?;
    let depth = proof.nodes().len() as u8;
    Some([vec![depth], vec![0; unused * N::BYTES], proof.to_bytes()].concat())
}
