//! Measures the first `Tree` of a process, whose memory is not yet mapped, beside `root`.
//!
//! Alternates fresh processes of the candidates.

#![forbid(unsafe_code)]

use std::error::Error;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use merkle_lanes::ssz::Ssz;
use merkle_lanes::{Node, Tree, root};

/// The number of processes for each candidate.
const PROCESSES: usize = 12;

const LEAVES: usize = 1 << 20;

/// `tree:recycled` is a later tree of its process, in the memory of an earlier one.
const CANDIDATES: [&str; 5] =
    ["root", "tree", "tree:lowest-level-2", "tree:lowest-level-5", "tree:recycled"];

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(candidate) = std::env::args().nth(1) {
        println!("{}", nanoseconds(&candidate)?);
        return Ok(());
    }

    let program = std::env::current_exe()?;
    let mut times = [const { Vec::new() }; CANDIDATES.len()];
    for _ in 0..PROCESSES {
        for (candidate, times) in CANDIDATES.iter().zip(&mut times) {
            let output = Command::new(&program).arg(candidate).output()?;
            if !output.status.success() {
                return Err(
                    format!("{candidate}: {}", String::from_utf8_lossy(&output.stderr)).into()
                );
            }
            times.push(String::from_utf8(output.stdout)?.trim().parse::<u64>()?);
        }
    }
    println!("{LEAVES} SSZ leaves in {PROCESSES} fresh processes each, nanoseconds per leaf");
    for (candidate, times) in CANDIDATES.iter().zip(&mut times) {
        times.sort_unstable();
        let per_leaf = |time: u64| time as f64 / LEAVES as f64;
        let (min, median) = (per_leaf(times[0]), per_leaf(times[PROCESSES / 2]));
        println!("  {candidate:<20} min {min:>6.1} median {median:>6.1}");
    }
    Ok(())
}

/// The time that a candidate takes for leaves in memory, without freeing what it allocates.
fn nanoseconds(candidate: &str) -> Result<u128, String> {
    let mut leaves = vec![<[u8; 32]>::ZERO; LEAVES];
    for (leaf, index) in leaves.iter_mut().zip(0_u64..) {
        leaf[..8].copy_from_slice(&index.to_le_bytes());
    }
    let ssz = Ssz::new();
    // Detects the CPU's features, and maps the code and the stack.
    black_box(Tree::from_leaves(ssz, &leaves[..1 << 14]));
    let tree = |lowest, leaves| {
        let start = Instant::now();
        let tree = black_box(Tree::with_lowest_level(ssz, lowest, leaves));
        (start.elapsed(), tree).0
    };
    let time = match candidate {
        "root" => {
            let start = Instant::now();
            black_box(root(&ssz, &leaves));
            start.elapsed()
        }
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
        _ => return Err(format!("unknown candidate {candidate:?}; use one of {CANDIDATES:?}")),
    };
    Ok(time.as_nanos())
}
