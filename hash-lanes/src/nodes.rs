//! Nodes of binary trees: messages of exactly 64 bytes.

use crate::any_hash::AnyHash;
use crate::backend::Backend;
use crate::word::Block;

/// A hash with kernels for nodes of 64 bytes.
pub trait NodeHash: AnyHash<Digest = [u8; 32]> {
    /// Hashes each node.
    fn hash_nodes(backend: Backend, nodes: &[Block], digests: &mut [[u8; 32]]);

    /// Hashes each node twice.
    fn hash_nodes_twice(backend: Backend, nodes: &[Block], digests: &mut [[u8; 32]]);
}

/// The input of `hash_pairs`: nodes of 64 bytes, or digests of 32 bytes, where two adjacent
/// siblings form a node.
pub trait AsNodes: Copy + sealed::Sealed {
    /// The nodes; `None` if the last digest has no sibling.
    #[doc(hidden)]
    fn as_nodes(nodes: &[Self]) -> Option<&[Block]>;
}

impl AsNodes for [u8; 64] {
    fn as_nodes(nodes: &[Self]) -> Option<&[Block]> {
        Some(nodes)
    }
}

impl AsNodes for [u8; 32] {
    fn as_nodes(digests: &[Self]) -> Option<&[Block]> {
        let (nodes, rest) = digests.as_flattened().as_chunks();
        rest.is_empty().then_some(nodes)
    }
}

mod sealed {
    /// The sealed supertrait.
    pub trait Sealed {}

    impl Sealed for [u8; 64] {}

    impl Sealed for [u8; 32] {}
}

/// The nodes, after checking that every digest has a sibling.
#[track_caller]
pub(crate) fn nodes_of<T: AsNodes>(nodes: &[T]) -> &[Block] {
    match T::as_nodes(nodes) {
        Some(nodes) => nodes,
        None => panic!("{} digests are not pairs: the last has no sibling", nodes.len()),
    }
}
