//! Valid proofs of every leaf, set of leaves and earlier tree, and proofs with wrong numbers.

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{ConsistencyProof, Tree, VerifyError};

use crate::family::Family;
use crate::oracle::{Definition, Hash, NaiveTree, rfc9162_consistent};
use crate::{each_family, head, leaves};

/// Asserts the proof of these leaves.
fn check_subset(tree: &Tree<Family>, naive: &NaiveTree, indices: &[usize], name: &str) {
    let given: Vec<u64> = indices.iter().map(|&index| index as u64).collect();
    let proven: Vec<_> = indices.iter().map(|&i| (i as u64, tree.leaves()[i])).collect();
    let proof = tree.prove_many(&given).unwrap();
    assert_eq!(proof.nodes(), naive.multiproof(indices), "{name}: {indices:?}");
    let verdict = proof.verify(tree.hasher(), &tree.head(), &proven);
    assert_eq!(verdict, Ok(()), "{name}: {indices:?}");
}

#[test]
fn of_every_tree() {
    let leaves = leaves(130);
    for size in (1..=66).chain([127, 128, 129, 130]) {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let naive = NaiveTree::new(definition, leaves);
            let head_of = |size: usize| head(size as u64, &definition.root(&leaves[..size]));
            let (tree, new) = (Tree::from_leaves(hasher, leaves), head_of(size));
            let name = format!("{definition:?}: {size} leaves");
            for (index, leaf) in leaves.iter().enumerate() {
                let proof = tree.prove(index as u64).unwrap();
                assert_eq!(proof.nodes(), naive.path(index), "{name}: leaf {index}");
                let verdict = proof.verify(&hasher, &new, index as u64, leaf);
                assert_eq!(verdict, Ok(()), "{name}: leaf {index}");
            }
            for old in (1..=size).map(head_of) {
                let proof = tree.prove_consistency(old.size).unwrap();
                let expected = naive.consistency(old.size as usize);
                assert_eq!(proof.nodes(), expected, "{name}: from {old:?}");
                assert_eq!(proof.verify(&hasher, &old, &new), Ok(()), "{name}: from {old:?}");
            }
            for indices in [(0..size).step_by(3), (0..size).step_by(1)] {
                check_subset(&tree, &naive, &indices.collect::<Vec<_>>(), &name);
            }
        });
    }
}

#[test]
fn of_all_subsets_of_small_trees() {
    let leaves = leaves(9);
    for size in 1..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves);
            let naive = NaiveTree::new(definition, leaves);
            for subset in 1_u32..1 << size {
                let indices: Vec<_> = (0..size).filter(|index| subset >> index & 1 == 1).collect();
                check_subset(&tree, &naive, &indices, &format!("{definition:?}"));
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
            for (index, leaf) in (0..).zip(leaves) {
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
                    let climbed = definition.climb(other, index, leaf, proof.nodes());
                    assert_eq!(
                        verdict.is_ok(),
                        climbed == Some(root),
                        "{definition:?}: {index} of {size} as of {other}"
                    );
                }
            }
        });
    }
}

#[test]
fn of_two_leaves_for_wrong_indices() {
    let leaves = leaves(9);
    for size in 2..=leaves.len() {
        let leaves = &leaves[..size];
        let pairs = |size: u64| (0..size).flat_map(move |a| (a + 1..size).map(move |b| (a, b)));
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves);
            for (first, second) in pairs(tree.len()) {
                let proof = tree.prove_many(&[first, second]).unwrap();
                let (one, two) = (leaves[first as usize], leaves[second as usize]);
                for (a, b) in pairs(tree.len() + 1) {
                    let verdict = proof.verify(&hasher, &tree.head(), &[(a, one), (b, two)]);
                    let name = format!("{definition:?}: {first}, {second} as {a}, {b} of {size}");
                    assert_eq!(verdict.is_ok(), (a, b) == (first, second), "{name}");
                }
            }
        });
    }
}

/// Consistency with wrong sizes and lengths: the result is that of RFC 9162 §2.1.4.2.
#[test]
fn of_rfc6962_with_wrong_sizes_and_lengths() {
    let (hasher, leaves) = (Rfc6962::new(), leaves(21));
    let roots: Vec<Hash> = (0..=21).map(|size| Definition::Rfc6962.root(&leaves[..size])).collect();
    for new in 1..=21_u64 {
        let tree = Tree::from_leaves(hasher, &leaves[..new as usize]);
        for old in 1..=new {
            let proof = tree.prove_consistency(old).unwrap();
            let (old_root, new_root) = (&roots[old as usize], &roots[new as usize]);
            let check = |proof: &ConsistencyProof<Hash>, first: u64, second: u64| {
                let (old_head, new_head) = (head(first, old_root), head(second, new_root));
                let verdict = proof.verify(&hasher, &old_head, &new_head);
                let expected =
                    rfc9162_consistent((first, old_root), (second, new_root), proof.nodes());
                let name = format!("from {old} to {new} as from {first} to {second}");
                assert_eq!(verdict.is_ok(), expected, "{name}: {verdict:?}");
            };
            for (first, second) in
                (0..=24).flat_map(|first| (0..=24).map(move |second| (first, second)))
            {
                check(&proof, first, second);
            }
            for got in 0..proof.nodes().len() + 2 {
                let mut nodes = proof.nodes().to_vec();
                nodes.resize(got, *new_root);
                check(&ConsistencyProof::from(nodes), old, new);
            }
        }
    }
}

/// Siblings that are equal stay two leaves: neither is taken for the other.
#[test]
fn of_equal_leaves() {
    let [a, b, c] = [[7; 32], [9; 32], [1; 32]];
    let leaves = [a, a, b, b, a, a, c];
    each_family(|hasher, definition| {
        let tree = Tree::from_leaves(hasher, leaves);
        for indices in [&[0, 1][..], &[0, 1, 4, 5], &[1, 2, 3, 4], &[0, 1, 2, 3, 4, 5, 6]] {
            let proof = tree.prove_many(indices).unwrap();
            let proven: Vec<_> = indices.iter().map(|&i| (i, leaves[i as usize])).collect();
            let verdict = proof.verify(&hasher, &tree.head(), &proven);
            assert_eq!(verdict, Ok(()), "{definition:?}: {indices:?}");
            // One of two equal neighbours is not enough.
            let fewer = &proven[1..];
            if !fewer.is_empty() {
                let verdict = proof.verify(&hasher, &tree.head(), fewer);
                assert!(verdict.is_err(), "{definition:?}: {indices:?}");
            }
        }
    });
}
