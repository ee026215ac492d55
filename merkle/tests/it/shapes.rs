//! Every number of leaves.

use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{Backend, Claim, NodeHasher, RootBuilder, Tree, levels_above, root, verify_many};

use crate::oracle::{self, Hash, sha256};

fn leaves(count: usize) -> Vec<Hash> {
    (0..count as u64).map(|i| sha256(&[&i.to_le_bytes()])).collect()
}

fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H, leaves: &[Hash], expected: Hash) {
    let count = leaves.len();
    assert_eq!(root(&hasher, leaves), expected, "root of {count}");
    let tree = Tree::from_leaves(hasher, leaves);
    assert_eq!(tree.root(), expected, "tree of {count}");
    let mut builder = RootBuilder::new(hasher);
    builder.extend(leaves);
    assert_eq!(builder.root(), expected, "builder of {count}");
    if count > 140 {
        return;
    }
    let proofs: Vec<_> = (0..count as u64).map(|index| tree.prove(index).unwrap()).collect();
    for (index, proof) in proofs.iter().enumerate() {
        proof.verify(&hasher, &expected, count as u64, index as u64, &leaves[index]).unwrap();
    }
    let claims: Vec<_> = proofs
        .iter()
        .enumerate()
        .map(|(index, proof)| Claim {
            root: &expected,
            size: count as u64,
            index: index as u64,
            leaf: &leaves[index],
            proof,
        })
        .collect();
    assert!(verify_many(&hasher, &claims).iter().all(Result::is_ok), "{count}");
    for step in 1..count as u64 {
        let indices: Vec<u64> = (0..count as u64).step_by(step as usize).collect();
        let proven: Vec<_> = indices.iter().map(|&index| (index, leaves[index as usize])).collect();
        tree.prove_many(&indices).unwrap().verify(&hasher, &expected, count as u64, &proven).unwrap();
        let old = root(&hasher, &leaves[..step as usize]);
        let proof = tree.prove_consistency(step).unwrap();
        proof.verify(&hasher, (step, &old), (count as u64, &expected)).unwrap();
    }
}

#[test]
fn roots_and_proofs_are_those_of_the_definitions() {
    let leaves = leaves(5000);
    for backend in Backend::available() {
        for count in (0..=130).chain([255, 256, 257, 1023, 1024, 1025, 2047, 3000, 4095, 4096, 4097, 5000]) {
            let leaves = &leaves[..count];
            check(Rfc6962::new().with_backend(backend), leaves, oracle::rfc6962(leaves));
            check(Bitcoin::new().with_backend(backend), leaves, oracle::bitcoin(leaves));
            let depth = levels_above(count as u64);
            check(Ssz::new().with_backend(backend), leaves, oracle::ssz(leaves, depth));
            if count < 70 {
                check(Ssz::with_limit(1 << 20).with_backend(backend), leaves, oracle::ssz(leaves, 20));
            }
        }
    }
}
