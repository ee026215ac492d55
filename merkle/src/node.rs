//! What stands at the places of a tree.

use core::fmt::Debug;
use core::hash::Hash;

/// A node, and a leaf, of a tree: the digest of what is below it. Every `[u8; N]` is one.
pub trait Node:
    Copy + Debug + Eq + Ord + Hash + AsRef<[u8]> + AsMut<[u8]> + Send + Sync + 'static
{
    /// How many bytes it has.
    const BYTES: usize;

    /// All bytes zero.
    const ZERO: Self;

    /// The nodes whose bytes follow one another, and the bytes that are left over.
    fn from_bytes(bytes: &[u8]) -> (&[Self], &[u8]);

    /// The bytes of all nodes, one after another.
    fn as_bytes(nodes: &[Self]) -> &[u8];
}

impl<const N: usize> Node for [u8; N] {
    const BYTES: usize = N;
    const ZERO: Self = [0; N];

    fn from_bytes(bytes: &[u8]) -> (&[Self], &[u8]) {
        bytes.as_chunks()
    }

    fn as_bytes(nodes: &[Self]) -> &[u8] {
        nodes.as_flattened()
    }
}
