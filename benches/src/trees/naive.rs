//! Reference trees without lanes: level by level, one node after another, with sha2 or the crate
//! `sumhash`.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use super::data::{Node, Proof, Proofs};
use crate::harness::{Candidate, Role};
use crate::machine::label;
use crate::sumhash;

/// SHA-256 of two nodes.
pub(super) fn sha256_node(left: &Node, right: &Node) -> Node {
    Sha256::new().chain_update(left).chain_update(right).finalize().into()
}

/// Double SHA-256 of two nodes, as in Bitcoin.
pub(super) fn sha256d_node(left: &Node, right: &Node) -> Node {
    Sha256::digest(sha256_node(left, right)).into()
}

/// RFC 6962's leaf hash of an entry.
pub(super) fn rfc6962_leaf(entry: &Node) -> Node {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

/// RFC 6962's hash of two nodes.
pub(super) fn rfc6962_node(left: &Node, right: &Node) -> Node {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The hash of two nodes in Algorand's state proofs.
pub(super) fn sumhash512_node(left: &Node<64>, right: &Node<64>) -> Node<64> {
    use digest_0_10::Digest as _;
    sumhash::Rival::new()
        .chain_update("MA")
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

/// The root of leaves, computed level by level with `hash_level`, with a new vector for each level.
///
/// A node without a sibling is hashed with itself. Only Bitcoin's tree has one, since the others
/// are complete.
pub(super) fn by_levels<const N: usize>(
    leaves: &[Node<N>],
    mut hash_level: impl FnMut(&[Node<N>], &mut [Node<N>]),
) -> Node<N> {
    let mut nodes = Cow::Borrowed(leaves);
    while nodes.len() > 1 {
        if let &[.., last] = &*nodes
            && nodes.len() % 2 == 1
        {
            nodes.to_mut().push(last);
        }
        let mut parents = vec![[0; N]; nodes.len() / 2];
        hash_level(&nodes, &mut parents);
        nodes = Cow::Owned(parents);
    }
    nodes[0]
}

fn hash_level<const N: usize>(
    nodes: &[Node<N>],
    parents: &mut [Node<N>],
    parent: impl Fn(&Node<N>, &Node<N>) -> Node<N>,
) {
    for ([left, right], hashed) in nodes.as_chunks().0.iter().zip(parents) {
        *hashed = parent(left, right);
    }
}

/// The root of leaves.
pub(super) fn root<const N: usize>(
    leaves: &[Node<N>],
    parent: impl Fn(&Node<N>, &Node<N>) -> Node<N>,
) -> Node<N> {
    by_levels(leaves, |nodes, parents| hash_level(nodes, parents, &parent))
}

/// RFC 6962's root of entries.
pub(super) fn rfc6962_root(entries: &[Node]) -> Node {
    let leaves: Vec<Node> = entries.iter().map(rfc6962_leaf).collect();
    root(&leaves, rfc6962_node)
}

fn rival<'a, T: AsRef<[u8]>>(run: impl FnMut() -> T + 'a) -> Candidate<'a> {
    Candidate::returning(label("sha2", "0.11"), Role::Rival, run)
}

pub(super) fn root_candidate<'a>(
    leaves: &'a [Node],
    parent: impl Fn(&Node, &Node) -> Node + 'a,
) -> Candidate<'a> {
    rival(move || root(leaves, &parent))
}

pub(super) fn rfc6962_root_candidate(entries: &[Node]) -> Candidate<'_> {
    rival(|| rfc6962_root(entries))
}

/// Verifies proofs one after another.
pub(super) fn verifier<'a>(
    proofs: &'a Proofs,
    leaf: impl Fn(&Node) -> Node + 'a,
    parent: impl Fn(&Node, &Node) -> Node + 'a,
) -> Candidate<'a> {
    rival(move || -> Vec<u8> {
        let verdict = |proof: &Proof| {
            let climb = |node, (level, sibling): (usize, &Node)| {
                if (proof.index >> level) % 2 == 1 {
                    parent(sibling, &node)
                } else {
                    parent(&node, sibling)
                }
            };
            u8::from(proof.path.iter().enumerate().fold(leaf(&proof.data), climb) == proofs.root)
        };
        proofs.all.iter().map(verdict).collect()
    })
}
