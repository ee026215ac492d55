//! BIP 37's partial Merkle trees, compared with a recursion written from its text.

use merkle_lanes::bitcoin::{
    Bitcoin, ExtractError, MAX_TRANSACTIONS, Matches, PartialDecodeError, PartialMerkleTree,
};
use merkle_lanes::{Backend, Tree, VerifyError};
use proptest::prelude::*;

use super::extraction::{extract, height, width};
use super::{Hash, node, sent, txids};
use crate::oracle;

/// The flags and hashes of BIP 37, depth first.
#[derive(Debug, Default, PartialEq)]
struct Parts {
    flags: Vec<bool>,
    hashes: Vec<Hash>,
}

/// The hash of a node: "if the right child is missing, the left one takes its place".
fn hash_of(txids: &[Hash], height: u32, position: usize) -> Hash {
    if height == 0 {
        return txids[position];
    }
    let left = hash_of(txids, height - 1, 2 * position);
    let right = if 2 * position + 1 < width(txids.len(), height - 1) {
        hash_of(txids, height - 1, 2 * position + 1)
    } else {
        left
    };
    node(&left, &right)
}

impl Parts {
    fn build(&mut self, txids: &[Hash], matches: &[bool], height: u32, position: usize) {
        let below = (position << height)..((position + 1) << height).min(txids.len());
        let has_match = matches[below].contains(&true);
        self.flags.push(has_match);
        if height == 0 || !has_match {
            self.hashes.push(hash_of(txids, height, position));
            return;
        }
        self.build(txids, matches, height - 1, 2 * position);
        if 2 * position + 1 < width(txids.len(), height - 1) {
            self.build(txids, matches, height - 1, 2 * position + 1);
        }
    }

    /// For counts that fit into a single byte of `CompactSize`.
    fn bytes(&self, count: usize) -> Vec<u8> {
        let mut bytes = (count as u32).to_le_bytes().to_vec();
        bytes.push(self.hashes.len() as u8);
        bytes.extend(self.hashes.as_flattened());
        bytes.push(self.flags.len().div_ceil(8) as u8);
        for flags in self.flags.chunks(8) {
            bytes.push(flags.iter().enumerate().map(|(bit, &flag)| u8::from(flag) << bit).sum());
        }
        assert!(self.hashes.len() < 253);
        bytes
    }
}

fn bytes(count: u32, hashes: &[Hash], flags: &[u8]) -> Vec<u8> {
    let mut bytes = count.to_le_bytes().to_vec();
    bytes.push(hashes.len().try_into().unwrap());
    bytes.extend(hashes.as_flattened());
    bytes.push(flags.len().try_into().unwrap());
    bytes.extend(flags);
    bytes
}

fn parse(count: u32, hashes: &[Hash], flags: &[u8]) -> PartialMerkleTree {
    PartialMerkleTree::try_from(bytes(count, hashes, flags).as_slice()).unwrap()
}

fn check(txids: &[Hash], matches: &[bool]) {
    let mut parts = Parts::default();
    parts.build(txids, matches, height(txids.len()), 0);
    let indices: Vec<u64> =
        (0..txids.len() as u64).filter(|&index| matches[index as usize]).collect();
    let expected: Vec<(u32, Hash)> =
        indices.iter().map(|&index| (index as u32, txids[index as usize])).collect();

    let bitcoin = Bitcoin::new();
    let tree = Tree::from_leaves(bitcoin, txids);
    let partial = PartialMerkleTree::new(&tree, &indices).unwrap();
    let bytes = partial.to_bytes();
    assert_eq!(bytes, parts.bytes(txids.len()));
    let read = PartialMerkleTree::try_from(bytes.as_slice()).unwrap();
    assert_eq!(read, partial);
    assert_eq!(read.transactions() as usize, txids.len());
    assert_eq!(read.verify(&bitcoin, &oracle::bitcoin(txids)), Ok(expected));
    assert_eq!(read.verify(&bitcoin, &[9; 32]), Err(ExtractError::WrongRoot));
}

