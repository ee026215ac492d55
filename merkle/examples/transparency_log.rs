//! A transparency log that grows between two checkpoints, and clients that verify its proofs.
//!
//! A tree head is the number of entries and the root of their tree, as in RFC 9162. A real log signs
//! it. The log proves to a monitor that it is append-only, and to any client that it contains an
//! entry.

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{ConsistencyProof, InclusionProof, NodeHasher, Tree, VerifyError};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut log = Tree::new(Rfc6962::new());
    let family = Rfc6962::new();
    let entries: Vec<String> =
        (0..300_000).map(|i| format!("certificate of host-{i}.example")).collect();

    // Neither number of entries is a power of two, so nodes at the right edge are promoted.
    let (first, later) = entries.split_at(123_457);
    log.extend_data(first);
    let old = log.head();
    log.extend_data(later);
    let new = log.head();
    for head in [old, new] {
        println!("checkpoint: {} entries, root {}", head.size, hex::encode(head.root));
    }

    // A monitor with the old checkpoint verifies that no earlier entry was changed.
    let sent = log.prove_consistency(old.size)?.to_bytes();
    let proof = ConsistencyProof::try_from(sent.as_slice())?;
    proof.verify(&family, &old, &new)?;
    println!("the log is append-only: consistency proof of {} bytes", sent.len());

    // A browser with the new checkpoint verifies that an entry is in the log.
    let index = 77_777;
    let entry = &entries[index as usize];
    let sent = log.prove(index)?.to_bytes();
    let proof = InclusionProof::try_from(sent.as_slice())?;
    proof.verify(&family, &new, index, &family.hash_leaf(entry.as_bytes()))?;
    println!("entry {index} is {entry:?}: inclusion proof of {} bytes", sent.len());

    // A log that rewrites its history cannot prove consistency with the old checkpoint.
    let mut rewritten = entries.clone();
    rewritten[index as usize] = "certificate of an impostor".to_owned();
    let mut forged = Tree::new(Rfc6962::new());
    forged.extend_data(&rewritten);
    let verdict = forged.prove_consistency(old.size)?.verify(&family, &old, &forged.head());
    assert_eq!(verdict, Err(VerifyError::WrongOldRoot));
    println!(
        "the monitor rejects a log with a forged entry {index}: {}",
        verdict.expect_err("the proof is rejected")
    );
    Ok(())
}
