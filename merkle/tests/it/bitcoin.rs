//! Bitcoin: roots of blocks and proofs of transactions.

mod extraction;
mod partial;

use merkle_lanes::bitcoin::{Bitcoin, BlockRoot, verify_branch};
use merkle_lanes::{Backend, InclusionProof, Tree, VerifyError, root};
use proptest::prelude::*;

use crate::oracle::{self, Hash};
use crate::{flipped, leaves as txids};
use extraction::node;

/// Decodes a hash as shown by block explorers, with its bytes reversed.
fn shown(digits: &str) -> Hash {
    let mut hash = sent(digits);
    hash.reverse();
    hash
}

/// Decodes a hash in the byte order in which it is sent.
fn sent(digits: &str) -> Hash {
    hex::FromHex::from_hex(digits).unwrap()
}

/// Whether any level, starting with the transactions, has two equal siblings. Compares all pairs on
/// all levels.
fn mutated(nodes: &[Hash]) -> bool {
    if nodes.len() < 2 {
        return false;
    }
    let equal = (1..nodes.len()).step_by(2).any(|right| nodes[right - 1] == nodes[right]);
    let parents: Vec<Hash> =
        nodes.chunks(2).map(|children| node(&children[0], &children[children.len() - 1])).collect();
    equal || mutated(&parents)
}

/// The root of block 100,000 and its transactions, as block explorers show them.
const BLOCK_100_000: (&str, [&str; 4]) = (
    "f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766",
    [
        "8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87",
        "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4",
        "6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4",
        "e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d",
    ],
);

#[test]
fn block_100_000() {
    let (root, txids) = BLOCK_100_000;
    let txids = txids.map(shown);
    for backend in Backend::available() {
        let bitcoin = Bitcoin::new().with_backend(backend);
        let expected = BlockRoot { root: shown(root), mutated: false };
        assert_eq!(bitcoin.block_root(&txids), expected, "{backend:?}");
    }
}

#[test]
fn block_roots_match_tree_roots() {
    let txids = txids(5000);
    for backend in Backend::available() {
        let bitcoin = Bitcoin::new().with_backend(backend);
        for count in (0..=70).chain([255, 256, 257, 1023, 3000, 4096, 5000]) {
            let block = bitcoin.block_root(&txids[..count]);
            assert_eq!(block.root, oracle::bitcoin(&txids[..count]), "{count}");
            assert!(!block.mutated, "{count}");
        }
    }
}

/// CVE-2012-2459: 1, 2, 3, 4, 5, 6 and 1, 2, 3, 4, 5, 6, 5, 6 have the same root.
#[test]
fn repeated_transactions_are_mutations() {
    let bitcoin = Bitcoin::new();
    for count in 1..=100_usize {
        let txids = txids(count);
        let original = bitcoin.block_root(&txids);
        assert!(!original.mutated);
        // On each level where the last subtree has no sibling, it can be repeated.
        for level in 0..count.next_power_of_two().ilog2() {
            let width = 1 << level;
            let nodes = count.div_ceil(width);
            if nodes % 2 == 0 {
                continue;
            }
            // The last node is complete after repeating what is below it.
            let mut repeated = txids.clone();
            for below in 0..=level {
                if repeated.len().div_ceil(1 << below) % 2 == 1 {
                    repeated.extend_from_within(repeated.len() - (1 << below)..);
                }
            }
            let mutation = bitcoin.block_root(&repeated);
            assert_eq!(
                mutation,
                BlockRoot { root: original.root, mutated: true },
                "{count} at {level}"
            );
            assert!(root(&bitcoin, &repeated) == original.root);
        }
    }
}

#[test]
fn witness_root_replaces_the_first_id_with_zeros() {
    let bitcoin = Bitcoin::new();
    let mut wtxids = txids(7);
    let given = bitcoin.witness_root(&wtxids);
    wtxids[0] = [0; 32];
    assert_eq!(given, bitcoin.block_root(&wtxids));
    assert_eq!(bitcoin.witness_root(&[]), bitcoin.block_root(&[]));
    assert_eq!(bitcoin.witness_root(&wtxids[1..2]).root, [0; 32]);
    let reserved = [5; 32];
    assert_eq!(bitcoin.witness_commitment(&given.root, &reserved), node(&given.root, &reserved));
}

proptest! {
    /// Few distinct hashes, so that siblings are often equal.
    #[test]
    fn mutation_matches_a_comparison_of_all_pairs(
        choice in proptest::collection::vec(0_u8..3, 0..40),
    ) {
        let txids: Vec<Hash> = choice.iter().map(|&byte| [byte; 32]).collect();
        let block = Bitcoin::new().block_root(&txids);
        let root = oracle::bitcoin(&txids);
        prop_assert_eq!(block, BlockRoot { root, mutated: mutated(&txids) });
    }
}

/// Every transaction of every small block, at every position.
#[test]
fn branches_without_a_count() {
    for count in 1..=33 {
        let txids = txids(count);
        let tree = Tree::from_leaves(Bitcoin::new(), txids.as_slice());
        let root = oracle::bitcoin(&txids);
        for (index, txid) in (0..).zip(&txids) {
            let branch = tree.prove(index).unwrap();
            for position in 0..70 {
                let verdict = verify_branch(&root, txid, position, &branch);
                assert_eq!(verdict.is_ok(), position == index, "{count}: {index} at {position}");
            }
            let size = 1 << branch.nodes().len();
            let beyond = |index| Err(VerifyError::NoSuchLeaf { index, size });
            assert_eq!(verify_branch(&root, txid, size + index, &branch), beyond(size + index));
            assert_eq!(verify_branch(&root, txid, u64::MAX, &branch), beyond(u64::MAX));
            let other = flipped(&root, index as usize);
            assert_eq!(verify_branch(&other, txid, index, &branch), Err(VerifyError::WrongRoot));
        }
    }
}

/// The last transaction in the place of its copy, on each level, as a peer that chooses the number
/// of transactions could prove it.
#[test]
fn copies_have_no_position() {
    for (count, position, level) in [(3_usize, 3, 0), (5, 5, 0), (5, 6, 1), (6, 6, 1), (9, 12, 2)] {
        let mut txids = txids(count);
        let root = oracle::bitcoin(&txids);
        while txids.len() <= position as usize {
            let last = (txids.len() - 1) & !((1 << level) - 1);
            txids.extend_from_within(last..);
        }
        let tree = Tree::from_leaves(Bitcoin::new(), txids.as_slice());
        assert_eq!(tree.root(), root, "{count}: the mutated list has the same root");
        let branch = tree.prove(position).unwrap();
        let txid = &txids[position as usize];
        assert!(branch.verify(tree.hasher(), &tree.head(), position, txid).is_ok());
        let error = VerifyError::EqualSiblings { position: level };
        assert_eq!(
            verify_branch(&root, txid, position, &branch),
            Err(error),
            "{count}: {position}"
        );
    }
}

#[test]
fn branches_of_any_length() {
    let a = [1; 32];
    for length in [0, 1, 14, 15, 16, 17, 63, 64, 65, 66, 1000] {
        let branch = InclusionProof::from(vec![[2; 32]; length]);
        let expected = match length {
            0..=15 => VerifyError::WrongRoot,
            _ => VerifyError::TooManyLeaves {
                size: if length > 64 { u64::MAX } else { (1 << (length - 1)) + 1 },
                capacity: 16_666,
            },
        };
        assert_eq!(verify_branch(&[0; 32], &a, 0, &branch), Err(expected), "{length}");
    }
    assert_eq!(verify_branch(&a, &a, 0, &InclusionProof::from(vec![])), Ok(()));
}
