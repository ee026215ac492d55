//! Follows a certificate log (RFC 6962) from one checkpoint to the next: the log has only grown,
//! and an entry is in it.
//!
//! The entries and roots are those of the tests of Google's Certificate Transparency project.

use hex::FromHex;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{ConsistencyProof, InclusionProof, NodeHasher, RootBuilder, Tree, TreeHead};

/// Entries in hexadecimal. Those of a real log are certificates.
const ENTRIES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];

/// The roots that the log signed, with the sizes of the tree.
const CHECKPOINTS: [(u64, &str); 2] = [
    (3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
    (8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hasher = Rfc6962::new();
    let entries: Vec<Vec<u8>> = ENTRIES.iter().map(hex::decode).collect::<Result<_, _>>()?;
    let [old, new] = CHECKPOINTS.map(|(size, root)| {
        let root = <[u8; 32]>::from_hex(root).expect("64 hexadecimal digits");
        TreeHead { size, root }
    });

    // The log has the whole tree.
    let mut log = Tree::new(hasher);
    log.extend_data(&entries);
    let consistency = log.prove_consistency(old.size)?.to_bytes();
    let inclusion = log.prove(5)?.to_bytes();

    // A monitor reads all entries. Between two checkpoints it keeps a few nodes.
    let mut monitor = RootBuilder::new(hasher);
    monitor.extend_data(&entries[..3]);
    assert_eq!(monitor.head(), old);
    let kept = monitor.frontier();
    println!("checkpoint of {} entries: {} nodes are kept", old.size, kept.len());
    let mut monitor = RootBuilder::resume(hasher, old.size, kept)?;
    monitor.extend_data(&entries[3..]);
    assert_eq!(monitor.head(), new);
    println!("checkpoint of {} entries: {}", new.size, hex::encode(new.root));

    // An auditor has only the checkpoints.
    let proof = ConsistencyProof::try_from(consistency.as_slice())?;
    proof.verify(&hasher, &old, &new)?;
    println!("{} nodes prove that the log has only grown", proof.nodes().len());

    // A browser has a certificate and the newer checkpoint.
    let proof = InclusionProof::try_from(inclusion.as_slice())?;
    proof.verify(&hasher, &new, 5, &hasher.hash_leaf(&entries[5]))?;
    println!("{} nodes prove that entry 5 is in it", proof.nodes().len());

    // A log that replaced an old entry cannot prove that it has only grown.
    let mut forged = entries;
    forged[1] = b"another certificate".to_vec();
    let mut forger = Tree::new(hasher);
    forger.extend_data(&forged);
    let proof = forger.prove_consistency(old.size)?;
    let error = proof.verify(&hasher, &old, &forger.head()).expect_err("the log was rewritten");
    println!("a rewritten log is caught: {error}");
    Ok(())
}
