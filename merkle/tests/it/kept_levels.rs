//! Trees that do not keep their lowest levels have the same nodes and proofs as full trees.

use merkle_lanes::bep52::{Bep52, HashRequest, answer};
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::ssz::{GeneralizedIndex, Ssz};
use merkle_lanes::{NoSuchLeafError, NodeHasher, Tree};

use crate::levels::assert_kept_levels;
use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, leaves};

/// Below, at and above the depth of the trees.
const LOWEST: [u32; 9] = [0, 1, 2, 3, 4, 5, 8, 64, u32::MAX];

#[test]
fn of_every_size() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for lowest in LOWEST {
            let tree = Tree::with_lowest_level(hasher, lowest, leaves);
            assert_kept_levels(&tree, lowest, definition, leaves);
        }
    }
    let leaves = leaves(130);
    for size in 0..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

/// Around the 8192 leaves that are hashed together, and around a subtree of 2^14 leaves.
#[test]
fn of_large_sizes() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for lowest in [2, 5, 6, 13, 14, 15] {
            let mut tree = Tree::with_lowest_level(hasher, lowest, &leaves[..100]);
            tree.extend(&leaves[100..]);
            assert_kept_levels(&tree, lowest, definition, leaves);
        }
    }
    let leaves = leaves((1 << 14) + 35);
    for size in [8191, 8192, 8193, 1 << 14, leaves.len()] {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn growing_and_truncating() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for lowest in [2, 3, 5] {
            for before in 0..=leaves.len() {
                let tree = Tree::with_lowest_level(hasher, lowest, &leaves[..before]);
                for after in 0..=leaves.len() {
                    let mut tree = tree.clone();
                    tree.truncate(after as u64);
                    tree.extend(&leaves[before.min(after)..after]);
                    assert_kept_levels(&tree, lowest, definition, &leaves[..after]);
                }
            }
        }
    }
    each_family!(check, &leaves(35));
}

#[test]
fn proofs() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let (size, naive) = (leaves.len(), NaiveTree::new(definition, leaves));
        for lowest in LOWEST {
            let tree = Tree::with_lowest_level(hasher, lowest, leaves);
            let name = format!("{definition:?}: {size} leaves, lowest level {lowest}");
            for index in 0..size {
                let proof = tree.prove(index as u64).unwrap();
                assert_eq!(proof.nodes(), naive.path(index), "{name}: leaf {index}");
            }
            for indices in [(0..size).step_by(3), (0..size).step_by(1), (size / 2..size).step_by(5)]
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
    }
    let leaves = leaves(70);
    for size in [1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 65, 70] {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn updates() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        for lowest in LOWEST {
            let mut tree = Tree::with_lowest_level(hasher, lowest, leaves);
            let mut expected = leaves.to_vec();
            for step in [1, 2, 9, 33] {
                let updates: Vec<_> =
                    (0..leaves.len()).step_by(step).map(|i| (i as u64, [step as u8; 32])).collect();
                tree.update_many(&updates).unwrap();
                for &(index, leaf) in &updates {
                    expected[index as usize] = leaf;
                }
                assert_kept_levels(&tree, lowest, definition, &expected);
            }
        }
    }
    let leaves = leaves(70);
    for size in [0, 1, 2, 5, 16, 17, 33, 70] {
        each_family!(check, &leaves[..size]);
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
