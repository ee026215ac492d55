//! Proofs of several leaves.

use merkle_lanes::{MultiProof, Tree, TreeHead, VerifyError};
use proptest::prelude::*;

use crate::family::Family;
use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, flipped, head, leaves};

/// The leaves at some indices, with their indices.
fn proven(leaves: &[Hash], indices: &[usize]) -> Vec<(u64, Hash)> {
    indices.iter().map(|&index| (index as u64, leaves[index])).collect()
}

fn check_subset(
    hasher: Family,
    definition: Definition,
    tree: &Tree<Family>,
    naive: &NaiveTree,
    indices: &[usize],
) {
    let size = tree.len();
    let given: Vec<u64> = indices.iter().map(|&index| index as u64).collect();
    let proof = tree.prove_many(&given).unwrap();
    assert_eq!(proof.nodes(), naive.multiproof(indices), "{definition:?}: {indices:?} of {size}");
    let proven = proven(tree.leaves(), indices);
    let verdict = proof.verify(&hasher, &tree.head(), &proven);
    assert_eq!(verdict, Ok(()), "{definition:?}: {indices:?} of {size}");
    assert_eq!(proof.root(&hasher, size, &proven), Ok(tree.root()), "{definition:?}");
}

#[test]
fn of_all_subsets_of_small_trees() {
    let leaves = leaves(9);
    for size in 1..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let (tree, naive) =
                (Tree::from_leaves(hasher, leaves), NaiveTree::new(definition, leaves));
            for subset in 1_u32..1 << leaves.len() {
                let indices: Vec<usize> =
                    (0..leaves.len()).filter(|index| subset >> index & 1 == 1).collect();
                check_subset(hasher, definition, &tree, &naive, &indices);
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(64)
    })]

    #[test]
    fn of_any_subset(
        size in 1_usize..300,
        chosen in proptest::collection::vec(any::<prop::sample::Index>(), 1..60),
    ) {
        let mut indices: Vec<usize> = chosen.iter().map(|index| index.index(size)).collect();
        indices.sort_unstable();
        indices.dedup();
        let leaves = &leaves(size)[..];
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves);
            let naive = NaiveTree::new(definition, leaves);
            check_subset(hasher, definition, &tree, &naive, &indices);
        });
    }
}

#[test]
fn with_any_flipped_bit_are_refused() {
    fn check(hasher: Family, definition: Definition, leaves: &[Hash], indices: &[u64]) {
        let tree = Tree::from_leaves(hasher, leaves);
        let (size, good) = (tree.len(), tree.head());
        let nodes = tree.prove_many(indices).unwrap().into_nodes();
        let proven: Vec<_> = indices.iter().map(|&index| (index, leaves[index as usize])).collect();
        let verify = |nodes: &[Hash], head: &TreeHead<Hash>, proven: &[(u64, Hash)]| {
            MultiProof::from(nodes.to_vec()).verify(&hasher, head, proven)
        };
        for bit in 0..256 {
            for position in 0..nodes.len() {
                let mut nodes = nodes.clone();
                nodes[position] = flipped(&nodes[position], bit);
                let verdict = verify(&nodes, &good, &proven);
                assert!(
                    verdict.is_err(),
                    "{definition:?}: bit {bit} of node {position} for {indices:?} of {size}"
                );
            }
            for position in 0..proven.len() {
                let mut proven = proven.clone();
                proven[position].1 = flipped(&proven[position].1, bit);
                let verdict = verify(&nodes, &good, &proven);
                assert!(
                    verdict.is_err(),
                    "{definition:?}: bit {bit} of leaf {position} for {indices:?} of {size}"
                );
            }
            assert_eq!(
                verify(&nodes, &head(size, &flipped(&good.root, bit)), &proven),
                Err(VerifyError::WrongRoot),
                "{definition:?}"
            );
        }
    }
    let leaves = leaves(21);
    for indices in [&[0][..], &[0, 1], &[1, 2], &[3, 20], &[2, 3, 9, 20], &[20]] {
        each_family(|hasher, definition| check(hasher, definition, &leaves, indices));
    }
    each_family(|hasher, definition| check(hasher, definition, &leaves[..13], &[5, 11, 12]));
}

#[test]
fn for_wrong_indices_are_refused() {
    let leaves = leaves(9);
    for size in 2..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves);
            let size = tree.len();
            for (first, second) in
                (0..size).flat_map(|first| (first + 1..size).map(move |second| (first, second)))
            {
                let proof = tree.prove_many(&[first, second]).unwrap();
                let (one, two) = (leaves[first as usize], leaves[second as usize]);
                for (a, b) in (0..size + 1).flat_map(|a| (a + 1..size + 1).map(move |b| (a, b))) {
                    let verdict = proof.verify(&hasher, &tree.head(), &[(a, one), (b, two)]);
                    let expected = (a, b) == (first, second);
                    assert_eq!(
                        verdict.is_ok(),
                        expected,
                        "{definition:?}: {first}, {second} as {a}, {b} of {size}"
                    );
                }
            }
        });
    }
}

#[test]
fn with_missing_and_surplus_nodes_are_refused() {
    let leaves = leaves(14);
    for size in 1..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves);
            let size = tree.len();
            for step in 1..=leaves.len() {
                let indices: Vec<usize> = (0..leaves.len()).step_by(step).collect();
                let given: Vec<u64> = indices.iter().map(|&index| index as u64).collect();
                let proven = proven(leaves, &indices);
                let nodes = tree.prove_many(&given).unwrap().into_nodes();
                let expected = nodes.len();
                // Nodes can be removed or repeated anywhere.
                for position in 0..expected {
                    let mut fewer = nodes.clone();
                    fewer.remove(position);
                    let verdict = MultiProof::from(fewer).verify(&hasher, &tree.head(), &proven);
                    assert!(
                        verdict.is_err(),
                        "{definition:?}: without node {position}, {indices:?} of {size}"
                    );
                    let mut more = nodes.clone();
                    more.insert(position, nodes[position]);
                    let verdict = MultiProof::from(more).verify(&hasher, &tree.head(), &proven);
                    assert!(
                        verdict.is_err(),
                        "{definition:?}: node {position} twice, {indices:?} of {size}"
                    );
                }
                for got in (0..expected + 3).filter(|&got| got != expected) {
                    let mut other = nodes.clone();
                    other.resize(got, tree.root());
                    let verdict = MultiProof::from(other).verify(&hasher, &tree.head(), &proven);
                    assert_eq!(
                        verdict,
                        Err(VerifyError::WrongLength { expected, got }),
                        "{definition:?}"
                    );
                }
            }
        });
    }
}

/// Padding is checked as in a proof of one leaf.
#[test]
fn with_wrong_padding_are_refused() {
    each_family(|hasher, definition| {
        if matches!(definition, Definition::Rfc6962) {
            return;
        }
        let six = leaves(6);
        let longer = Tree::from_leaves(hasher, six.as_slice());
        let proof = longer.prove_many(&[1, 4]).unwrap();
        let verdict = proof.verify(&hasher, &head(5, &longer.root()), &[(1, six[1]), (4, six[4])]);
        assert_eq!(verdict, Err(VerifyError::NotMissing { position: 1 }), "{definition:?}");
    });
}
