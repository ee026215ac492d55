//! Measures the first `Tree` of a process, whose memory is not yet mapped, beside `root`.

#![forbid(unsafe_code)]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use hashlanes_benches::fresh;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{Node, Tree, root};

const LEAVES: usize = 1 << 20;

/// `tree:recycled` is a later tree of its process, in the memory of an earlier one. `page-faults`
/// writes a byte to each page of as much fresh memory as the nodes above the leaves take up.
const CANDIDATES: [&str; 6] =
    ["root", "tree", "tree:lowest-level-2", "tree:lowest-level-5", "tree:recycled", "page-faults"];

fn main() -> Result<(), Box<dyn Error>> {
    let title = format!("{LEAVES} SSZ leaves in nanoseconds per leaf");
    fresh::compare(&title, &CANDIDATES, 12, LEAVES as f64, first_tree)
}

/// The time that a candidate takes for leaves in memory, without freeing what it allocates.
fn first_tree(candidate: &str) -> Duration {
    let ssz = Ssz::new();
    let leaves = leaves();
    // Detects the CPU's features, and maps the code and the stack.
    black_box(Tree::from_leaves(ssz, &leaves[..1 << 14]));
    let tree = |lowest, leaves| {
        let start = Instant::now();
        let tree = black_box(Tree::with_lowest_level(ssz, lowest, leaves));
        let time = start.elapsed();
        assert_eq!(tree.root(), root(&ssz, &self::leaves()), "{candidate}");
        time
    };
    match candidate {
        "tree" => tree(1, leaves),
        "tree:lowest-level-2" => tree(2, leaves),
        "tree:lowest-level-5" => tree(5, leaves),
        "tree:recycled" => {
            // glibc's `malloc` unmaps the first tree's memory, and keeps the second's.
            for _ in 0..2 {
                tree(1, leaves.clone());
            }
            tree(1, leaves)
        }
        "page-faults" => {
            let start = Instant::now();
            let mut fresh = vec![0_u8; size_of_val(&*leaves)];
            fresh.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
            let time = start.elapsed();
            black_box(fresh);
            time
        }
        _ => {
            let start = Instant::now();
            let hashed = black_box(root(&ssz, &leaves));
            let time = start.elapsed();
            assert_eq!(hashed, Tree::from_leaves(ssz, leaves).root());
            time
        }
    }
}

fn leaves() -> Vec<[u8; 32]> {
    let mut leaves = vec![<[u8; 32]>::ZERO; LEAVES];
    for (leaf, index) in leaves.iter_mut().zip(0_u64..) {
        leaf[..8].copy_from_slice(&index.to_le_bytes());
    }
    leaves
}
