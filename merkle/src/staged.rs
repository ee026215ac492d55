//! Leaves and nodes with a prefix, for hash functions that take whole messages.

use alloc::vec;
use alloc::vec::Vec;

use hash_lanes::engine::check_counts;

use crate::hasher::{Node, check_children};

/// The number of messages hashed per call: several for each lane.
const MESSAGES_AT_ONCE: usize = 256;

/// The size limit of a batch in bytes, unless a single message is longer.
const BYTES_AT_ONCE: usize = 1 << 18;

/// The maximum number of bytes that a single node is hashed from without allocating: two digests of
/// 64 bytes and a prefix.
const NODE_BYTES: usize = 160;

/// A hash function that takes many whole messages per call.
#[cfg_attr(
    not(feature = "algorand"),
    expect(unreachable_pub, reason = "a supertrait of what the feature `algorand` exports")
)]
pub trait HashMessages {
    /// A digest.
    type Node: Node;

    /// Hashes each message into the digest at the same index. The counts must match.
    fn hash_many<'m, I>(&self, messages: I, digests: &mut [Self::Node])
    where
        I: ExactSizeIterator<Item = &'m [u8]>;
}

/// Hashes each piece of data into the leaf H(prefix ‖ data).
#[track_caller]
pub(crate) fn hash_leaves<H: HashMessages, M: AsRef<[u8]>>(
    hash: &H,
    prefix: &[u8],
    data: &[M],
    leaves: &mut [H::Node],
) {
    check_counts(data.len(), leaves.len());
    if prefix.is_empty() {
        for (data, leaves) in data.chunks(MESSAGES_AT_ONCE).zip(leaves.chunks_mut(MESSAGES_AT_ONCE))
        {
            hash.hash_many(data.iter().map(AsRef::as_ref), leaves);
        }
        return;
    }
    hash_prefixed_leaves(hash, prefix, data, leaves);
}

/// [`hash_leaves`] with a prefix. Out of line, so that its frame is not on the stack otherwise.
#[inline(never)]
fn hash_prefixed_leaves<H: HashMessages, M: AsRef<[u8]>>(
    hash: &H,
    prefix: &[u8],
    data: &[M],
    leaves: &mut [H::Node],
) {
    if let [data] = data {
        // Without the offsets of a batch.
        let message = [prefix, data.as_ref()].concat();
        return hash.hash_many([message.as_slice()].into_iter(), leaves);
    }
    let mut messages = Vec::new();
    // The end offset of each message.
    let mut ends = vec![0; leaves.len().min(MESSAGES_AT_ONCE)];
    let (mut first, mut count) = (0, 0);
    for (index, data) in data.iter().enumerate() {
        messages.extend_from_slice(prefix);
        messages.extend_from_slice(data.as_ref());
        ends[count] = messages.len();
        count += 1;
        if count == MESSAGES_AT_ONCE || messages.len() >= BYTES_AT_ONCE || index + 1 == leaves.len()
        {
            let message =
                |i: usize| &messages[i.checked_sub(1).map_or(0, |before| ends[before])..ends[i]];
            hash.hash_many((0..count).map(message), &mut leaves[first..=index]);
            messages.clear();
            (first, count) = (index + 1, 0);
        }
    }
}

/// Hashes each pair of children into the parent H(prefix ‖ left ‖ right).
#[track_caller]
pub(crate) fn hash_parents<H: HashMessages>(
    hash: &H,
    prefix: &[u8],
    children: &[H::Node],
    parents: &mut [H::Node],
) {
    check_children(children.len(), parents.len());
    let nodes = Node::as_bytes(children);
    let both = 2 * H::Node::BYTES;
    if prefix.is_empty() {
        for (nodes, parents) in
            nodes.chunks(both * MESSAGES_AT_ONCE).zip(parents.chunks_mut(MESSAGES_AT_ONCE))
        {
            hash.hash_many(nodes.chunks_exact(both), parents);
        }
        return;
    }
    let length = prefix.len() + both;
    if parents.len() == 1 && length <= NODE_BYTES {
        // A node of a proof, without allocating.
        let mut message = [0; NODE_BYTES];
        message[..prefix.len()].copy_from_slice(prefix);
        message[prefix.len()..length].copy_from_slice(nodes);
        return hash.hash_many([&message[..length]].into_iter(), parents);
    }
    let mut messages = vec![0; length * parents.len().min(MESSAGES_AT_ONCE)];
    for message in messages.chunks_exact_mut(length) {
        message[..prefix.len()].copy_from_slice(prefix);
    }
    for (nodes, parents) in
        nodes.chunks(both * MESSAGES_AT_ONCE).zip(parents.chunks_mut(MESSAGES_AT_ONCE))
    {
        for (message, node) in messages.chunks_exact_mut(length).zip(nodes.chunks_exact(both)) {
            message[prefix.len()..].copy_from_slice(node);
        }
        hash.hash_many(messages.chunks_exact(length).take(parents.len()), parents);
    }
}
