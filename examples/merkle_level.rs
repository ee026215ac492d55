//! Computes the root of a Merkle tree in three ways. Each node is the SHA-256 of its two children.
//!
//! `merkle_lanes::root` is the fastest and supports trees of any size. For a custom tree that it
//! does not support, `sha256_multi::hash_pairs` hashes a level.

use std::time::{Duration, Instant};

use merkle_lanes::ssz::Ssz;
use sha2::{Digest, Sha256};
use sha256_multi::hash_pairs;

/// The number of leaves: a power of two, so that every level is full.
const LEAVES: usize = 1 << 16;

/// A node or a leaf.
type Node = [u8; 32];

fn main() {
    let leaves: Vec<Node> = (0..LEAVES).map(|i| Sha256::digest(i.to_le_bytes()).into()).collect();

    // Compute one level, and check a few of its nodes one at a time.
    let level = next_level(&leaves);
    for i in [0, 1, LEAVES / 4, LEAVES / 2 - 1] {
        assert_eq!(level[i], parent(&leaves[2 * i], &leaves[2 * i + 1]));
    }

    let (by_subtrees, subtrees_time) = timed(|| merkle_lanes::root(&Ssz::new(), &leaves));
    let (in_lanes, lanes_time) = timed(|| root(&leaves, next_level));
    let (one_by_one, loop_time) = timed(|| root(&leaves, next_level_one_by_one));
    assert_eq!(in_lanes, one_by_one);
    assert_eq!(by_subtrees, one_by_one);

    println!("root of {LEAVES} leaves: {}", hex::encode(in_lanes));
    // A single run of each shows the difference, but is not a measurement.
    println!(
        "{} by merkle-lanes, {} level by level in lanes, {} one by one",
        per_node(subtrees_time),
        per_node(lanes_time),
        per_node(loop_time)
    );
}

/// The root, reached by halving levels until one node is left.
fn root(leaves: &[Node], next_level: fn(&[Node]) -> Vec<Node>) -> Node {
    let mut level = next_level(leaves);
    while level.len() > 1 {
        level = next_level(&level);
    }
    level[0]
}

/// The parents of all nodes on a level, in lanes.
fn next_level(children: &[Node]) -> Vec<Node> {
    // Siblings are adjacent in memory, as the 64 bytes that their parent hashes: no copy is needed.
    hash_pairs(children)
}

/// The same, one node after another.
fn next_level_one_by_one(children: &[Node]) -> Vec<Node> {
    children.chunks_exact(2).map(|pair| parent(&pair[0], &pair[1])).collect()
}

/// The parent of two nodes.
fn parent(left: &Node, right: &Node) -> Node {
    Sha256::new().chain_update(left).chain_update(right).finalize().into()
}

/// Returns the result of `run` and the time it took.
fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = run();
    (result, start.elapsed())
}

/// The time per node of the tree.
fn per_node(time: Duration) -> String {
    format!("{:.1} ns per node", time.as_secs_f64() * 1e9 / (LEAVES - 1) as f64)
}
