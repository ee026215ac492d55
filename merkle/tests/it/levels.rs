//! The nodes on each level of a tree, whether or not it keeps its lowest levels.

use merkle_lanes::bep52::{Bep52, HashRequest, answer};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::ssz::{GeneralizedIndex, Ssz};
use merkle_lanes::{NoSuchLeafError, NodeHasher, Tree, levels_above};

use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, leaves};

/// Asserts that a tree has exactly the expected nodes.
pub(crate) fn assert_levels<H>(tree: &Tree<H>, definition: Definition, leaves: &[Hash])
where
    H: NodeHasher<Node = Hash>,
{
    assert_kept_levels(tree, 1, definition, leaves);
}

/// Asserts that a tree has exactly the expected nodes, except on the levels from 1 to `lowest - 1`,
/// which it does not keep unless one of them holds the root.
pub(crate) fn assert_kept_levels<H>(
    tree: &Tree<H>,
    lowest: u32,
    definition: Definition,
    leaves: &[Hash],
) where
    H: NodeHasher<Node = Hash>,
{
    let size = leaves.len();
    assert_eq!((tree.len(), tree.is_empty()), (size as u64, size == 0), "{definition:?}");
    assert_eq!(tree.leaves(), leaves, "{definition:?}");
    assert_eq!(tree.depth(), definition.depth(size as u64), "{definition:?}: depth of {size}");
    assert_eq!(tree.root(), definition.root(leaves), "{definition:?}: root of {size}");
    let levels = if size == 0 { Vec::new() } else { NaiveTree::new(definition, leaves).levels };
    for (level, nodes) in (0..).zip(&levels) {
        let is_kept = level == 0 || level >= lowest || level == tree.depth();
        let expected = if is_kept { nodes.as_slice() } else { &[] };
        assert_eq!(
            tree.level(level),
            expected,
            "{definition:?}: level {level} of {size} leaves, lowest {lowest}"
        );
    }
    assert!(
        tree.level(levels.len() as u32).is_empty() && tree.level(u32::MAX).is_empty(),
        "{definition:?}"
    );
}

#[test]
fn number_of_levels() {
    let levels =
        [0, 1, 2, 3, 4, 5, 8, 9, 1 << 40, (1 << 40) + 1, 1 << 63, (1 << 63) + 1].map(levels_above);
    assert_eq!(levels, [0, 0, 1, 2, 2, 3, 3, 4, 40, 41, 63, 64]);
}

/// Below, at and above the depth of the trees.
const LOWEST: [u32; 9] = [0, 1, 2, 3, 4, 5, 8, 64, u32::MAX];

#[test]
fn of_every_size() {
    let leaves = leaves(130);
    for size in 0..=leaves.len() {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            for lowest in LOWEST {
                let tree = Tree::with_lowest_level(hasher, lowest, leaves);
                assert_kept_levels(&tree, lowest, definition, leaves);
            }
        });
    }
}

/// Around the 8192 leaves that are hashed together, and around a subtree of 2^14 leaves.
#[test]
fn of_large_sizes() {
    let leaves = leaves((1 << 14) + 35);
    for size in [8191, 8192, 8193, 1 << 14, leaves.len()] {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            for lowest in [1, 2, 5, 6, 13, 14, 15] {
                let mut tree = Tree::with_lowest_level(hasher, lowest, &leaves[..100]);
                tree.extend(&leaves[100..]);
                assert_kept_levels(&tree, lowest, definition, leaves);
            }
        });
    }
}

#[test]
fn proofs() {
    let leaves = leaves(70);
    for size in [1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 65, 70] {
        let leaves = &leaves[..size];
        each_family(|hasher, definition| {
            let (size, naive) = (leaves.len(), NaiveTree::new(definition, leaves));
            for lowest in LOWEST {
                let tree = Tree::with_lowest_level(hasher, lowest, leaves);
                let name = format!("{definition:?}: {size} leaves, lowest level {lowest}");
                for index in 0..size {
                    let proof = tree.prove(index as u64).unwrap();
                    assert_eq!(proof.nodes(), naive.path(index), "{name}: leaf {index}");
                }
                for indices in
                    [(0..size).step_by(3), (0..size).step_by(1), (size / 2..size).step_by(5)]
                {
                    let indices: Vec<usize> = indices.collect();
                    let as_u64: Vec<u64> = indices.iter().map(|&index| index as u64).collect();
                    let proof = tree.prove_many(&as_u64).unwrap();
                    assert_eq!(proof.nodes(), naive.multiproof(&indices), "{name}: {indices:?}");
                }
                for old in 1..=size {
                    let proof = tree.prove_consistency(old as u64).unwrap();
                    assert_eq!(proof.nodes(), naive.consistency(old), "{name}: from {old}");
                }
                let size = size as u64;
                assert_eq!(tree.prove(size), Err(NoSuchLeafError { index: size, size }));
            }
        });
    }
}

/// The proofs of single families read nodes of levels that are not kept.
#[test]
fn proofs_of_single_families() {
    let leaves = leaves(37);
    let [full, small] = [1, 4].map(|lowest| {
        let ssz = Tree::with_lowest_level(Ssz::with_limit(100), lowest, leaves.as_slice());
        let bitcoin = Tree::with_lowest_level(Bitcoin::new(), lowest, leaves.as_slice());
        let bep52 = Tree::with_lowest_level(Bep52::new(), lowest, leaves.as_slice());

        // Every index down to one level below the chunks.
        let nodes: Vec<_> =
            (1..512).map(|i| GeneralizedIndex::new(i).unwrap().node_of(&ssz)).collect();
        let partial: Vec<_> = (0..37)
            .map(|i| PartialMerkleTree::new(&bitcoin, &[i / 2, i + 1][..1 + i as usize % 2]))
            .collect();
        let requests = (0..4).map(|layer| HashRequest {
            pieces_root: bep52.root(),
            base_layer: layer,
            index: 4,
            length: 4,
            proof_layers: 5 - layer,
        });
        let answers: Vec<_> = requests.map(|request| answer(&bep52, &request)).collect();
        assert!(answers.iter().all(Result::is_ok));
        (nodes, partial, answers)
    });
    assert_eq!(full, small);
}
