//! How two children are hashed into their parent, in lanes.

use hash_lanes::Backend;
use hash_lanes::engine::{BLOCK_WORDS, LaneKernel, Words};
use sha256_multi::Sha256Lanes;
use sha256_multi::hazmat::{State, compress_32_bytes, compress_64_bytes, lanes_of_nodes};

use crate::hasher::check_children;

/// A SHA-256 of two children: plain, double or after a prefix.
pub(crate) trait ParentHash {
    /// Hashes two children into their parent. The words of the left child come first.
    fn parent<V: Words<Word = u32>>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V>;

    /// The lanes that hash many nodes; `None` if SHA instructions are faster.
    fn lanes(backend: Backend) -> Option<LaneKernel>;

    /// Hashes a level of nodes: two children for each parent.
    fn hash_parents(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]);
}

/// SHA-256(left ‖ right).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl ParentHash for Plain {
    #[inline(always)]
    fn parent<V: Words<Word = u32>>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        compress_64_bytes(token, children)
    }

    fn lanes(backend: Backend) -> Option<LaneKernel> {
        lanes_of_nodes(backend, false)
    }

    #[track_caller]
    fn hash_parents(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        check_children(children.len(), parents.len());
        Sha256Lanes::on(backend).hash_pairs_into(children, parents);
    }
}

/// SHA-256(SHA-256(left ‖ right)).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double;

impl ParentHash for Double {
    #[inline(always)]
    fn parent<V: Words<Word = u32>>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        compress_32_bytes(token, Plain::parent(token, children))
    }

    fn lanes(backend: Backend) -> Option<LaneKernel> {
        lanes_of_nodes(backend, true)
    }

    #[track_caller]
    fn hash_parents(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        check_children(children.len(), parents.len());
        Sha256Lanes::on(backend).double_hash_pairs_into(children, parents);
    }
}
