//! Roots of Ethereum containers with derived `Encode` and `TreeHash`, whose lists are hashed in
//! lanes.
//!
//! ```text
//! cargo run --release -p hashlanes-benches --features adapters --example tree_hash_container
//! ```
//!
//! `#[derive(TreeHash)]` hashes the state. Only its lists have a `TreeHash` of their own: that of
//! numbers calls `merkle_lanes::ssz`, and that of validators hashes all of them level by level. The
//! program compares the root with that of the same state hashed by `tree_hash` alone.

use merkle_lanes::NodeHasher;
use merkle_lanes::ssz::{Ssz, pack};
use ssz::Encode;
use ssz_derive::Encode;
use tree_hash::{Hash256, PackedEncoding, TreeHash, TreeHashType};
use tree_hash_derive::TreeHash;

/// The maximum number of validators.
const REGISTRY_LIMIT: u64 = 1 << 40;

/// A part of the beacon state.
#[derive(TreeHash)]
struct State<B: TreeHash, V: TreeHash> {
    slot: u64,
    balances: B,
    validators: V,
    finalized: Hash256,
}

/// A validator, as the specification has it.
#[derive(Clone, Encode, TreeHash)]
struct Validator {
    pubkey: [u8; 48],
    withdrawal_credentials: Hash256,
    effective_balance: u64,
    slashed: bool,
    activation_eligibility_epoch: u64,
    activation_epoch: u64,
    exit_epoch: u64,
    withdrawable_epoch: u64,
}

/// The lengths of a validator's fields, which are end to end in its encoding.
const FIELDS: [usize; 8] = [48, 32, 8, 1, 8, 8, 8, 8];

/// The roots of containers of a fixed size: all of a level are hashed at once.
fn container_roots<T: Encode, const N: usize>(
    containers: &[T],
    fields: [usize; N],
) -> Vec<[u8; 32]> {
    const { assert!(N.is_power_of_two(), "other numbers of fields need leaves of zeros") }
    let mut encoded = Vec::new();
    containers.iter().for_each(|container| container.ssz_append(&mut encoded));
    let mut rest = &encoded[..];
    let lengths = containers.iter().flat_map(|_| fields);
    let values: Vec<&[u8]> = lengths.map(|length| rest.split_off(..length).unwrap()).collect();
    assert!(rest.is_empty(), "the fields have other lengths");

    let mut level = vec![[0; 32]; values.len()];
    Ssz::new().hash_leaves(&values, &mut level);
    while level.len() > containers.len() {
        let mut parents = vec![[0; 32]; level.len() / 2];
        Ssz::new().hash_level(&level, &mut parents);
        level = parents;
    }
    level
}

/// A list that is hashed in lanes.
struct InLanes<T>(Vec<T>);

/// A list that is hashed by `tree_hash`.
struct OneByOne<T>(Vec<T>);

/// The root of `count` values in a list whose chunks are these bytes, in lanes.
fn list_root(bytes: &[u8], chunks: u64, count: usize) -> Hash256 {
    let ssz = Ssz::with_limit(chunks);
    let root = ssz.merkleize(&pack(bytes)).expect("the list is within its limit");
    ssz.mix_in_length(&root, count as u64).into()
}

/// As [`list_root`], by `tree_hash`.
fn list_root_one_by_one(bytes: &[u8], chunks: u64, count: usize) -> Hash256 {
    let root = tree_hash::merkle_root(bytes, chunks as usize);
    tree_hash::mix_in_length(&root, count)
}

fn encoded(balances: &[u64]) -> Vec<u8> {
    balances.iter().flat_map(|gwei| gwei.to_le_bytes()).collect()
}

/// `TreeHash` of a list whose root is an expression.
macro_rules! impl_tree_hash {
    ($List:ty, |$list:ident| $root:expr) => {
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
                let $list = &self.0;
                $root
            }
        }
    };
}
impl_tree_hash!(InLanes<u64>, |list| list_root(&encoded(list), REGISTRY_LIMIT / 4, list.len()));
impl_tree_hash!(OneByOne<u64>, |list| {
    list_root_one_by_one(&encoded(list), REGISTRY_LIMIT / 4, list.len())
});
impl_tree_hash!(InLanes<Validator>, |list| {
    list_root(container_roots(list, FIELDS).as_flattened(), REGISTRY_LIMIT, list.len())
});
impl_tree_hash!(OneByOne<Validator>, |list| {
    let roots: Vec<u8> = list.iter().flat_map(|validator| validator.tree_hash_root().0).collect();
    list_root_one_by_one(&roots, REGISTRY_LIMIT, list.len())
});

fn main() {
    let (slot, finalized) = (9_876_543, Hash256::repeat_byte(7));
    for count in [0, 1, 5, 1000, 1 << 16] {
        let balances: Vec<u64> = (0..count).map(|i| 32_000_000_000 + i).collect();
        let validator = |i: u64| Validator {
            pubkey: [i as u8; 48],
            withdrawal_credentials: Hash256::repeat_byte(1),
            effective_balance: 32_000_000_000,
            slashed: i % 7 == 0,
            activation_eligibility_epoch: i,
            activation_epoch: i + 4,
            exit_epoch: u64::MAX,
            withdrawable_epoch: u64::MAX,
        };
        let validators: Vec<_> = (0..count).map(validator).collect();
        let in_lanes = State {
            slot,
            balances: InLanes(balances.clone()),
            validators: InLanes(validators.clone()),
            finalized,
        };
        let one_by_one = State {
            slot,
            balances: OneByOne(balances),
            validators: OneByOne(validators),
            finalized,
        };
        let expected = one_by_one.tree_hash_root();
        assert_eq!(in_lanes.tree_hash_root(), expected, "{count} validators");
        println!("state with {count} validators: {expected}");
    }
}
