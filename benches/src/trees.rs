//! Merkle trees: roots, proofs and updates.

mod blocks;
mod data;
mod naive;
mod ours;
mod persistent;
#[cfg(feature = "rivals")]
mod rivals;

use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;

use self::data::{Node, Proofs, Update, random_nodes};
use self::ours::Input;
use crate::harness::{Candidate, Role, Set, Shape, Then};
use crate::sumhash;

pub(crate) static SETS: [Set; 3] = [
    Set::new("trees", "merkle", "merkle-lanes"),
    Set::only_ratios("few-proofs", "merkle", "merkle-lanes"),
    Set::only_ratios("persistent", "merkle", "merkle-lanes"),
];

/// Every shape, set by set.
pub(crate) fn shapes() -> Vec<Shape> {
    let mut all: Vec<Shape> = [10, 14, 20].map(|log2| root("ssz_root", 1 << log2, ssz_root)).into();
    all.push(root("bitcoin_root", 3000, bitcoin_root));
    all.push(root("rfc6962_root", 1 << 16, rfc6962_root));
    all.push(sumhash512_root(1 << 12));
    all.push(blocks::swarm_addresses(1000));
    all.push(blocks::open_zeppelin_root(1 << 14));
    all.push(blocks::fs_verity_root(1 << 14));
    let proofs = [("trees", 1 << 20, 1000)].into_iter();
    let few = [1, 2, 3, 4, 8, 16].map(|count| ("few-proofs", 1 << 16, count));
    for (set, leaves, count) in proofs.chain(few) {
        all.push(verify(set, "ssz_verify", leaves, count, ssz_verify));
        all.push(verify(set, "rfc6962_verify", leaves, count, rfc6962_verify));
    }
    all.push(update(1 << 20));
    all.extend(persistent::shapes(1 << 20));
    all
}

/// The number of leaves, as a power of two if it is one.
fn size(leaves: usize) -> String {
    if leaves.is_power_of_two() { format!("2^{}", leaves.ilog2()) } else { leaves.to_string() }
}

/// A root of this many nodes of 32 bytes. `candidates` gets their number.
fn root(operation: &'static str, leaves: usize, candidates: fn(usize, &mut Then<'_>)) -> Shape {
    let names = (operation, size(leaves));
    let bytes = leaves * size_of::<Node>();
    Shape::new("trees", names, (leaves, bytes), move |then| candidates(leaves, then))
}

/// The root of 32-byte chunks.
fn ssz_root(count: usize, then: &mut Then<'_>) {
    let leaves = random_nodes(count);
    let mut all = ours::roots(|backend| Ssz::new().with_backend(backend), Input::Leaves, &leaves);
    all.push(naive::root_candidate(&leaves, naive::sha256_node));
    #[cfg(feature = "rivals")]
    all.extend(rivals::ssz_roots(&leaves));
    then(all, &naive::root(&leaves, naive::sha256_node));
}

/// The root of transaction ids.
fn bitcoin_root(count: usize, then: &mut Then<'_>) {
    let txids = random_nodes(count);
    let bitcoin = |backend| Bitcoin::new().with_backend(backend);
    let mut all = ours::roots(bitcoin, Input::Leaves, &txids);
    all.push(naive::root_candidate(&txids, naive::sha256d_node));
    #[cfg(feature = "rivals")]
    all.extend(rivals::bitcoin_roots(&txids));
    then(all, &naive::root(&txids, naive::sha256d_node));
}

/// The root of 32-byte entries, including hashing them into leaves.
fn rfc6962_root(count: usize, then: &mut Then<'_>) {
    let entries = random_nodes(count);
    let rfc6962 = |backend| Rfc6962::new().with_backend(backend);
    let mut all = ours::roots(rfc6962, Input::Data, &entries);
    all.push(naive::rfc6962_root_candidate(&entries));
    #[cfg(feature = "rivals")]
    all.extend(rivals::rfc6962_roots(&entries));
    then(all, &naive::rfc6962_root(&entries));
}

/// The root of 64-byte leaves, with the nodes of Algorand's state proofs.
fn sumhash512_root(leaves: usize) -> Shape {
    let names = ("sumhash512_root", size(leaves));
    Shape::new("trees", names, (leaves, leaves * size_of::<Node<64>>()), move |then| {
        let leaves: Vec<Node<64>> = random_nodes(leaves);
        let mut all = ours::sumhash512_roots(&leaves);
        all.push(Candidate::returning(sumhash::rival_label(), Role::Rival, || {
            naive::root(&leaves, naive::sumhash512_node)
        }));
        sumhash::grow_shared_table();
        then(all, &naive::root(&leaves, naive::sumhash512_node));
    })
}

/// Inclusion proofs of random leaves in one tree. `candidates` gets the numbers of both.
fn verify(
    set: &'static str,
    operation: &'static str,
    leaves: usize,
    count: usize,
    candidates: fn(usize, usize, &mut Then<'_>),
) -> Shape {
    let names = (operation, format!("{count}-in-{}", size(leaves)));
    // A proof includes its leaf.
    let bytes = count * (1 + leaves.ilog2() as usize) * size_of::<Node>();
    Shape::new(set, names, (count, bytes), move |then| candidates(leaves, count, then))
}

fn ssz_verify(leaves: usize, count: usize, then: &mut Then<'_>) {
    let proofs = Proofs::new(random_nodes(leaves), count, naive::sha256_node);
    let mut all =
        ours::verifiers(|backend| Ssz::new().with_backend(backend), Input::Leaves, &proofs);
    all.push(naive::verifier(&proofs, |leaf| *leaf, naive::sha256_node));
    #[cfg(feature = "rivals")]
    all.push(rivals::ssz_verifier(&proofs));
    then(all, &proofs.verdicts());
}

/// Includes hashing the entries into leaves.
fn rfc6962_verify(leaves: usize, count: usize, then: &mut Then<'_>) {
    let entries = random_nodes(leaves);
    let proofs = Proofs::of_data(&entries, count, naive::rfc6962_leaf, naive::rfc6962_node);
    let rfc6962 = |backend| Rfc6962::new().with_backend(backend);
    let mut all = ours::verifiers(rfc6962, Input::Data, &proofs);
    all.push(naive::verifier(&proofs, naive::rfc6962_leaf, naive::rfc6962_node));
    #[cfg(feature = "rivals")]
    all.push(rivals::rfc6962_verifier(&proofs));
    then(all, &proofs.verdicts());
}

/// Replacing a random 1 % of the leaves of an in-memory tree.
fn update(leaves: usize) -> Shape {
    let count = leaves / 100;
    let names = ("ssz_update", format!("{count}-of-{}", size(leaves)));
    Shape::new("trees", names, (count, count * size_of::<Node>()), move |then| {
        let update = Update::new(random_nodes(leaves), count);
        let after = update.after();
        let mut all =
            ours::updates(|backend| Ssz::new().with_backend(backend), &update, after.clone());
        all.push(naive::root_candidate(&after, naive::sha256_node));
        then(all, &naive::root(&after, naive::sha256_node));
    })
}
