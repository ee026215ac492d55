//! Proofs of single leaves.

use merkle_lanes::ssz::Ssz;
use merkle_lanes::{InclusionProof, LeafPosition, NoSuchLeafError, NodeHasher, Tree, VerifyError};

use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, flipped, leaves};

#[test]
fn of_every_leaf_of_every_tree_verify() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let (size, expected) = (leaves.len() as u64, definition.root(leaves));
        let tree = Tree::from_leaves(hasher, leaves);
        let naive = NaiveTree::new(definition, leaves);
        for (index, leaf) in leaves.iter().enumerate() {
            let proof = tree.prove(index as u64).unwrap();
            assert_eq!(proof.nodes(), naive.path(index), "{definition:?}: leaf {index} of {size}");
            let position = LeafPosition { index: index as u64, size };
            let verdict = proof.verify(&hasher, &expected, position, leaf);
            assert_eq!(verdict, Ok(()), "{definition:?}: leaf {index} of {size}");
            assert_eq!(definition.climb(size, index as u64, leaf, proof.nodes()), Some(expected));
        }
    }
    let leaves = leaves(130);
    for size in 1..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

/// Checks that a proof with one flipped bit in itself, the leaf or the root does not verify. In
/// each hash, the bits in `bits` are tried.
fn check_bits<H: NodeHasher<Node = Hash> + Copy>(
    hasher: H,
    definition: Definition,
    leaves: &[Hash],
    bits: impl Fn(usize) -> Vec<usize>,
) {
    let size = leaves.len() as u64;
    let tree = Tree::from_leaves(hasher, leaves);
    let root = tree.root();
    for (index, leaf) in leaves.iter().enumerate() {
        let (index, nodes) = (index as u64, tree.prove(index as u64).unwrap().into_nodes());
        let of = || format!("{definition:?}: leaf {index} of {size}");
        let position = LeafPosition { index, size };
        let verify = |nodes: &[Hash], root: &Hash, leaf: &Hash| {
            InclusionProof::from(nodes.to_vec()).verify(&hasher, root, position, leaf)
        };
        for bit in bits(index as usize) {
            assert!(verify(&nodes, &root, &flipped(leaf, bit)).is_err(), "{}, its bit {bit}", of());
            let verdict = verify(&nodes, &flipped(&root, bit), leaf);
            assert_eq!(verdict, Err(VerifyError::WrongRoot), "{}, bit {bit} of the root", of());
            for position in 0..nodes.len() {
                let mut nodes = nodes.clone();
                nodes[position] = flipped(&nodes[position], bit);
                assert!(
                    verify(&nodes, &root, leaf).is_err(),
                    "{}, bit {bit} of node {position}",
                    of()
                );
            }
        }
    }
}

#[test]
fn with_any_flipped_bit_are_refused() {
    let leaves = leaves(17);
    for size in [1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 17] {
        each_family!(check_bits, &leaves[..size], |_| (0..256).collect());
    }
}

#[test]
fn of_larger_trees_with_a_flipped_bit_are_refused() {
    let leaves = leaves(130);
    for size in 9..=leaves.len() {
        each_family!(check_bits, &leaves[..size], |index| vec![(index * 29 + size * 7) % 256]);
    }
}

/// A root does not determine the size of its tree, and for leaves on the left neither does the
/// shape of a proof. A wrong size may therefore pass, but only where the definition agrees. A wrong
/// index never does.
#[test]
fn for_wrong_indices_and_sizes() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let size = leaves.len() as u64;
        let tree = Tree::from_leaves(hasher, leaves);
        let root = tree.root();
        for (index, leaf) in leaves.iter().enumerate() {
            let index = index as u64;
            let proof = tree.prove(index).unwrap();
            for other in (0..size + 3).chain([size << 32, u64::MAX]).filter(|&other| other != index)
            {
                let position = LeafPosition { index: other, size };
                let verdict = proof.verify(&hasher, &root, position, leaf);
                assert!(verdict.is_err(), "{definition:?}: {index} as {other} of {size}");
                if other >= size {
                    assert_eq!(verdict, Err(VerifyError::NoSuchLeaf { index: other, size }));
                }
            }
            for other in (0..2 * size + 2).chain([1 << 20]) {
                let position = LeafPosition { index, size: other };
                let verdict = proof.verify(&hasher, &root, position, leaf);
                let expected = definition.climb(other, index, leaf, proof.nodes()) == Some(root);
                assert_eq!(
                    verdict.is_ok(),
                    expected,
                    "{definition:?}: {index} of {size} as of {other}"
                );
            }
        }
    }
    let leaves = leaves(34);
    for size in 1..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn of_wrong_length_are_refused() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let size = leaves.len() as u64;
        let tree = Tree::from_leaves(hasher, leaves);
        let root = tree.root();
        for (index, leaf) in leaves.iter().enumerate() {
            let position = LeafPosition { index: index as u64, size };
            let nodes = tree.prove(position.index).unwrap().into_nodes();
            for got in (0..nodes.len() + 3).filter(|&got| got != nodes.len()) {
                let mut other = nodes.clone();
                other.resize(got, root);
                let verdict = InclusionProof::from(other).verify(&hasher, &root, position, leaf);
                assert_eq!(
                    verdict,
                    Err(VerifyError::WrongLength { expected: nodes.len(), got }),
                    "{definition:?}"
                );
            }
        }
    }
    let leaves = leaves(20);
    for size in 1..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

