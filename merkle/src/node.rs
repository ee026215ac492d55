//! The node type of a tree.

use core::fmt::Debug;
use core::hash::Hash;

/// A node or leaf of a tree: the digest of what is below it. Implemented for every `[u8; N]`.
pub trait Node:
    Copy + Debug + Eq + Ord + Hash + AsRef<[u8]> + AsMut<[u8]> + Send + Sync + 'static
{
    /// The number of bytes in a node.
    const BYTES: usize;

    /// The node with all bytes zero.
    const ZERO: Self;

    /// Splits bytes into nodes and the remainder that does not fill a node.
    fn from_bytes(bytes: &[u8]) -> (&[Self], &[u8]);

    /// Like [`from_bytes`](Self::from_bytes), for nodes to write.
    fn from_bytes_mut(bytes: &mut [u8]) -> (&mut [Self], &mut [u8]);

    /// The concatenated bytes of all nodes.
    fn as_bytes(nodes: &[Self]) -> &[u8];
}

impl<const N: usize> Node for [u8; N] {
    const BYTES: usize = N;
    const ZERO: Self = [0; N];

    fn from_bytes(bytes: &[u8]) -> (&[Self], &[u8]) {
        bytes.as_chunks()
    }

    fn from_bytes_mut(bytes: &mut [u8]) -> (&mut [Self], &mut [u8]) {
        bytes.as_chunks_mut()
    }

    fn as_bytes(nodes: &[Self]) -> &[u8] {
        nodes.as_flattened()
    }
}
