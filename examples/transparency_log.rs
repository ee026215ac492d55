//! A transparency log that grows from one checkpoint to the next, and those who do not trust it.
//!
//! A checkpoint is the number of entries and the root of their tree, as in RFC 9162; a real log
//! signs it. The log proves to a monitor that it has only been appended to, and to whoever asks
//! that an entry is in it.

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{ConsistencyProof, InclusionProof, NodeHasher, Tree, VerifyError};

/// What the log has at some time: all that the others keep of it.
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

    // Neither number of entries is a power of two: the edge of the tree is promoted.
    let (first, later) = entries.split_at(123_457);
    let old = log.append(first);
    let new = log.append(later);
    for checkpoint in [old, new] {
        println!("checkpoint: {} entries, root {}", checkpoint.size, hex(&checkpoint.root));
    }

    // A monitor that has the older checkpoint learns that nothing before it was changed.
    let sent = log.tree.prove_consistency(old.size)?.to_bytes();
    let proof = ConsistencyProof::try_from(sent.as_slice())?;
    proof.verify(&family, (old.size, &old.root), (new.size, &new.root))?;
    println!("the later begins with the earlier: {} bytes", sent.len());

    // A browser that has the newer one learns that an entry is in it.
    let index = 77_777;
    let entry = &entries[index as usize];
    let sent = log.tree.prove(index)?.to_bytes();
    let proof = InclusionProof::try_from(sent.as_slice())?;
    proof.verify(&family, &new.root, new.size, index, &family.hash_leaf(entry.as_bytes()))?;
    println!("entry {index} is {entry:?}: {} bytes", sent.len());

    // A log that rewrites its past cannot prove its way from the older checkpoint to its own.
    let mut forged = Log::new();
    let mut rewritten = entries.clone();
    rewritten[index as usize] = "certificate of an impostor".to_owned();
    let forged_new = forged.append(&rewritten);
    let proof = forged.tree.prove_consistency(old.size)?;
    let refused = proof.verify(&family, (old.size, &old.root), (forged_new.size, &forged_new.root));
    assert_eq!(refused, Err(VerifyError::WrongOldRoot));
    println!(
        "of a log with another entry {index} the monitor says: {}",
        refused.expect_err("it is refused")
    );
    Ok(())
}

/// The bytes in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