/// A node higher up is not a leaf of a tree of that size.
#[test]
fn of_inner_nodes_are_refused() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition) {
        let tree = Tree::from_leaves(hasher, leaves(8));
        let first = LeafPosition { index: 0, size: 8 };
        let path = tree.prove(0).unwrap().into_nodes();
        for level in 1..=3 {
            let proof = InclusionProof::from(path[level..].to_vec());
            let node = &tree.level(level as u32)[0];
            let verdict = proof.verify(&hasher, &tree.root(), first, node);
            assert!(
                matches!(verdict, Err(VerifyError::WrongLength { .. })),
                "{definition:?}: {verdict:?}"
            );
        }
    }
    each_family!(check);
}

/// Padding cannot be chosen freely, even if another tree with such a node has the same root.
#[test]
fn with_wrong_padding_are_refused() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition) {
        let (five, six) = (leaves(5), leaves(6));
        if matches!(definition, Definition::Rfc6962) {
            return;
        }
        let last = LeafPosition { index: 4, size: 5 };
        let longer = Tree::from_leaves(hasher, six);
        let proof = longer.prove(4).unwrap();
        let verdict = proof.verify(&hasher, &longer.root(), last, &five[4]);
        assert_eq!(verdict, Err(VerifyError::NotMissing { position: 0 }), "{definition:?}");

        let mut nodes = Tree::from_leaves(hasher, five.as_slice()).prove(4).unwrap().into_nodes();
        nodes[1] = [7; 32];
        let proof = InclusionProof::from(nodes);
        let verdict = proof.root(&hasher, last, &five[4]);
        assert_eq!(verdict, Err(VerifyError::NotMissing { position: 1 }), "{definition:?}");
    }
    each_family!(check);
}

#[test]
fn root_of_a_proof() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, _: Definition) {
        let tree = Tree::from_leaves(hasher, leaves(11));
        let (proof, position) = (tree.prove(3).unwrap(), LeafPosition { index: 3, size: 11 });
        assert_eq!(proof.root(&hasher, position, &tree.leaves()[3]), Ok(tree.root()));
        let other = proof.root(&hasher, position, &[0; 32]).unwrap();
        assert_eq!(proof.verify(&hasher, &other, position, &[0; 32]), Ok(()));
    }
    each_family!(check);
}

#[test]
fn for_missing_leaves_are_not_created() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, _: Definition, leaves: &[Hash]) {
        let size = leaves.len() as u64;
        let tree = Tree::from_leaves(hasher, leaves);
        for index in [size, size + 1, u64::MAX] {
            assert_eq!(tree.prove(index), Err(NoSuchLeafError { index, size }));
            let message = tree.prove(index).unwrap_err().to_string();
            assert_eq!(
                message,
                format!("leaf index {index} is out of range for a tree of {size} leaves")
            );
        }
    }
    let leaves = leaves(9);
    for size in 0..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn for_oversized_trees_are_refused() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition) {
        let capacity = hasher.capacity();
        let proof = InclusionProof::from(Vec::new());
        let verdict =
            |size| proof.verify(&hasher, &[0; 32], LeafPosition { index: 0, size }, &[0; 32]);
        for size in [capacity + 1, u64::MAX] {
            assert_eq!(
                verdict(size),
                Err(VerifyError::TooManyLeaves { size, capacity }),
                "{definition:?}"
            );
        }
        let expected = definition.depth(capacity) as usize;
        assert_eq!(
            verdict(capacity),
            Err(VerifyError::WrongLength { expected, got: 0 }),
            "{definition:?}"
        );
    }
    each_family!(check);
    assert_eq!(Ssz::with_limit(5).capacity(), 5);
}

/// The largest tree: its proofs have a node for every bit of the size.
#[test]
fn of_2_to_the_63_leaves() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition) {
        if matches!(definition, Definition::SszOfDepth(_)) {
            return;
        }
        let path = leaves(63);
        for (size, index) in [
            (1 << 63, 0),
            (1 << 63, (1 << 63) - 1),
            (1 << 63, 0x1234_5678_9abc_def0),
            ((1 << 63) - 1, 7),
        ] {
            let root = definition.climb(size, index, &[1; 32], &path).unwrap();
            let proof = InclusionProof::from(path.clone());
            let position = LeafPosition { index, size };
            assert_eq!(proof.verify(&hasher, &root, position, &[1; 32]), Ok(()), "{definition:?}");
            let neighbour = LeafPosition { index: index ^ 1, size };
            assert!(proof.verify(&hasher, &root, neighbour, &[1; 32]).is_err(), "{definition:?}");
        }
    }
    each_family!(check);
}
