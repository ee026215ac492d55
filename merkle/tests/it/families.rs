//! Every family in the list, small ones too: roots, streams, proofs and batches of trees of up to
//! 128 leaves, against the definitions. What is not a family, but has a definition here.

use merkle_lanes::{Backend, Claim, NodeHasher, RootBuilder, Tree, root, verify_many};

use crate::family::Family;
use crate::leaves;
use crate::oracle::NaiveTree;

#[test]
fn every_family() {
    let all = leaves(128);
    for backend in Backend::available() {
        for (family, definition) in Family::all(backend) {
            assert_eq!(family.capacity(), definition.capacity(), "{definition:?}");
            assert_eq!(root(&family, &[]), definition.root(&[]), "{definition:?}");
            for size in (1..40).chain([63, 64, 65, 100, 127, 128]) {
                let leaves = &all[..size];
                let naive = NaiveTree::new(definition, leaves);
                let expected = definition.root(leaves);
                let tree = Tree::from_leaves(family, leaves);
                assert_eq!(tree.root(), expected, "{size} of {definition:?}");
                assert_eq!(root(&family, leaves), expected, "{size} of {definition:?}");
                assert_eq!(family.depth(size as u64), definition.depth(size as u64));
                for (level, nodes) in naive.levels.iter().enumerate() {
                    assert_eq!(tree.level(level as u32), nodes);
                }
                let mut builder = RootBuilder::new(family);
                let (first, rest) = leaves.split_at(size / 3);
                builder.extend(first);
                builder.extend(rest);
                assert_eq!(builder.root(), expected, "{size} of {definition:?}");

                let head = tree.head();
                let proofs: Vec<_> = (0..size).map(|i| tree.prove(i as u64).unwrap()).collect();
                for (i, proof) in proofs.iter().enumerate() {
                    assert_eq!(proof.nodes(), naive.path(i), "{i} of {size}, {definition:?}");
                    assert_eq!(proof.verify(&family, &head, i as u64, &leaves[i]), Ok(()));
                }
                let claims: Vec<_> = (proofs.iter().enumerate())
                    .map(|(i, proof)| Claim {
                        head: &head,
                        index: i as u64,
                        leaf: &leaves[i],
                        proof,
                    })
                    .collect();
                assert_eq!(verify_many(&family, &claims), vec![Ok(()); size]);
                let chosen: Vec<usize> = (0..size).step_by(3).collect();
                let indices: Vec<u64> = chosen.iter().map(|&i| i as u64).collect();
                let proof = tree.prove_many(&indices).unwrap();
                assert_eq!(proof.nodes(), naive.multiproof(&chosen), "{size} of {definition:?}");
                let given: Vec<_> = chosen.iter().map(|&i| (i as u64, leaves[i])).collect();
                assert_eq!(proof.verify(&family, &head, &given), Ok(()));
                let old = size / 2 + 1;
                let proof = tree.prove_consistency(old as u64).unwrap();
                assert_eq!(
                    proof.nodes(),
                    naive.consistency(old),
                    "{old} of {size}, {definition:?}"
                );
                let before = Tree::from_leaves(family, &leaves[..old]).head();
                assert_eq!(proof.verify(&family, &before, &head), Ok(()), "{old} of {size}");
            }
        }
    }
}

#[cfg(feature = "keccak")]
#[test]
fn open_zeppelin() {
    use merkle_lanes::keccak::OpenZeppelin;

    let all = leaves(200);
    for size in 1..=all.len() {
        let tree = OpenZeppelin::new().sort_leaves(false).simple_tree(&all[..size]).unwrap();
        let hashed: Vec<_> = (0..size as u64).map(|i| *tree.leaf(i).unwrap()).collect();
        assert_eq!(tree.root(), crate::oracle::open_zeppelin(&hashed), "{size}");
    }
}

#[cfg(feature = "verity")]
#[test]
fn fs_verity() {
    use merkle_lanes::verity::{Algorithm, FsVerity};

    let data: Vec<u8> = (0..300_000_u32).map(|i| (i % 251) as u8).collect();
    for block in [1024, 4096] {
        for len in [0, 1, block - 1, block, block + 1, 32 * block, 32 * block + 1, 200_000] {
            for salt in [&b""[..], b"salt", &[7; 32]] {
                let verity = FsVerity::new(Algorithm::Sha256).with_block_size(block).unwrap();
                let mut hasher = verity.with_salt(salt).unwrap().hasher();
                hasher.update(&data[..len]);
                let root = hasher.finalize().root();
                let expected = crate::oracle::fs_verity(&data[..len], block, salt);
                assert_eq!(root.as_bytes(), expected, "{len} in blocks of {block}");
            }
        }
    }
}
