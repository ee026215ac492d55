//! The root of an Ethereum container whose `TreeHash` is derived, and whose long list is hashed in
//! lanes.
//!
//! ```text
//! cargo run --release -p hashlanes-benches --features adapters --example tree_hash_container
//! ```
//!
//! Only the list's own `TreeHash` changes: it calls a function with `merkle_lanes::ssz` where it
//! called `tree_hash::merkle_root`. The program compares the root with that of the same container
//! without the change.

use merkle_lanes::ssz::{Ssz, pack};
use tree_hash::{Hash256, PackedEncoding, TreeHash, TreeHashType};
use tree_hash_derive::TreeHash;

/// The maximum number of validators.
const REGISTRY_LIMIT: usize = 1 << 40;

/// A part of the beacon state.
#[derive(TreeHash)]
struct State<L: TreeHash> {
    slot: u64,
    balances: L,
    finalized: Hash256,
}

/// List[uint64, 2^40], hashed in lanes.
struct InLanes(Vec<u64>);

/// List[uint64, 2^40], hashed by `tree_hash`.
struct OneByOne(Vec<u64>);

/// The root of `bytes` in a list of up to `chunks` chunks.
fn merkle_root(bytes: &[u8], chunks: usize) -> [u8; 32] {
    let ssz = Ssz::with_limit(chunks as u64);
    ssz.merkleize(&pack(bytes)).expect("the list is within its limit")
}

/// The only difference between the lists is the function that computes the root of their bytes.
macro_rules! impl_tree_hash {
    ($List:ty, $merkle_root:path) => {
        impl TreeHash for $List {
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
                let bytes: Vec<u8> = self.0.iter().flat_map(|gwei| gwei.to_le_bytes()).collect();
                let chunks = REGISTRY_LIMIT * size_of::<u64>() / tree_hash::BYTES_PER_CHUNK;
                let root = $merkle_root(&bytes, chunks).into();
                tree_hash::mix_in_length(&root, self.0.len())
            }
        }
    };
}
impl_tree_hash!(InLanes, merkle_root);
impl_tree_hash!(OneByOne, tree_hash::merkle_root);

fn main() {
    let (slot, finalized) = (9_876_543, Hash256::repeat_byte(7));
    for count in [0, 1, 5, 1000, 1 << 20] {
        let balances: Vec<u64> = (0..count).map(|i| 32_000_000_000 + i).collect();
        let state = State { slot, balances: InLanes(balances.clone()), finalized };
        let expected = State { slot, balances: OneByOne(balances), finalized }.tree_hash_root();
        assert_eq!(state.tree_hash_root(), expected, "{count} balances");
        println!("state with {count} balances: {expected}");
    }
}
