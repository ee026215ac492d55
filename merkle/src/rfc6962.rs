//! Merkle trees of Certificate Transparency: RFC 6962 and RFC 9162 §2.1; subtrees of Merkle Tree
//! Certificates.

pub mod mtc;
mod subtree;

use hash_lanes::Backend;
use sha256_multi::Sha256Lanes;

pub use subtree::{InvalidSubtreeError, Subtree};

use crate::hasher::{NodeHasher, Odd};
use crate::sha256::{self, Prefixed};
use crate::staged::{self, HashMessages};

/// The prefix of a node.
type NodePrefix = Prefixed<1, 0x0100_0000>;

/// The prefix of an entry.
const LEAF_PREFIX: u8 = 0;

/// The trees of RFC 9162 §2.1.1. A leaf is SHA-256(0x00 ‖ entry), a node is
/// SHA-256(0x01 ‖ left ‖ right). A node without a sibling is promoted unchanged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rfc6962 {
    backend: Backend,
}

sha256::constructors!(Rfc6962);

crate::hasher::hash_node!([] Rfc6962, [u8; 32]);

impl NodeHasher for Rfc6962 {
    type Node = [u8; 32];

    fn odd(&self) -> Odd {
        Odd::Promoted
    }

    /// SHA-256 of the empty message.
    fn empty_root(&self) -> [u8; 32] {
        Sha256Lanes::on(self.backend).hash([])
    }

    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [[u8; 32]]) {
        staged::hash_leaves(self, &[LEAF_PREFIX], data, leaves);
    }

    sha256::levels!(NodePrefix);
}

impl HashMessages for Rfc6962 {
    type Node = [u8; 32];

    fn hash_many<'m, I>(&self, messages: I, digests: &mut [[u8; 32]])
    where
        I: ExactSizeIterator<Item = &'m [u8]>,
    {
        Sha256Lanes::on(self.backend).hash_many_into(messages, digests);
    }
}
