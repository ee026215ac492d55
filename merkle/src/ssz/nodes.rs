//! Objects whose nodes are found by generalized indices.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use super::{Chunk, GeneralizedIndex, Ssz, objects, zero_hash};
use crate::tree::Tree;

/// An object whose nodes are found by their generalized indices, for
/// [`SszMultiProof`](super::SszMultiProof).
///
/// Implemented for trees of chunks, [`HashedList`](super::HashedList),
/// [`HashedProgressiveList`](super::HashedProgressiveList), and [`Object`], which composes them.
pub trait NodeAt {
    /// The node at an index. `None` if the object has none there: below a chunk, for example.
    fn node_at(&self, index: GeneralizedIndex) -> Option<Chunk>;
}

/// A vector of chunks, or the chunks of a list without its length. Padding is part of the tree.
impl NodeAt for Tree<Ssz> {
    fn node_at(&self, index: GeneralizedIndex) -> Option<Chunk> {
        padded_node(self.depth(), self.len(), index, |level, at| self.node(level, at))
    }
}

/// The node at an index in a tree of this depth and number of chunks. `node` returns one that has
/// chunks below it.
pub(super) fn padded_node(
    depth: u32,
    chunks: u64,
    index: GeneralizedIndex,
    node: impl FnOnce(u32, u64) -> Chunk,
) -> Option<Chunk> {
    let level = depth.checked_sub(index.depth())?;
    let has_chunks = chunks.checked_sub(1).is_some_and(|last| index.position() <= last >> level);
    Some(if has_chunks { node(level, index.position()) } else { zero_hash(level) })
}

/// An object that is composed of others: a container of its fields, a list of its chunks and its
/// length.
///
/// The example of [`SszMultiProof`](super::SszMultiProof) composes a container with a list.
pub struct Object<'a>(Kind<'a>);

enum Kind<'a> {
    /// A root or a chunk, whatever is below it.
    Node(Chunk),
    /// Any source of nodes.
    Nodes(Box<dyn NodeAt + Send + Sync + 'a>),
    /// A tree, and what is below each of its leaves.
    Fields { tree: Tree<Ssz>, fields: Vec<Object<'a>> },
}

impl<'a> Object<'a> {
    /// Takes the nodes of a tree, a list, or another source.
    pub fn new(nodes: impl NodeAt + Send + Sync + 'a) -> Self {
        Self(Kind::Nodes(Box::new(nodes)))
    }

    /// A container of fields, or a vector of objects.
    pub fn container(ssz: &Ssz, fields: impl IntoIterator<Item = Self>) -> Self {
        let fields: Vec<_> = fields.into_iter().collect();
        let roots: Vec<_> = fields.iter().map(Self::root).collect();
        let tree = Tree::from_leaves(Ssz { limit: None, ..*ssz }, roots);
        Self(Kind::Fields { tree, fields })
    }

    /// A list of these chunks, see [`Ssz::mix_in_length`].
    ///
    /// # Panics
    ///
    /// Panics if the length is negative or greater than 2^64 - 1.
    #[track_caller]
    pub fn with_length(
        ssz: &Ssz,
        chunks: impl NodeAt + Send + Sync + 'a,
        length: impl TryInto<u64>,
    ) -> Self {
        Self::container(ssz, [Self::new(chunks), objects::length_chunk(length).into()])
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> Chunk {
        self.node_at(GeneralizedIndex::ROOT).expect("every object has a root")
    }
}

/// A chunk, or the root of an object whose other nodes are not needed.
impl From<Chunk> for Object<'_> {
    fn from(node: Chunk) -> Self {
        Self(Kind::Node(node))
    }
}

impl NodeAt for Object<'_> {
    fn node_at(&self, index: GeneralizedIndex) -> Option<Chunk> {
        match &self.0 {
            Kind::Node(node) => (index == GeneralizedIndex::ROOT).then_some(*node),
            Kind::Nodes(nodes) => nodes.node_at(index),
            Kind::Fields { tree, fields } => {
                let (above, below) = index.split(tree.depth());
                if below == GeneralizedIndex::ROOT && above.depth() < tree.depth() {
                    return tree.node_at(above);
                }
                match fields.get(usize::try_from(above.position()).ok()?) {
                    Some(field) => field.node_at(below),
                    None => (below == GeneralizedIndex::ROOT).then_some([0; 32]),
                }
            }
        }
    }
}

impl fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object").field("root", &self.root()).finish_non_exhaustive()
    }
}
