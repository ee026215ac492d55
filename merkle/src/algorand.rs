//! Algorand's Merkle trees: `merklearray`, by which blocks commit to transactions and state proofs
//! to their signers.
//!
//! A leaf is H(domain ‖ data), a node H("MA" ‖ left ‖ right), and a missing node is zeros. A plain
//! tree takes its leaves as they come; a [`VectorCommitment`] puts them into an order in which its
//! depth alone says where an element stands.
//!
//! Proofs are those of this crate: an [`InclusionProof`](crate::InclusionProof) for one leaf, a
//! [`MultiProof`](crate::MultiProof) for several, with the hints of `merklearray` in the same
//! order. Where those have an empty hint, for a missing node, these have zeros.
//! [`FixedLengthProof`] is the form in which a proof is hashed itself.
//!
//! ```
//! use merkle_lanes::Tree;
//! use merkle_lanes::algorand::{Algorand, Sumhash512};
//!
//! let mut tree = Tree::new(Algorand::new(Sumhash512::new(), b"MX"));
//! tree.extend_data(&["first", "second", "third"]);
//! tree.prove(2)?.verify(tree.hasher(), &tree.root(), 3, 2, &tree.leaves()[2])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fixed_length;
mod function;
mod vector;

pub use fixed_length::{FixedLengthError, FixedLengthProof};
pub use function::{HashFunction, Sha256, Sha512_256, Sumhash512};
pub use vector::{VectorCommitment, position, verify_element, verify_elements};

use crate::hasher::{NodeHasher, Odd};
use crate::node::Node;
use crate::staged;

/// What is hashed before two nodes.
const NODE: &[u8] = b"MA";

/// What is hashed before data of a kind: the domains of `protocol/hash.go` that state proofs use.
pub mod domains {
    /// The bottom leaf, of which a vector commitment has as many as are missing to a power of two.
    pub const BOTTOM_LEAF: &[u8] = b"MB";
    /// A participant: its weight, the lifetime of its keys, and the commitment to them.
    pub const PARTICIPANT: &[u8] = b"spp";
    /// A key: its scheme, its first round, and a Falcon public key.
    pub const KEY: &[u8] = b"KP";
    /// A slot for a signature; an empty one has nothing behind it.
    pub const SIGNATURE_SLOT: &[u8] = b"sps";
}

/// The trees of `merklearray` by a hash function: [`Sumhash512`] with nodes of 64 bytes,
/// [`Sha512_256`] or [`Sha256`].
///
/// go-algorand gives a plain tree without leaves a root without bytes. Here it is zeros, which no
/// leaf is proven against.
#[derive(Clone, Copy, Debug)]
pub struct Algorand<F> {
    function: F,
    domain: &'static [u8],
}

impl<F: HashFunction> Algorand<F> {
    /// The trees by a hash function, with what is hashed before the data of each leaf.
    #[must_use]
    pub const fn new(function: F, domain: &'static [u8]) -> Self {
        Self { function, domain }
    }
}

impl<F: HashFunction> NodeHasher for Algorand<F> {
    type Node = F::Node;

    fn odd(&self) -> Odd {
        Odd::Padded
    }

    /// Zeros, for every level.
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
