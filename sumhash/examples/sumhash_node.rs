//! Computes a level of an Algorand Merkle tree, where each node is the sumhash512 of "MA" and its
//! two children.

use sumhash512::hash_many;

/// A node or a leaf.
type Node = [u8; 64];

/// The parent of two "MB" leaves, which a vector commitment has in place of missing elements.
const ABOVE_BOTTOM: &str = "c017c357546fefa8365b3acb296c08c27504be86b8d71c4bab77d449666a491d\
     ef20f5b45505df68ab0511982e1032a7e18a9b24c5405343946449fdc22b46ea";

fn main() {
    let bottom = hash_many(["MB"])[0];
    let parents = next_level(&[bottom; 64]);
    assert!(parents.iter().all(|parent| hex::encode(parent) == ABOVE_BOTTOM));
    println!("{} nodes above empty leaves, each {ABOVE_BOTTOM}", parents.len());

    // A missing right child is 64 zeros.
    let last = next_level(&parents[..3]);
    assert_eq!(last.len(), 2);
    assert_eq!(last[1], next_level(&[parents[2], [0; 64]])[0]);
}

/// The parents of all nodes on a level.
fn next_level(children: &[Node]) -> Vec<Node> {
    let messages: Vec<[u8; 130]> = children
        .chunks(2)
        .map(|pair| {
            let mut message = [0; 130];
            message[..2].copy_from_slice(b"MA");
            message[2..][..64 * pair.len()].copy_from_slice(pair.as_flattened());
            message
        })
        .collect();
    hash_many(&messages)
}
