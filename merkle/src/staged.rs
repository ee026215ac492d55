//! Leaves and nodes with a prefix, for hash functions that take whole messages.

use alloc::vec;
use alloc::vec::Vec;

use hash_lanes::check_counts;

use crate::hasher::check_children;
use crate::node::Node;

/// Messages that are hashed at once: some for each lane.
const MESSAGES_AT_ONCE: usize = 256;

/// A hash function that takes many whole messages.
#[cfg_attr(
    not(feature = "algorand"),
    expect(unreachable_pub, reason = "a supertrait of what the feature `algorand` exports")
)]
pub trait HashMany {
    /// A digest.
    type Node: Node;

    /// Hashes each message into the digest at its own place. There are as many of them.
    fn hash_many<'m, I>(&self, messages: I, digests: &mut [Self::Node])
    where
        I: ExactSizeIterator<Item = &'m [u8]>;
}

/// The leaf H(prefix ‖ data) of each piece of data.
#[track_caller]
pub(crate) fn hash_leaves<H: HashMany, M: AsRef<[u8]>>(
    hash: &H,
    prefix: &[u8],
    data: &[M],
    leaves: &mut [H::Node],
) {
    check_counts(data.len(), leaves.len());
    if prefix.is_empty() {
        return hash.hash_many(data.iter().map(AsRef::as_ref), leaves);
    }
    let mut messages: Vec<Vec<u8>> = Vec::new();
    for (data, leaves) in data.chunks(MESSAGES_AT_ONCE).zip(leaves.chunks_mut(MESSAGES_AT_ONCE)) {
        messages.clear();
        messages.extend(data.iter().map(|data| [prefix, data.as_ref()].concat()));
        hash.hash_many(messages.iter().map(Vec::as_slice), leaves);
    }
}

/// The parent H(prefix ‖ left ‖ right) of each pair of children.
#[track_caller]
pub(crate) fn hash_level<H: HashMany>(
    hash: &H,
    prefix: &[u8],
    children: &[H::Node],
    parents: &mut [H::Node],
) {
    check_children(children.len(), parents.len());
    let nodes = Node::as_bytes(children);
    let both = 2 * H::Node::BYTES;
    if prefix.is_empty() {
        return hash.hash_many(nodes.chunks_exact(both), parents);
    }
    let length = prefix.len() + both;
    let mut messages = vec![0; length * parents.len().min(MESSAGES_AT_ONCE)];
    for message in messages.chunks_exact_mut(length) {
        message[..prefix.len()].copy_from_slice(prefix);
    }
    for (nodes, parents) in nodes.chunks(both * MESSAGES_AT_ONCE).zip(parents.chunks_mut(MESSAGES_AT_ONCE)) {
        for (message, node) in messages.chunks_exact_mut(length).zip(nodes.chunks_exact(both)) {
            message[prefix.len()..].copy_from_slice(node);
        }
        hash.hash_many(messages.chunks_exact(length).take(parents.len()), parents);
    }
}
