//! Proofs serialized with serde: hexadecimal in human-readable formats, bytes in binary ones.

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{ConsistencyProof, InclusionProof, MultiProof, Tree};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::leaves;
use crate::oracle::Hash;

fn tree() -> Tree<Rfc6962> {
    Tree::from_leaves(Rfc6962::new(), leaves(6))
}

fn check<P: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(proof: &P, bytes: &[u8]) {
    let digits = hex::encode(bytes);
    let json = serde_json::to_string(proof).unwrap();
    assert_eq!(json, format!("\"{digits}\""));
    assert_eq!(serde_json::from_str::<P>(&json).unwrap(), *proof);
    let upper = format!("\"{}\"", digits.to_uppercase());
    assert_eq!(serde_json::from_str::<P>(&upper).unwrap(), *proof);

    let binary = postcard::to_allocvec(proof).unwrap();
    assert!(binary.ends_with(bytes) && binary.len() <= bytes.len() + 3, "a length, then the bytes");
    assert_eq!(postcard::from_bytes::<P>(&binary).unwrap(), *proof);
}

#[test]
fn round_trip() {
    let tree = tree();
    let proof = tree.prove(2).unwrap();
    check(&proof, &proof.to_bytes());
    let proof = tree.prove_many(&[1, 2, 5]).unwrap();
    check(&proof, &proof.to_bytes());
    let proof = tree.prove_consistency(3).unwrap();
    check(&proof, &proof.to_bytes());
    check(&InclusionProof::<Hash>::from(Vec::new()), &[]);
}

#[cfg(feature = "algorand")]
#[test]
fn fixed_length_proofs() {
    use merkle_lanes::algorand::FixedLengthProof;

    let fixed = FixedLengthProof::try_from(tree().prove(2).unwrap()).unwrap();
    let bytes = fixed.to_bytes();
    check(&fixed, &bytes);
    let short = format!("\"{}\"", "00".repeat(bytes.len() - 1));
    let refused = serde_json::from_str::<FixedLengthProof<Hash>>(&short).unwrap_err().to_string();
    assert!(refused.contains("expected a proof of 513 bytes, got 512"), "{refused}");
}

#[test]
fn invalid_proofs_are_refused() {
    fn refusal<P: DeserializeOwned>(digits: &str) -> String {
        let refused = serde_json::from_str::<P>(&format!("\"{digits}\""));
        refused.err().expect("refused").to_string()
    }
    let half = refusal::<InclusionProof<Hash>>(&"ab".repeat(31));
    assert!(half.contains("31 bytes is not a multiple of the node size of 32 bytes"), "{half}");
    let half = refusal::<MultiProof<Hash>>(&"ab".repeat(33));
    assert!(half.contains("33 bytes is not a multiple of the node size of 32 bytes"), "{half}");
    let long = refusal::<InclusionProof<Hash>>(&"00".repeat(65 * 32));
    assert!(long.contains("a proof of 65 nodes exceeds the maximum of 64 nodes"), "{long}");
    let long = refusal::<ConsistencyProof<Hash>>(&"00".repeat(66 * 32));
    assert!(long.contains("a proof of 66 nodes"), "{long}");
    for digits in ["0", "zz", "0x00", "00 0"] {
        let refused = serde_json::from_str::<InclusionProof<Hash>>(&format!("\"{digits}\""));
        assert!(refused.is_err(), "{digits}");
    }
    for json in ["[]", "7", "null", "{}", "[[0]]"] {
        assert!(serde_json::from_str::<InclusionProof<Hash>>(json).is_err(), "{json}");
    }
    let half_a_node = [&[31][..], &[0; 31]].concat();
    assert!(postcard::from_bytes::<InclusionProof<Hash>>(&half_a_node).is_err());
}
