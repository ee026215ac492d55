//! Against `@openzeppelin/merkle-tree` 1.0.8 (`openzeppelin.json`, written by `generate.mjs`), and
//! against the verifiers of `MerkleProof.sol`, one node at a time.

use merkle_lanes::keccak::{OpenZeppelin, OpenZeppelinMultiProof, OpenZeppelinTree};
use merkle_lanes::{Backend, InclusionProof, NoSuchLeafError, VerifyError};
use proptest::prelude::*;
use serde_json::Value;

use super::{hash, hashes, integers, keccak256};
use crate::oracle::Hash;
use crate::{flipped, leaves};

fn node(one: &Hash, other: &Hash) -> Hash {
    if one < other { keccak256(&[one, other]) } else { keccak256(&[other, one]) }
}

/// `abi.encode(address, uint256)` of value `i` of `generate.mjs`.
fn encoded(i: u64) -> [u8; 64] {
    let mut value = [0; 64];
    value[12..32].fill((i * 37) as u8);
    value[56..].copy_from_slice(&(1000 * i + 7).to_be_bytes());
    value
}

/// `processMultiProof` of the contract. `None` is a revert.
fn process_multi_proof(leaves: &[Hash], proof: &[Hash], flags: &[bool]) -> Option<Hash> {
    if leaves.len() + proof.len() != flags.len() + 1 {
        return None;
    }
    let mut queue = leaves.to_vec();
    let (mut taken, mut from_proof) = (0, 0);
    for &flag in flags {
        let one = *queue.get(taken)?;
        taken += 1;
        let other = if flag {
            taken += 1;
            *queue.get(taken - 1)?
        } else {
            from_proof += 1;
            *proof.get(from_proof - 1)?
        };
        queue.push(node(&one, &other));
    }
    if !flags.is_empty() && from_proof != proof.len() {
        return None;
    }
    queue.last().or(proof.first()).copied()
}

#[test]
fn trees_and_proofs_of_the_package() {
    let file: Value = serde_json::from_str(include_str!("openzeppelin.json")).unwrap();
    assert_eq!(file["package"], "@openzeppelin/merkle-tree 1.0.8");
    for expected in file["trees"].as_array().unwrap() {
        let positions = integers(&expected["treeIndex"]);
        let count = positions.len() as u64;
        let sort = expected["sortLeaves"].as_bool().unwrap();
        let hasher = OpenZeppelin::new().sort_leaves(sort);
        let tree = if expected["kind"] == "standard" {
            hasher.standard_tree(&(0..count).map(encoded).collect::<Vec<_>>())
        } else {
            let leaf = |i| {
                let mut leaf = [0xab; 32];
                leaf[31] = (i * 37) as u8;
                leaf
            };
            hasher.simple_tree(&(0..count).map(leaf).collect::<Vec<_>>())
        }
        .unwrap();
        assert_eq!(tree.nodes(), hashes(&expected["tree"]));
        assert_eq!((tree.root(), tree.len()), (hash(&expected["tree"][0]), count));
        for (index, proof) in expected["proofs"].as_array().unwrap().iter().enumerate() {
            let proof = hashes(proof);
            assert_eq!(tree.prove(index as u64).unwrap().nodes(), proof);
            let leaf = tree.leaf(index as u64).unwrap();
            hasher.verify(&tree.root(), leaf, &InclusionProof::from(proof)).unwrap();
        }
        for (index, position) in positions.iter().enumerate() {
            assert_eq!(tree.tree_index(index as u64), Some(*position));
        }
        for expected in expected["multiproofs"].as_array().unwrap() {
            let (order, proof) = tree.prove_many(&integers(&expected["indices"])).unwrap();
            let leaves = hashes(&expected["leaves"]);
            assert_eq!(leaves_of(&tree, &order), leaves);
            assert_eq!(proof.nodes(), hashes(&expected["proof"]));
            let flags = expected["proofFlags"].as_array().unwrap();
            let flags: Vec<bool> = flags.iter().map(|flag| flag.as_bool().unwrap()).collect();
            assert_eq!(proof.flags(), flags);
            assert_eq!(proof.root(&hasher, &leaves), Ok(tree.root()));
            let verdict = proof.verify(&hasher, &tree.root(), &leaves);
            let expected = if leaves.is_empty() { Err(VerifyError::NoLeaves) } else { Ok(()) };
            assert_eq!(verdict, expected);
        }
    }
}

fn leaves_of(tree: &OpenZeppelinTree, indices: &[u64]) -> Vec<Hash> {
    indices.iter().map(|&index| *tree.leaf(index).unwrap()).collect()
}

/// More leaves than the package was asked for, on every backend.
#[test]
fn every_size_and_backend() {
    for backend in Backend::available() {
        for count in (1..70).chain([127, 128, 129, 1000]) {
            let leaves = leaves(count);
            let hasher = OpenZeppelin::new().with_backend(backend);
            let tree = hasher.simple_tree(&leaves).unwrap();
            let mut nodes = leaves.clone();
            nodes.sort_unstable_by(|one, other| other.cmp(one));
            for _ in 1..count {
                // From the end, the next pair of children is that of the next parent.
                let children = nodes.len() - 1 - 2 * (nodes.len() - count);
                nodes.insert(0, node(&nodes[children - 1], &nodes[children]));
            }
            assert_eq!(tree.nodes(), nodes, "{count} leaves");
            for index in (0..count as u64).step_by(7) {
                let proof = tree.prove(index).unwrap();
                hasher.verify(&tree.root(), &leaves[index as usize], &proof).unwrap();
            }
        }
    }
}

