//! The valid and hostile proofs of transparency-dev/merkle, in the folder named by the environment
//! variable `HASHLANES_VECTORS`.

use std::process::Command;

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{Claim, ConsistencyProof, InclusionProof, TreeHead, verify_many};
use serde_json::{Deserializer, Value};

use crate::oracle::{Definition, Hash, rfc9162_consistent};
use crate::vectors;

/// The objects in all files of a folder in the archive.
fn cases(folder: &str) -> Vec<Value> {
    let archive = vectors("merkle/ct/transparency-dev-merkle-testdata.tar.xz");
    let tar =
        Command::new("tar").arg("-xJOf").arg(&archive).arg(format!("testdata/{folder}")).output();
    let tar = tar.expect("`tar` should be installed");
    assert!(
        tar.status.success(),
        "{}: {}",
        archive.display(),
        String::from_utf8_lossy(&tar.stderr)
    );
    Deserializer::from_slice(&tar.stdout).into_iter().map(Result::unwrap).collect()
}

pub(crate) fn base64(text: &str) -> Vec<u8> {
    data_encoding::BASE64.decode(text.as_bytes()).unwrap()
}

/// Some hostile hashes are too short. They are padded so that the verifier has to refuse them.
/// Distinct hashes stay distinct.
fn hash(value: &Value) -> Hash {
    padded(value, 0)
}

/// Uses a different padding, so that an empty leaf and an empty root do not become equal.
fn leaf(value: &Value) -> Hash {
    padded(value, 1)
}

fn padded(value: &Value, padding: u8) -> Hash {
    let bytes = base64(value.as_str().unwrap());
    assert!(bytes.len() <= 32);
    let mut hash = [padding; 32];
    hash[..bytes.len()].copy_from_slice(&bytes);
    hash
}

fn nodes(case: &Value) -> Vec<Hash> {
    case["proof"].as_array().map(|nodes| nodes.iter().map(hash).collect()).unwrap_or_default()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn is_good(case: &Value) -> bool {
    !case["wantErr"].as_bool().unwrap()
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn inclusion() {
    let cases = cases("inclusion");
    assert_eq!((cases.len(), cases.iter().filter(|case| is_good(case)).count()), (98, 6));
    let hasher = Rfc6962::new();
    let owned: Vec<_> = cases
        .iter()
        .map(|case| {
            let head = TreeHead { size: number(&case["treeSize"]), root: hash(&case["root"]) };
            (head, leaf(&case["leafHash"]), InclusionProof::from(nodes(case)))
        })
        .collect();
    let mut claims = Vec::new();
    for (case, (head, leaf, proof)) in cases.iter().zip(&owned) {
        let index = number(&case["leafIdx"]);
        let verdict = proof.verify(&hasher, head, index, leaf);
        assert_eq!(verdict.is_ok(), is_good(case), "{case}");
        let climbed = Definition::Rfc6962.climb(head.size, index, leaf, proof.nodes());
        assert_eq!(climbed == Some(head.root), is_good(case), "the oracle: {case}");
        let decoded = InclusionProof::try_from(proof.to_bytes().as_slice()).unwrap();
        assert_eq!(decoded, *proof);
        claims.push(Claim { head, index, leaf, proof });
    }
    for (case, verdict) in cases.iter().zip(verify_many(&hasher, &claims)) {
        assert_eq!(verdict.is_ok(), is_good(case), "in the batch: {case}");
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn consistency() {
    let cases = cases("consistency");
    assert_eq!((cases.len(), cases.iter().filter(|case| is_good(case)).count()), (98, 6));
    for case in &cases {
        let [old, new] = [["size1", "root1"], ["size2", "root2"]]
            .map(|[size, root]| TreeHead { size: number(&case[size]), root: hash(&case[root]) });
        let nodes = nodes(case);
        assert_eq!(
            rfc9162_consistent((old.size, &old.root), (new.size, &new.root), &nodes),
            is_good(case),
            "the oracle: {case}"
        );
        let verdict = ConsistencyProof::from(nodes).verify(&Rfc6962::new(), &old, &new);
        assert_eq!(verdict.is_ok(), is_good(case), "{verdict:?}: {case}");
    }
}
