//! External test vectors, in the folder named by the environment variable `HASHLANES_VECTORS`.

use std::process::Command;

use merkle_lanes::ssz::Ssz;
use merkle_lanes::{NodeHasher, RootBuilder, root};

use super::Hash;
use crate::vectors;

/// Decodes hexadecimal digits, with or without quotes and a 0x prefix.
fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits.trim_matches('"').trim_start_matches("0x")).unwrap()
}

fn hash(digits: &str) -> Hash {
    bytes(digits).try_into().unwrap()
}

/// A deposit in the test cases of EIP-4881, and the tree that ends with it.
#[derive(Default)]
struct Case {
    public_key: Vec<u8>,
    credentials: Vec<u8>,
    amount: u64,
    signature: Vec<u8>,
    deposit: Hash,
    root: Hash,
    count: u64,
    finalized: Vec<Hash>,
    snapshot_root: Hash,
    snapshot_count: u64,
}

/// Reads the cases. Each line has a key and a value, or a hash of the list `finalized`.
fn cases() -> Vec<Case> {
    let output = Command::new("xz")
        .arg("--decompress")
        .arg("--stdout")
        .arg(vectors("merkle/ethereum/eip4881_test_data.yaml.xz"))
        .output()
        .expect("`xz` should be installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();

    let mut cases: Vec<Case> = Vec::new();
    let mut in_snapshot = false;
    for line in text.lines() {
        if line.starts_with("- deposit_data:") {
            cases.push(Case::default());
            in_snapshot = false;
        }
        let Some(case) = cases.last_mut() else { continue };
        let line = line.trim();
        if let Some(digits) = line.strip_prefix("- \"") {
            case.finalized.push(hash(digits));
            continue;
        }
        let Some((key, value)) = line.split_once(": ") else {
            in_snapshot |= line == "snapshot:";
            continue;
        };
        let number = || value.trim_matches('"').parse().unwrap();
        match (key, in_snapshot) {
            ("pubkey", _) => case.public_key = bytes(value),
            ("withdrawal_credentials", _) => case.credentials = bytes(value),
            ("amount", _) => case.amount = number(),
            ("signature", _) => case.signature = bytes(value),
            ("deposit_data_root", _) => case.deposit = hash(value),
            ("deposit_root", false) => case.root = hash(value),
            ("deposit_count", false) => case.count = number(),
            ("deposit_root", true) => case.snapshot_root = hash(value),
            ("deposit_count", true) => case.snapshot_count = number(),
            _ => {}
        }
    }
    cases
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn deposit_trees_of_eip_4881() {
    let cases = cases();
    assert!(cases.len() > 500, "{}", cases.len());
    let deposits: Vec<Hash> = cases.iter().map(|case| case.deposit).collect();
    let last_root = cases.last().unwrap().root;
    let ssz = Ssz::with_limit((1 << 32) - 1);
    let deposit_root = |tree: &mut RootBuilder<Ssz>| ssz.mix_in_length(&tree.root(), tree.len());
    let mut tree = RootBuilder::new(ssz);
    for case in &cases {
        tree.push(case.deposit);
        assert_eq!(deposit_root(&mut tree), case.root, "{}", case.count);
        assert_eq!(tree.len(), case.count);
        assert_eq!(tree.frontier(), case.finalized, "{}", case.count);
        assert_eq!((case.snapshot_root, case.snapshot_count), (case.root, case.count));

        let snapshot = case.finalized.clone();
        let mut resumed = RootBuilder::resume(ssz, case.snapshot_count, snapshot).unwrap();
        assert_eq!(deposit_root(&mut resumed), case.root, "{}", case.count);
        resumed.extend(&deposits[case.count as usize..]);
        assert_eq!(deposit_root(&mut resumed), last_root, "{}", case.count);
    }
}

/// The roots of the deposits' data: containers of a key, credentials, an amount and a signature.
#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn deposit_data() {
    let ssz = Ssz::new();
    let cases = cases();
    let mut fields = Vec::new();
    for part in [
        cases.iter().map(|case| case.public_key.clone()).collect::<Vec<_>>(),
        cases.iter().map(|case| case.credentials.clone()).collect(),
        cases.iter().map(|case| case.amount.to_le_bytes().to_vec()).collect(),
        cases.iter().map(|case| case.signature.clone()).collect(),
    ] {
        let mut leaves = vec![[0; 32]; part.len()];
        ssz.hash_leaves(&part, &mut leaves);
        fields.push(leaves);
    }
    for (i, case) in cases.iter().enumerate() {
        let leaves: Vec<Hash> = fields.iter().map(|field| field[i]).collect();
        assert_eq!(root(&ssz, &leaves), case.deposit, "{i}");
    }
}
