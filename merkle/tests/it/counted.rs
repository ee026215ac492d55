//! Counts hashed nodes: each is hashed exactly once.

use std::cell::Cell;

use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{Claim, NodeHasher, Odd, RootBuilder, Tree, root, verify_many};

use crate::leaves;
use crate::oracle::Hash;

/// A family that counts the nodes it hashes.
#[derive(Debug, Default)]
struct Counting<H> {
    hasher: H,
    hashed: Cell<usize>,
}

impl<H: NodeHasher<Node = Hash>> NodeHasher for Counting<H> {
    type Node = Hash;

    fn odd(&self) -> Odd {
        self.hasher.odd()
    }

    fn empty_root(&self) -> Hash {
        self.hasher.empty_root()
    }

    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [Hash]) {
        self.hasher.hash_leaves(data, leaves);
    }

    fn hash_level(&self, children: &[Hash], parents: &mut [Hash]) {
        self.hashed.set(self.hashed.get() + parents.len());
        self.hasher.hash_level(children, parents);
    }
}

/// The number of hashed nodes above `size` leaves.
fn inner_nodes(odd: Odd, mut size: usize) -> usize {
    let mut nodes = 0;
    while size > 1 {
        nodes += if odd == Odd::Promoted { size / 2 } else { size.div_ceil(2) };
        size = size.div_ceil(2);
    }
    nodes
}

fn check<H: NodeHasher<Node = Hash> + Default>(size: usize) {
    let expected = inner_nodes(H::default().odd(), size);
    let leaves = leaves(size);
    let hasher = Counting::<H>::default();
    let _ = root(&hasher, &leaves);
    assert_eq!(hasher.hashed.take(), expected, "root of {size}");
    let mut tree = Tree::from_leaves(Counting::<H>::default(), leaves.as_slice());
    assert_eq!(tree.hasher().hashed.take(), expected, "tree of {size}");

    let head = tree.head();
    // In an order that keeps claims with shared nodes far apart.
    let mut indices: Vec<u64> = (0..size as u64).collect();
    indices.sort_by_key(|index| index.reverse_bits());
    let proofs: Vec<_> = indices.iter().map(|&index| tree.prove(index).unwrap()).collect();
    let claims: Vec<_> = indices
        .iter()
        .zip(&proofs)
        .map(|(&index, proof)| Claim { head: &head, index, leaf: &leaves[index as usize], proof })
        .collect();
    assert!(verify_many(tree.hasher(), &claims).iter().all(Result::is_ok));
    assert_eq!(tree.hasher().hashed.take(), expected, "all proofs of {size}");

    let updates: Vec<_> = indices.iter().map(|&index| (index, [index as u8; 32])).collect();
    tree.update_many(&updates).unwrap();
    assert_eq!(tree.hasher().hashed.take(), expected, "all of {size} replaced");

    tree.update(0, [7; 32]).unwrap();
    assert_eq!(tree.hasher().hashed.take(), tree.depth() as usize, "one of {size} replaced");
}

#[test]
fn each_node_is_hashed_once() {
    for size in (1..=70).chain([127, 128, 129, 1000]) {
        check::<Rfc6962>(size);
        check::<Bitcoin>(size);
    }
}

/// A root after each leaf hashes at most one node for each level, and those that became complete.
#[test]
fn roots_of_a_stream_hash_leaves_once() {
    let leaves = leaves(5000);
    let mut builder = RootBuilder::new(Counting::<Bitcoin>::default());
    for (size, &leaf) in (1..).zip(&leaves) {
        builder.push(leaf);
        let _ = builder.root();
        let hashed = builder.hasher().hashed.take();
        let complete = (size as usize).trailing_zeros();
        let edge = builder.hasher().depth(size) - complete;
        assert_eq!(hashed, (complete + edge) as usize, "leaf {size}");
    }
}