#[test]
fn standard_leaves_are_hashed_twice() {
    let values: Vec<_> = (0..100).map(|i| vec![i; usize::from(i) * 3]).collect();
    let leaves = OpenZeppelin::new().standard_leaves(&values);
    for (value, leaf) in values.iter().zip(leaves) {
        assert_eq!(leaf, keccak256(&[&keccak256(&[value])]));
        assert_eq!(leaf, OpenZeppelin::new().standard_leaf(value));
    }
}

#[test]
fn proofs_of_many_leaves() {
    let leaves = leaves(300);
    let hasher = OpenZeppelin::new();
    let tree = hasher.simple_tree(&leaves).unwrap();
    let mut proofs: Vec<_> = (0..300).map(|index| tree.prove(index).unwrap()).collect();
    proofs[7] = InclusionProof::from(vec![]);
    proofs[8] = InclusionProof::from(proofs[9].nodes().to_vec());
    let claims: Vec<_> = leaves.iter().zip(&proofs).collect();
    let roots = hasher.process_proofs(&claims);
    for (index, ((leaf, proof), root)) in claims.into_iter().zip(roots).enumerate() {
        assert_eq!(root, proof.nodes().iter().fold(*leaf, |one, other| node(&one, other)));
        assert_eq!(root == tree.root(), !(7..9).contains(&index));
        assert_eq!(hasher.verify(&tree.root(), leaf, proof).is_ok(), root == tree.root());
    }
    assert!(hasher.process_proofs(&[]).is_empty());
}

#[test]
fn what_is_not_in_the_tree() {
    assert_eq!(OpenZeppelin::new().simple_tree(&[]), None);
    assert_eq!(OpenZeppelin::new().standard_tree::<&[u8]>(&[]), None);
    let tree = OpenZeppelin::new().simple_tree(&leaves(5)).unwrap();
    for index in [5, u64::MAX] {
        let error = NoSuchLeafError { index, size: 5 };
        assert_eq!(tree.prove(index), Err(error));
        assert_eq!(tree.prove_many(&[0, index]), Err(error));
        assert_eq!((tree.leaf(index), tree.tree_index(index)), (None, None));
    }
    let (order, proof) = tree.prove_many(&[3, 1, 3, 1]).unwrap();
    assert_eq!((order.len(), &tree.prove_many(&[1, 3]).unwrap().1), (2, &proof));
}

/// The flaw of `MerkleProof.sol` before 4.9.2 (CVE-2023-34459): a proof with a node too many, and
/// flags that do not take it.
#[test]
fn surplus_nodes_are_refused() {
    let [leaf, other] = [[1; 32], [2; 32]];
    let hasher = OpenZeppelin::new();
    let root = hasher.hash_node(&leaf, &other);
    let refused = OpenZeppelinMultiProof::new(vec![root, other], vec![true]);
    assert_eq!(
        refused.verify(&hasher, &root, &[]),
        Err(VerifyError::NoLeaves),
        "an empty set of leaves"
    );
    let error = VerifyError::WrongFlags { leaves: 0, nodes: 2, flags: 1 };
    assert_eq!(refused.root(&hasher, &[]), Err(error));
    assert_eq!(
        error.to_string(),
        "the flags of the proof do not match: 1 flags, 2 nodes, 0 leaves"
    );
    let wrong = OpenZeppelinMultiProof::new(vec![other], vec![false]);
    assert_eq!(wrong.verify(&hasher, &leaf, &[leaf]), Err(VerifyError::WrongRoot));
    assert_eq!(wrong.verify(&hasher, &root, &[leaf]), Ok(()));
}

proptest! {
    /// Any leaves, nodes and flags have the root that the contract computes, or are refused as it
    /// reverts.
    #[test]
    fn multiproofs_as_the_contract_processes_them(
        leaf_count in 0_usize..12,
        node_count in 0_usize..12,
        mut flags in prop::collection::vec(any::<bool>(), 0..24),
        fits: bool,
    ) {
        let all = leaves(24);
        let (leaves, nodes) = (&all[..leaf_count], &all[12..][..node_count]);
        if fits {
            // Flags in any order, of which as many are false as there are nodes.
            flags.resize((leaf_count + node_count).saturating_sub(1), true);
            let mut wanted = node_count;
            for flag in &mut flags {
                *flag = *flag && wanted < node_count || wanted == 0;
                wanted -= usize::from(!*flag);
            }
        }
        let expected = process_multi_proof(leaves, nodes, &flags);
        let proof = OpenZeppelinMultiProof::new(nodes.to_vec(), flags);
        prop_assert_eq!(proof.root(&OpenZeppelin::new(), leaves).ok(), expected);
    }

    /// Proofs of any leaves of any tree verify, and no longer once a bit is flipped.
    #[test]
    fn multiproofs_of_any_leaves(
        count in 1_usize..80,
        sort: bool,
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 1..20),
        flip in any::<prop::sample::Index>(),
        bit in 0_usize..256,
    ) {
        let hasher = OpenZeppelin::new().sort_leaves(sort);
        let tree = hasher.simple_tree(&leaves(count)).unwrap();
        let indices: Vec<u64> = chosen.iter().map(|index| index.index(count) as u64).collect();
        let (order, proof) = tree.prove_many(&indices).unwrap();
        let mut leaves = leaves_of(&tree, &order);
        let expected = process_multi_proof(&leaves, proof.nodes(), proof.flags());
        prop_assert_eq!(expected, Some(tree.root()));
        prop_assert_eq!(proof.verify(&hasher, &tree.root(), &leaves), Ok(()));
        let at = flip.index(leaves.len());
        leaves[at] = flipped(&leaves[at], bit);
        let verdict = proof.verify(&hasher, &tree.root(), &leaves);
        prop_assert_eq!(verdict, Err(VerifyError::WrongRoot));
    }
}
