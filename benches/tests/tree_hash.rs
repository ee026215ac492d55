//! Compares `merkle_lanes::ssz::tree_hash` with the crates whose functions it has, and shows a
//! container of the derive macro with a long list that is hashed in lanes.

use merkle_lanes::ssz::tree_hash as ours;
use tree_hash::{Hash256, PackedEncoding, TreeHash, TreeHashType};
use tree_hash_derive::TreeHash;

fn painted(len: usize) -> Vec<u8> {
    (0..=250).cycle().take(len).collect()
}

#[test]
fn roots_of_bytes() {
    for len in (0..=200).chain([1023, 1024, 1025, 100_000]) {
        for minimum in [0, 1, 2, 3, 4, 5, 8, 33, 1 << 20, 1 << 40] {
            let bytes = painted(len);
            let root = ours::merkle_root(&bytes, minimum);
            assert_eq!(Hash256::from(root), tree_hash::merkle_root(&bytes, minimum), "{len}");
        }
    }
}

#[test]
fn bytes_in_parts() {
    for leaves in [1, 2, 5, 40, 1000] {
        let bytes = painted(32 * leaves - 7);
        for part in [1, 3, 31, 32, 33, 100, 5000] {
            let mut hasher = ours::MerkleHasher::with_leaves(leaves);
            let mut theirs = tree_hash::MerkleHasher::with_leaves(leaves);
            for bytes in bytes.chunks(part) {
                hasher.write(bytes).unwrap();
                theirs.write(bytes).unwrap();
            }
            assert_eq!(Hash256::from(hasher.finish().unwrap()), theirs.finish().unwrap());
        }
    }
}

#[test]
fn zero_hashes_and_concatenations() {
    let levels = ethereum_hashing::ZERO_HASHES_MAX_INDEX;
    assert_eq!(ours::ZERO_HASHES[..=levels], **ethereum_hashing::ZERO_HASHES);
    let bytes = painted(100);
    for (left, right) in [(32, 32), (0, 0), (32, 0), (40, 60)] {
        let (left, right) = (&bytes[..left], &bytes[100 - right..]);
        let expected = ethereum_hashing::hash32_concat(left, right);
        assert_eq!(ours::hash32_concat(left, right), expected);
    }
}

/// The maximum number of validators.
const REGISTRY_LIMIT: usize = 1 << 40;

/// List[uint64, 2^40].
struct Balances<const IN_LANES: bool>(Vec<u64>);

impl<const IN_LANES: bool> TreeHash for Balances<IN_LANES> {
    fn tree_hash_type() -> TreeHashType {
        TreeHashType::List
    }

    fn tree_hash_packed_encoding(&self) -> PackedEncoding {
        unreachable!("a list is not packed")
    }

    fn tree_hash_packing_factor() -> usize {
        unreachable!("a list is not packed")
    }

    fn tree_hash_root(&self) -> Hash256 {
        let bytes: Vec<u8> = self.0.iter().flat_map(|balance| balance.to_le_bytes()).collect();
        let chunks = REGISTRY_LIMIT * size_of::<u64>() / ours::BYTES_PER_CHUNK;
        let root = if IN_LANES {
            ours::merkle_root(&bytes, chunks).into()
        } else {
            tree_hash::merkle_root(&bytes, chunks)
        };
        tree_hash::mix_in_length(&root, self.0.len())
    }
}

#[derive(TreeHash)]
struct State<const IN_LANES: bool> {
    slot: u64,
    balances: Balances<IN_LANES>,
    finalized: Hash256,
}

#[test]
fn a_container_of_the_derive_macro() {
    fn root<const IN_LANES: bool>(balances: Vec<u64>) -> Hash256 {
        let finalized = Hash256::repeat_byte(7);
        State::<IN_LANES> { slot: 1234, balances: Balances(balances), finalized }.tree_hash_root()
    }
    for count in [0, 1, 5, 1000, 100_003] {
        let balances: Vec<u64> = (0..count).map(|i| 32_000_000_000 + i).collect();
        assert_eq!(root::<true>(balances.clone()), root::<false>(balances), "{count} balances");
    }
}
