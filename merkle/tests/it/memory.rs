//! The memory that verifiers and parsers use, in addition to the bytes that they read.

use std::hint::black_box;

use allocation_counter::measure;
use merkle_lanes::bitcoin::{Bitcoin, MAX_TRANSACTIONS, PartialMerkleTree};
use merkle_lanes::{
    Claim, ConsistencyProof, InclusionProof, MultiProof, RootBuilder, Tree, verify_many,
};

use crate::oracle::Hash;
use crate::{each_family, head, leaves};

/// The peak memory of a job, in bytes.
fn memory<T>(job: impl FnOnce() -> T) -> u64 {
    // Without the black box, an optimised build removes allocations that are never read.
    measure(|| drop(black_box(job()))).bytes_max
}

#[test]
fn of_a_batch() {
    for size in [2, 3, 100, 3000] {
        let leaves = &leaves(size);
        each_family(|hasher, definition| {
            let tree = Tree::from_leaves(hasher, leaves.as_slice());
            let (head, size) = (tree.head(), tree.len());
            for step in [1, 3] {
                let indices: Vec<u64> = (0..size).step_by(step).collect();
                let proofs: Vec<_> =
                    indices.iter().map(|&index| tree.prove(index).unwrap()).collect();
                let hostile = InclusionProof::from(vec![[7; 32]; proofs[0].nodes().len()]);
                let none = InclusionProof::from(vec![]);
                for proof in [None, Some(&hostile), Some(&none)] {
                    let claim = |(&index, own)| Claim {
                        head: &head,
                        index,
                        leaf: &leaves[index as usize],
                        proof: proof.unwrap_or(own),
                    };
                    let claims: Vec<_> = indices.iter().zip(&proofs).map(claim).collect();
                    // The first call of a process measures the kernels, which takes memory, too.
                    let _ = verify_many(&hasher, &claims);
                    let used = memory(|| verify_many(&hasher, &claims));
                    let max = 512 * claims.len() as u64;
                    assert!(used <= max, "{definition:?}, {} claims: {used} bytes", claims.len());
                }
            }
        });
    }
}

/// All nodes are allocated before the first is hashed, and nothing else is.
#[test]
fn of_a_tree() {
    for size in [1, 2, 3, 1000, 1 << 12, (1 << 12) + 1] {
        let leaves = leaves(size);
        each_family(|hasher, definition| {
            // These put nodes together with a prefix, or on other threads.
            let kind = format!("{hasher:?}");
            if ["Any", "AlgorandSha512", "Parallel"].iter().any(|other| kind.starts_with(other)) {
                return;
            }
            let tree = Tree::from_leaves(hasher, leaves.as_slice());
            let levels = 1 + tree.depth() as usize;
            let nodes: usize = (1..levels).map(|level| 32 * tree.level(level as u32).len()).sum();
            let lists = levels.max(4) * size_of::<Vec<Hash>>();
            let copy = leaves.clone();
            let info = measure(|| drop(Tree::try_from_leaves(hasher, copy).unwrap()));
            assert!(info.bytes_max <= (nodes + 2 * lists) as u64, "{definition:?}: {info:?}");
            assert!(info.count_total <= levels as u64 + 1, "{definition:?}: {info:?}");
        });
    }
}

#[test]
fn of_one_proof() {
    let leaves = &leaves(3000);
    each_family(|hasher, definition| {
        let tree = Tree::from_leaves(hasher, leaves.as_slice());
        let (new, size) = (tree.head(), tree.len());
        let proof = tree.prove(size / 2).unwrap();
        let leaf = &leaves[leaves.len() / 2];
        let used = memory(|| proof.verify(&hasher, &new, size / 2, leaf).unwrap());
        assert_eq!(used, 0, "{definition:?}");
        let proof = tree.prove_consistency(size / 2).unwrap();
        let old = head(size / 2, &[0; 32]);
        let used = memory(|| assert!(proof.verify(&hasher, &old, &new).is_err()));
        assert_eq!(used, 0, "{definition:?}");

        for step in [1, 2, 7, 1000] {
            let indices: Vec<u64> = (0..size).step_by(step).collect();
            let proof = tree.prove_many(&indices).unwrap();
            let given: Vec<_> = indices.iter().map(|&i| (i, leaves[i as usize])).collect();
            let used = memory(|| proof.verify(&hasher, &new, &given).unwrap());
            let input = size_of_val(&*given) + 32 * proof.nodes().len();
            assert!(used <= 8 * input as u64, "{definition:?}: {used} bytes for {input}");
        }
    });
}

#[cfg(feature = "algorand")]
#[test]
fn of_vector_commitments() {
    use merkle_lanes::algorand::{Algorand, Sha256, VectorCommitment, verify_elements};

    let (hasher, leaves) = (Algorand::new(Sha256::new(), b""), leaves(3000));
    let vector = VectorCommitment::from_leaves(hasher, &leaves);
    for step in [1, 2, 7, 3000] {
        let indices: Vec<u64> = (0..3000).step_by(step).collect();
        let proof = vector.prove_many(&indices).unwrap();
        let given: Vec<_> = indices.iter().map(|&i| (i, leaves[i as usize])).collect();
        let used = memory(|| verify_elements(&hasher, &vector.head(), &given, &proof).unwrap());
        let input = size_of_val(&*given) + 32 * proof.nodes().len();
        assert!(used <= 8 * input as u64, "every {step}: {used} bytes for {input}");
    }
}

/// Up to the largest block, from one match to all.
#[test]
fn of_partial_merkle_trees() {
    for size in [1, 2, 3, 100, 3000, MAX_TRANSACTIONS as usize] {
        let block = Tree::from_leaves(Bitcoin::new(), leaves(size));
        for step in [1, 2, 3, 7, 50, size] {
            let indices: Vec<u64> = (0..size as u64).step_by(step).collect();
            let bytes = PartialMerkleTree::new(&block, &indices).unwrap().to_bytes();
            let length = bytes.len() as u64;
            assert!(memory(|| PartialMerkleTree::try_from(&bytes[..])) <= length);
            let proof = PartialMerkleTree::try_from(&bytes[..]).unwrap();
            let used = memory(|| proof.extract_matches(&Bitcoin::new()));
            assert!(used <= 8 * length, "{size} by {step}: {used} bytes for {length}");
        }
    }
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
    }
}

/// A streaming root takes no more memory for eight times the leaves.
#[test]
fn of_a_stream() {
    let leaves = &leaves(1 << 10);
    each_family(|hasher, definition| {
        let used = |parts| {
            memory(|| {
                let mut builder = RootBuilder::new(hasher);
                (0..parts).for_each(|_| builder.extend(leaves));
                builder.root()
            })
        };
        let (few, many) = (used(8), used(64));
        assert!(many <= few + 1024, "{definition:?}: {few} bytes, then {many}");
    });
}
