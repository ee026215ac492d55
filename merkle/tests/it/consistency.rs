//! Proofs that a tree extends an earlier one.

use merkle_lanes::{ConsistencyProof, NodeHasher, Tree, VerifyError};

use crate::oracle::{Definition, Hash, NaiveTree, rfc9162_consistent};
use crate::{each_family, flipped, head, leaves};

const MAX_LEAVES: usize = 70;

/// Calls a function with the tree of each size, and with the roots of all trees up to that size.
fn each_tree<H>(
    hasher: H,
    definition: Definition,
    mut check: impl FnMut(&Tree<H>, &[Hash], &[Hash]),
) where
    H: NodeHasher<Node = Hash> + Copy,
{
    let leaves = leaves(MAX_LEAVES);
    let roots: Vec<Hash> = (0..=MAX_LEAVES).map(|size| definition.root(&leaves[..size])).collect();
    for size in 0..=MAX_LEAVES {
        check(&Tree::from_leaves(hasher, &leaves[..size]), &leaves[..size], &roots[..=size]);
    }
}

#[test]
fn between_every_two_sizes_verify() {
    each_family(|hasher, definition| {
        each_tree(hasher, definition, |tree, leaves, roots| {
            let (new, new_root) = (leaves.len(), tree.root());
            if new == 0 {
                return;
            }
            let naive = NaiveTree::new(definition, leaves);
            for old in 1..=new {
                let proof = tree.prove_consistency(old as u64).unwrap();
                assert_eq!(
                    proof.nodes(),
                    naive.consistency(old),
                    "{definition:?}: from {old} to {new}"
                );
                let verdict = proof.verify(
                    &hasher,
                    &head(old as u64, &roots[old]),
                    &head(new as u64, &new_root),
                );
                assert_eq!(verdict, Ok(()), "{definition:?}: from {old} to {new}");
            }
        });
    });
}

#[test]
fn with_a_flipped_bit_are_refused() {
    each_family(|hasher, definition| {
        each_tree(hasher, definition, |tree, leaves, roots| {
            let (new, new_root) = (leaves.len(), tree.root());
            for old in 1..=new {
                let nodes = tree.prove_consistency(old as u64).unwrap().into_nodes();
                let verify = |nodes: &[Hash], old_root: &Hash, new_root: &Hash| {
                    let proof = ConsistencyProof::from(nodes.to_vec());
                    proof.verify(&hasher, &head(old as u64, old_root), &head(new as u64, new_root))
                };
                // Every bit, for small trees.
                let step = if new <= 9 { 1 } else { 61 };
                for bit in ((old + new) % step..256).step_by(step) {
                    let of = || format!("{definition:?}: from {old} to {new}, bit {bit}");
                    assert!(
                        verify(&nodes, &flipped(&roots[old], bit), &new_root).is_err(),
                        "{}",
                        of()
                    );
                    let verdict = verify(&nodes, &roots[old], &flipped(&new_root, bit));
                    assert_eq!(verdict, Err(VerifyError::WrongRoot), "{}", of());
                    for position in 0..nodes.len() {
                        let mut nodes = nodes.clone();
                        nodes[position] = flipped(&nodes[position], bit);
                        assert!(
                            verify(&nodes, &roots[old], &new_root).is_err(),
                            "{}, node {position}",
                            of()
                        );
                    }
                }
            }
        });
    });
}

/// With wrong sizes the result is that of RFC 9162 §2.1.4.2.
#[test]
fn of_rfc6962_with_wrong_sizes_and_lengths() {
    let hasher = merkle_lanes::rfc6962::Rfc6962::new();
    let leaves = leaves(21);
    let roots: Vec<Hash> = (0..=21).map(|size| Definition::Rfc6962.root(&leaves[..size])).collect();
    for new in 1..=21_u64 {
        let tree = Tree::from_leaves(hasher, &leaves[..new as usize]);
        for old in 1..=new {
            let proof = tree.prove_consistency(old).unwrap();
            let (old_root, new_root) = (&roots[old as usize], &roots[new as usize]);
            for (first, second) in
                (0..=24).flat_map(|first| (0..=24).map(move |second| (first, second)))
            {
                let verdict =
                    proof.verify(&hasher, &head(first, old_root), &head(second, new_root));
                let expected =
                    rfc9162_consistent((first, old_root), (second, new_root), proof.nodes());
                assert_eq!(
                    verdict.is_ok(),
                    expected,
                    "from {old} to {new} as from {first} to {second}: {verdict:?}"
                );
            }
            for got in 0..proof.nodes().len() + 2 {
                let mut nodes = proof.nodes().to_vec();
                nodes.resize(got, *new_root);
                let expected = rfc9162_consistent((old, old_root), (new, new_root), &nodes);
                let verdict = ConsistencyProof::from(nodes).verify(
                    &hasher,
                    &head(old, old_root),
                    &head(new, new_root),
                );
                assert_eq!(verdict.is_ok(), expected, "from {old} to {new}, {got} nodes");
            }
        }
    }
}

#[test]
fn of_wrong_length_are_refused() {
    each_family(|hasher, definition| {
        each_tree(hasher, definition, |tree, leaves, roots| {
            let (new, new_root) = (leaves.len() as u64, tree.root());
            for old in 1..=new {
                let nodes = tree.prove_consistency(old).unwrap().into_nodes();
                let expected = nodes.len();
                for got in (0..expected + 3).filter(|&got| got != expected) {
                    let mut other = nodes.clone();
                    other.resize(got, new_root);
                    let proof = ConsistencyProof::from(other);
                    let verdict = proof.verify(
                        &hasher,
                        &head(old, &roots[old as usize]),
                        &head(new, &new_root),
                    );
                    assert_eq!(
                        verdict,
                        Err(VerifyError::WrongLength { expected, got }),
                        "{definition:?}"
                    );
                }
            }
        });
    });
}