/// The `merkleblock` example in the Bitcoin Developer Reference: the root in its header, and the
/// bytes after the header.
#[test]
fn merkleblock_of_the_developer_reference() {
    let root = sent("7f16c5962e8bd963659c793ce370d95f093bc7e367117b3c30c1f8fdd0d97287");
    let message = hex::decode(concat!(
        "07000000",
        "04",
        "3612262624047ee87660be1a707519a443b1c1ce3d248cbfc6c15870f6c5daa2",
        "019f5b01d4195ecbc9398fbf3c3b1fa9bb3183301d7a1fb3bd174fcfa40a2b65",
        "41ed70551dd7e841883ab8f0b16bf04176b7d1480e4f0af9f3d4c3595768d068",
        "20d2a7bc994987302e5b1ac80fc425fe25f8b63169ea78e68fbaaefa59379bbf",
        "01",
        "1d",
    ))
    .unwrap();
    let partial = PartialMerkleTree::try_from(message.as_slice()).unwrap();
    assert_eq!(partial.transactions(), 7);
    assert_eq!(partial.to_bytes(), message);
    // The flags are 1 0 1 1 1 0 0: for the root, 0..4, 4..7, 4..6, 4, 5 and 6.
    let matched = sent("019f5b01d4195ecbc9398fbf3c3b1fa9bb3183301d7a1fb3bd174fcfa40a2b65");
    for backend in Backend::available() {
        let bitcoin = Bitcoin::new().with_backend(backend);
        assert_eq!(partial.verify(&bitcoin, &root), Ok(vec![(4, matched)]));
    }
}

#[test]
fn all_subsets_of_small_blocks() {
    for count in 1..=9 {
        let txids = txids(count);
        for subset in 0_u32..1 << count {
            let matches: Vec<bool> = (0..count).map(|index| subset >> index & 1 == 1).collect();
            check(&txids, &matches);
        }
    }
}

#[test]
fn the_largest_block() {
    let bitcoin = Bitcoin::new();
    let most = txids(MAX_TRANSACTIONS as usize);
    let tree = Tree::from_leaves(bitcoin, most.as_slice());
    let indices: Vec<u64> = (0..MAX_TRANSACTIONS.into()).collect();
    let partial = PartialMerkleTree::new(&tree, &indices).unwrap();
    // Both numbers take more than a byte.
    let read = PartialMerkleTree::try_from(partial.to_bytes().as_slice()).unwrap();
    assert_eq!(read, partial);
    let proven = read.verify(&bitcoin, &tree.root()).unwrap();
    assert_eq!(proven.len(), most.len());
    assert!(
        proven
            .iter()
            .enumerate()
            .all(|(i, (index, txid))| *index as usize == i && *txid == most[i])
    );

    let too_many = Tree::from_leaves(bitcoin, vec![[1; 32]; most.len() + 1]);
    let error = PartialMerkleTree::new(&too_many, &[0]).unwrap_err();
    assert_eq!(error, VerifyError::TooManyLeaves { size: 16_667, capacity: 16_666 });
}

#[test]
fn no_such_transaction() {
    let tree = Tree::from_leaves(Bitcoin::new(), txids(3));
    let new = |indices: &[u64]| PartialMerkleTree::new(&tree, indices);
    assert_eq!(new(&[1, 3]), Err(VerifyError::NoSuchLeaf { index: 3, size: 3 }));
    assert_eq!(new(&[1, 1]), Err(VerifyError::Unsorted { index: 1, before: 1 }));
    assert_eq!(new(&[2, 0]), Err(VerifyError::Unsorted { index: 0, before: 2 }));
    let empty = PartialMerkleTree::new(&Tree::new(Bitcoin::new()), &[]);
    assert_eq!(empty, Err(VerifyError::NoLeaves));
}

