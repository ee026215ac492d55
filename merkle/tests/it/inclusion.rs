//! Proofs of single leaves.

use merkle_lanes::{InclusionProof, Tree, TreeHead, VerifyError};

use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, flipped, head, leaves};

#[test]
fn of_every_leaf_of_every_tree_verify() {
    let leaves = leaves(130);
    for size in 1..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let (size, expected) = (leaves.len() as u64, definition.root(leaves));
            let tree = Tree::from_leaves(hasher, leaves);
            let naive = NaiveTree::new(definition, leaves);
            for (index, leaf) in leaves.iter().enumerate() {
                let proof = tree.prove(index as u64).unwrap();
                assert_eq!(
                    proof.nodes(),
                    naive.path(index),
                    "{definition:?}: leaf {index} of {size}"
                );
                let verdict = proof.verify(&hasher, &head(size, &expected), index as u64, leaf);
                assert_eq!(verdict, Ok(()), "{definition:?}: leaf {index} of {size}");
                assert_eq!(
                    definition.climb(size, index as u64, leaf, proof.nodes()),
                    Some(expected)
                );
            }
        });
    }
}

/// In itself, the leaf or the root.
#[test]
fn with_any_flipped_bit_are_refused() {
    let leaves = leaves(17);
    for size in [1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 17] {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves);
            let (size, good) = (tree.len(), tree.head());
            for (index, leaf) in (0..).zip(leaves) {
                let nodes = tree.prove(index).unwrap().into_nodes();
                let of = || format!("{definition:?}: leaf {index} of {size}");
                let verify = |nodes: &[Hash], head: &TreeHead<Hash>, leaf: &Hash| {
                    InclusionProof::from(nodes.to_vec()).verify(&hasher, head, index, leaf)
                };
                for bit in 0..256 {
                    assert!(verify(&nodes, &good, &flipped(leaf, bit)).is_err(), "{}", of());
                    let verdict = verify(&nodes, &head(size, &flipped(&good.root, bit)), leaf);
                    assert_eq!(verdict, Err(VerifyError::WrongRoot), "{}", of());
                    for position in 0..nodes.len() {
                        let mut nodes = nodes.clone();
                        nodes[position] = flipped(&nodes[position], bit);
                        assert!(verify(&nodes, &good, leaf).is_err(), "{}, {position}", of());
                    }
                }
            }
        });
    }
}

/// A root does not determine the size of its tree, and for leaves on the left neither does the
/// shape of a proof. A wrong size may therefore pass, but only where the definition agrees. A wrong
/// index never does.
#[test]
fn for_wrong_indices_and_sizes() {
    let leaves = leaves(34);
    for size in 1..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let size = leaves.len() as u64;
            let tree = Tree::from_leaves(hasher, leaves);
            let root = tree.root();
            for (index, leaf) in leaves.iter().enumerate() {
                let index = index as u64;
                let proof = tree.prove(index).unwrap();
                for other in
                    (0..size + 3).chain([size << 32, u64::MAX]).filter(|&other| other != index)
                {
                    let verdict = proof.verify(&hasher, &head(size, &root), other, leaf);
                    assert!(verdict.is_err(), "{definition:?}: {index} as {other} of {size}");
                    if other >= size {
                        assert_eq!(verdict, Err(VerifyError::NoSuchLeaf { index: other, size }));
                    }
                }
                for other in (0..2 * size + 2).chain([1 << 20]) {
                    let verdict = proof.verify(&hasher, &head(other, &root), index, leaf);
                    let expected =
                        definition.climb(other, index, leaf, proof.nodes()) == Some(root);
                    assert_eq!(
                        verdict.is_ok(),
                        expected,
                        "{definition:?}: {index} of {size} as of {other}"
                    );
                }
            }
        });
    }
}

#[test]
fn of_wrong_length_are_refused() {
    let leaves = leaves(20);
    for size in 1..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves);
            let root = tree.root();
            for (index, leaf) in leaves.iter().enumerate() {
                let index = index as u64;
                let nodes = tree.prove(index).unwrap().into_nodes();
                for got in (0..nodes.len() + 3).filter(|&got| got != nodes.len()) {
                    let mut other = nodes.clone();
                    other.resize(got, root);
                    let verdict =
                        InclusionProof::from(other).verify(&hasher, &tree.head(), index, leaf);
                    assert_eq!(
                        verdict,
                        Err(VerifyError::WrongLength { expected: nodes.len(), got }),
                        "{definition:?}"
                    );
                }
            }
        });
    }
}

/// Padding cannot be chosen freely, even if another tree with such a node has the same root.
#[test]
fn with_wrong_padding_are_refused() {
    each_family(|hasher, definition| {
        let (five, six) = (leaves(5), leaves(6));
        if matches!(definition, Definition::Rfc6962) {
            return;
        }
        let longer = Tree::from_leaves(hasher, six);
        let proof = longer.prove(4).unwrap();
        let verdict = proof.verify(&hasher, &head(5, &longer.root()), 4, &five[4]);
        assert_eq!(verdict, Err(VerifyError::NotMissing { position: 0 }), "{definition:?}");

        let mut nodes = Tree::from_leaves(hasher, five.as_slice()).prove(4).unwrap().into_nodes();
        nodes[1] = [7; 32];
        let proof = InclusionProof::from(nodes);
        let verdict = proof.root(&hasher, 5, 4, &five[4]);
        assert_eq!(verdict, Err(VerifyError::NotMissing { position: 1 }), "{definition:?}");
    });
}
