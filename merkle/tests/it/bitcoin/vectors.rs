//! Real blocks, in the folder named by the environment variable `HASHLANES_VECTORS`.

use std::fs;

use merkle_lanes::bitcoin::{Bitcoin, BlockRoot, PartialMerkleTree};
use merkle_lanes::{Backend, Tree, root};

use super::Hash;
use crate::{head, vectors};

/// The roots and ids in the files with this ending.
fn blocks(ending: &str) -> Vec<(Hash, Vec<Hash>)> {
    let mut blocks = Vec::new();
    for entry in fs::read_dir(vectors("merkle/bitcoin")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == ending) {
            let bytes = fs::read(path).unwrap();
            let (hashes, []) = bytes.as_chunks() else { panic!("partial hash") };
            blocks.push((hashes[0], hashes[1..].to_vec()));
        }
    }
    blocks
}

fn early_blocks() -> Vec<(Hash, Vec<Hash>)> {
    let bytes = fs::read(vectors("merkle/bitcoin/btcd_blocks1-256.bin")).unwrap();
    let mut rest = bytes.as_slice();
    let mut blocks = Vec::new();
    while let Some((count, after)) = rest.split_first_chunk() {
        let count = u32::from_le_bytes(*count) as usize;
        let (hashes, []) = after[..32 * (1 + count)].as_chunks() else { panic!("no hashes") };
        blocks.push((hashes[0], hashes[1..].to_vec()));
        rest = &after[32 * (1 + count)..];
    }
    assert!(rest.is_empty());
    blocks
}

fn check(blocks: &[(Hash, Vec<Hash>)]) {
    for backend in Backend::available() {
        let bitcoin = Bitcoin::new().with_backend(backend);
        for (expected, ids) in blocks {
            assert_eq!(bitcoin.block_root(ids), BlockRoot { root: *expected, mutated: false });
            assert_eq!(root(&bitcoin, ids), *expected);
        }
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn roots() {
    let blocks = blocks("txids");
    assert!(blocks.len() >= 4);
    check(&blocks);
    let early = early_blocks();
    assert_eq!(early.len(), 255);
    check(&early);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn witness_roots() {
    let blocks = blocks("wtxids");
    assert!(blocks.len() >= 2);
    check(&blocks);
    for (root, mut ids) in blocks {
        ids[0] = [1; 32];
        assert_eq!(Bitcoin::new().witness_root(&ids).root, root);
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn branches_and_partial_trees() {
    let bitcoin = Bitcoin::new();
    for (root, ids) in blocks("txids") {
        let tree = Tree::from_leaves(bitcoin, ids.as_slice());
        let size = tree.len();
        for index in 0..size {
            let id = ids[index as usize];
            tree.prove(index).unwrap().verify(&bitcoin, &head(size, &root), index, &id).unwrap();
            let partial = PartialMerkleTree::new(&tree, &[index]).unwrap();
            assert_eq!(partial.verify(&bitcoin, &root), Ok(vec![(index as u32, id)]));
        }
    }
}