/// Each check of Bitcoin Core's `CPartialMerkleTree::ExtractMatches`.
#[test]
fn every_check_refuses() {
    let [a, b, c] = [[1; 32], [2; 32], [3; 32]];
    let error = |count, hashes: &[Hash], flags: &[u8]| {
        let bitcoin = Bitcoin::new();
        assert_eq!(extract(count, hashes, flags), None);
        parse(count, hashes, flags).extract_matches(&bitcoin).unwrap_err()
    };
    assert_eq!(error(0, &[], &[]), ExtractError::NoTransactions);
    assert_eq!(
        error(16_667, &[a], &[0]),
        ExtractError::TooManyTransactions { transactions: 16_667 }
    );
    assert_eq!(
        error(u32::MAX, &[a], &[0]),
        ExtractError::TooManyTransactions { transactions: u32::MAX }
    );
    assert_eq!(
        error(2, &[a, b, c], &[7]),
        ExtractError::TooManyHashes { hashes: 3, transactions: 2 }
    );
    assert_eq!(error(20, &[a; 9], &[0]), ExtractError::TooFewFlags { flags: 8, hashes: 9 });
    assert_eq!(error(3, &[], &[]), ExtractError::OutOfFlags { flags: 0 });
    assert_eq!(error(8, &[a, b, c, [4; 32]], &[0xFF]), ExtractError::OutOfFlags { flags: 8 });
    assert_eq!(error(2, &[a], &[3]), ExtractError::OutOfHashes { hashes: 1 });
    assert_eq!(error(2, &[a, b], &[3, 0]), ExtractError::UnusedFlags { used: 3, flags: 16 });
    assert_eq!(error(2, &[a, b], &[0]), ExtractError::UnusedHashes { used: 1, hashes: 2 });
    assert_eq!(error(2, &[a, a], &[3]), ExtractError::EqualSiblings { level: 0, position: 0 });
    // The root, its left child given as a hash, its right child above two transactions.
    assert_eq!(
        error(4, &[c, a, a], &[0b01101]),
        ExtractError::EqualSiblings { level: 0, position: 2 }
    );
    let ab = node(&a, &b);
    assert_eq!(
        error(4, &[ab, a, b], &[0b01101]),
        ExtractError::EqualSiblings { level: 1, position: 0 }
    );
}

/// Equal siblings after the first pair of a level: the attack of CVE-2012-2459 on a block with an
/// odd number of transactions, with all ids listed.
#[test]
fn equal_siblings_anywhere_on_a_level() {
    let bitcoin = Bitcoin::new();
    for (count, repeated) in [(3, 1), (5, 1), (7, 1), (31, 1), (6, 2), (10, 2), (12, 4)] {
        let mut txids = txids(count);
        let root = oracle::bitcoin(&txids);
        txids.extend_from_within(count - repeated..);
        assert_eq!(oracle::bitcoin(&txids), root, "the repetition keeps the root");
        let tree = Tree::from_leaves(bitcoin, txids.as_slice());
        let all: Vec<u64> = (0..tree.len()).collect();
        let partial = PartialMerkleTree::new(&tree, &all).unwrap();
        let level = repeated.ilog2();
        let position = (count as u32 >> level) - 1;
        let error = ExtractError::EqualSiblings { level, position };
        assert_eq!(partial.verify(&bitcoin, &root), Err(error), "{count} and {repeated}");
    }
    // The second and the third of four pairs, too, whose repetition changes the root.
    for pair in 1..4_u64 {
        let mut txids = txids(8);
        txids[2 * pair as usize + 1] = txids[2 * pair as usize];
        let tree = Tree::from_leaves(bitcoin, txids);
        let all: Vec<u64> = (0..8).collect();
        let partial = PartialMerkleTree::new(&tree, &all).unwrap();
        let error = ExtractError::EqualSiblings { level: 0, position: 2 * pair as u32 };
        assert_eq!(partial.extract_matches(&bitcoin), Err(error));
    }
}

