//! Computes a Merkle root with several processes: each hashes a range of the leaves, and the first
//! one joins what they print.
//!
//! Machines that share a network instead of a pipe do the same.

use std::env;
use std::ops::Range;
use std::process::{Command, Stdio};

use hex::FromHex;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{RootBuilder, SubtreeRoot, root, subtree_roots};
use sha256_multi::hash_many;

/// Not a power of two: the last ranges consist of several subtrees.
const LEAVES: u64 = 1_000_000;

const PROCESSES: u64 = 4;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    match env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => join(),
        [start, end] => {
            print_subtrees(start.parse()?..end.parse()?);
            Ok(())
        }
        _ => Err("expected no arguments, or the first leaf of a range and the one after it".into()),
    }
}

/// Leaves that every process can make or read by itself.
fn leaves(range: Range<u64>) -> Vec<[u8; 32]> {
    hash_many(range.map(|index| index.to_le_bytes()))
}

/// Prints height and root of each subtree of a range, in order.
fn print_subtrees(range: Range<u64>) {
    let start = range.start;
    for SubtreeRoot { height, root } in subtree_roots(&Ssz::new(), start, &leaves(range)) {
        println!("{height} {}", hex::encode(root));
    }
}

/// Starts the other processes, and joins their subtrees.
fn join() -> Result<()> {
    let each = LEAVES.div_ceil(PROCESSES);
    let mut processes = Vec::new();
    for nth in 0..PROCESSES {
        let range = nth * each..LEAVES.min((nth + 1) * each);
        let mut process = Command::new(env::current_exe()?);
        process.arg(range.start.to_string()).arg(range.end.to_string());
        processes.push((range, process.stdout(Stdio::piped()).spawn()?));
    }

    let mut tree = RootBuilder::new(Ssz::new());
    for (range, process) in processes {
        let output = process.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("the process for leaves {range:?} failed").into());
        }
        for line in String::from_utf8(output.stdout)?.lines() {
            let (height, root) = line.split_once(' ').ok_or("expected a height and a root")?;
            // Fails if a subtree is missing or in the wrong place.
            tree.push_subtree(&SubtreeRoot {
                height: height.parse()?,
                root: <[u8; 32]>::from_hex(root)?,
            })?;
        }
        // What was sent must be the whole range.
        if tree.len() != range.end {
            return Err(format!("leaves {range:?}: {} instead", tree.len()).into());
        }
    }
    assert_eq!(tree.root(), root(&Ssz::new(), &leaves(0..LEAVES)));
    println!("root of {LEAVES} leaves by {PROCESSES} processes: {}", hex::encode(tree.root()));
    Ok(())
}
