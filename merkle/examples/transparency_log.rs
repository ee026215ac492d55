//! A transparency log that grows between two checkpoints, and clients that verify its proofs.
//!
//! A checkpoint is the number of entries and the root of their tree, as in RFC 9162. A real log
//! signs it. The log proves to a monitor that it is append-only, and to any client that it contains
//! an entry.

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{ConsistencyProof, InclusionProof, LeafPosition, NodeHasher, Tree, VerifyError};

/// The state of the log at some time, which is all that clients keep.
#[derive(Clone, Copy)]
struct Checkpoint {
    size: u64,
    root: [u8; 32],
}

/// The log.
struct Log {
    tree: Tree<Rfc6962>,
}

impl Log {
    fn new() -> Self {
        Self { tree: Tree::new(Rfc6962::new()) }
    }

    fn append(&mut self, entries: &[String]) -> Checkpoint {
        self.tree.extend_data(entries);
        Checkpoint { size: self.tree.len(), root: self.tree.root() }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut log = Log::new();
    let family = Rfc6962::new();
    let entries: Vec<String> =
        (0..300_000).map(|i| format!("certificate of host-{i}.example")).collect();

    // Neither number of entries is a power of two, so nodes at the right edge are promoted.
    let (first, later) = entries.split_at(123_457);
    let old = log.append(first);
    let new = log.append(later);
    for checkpoint in [old, new] {
        println!("checkpoint: {} entries, root {}", checkpoint.size, hex::encode(checkpoint.root));
    }

    // A monitor with the old checkpoint verifies that no earlier entry was changed.
    let sent = log.tree.prove_consistency(old.size)?.to_bytes();
    let proof = ConsistencyProof::try_from(sent.as_slice())?;
    proof.verify(&family, (old.size, &old.root), (new.size, &new.root))?;
    println!("the log is append-only: consistency proof of {} bytes", sent.len());

    // A browser with the new checkpoint verifies that an entry is in the log.
    let index = 77_777;
    let entry = &entries[index as usize];
    let sent = log.tree.prove(index)?.to_bytes();
    let proof = InclusionProof::try_from(sent.as_slice())?;
    let position = LeafPosition { index, size: new.size };
    proof.verify(&family, &new.root, position, &family.hash_leaf(entry.as_bytes()))?;
    println!("entry {index} is {entry:?}: inclusion proof of {} bytes", sent.len());

    // A log that rewrites its history cannot prove consistency with the old checkpoint.
    let mut forged = Log::new();
    let mut rewritten = entries.clone();
    rewritten[index as usize] = "certificate of an impostor".to_owned();
    let forged_new = forged.append(&rewritten);
    let proof = forged.tree.prove_consistency(old.size)?;
    let verdict = proof.verify(&family, (old.size, &old.root), (forged_new.size, &forged_new.root));
    assert_eq!(verdict, Err(VerifyError::WrongOldRoot));
    println!(
        "the monitor rejects a log with a forged entry {index}: {}",
        verdict.expect_err("the proof is rejected")
    );
    Ok(())
}