/// As in Bitcoin Core, the flags after the last one can have any value, and are preserved.
#[test]
fn padding_flags_are_ignored() {
    let txids = txids(2);
    let partial = parse(2, &txids, &[0b1110_0011]);
    let matches = partial.extract_matches(&Bitcoin::new()).unwrap();
    assert_eq!(
        matches,
        Matches { root: node(&txids[0], &txids[1]), transactions: vec![(0, txids[0])] }
    );
    assert_eq!(partial.to_bytes(), bytes(2, &txids, &[0b1110_0011]));
}

#[test]
fn hostile_bytes() {
    let decode = |bytes: &[u8]| PartialMerkleTree::try_from(bytes).unwrap_err();
    let whole = bytes(3, &[[1; 32], [2; 32]], &[5]);
    for length in 0..whole.len() {
        assert!(
            matches!(decode(&whole[..length]), PartialDecodeError::Truncated { .. }),
            "{length}"
        );
    }
    let surplus = [whole.as_slice(), &[0]].concat();
    assert_eq!(decode(&surplus), PartialDecodeError::Surplus { bytes: 1 });
    // More hashes than fit into memory.
    let most = [&[1, 0, 0, 0, 0xFF][..], &[0xFF; 8]].concat();
    assert_eq!(decode(&most), PartialDecodeError::Truncated { needed: u64::MAX, left: 0 });
    // 2^59 hashes have 2^64 bytes.
    let overflow = [&[1, 0, 0, 0, 0xFF][..], &(1_u64 << 59).to_le_bytes()].concat();
    assert_eq!(decode(&overflow), PartialDecodeError::Truncated { needed: u64::MAX, left: 0 });
    for (prefix, value) in [(0xFD, 0xFC_u64), (0xFE, 0xFFFF), (0xFF, 0xFFFF_FFFF)] {
        let mut number = vec![0, 0, 0, 0, prefix];
        number.extend(&value.to_le_bytes()[..1 << (prefix - 0xFC)]);
        assert_eq!(decode(&number), PartialDecodeError::NotMinimal { value });
    }
}

/// Encoding restores the decoded bytes, for counts of every encoded length.
#[test]
fn counts_of_every_length() {
    for (count, number) in [
        (0xFC_usize, &[0xFC][..]),
        (0xFD, &[0xFD, 0xFD, 0]),
        (0xFFFF, &[0xFD, 0xFF, 0xFF]),
        (0x1_0000, &[0xFE, 0, 0, 1, 0]),
    ] {
        for bytes in [
            [&[1, 0, 0, 0, 0], number, &vec![7; count]].concat(),
            [&[1, 0, 0, 0], number, &vec![7; 32 * count], &[0]].concat(),
        ] {
            let partial = PartialMerkleTree::try_from(bytes.as_slice()).unwrap();
            assert!(partial.to_bytes() == bytes, "{count}");
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde_uses_the_byte_encoding() {
    let partial = parse(2, &[[1; 32], [2; 32]], &[3]);
    let text = serde_json::to_string(&partial).unwrap();
    assert_eq!(text, format!("\"0200000002{}{}0103\"", "01".repeat(32), "02".repeat(32)));
    assert_eq!(serde_json::from_str::<PartialMerkleTree>(&text).unwrap(), partial);
    assert!(serde_json::from_str::<PartialMerkleTree>("\"02000000\"").is_err());
}

proptest! {
    #[test]
    fn random_blocks(
        count in 1_usize..240,
        matches in proptest::collection::vec(any::<bool>(), 240),
        sparse in any::<bool>(),
    ) {
        let txids = txids(count);
        let matches: Vec<bool> =
            (0..count).map(|i| matches[i] && (!sparse || i % 16 == 0)).collect();
        check(&txids, &matches);
    }

    /// Extraction from arbitrary parts matches the recursion.
    #[test]
    fn arbitrary_parts(
        count in prop_oneof![0_u32..20, 0_u32..20_000, any::<u32>()],
        hashes in proptest::collection::vec((0_u8..20).prop_map(|byte| [byte; 32]), 0..12),
        flags in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        let extracted = parse(count, &hashes, &flags).extract_matches(&Bitcoin::new());
        prop_assert_eq!(extracted.ok(), extract(count, &hashes, &flags));
    }
}
