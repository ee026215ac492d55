//! Certificate Transparency's Merkle trees: RFC 6962 and RFC 9162 §2.1.

use alloc::vec::Vec;

use hash_lanes::{Backend, check_counts};

use crate::hasher::{NodeHasher, Odd};
use crate::sha256::{self, Prefixed};

/// What is hashed before the two children of a node.
type NodePrefix = Prefixed<1, 0x0100_0000>;

/// What is hashed before an entry.
const LEAF_PREFIX: u8 = 0;

/// The most entries whose leaves are hashed at once.
const DATA_AT_ONCE: usize = 256;

/// Once there are so many bytes of entries, their leaves are hashed: they are copied, and should still be in the cache.
const BYTES_AT_ONCE: usize = 1 << 18;

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
        // Where each message ends.
        let mut ends = [0; DATA_AT_ONCE];
        let (mut first, mut count) = (0, 0);
        for (index, data) in data.iter().enumerate() {
            messages.push(LEAF_PREFIX);
            messages.extend_from_slice(data.as_ref());
            ends[count] = messages.len();
            count += 1;
            if count == DATA_AT_ONCE || messages.len() >= BYTES_AT_ONCE || index + 1 == leaves.len() {
                let message =
                    |i: usize| &messages[i.checked_sub(1).map_or(0, |before| ends[before])..ends[i]];
                sha256_multi::hash_many_with(
                    self.backend,
                    (0..count).map(message),
                    &mut leaves[first..=index],
                );
                messages.clear();
                (first, count) = (index + 1, 0);
            }
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
