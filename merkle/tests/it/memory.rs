//! The memory that verifiers and parsers take up, beside the bytes that they read.

use std::hint::black_box;

use allocation_counter::measure;
use merkle_lanes::bep52::Hashes;
use merkle_lanes::bitcoin::{Bitcoin, PartialMerkleTree};
use merkle_lanes::{
    Claim, ConsistencyProof, InclusionProof, LeafPosition, MultiProof, NodeHasher, Tree,
    verify_many,
};

use crate::oracle::{Definition, Hash};
use crate::{each_family, leaves};

/// The bytes that `job` takes up at once.
fn memory<T>(job: impl FnOnce() -> T) -> u64 {
    // Without the black box, an optimised build leaves out allocations whose contents nobody reads.
    measure(|| drop(black_box(job()))).bytes_max
}

#[test]
fn of_a_batch() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let tree = Tree::from_leaves(hasher, leaves);
        let (root, size) = (tree.root(), tree.len());
        for step in [1, 3] {
            let indices: Vec<u64> = (0..size).step_by(step).collect();
            let proofs: Vec<_> = indices.iter().map(|&index| tree.prove(index).unwrap()).collect();
            let hostile = InclusionProof::from(vec![[7; 32]; proofs[0].nodes().len()]);
            let none = InclusionProof::from(vec![]);
            for proof in [None, Some(&hostile), Some(&none)] {
                let claim = |(&index, own)| Claim {
                    root: &root,
                    position: LeafPosition { index, size },
                    leaf: &leaves[index as usize],
                    proof: proof.unwrap_or(own),
                };
                let claims: Vec<_> = indices.iter().zip(&proofs).map(claim).collect();
                let used = memory(|| verify_many(&hasher, &claims));
                let max = 512 * claims.len() as u64;
                assert!(used <= max, "{definition:?}, {} claims: {used} bytes", claims.len());
            }
        }
    }
    for size in [2, 3, 100, 3000] {
        each_family!(check, &leaves(size));
    }
}

#[test]
fn of_one_proof() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        leaves: &[Hash],
    ) {
        let tree = Tree::from_leaves(hasher, leaves);
        let (root, size) = (tree.root(), tree.len());
        let proof = tree.prove(size / 2).unwrap();
        let position = LeafPosition { index: size / 2, size };
        let used = memory(|| {
            proof.verify(&hasher, &root, position, &leaves[leaves.len() / 2]).unwrap();
        });
        assert_eq!(used, 0, "{definition:?}");
        let proof = tree.prove_consistency(size / 2).unwrap();
        let used = memory(|| {
            assert!(proof.verify(&hasher, (size / 2, &[0; 32]), (size, &root)).is_err());
        });
        assert_eq!(used, 0, "{definition:?}");

        for step in [1, 2, 7, 1000] {
            let indices: Vec<u64> = (0..size).step_by(step).collect();
            let proof = tree.prove_many(&indices).unwrap();
            let given: Vec<_> = indices.iter().map(|&i| (i, leaves[i as usize])).collect();
            let used = memory(|| proof.verify(&hasher, &root, size, &given).unwrap());
            let input = size_of_val(&*given) + 32 * proof.nodes().len();
            let max = 8 * input as u64;
            assert!(used <= max, "{definition:?}: {used} bytes for {input}");
        }
    }
    each_family!(check, &leaves(3000));
}

#[test]
fn of_parsers() {
    let bytes = vec![7; 32 * 60];
    let length = bytes.len() as u64;
    assert_eq!(memory(|| InclusionProof::<Hash>::try_from(&bytes[..])), length);
    assert_eq!(memory(|| ConsistencyProof::<Hash>::try_from(&bytes[..])), length);
    assert_eq!(memory(|| MultiProof::<Hash>::try_from(&bytes[..])), length);

    // A length in front of the hashes is not believed.
    let claims_more = [&[0xff; 4][..], &[0xfe, 0xff, 0xff, 0xff, 0x0f], &[7; 100]].concat();
    for bytes in [&claims_more[..], &[0xff; 100]] {
        assert_eq!(memory(|| PartialMerkleTree::try_from(bytes)), 0);
        assert_eq!(memory(|| Hashes::try_from(bytes)), 0);
    }
    let block = Tree::from_leaves(Bitcoin::new(), leaves(3000));
    for step in [1, 2, 50] {
        let indices: Vec<u64> = (0..3000).step_by(step).collect();
        let bytes = PartialMerkleTree::new(&block, &indices).unwrap().to_bytes();
        let length = bytes.len() as u64;
        assert!(memory(|| PartialMerkleTree::try_from(&bytes[..])) <= length);
        let proof = PartialMerkleTree::try_from(&bytes[..]).unwrap();
        let used = memory(|| proof.extract_matches(&Bitcoin::new()));
        assert!(used <= 8 * length, "{used} bytes for {length}");
    }
}
