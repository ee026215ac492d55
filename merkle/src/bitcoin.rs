//! Bitcoin's Merkle trees.

use hash_lanes::Backend;

use crate::hasher::{NodeHasher, Odd, check_children};
use crate::sha256::{self, Double};

/// The trees of a block's transactions: SHA-256 twice of two nodes. A node without a sibling is hashed with itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bitcoin {
    backend: Backend,
}

impl Bitcoin {
    /// The same for all trees.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with a backend of one's choice.
    #[must_use]
    pub fn with_backend(self, backend: Backend) -> Self {
        Self { backend }
    }
}

impl NodeHasher for Bitcoin {
    type Node = [u8; 32];

    fn odd(&self) -> Odd {
        Odd::Duplicated
    }

    /// Zeros, which no block has.
    fn empty_root(&self) -> [u8; 32] {
        [0; 32]
    }

    /// The ids of transactions: SHA-256 twice.
    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [[u8; 32]]) {
        sha256_multi::double_hash_many_with(self.backend, data, leaves);
    }

    #[track_caller]
    fn hash_level(&self, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        check_children(children.len(), parents.len());
        let (nodes, _) = children.as_flattened().as_chunks();
        sha256_multi::double_hash_pairs_with(self.backend, nodes, parents);
    }

    fn subtree_height(&self, nodes: usize) -> u32 {
        sha256::subtree_height(self.backend, nodes)
    }

    #[track_caller]
    fn hash_subtrees(&self, leaves: &[[u8; 32]], height: u32, roots: &mut [[u8; 32]]) {
        sha256::hash_subtrees::<Double, _>(self.backend, self, leaves, height, roots);
    }
}
