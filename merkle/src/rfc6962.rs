//! Certificate Transparency's Merkle trees: RFC 6962 and RFC 9162 §2.1.

use alloc::vec::Vec;

use hash_lanes::{Backend, check_counts};

use crate::hasher::{NodeHasher, Odd};
use crate::sha256::{self, Prefixed};

/// What is hashed before the two children of a node.
type NodePrefix = Prefixed<1, 0x0100_0000>;

/// What is hashed before an entry.
const LEAF_PREFIX: u8 = 0;

/// Data whose leaves are hashed at once.
const DATA_AT_ONCE: usize = 256;

/// The trees of RFC 9162 §2.1.1: SHA-256 of 0x00 and the entry, and of 0x01 and two nodes. A node without a sibling
/// moves up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rfc6962 {
    backend: Backend,
}

impl Rfc6962 {
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

impl NodeHasher for Rfc6962 {
    type Node = [u8; 32];

    fn odd(&self) -> Odd {
        Odd::Promoted
    }

    /// The SHA-256 of nothing.
    fn empty_root(&self) -> [u8; 32] {
        let mut root = [[0; 32]];
        sha256_multi::hash_many_with(self.backend, &[""], &mut root);
        root[0]
    }

    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [[u8; 32]]) {
        check_counts(data.len(), leaves.len());
        let mut messages = Vec::new();
        for (data, leaves) in data.chunks(DATA_AT_ONCE).zip(leaves.chunks_mut(DATA_AT_ONCE)) {
            messages.clear();
            messages.extend(data.iter().map(|data| [&[LEAF_PREFIX], data.as_ref()].concat()));
            sha256_multi::hash_many_with(self.backend, &messages, leaves);
        }
    }

    #[track_caller]
    fn hash_level(&self, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        sha256::hash_prefixed::<1, 0x0100_0000>(self.backend, children, parents);
    }

    fn subtree_height(&self, nodes: usize) -> u32 {
        sha256::subtree_height(self.backend, nodes)
    }

    #[track_caller]
    fn hash_subtrees(&self, leaves: &[[u8; 32]], height: u32, roots: &mut [[u8; 32]]) {
        sha256::hash_subtrees::<NodePrefix, _>(self.backend, self, leaves, height, roots);
    }
}
