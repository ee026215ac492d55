//! The encodings of proofs: bytes, and with serde hexadecimal digits in human-readable formats.

use merkle_lanes::{ConsistencyProof, DecodeError, InclusionProof, MultiProof, Tree};

use crate::oracle::Hash;
use crate::{each_family, leaves};

#[test]
fn round_trip() {
    each_family(|hasher, _| {
        let tree = Tree::from_leaves(hasher, leaves(11));
        for index in 0..11 {
            let proof = tree.prove(index).unwrap();
            assert_eq!(proof.to_bytes(), proof.nodes().concat());
            assert_eq!(InclusionProof::try_from(proof.to_bytes().as_slice()), Ok(proof.clone()));
            assert_eq!(InclusionProof::from(proof.clone().into_nodes()), proof);

            let proof = tree.prove_many(&[0, index.max(1)]).unwrap();
            assert_eq!(proof.to_bytes(), proof.nodes().concat());
            assert_eq!(MultiProof::try_from(proof.to_bytes().as_slice()), Ok(proof.clone()));
            assert_eq!(MultiProof::from(proof.clone().into_nodes()), proof);

            let proof = tree.prove_consistency(index + 1).unwrap();
            assert_eq!(proof.to_bytes(), proof.nodes().concat());
            assert_eq!(ConsistencyProof::try_from(proof.to_bytes().as_slice()), Ok(proof.clone()));
            assert_eq!(ConsistencyProof::from(proof.clone().into_nodes()), proof);
        }
    });
}

#[test]
fn empty_bytes_are_an_empty_proof() {
    assert_eq!(InclusionProof::<Hash>::try_from(&[][..]).unwrap().nodes(), [[0; 32]; 0]);
    assert!(InclusionProof::<Hash>::from(Vec::new()).to_bytes().is_empty());
}

#[test]
fn partial_nodes_are_refused() {
    for length in [1, 31, 33, 63, 65, 32 * 64 + 1] {
        let bytes = vec![7; length];
        let expected = DecodeError::PartialNode { length, node: 32 };
        assert_eq!(InclusionProof::<Hash>::try_from(bytes.as_slice()), Err(expected));
        assert_eq!(MultiProof::<Hash>::try_from(bytes.as_slice()), Err(expected));
        assert_eq!(ConsistencyProof::<Hash>::try_from(bytes.as_slice()), Err(expected));
    }
    let expected = DecodeError::PartialNode { length: 100, node: 64 };
    assert_eq!(InclusionProof::<[u8; 64]>::try_from(&[0; 100][..]), Err(expected));
    assert_eq!(expected.to_string(), "100 bytes is not a multiple of the node size of 64 bytes");
}

#[test]
fn too_many_nodes_are_refused() {
    assert!(InclusionProof::<Hash>::try_from(&[0; 64 * 32][..]).is_ok());
    let refused = InclusionProof::<Hash>::try_from(&[0; 65 * 32][..]).unwrap_err();
    assert_eq!(refused, DecodeError::TooLong { nodes: 65, max: 64 });
    assert_eq!(refused.to_string(), "a proof of 65 nodes exceeds the maximum of 64 nodes");

    assert!(ConsistencyProof::<Hash>::try_from(&[0; 65 * 32][..]).is_ok());
    let refused = ConsistencyProof::<Hash>::try_from(&[0; 66 * 32][..]).unwrap_err();
    assert_eq!(refused, DecodeError::TooLong { nodes: 66, max: 65 });

    // A proof of many leaves has no such limit.
    assert!(MultiProof::<Hash>::try_from(&[0; 1000 * 32][..]).is_ok());
}

#[cfg(feature = "serde")]
mod serde {
    use std::fmt::Debug;

    use ::serde::{Serialize, de::DeserializeOwned};
    use merkle_lanes::rfc6962::Rfc6962;

    use super::*;

    fn check<P: Serialize + DeserializeOwned + PartialEq + Debug>(proof: &P, bytes: &[u8]) {
        let digits = hex::encode(bytes);
        let json = serde_json::to_string(proof).unwrap();
        assert_eq!(json, format!("\"{digits}\""));
        assert_eq!(serde_json::from_str::<P>(&json).unwrap(), *proof);
        let upper = format!("\"{}\"", digits.to_uppercase());
        assert_eq!(serde_json::from_str::<P>(&upper).unwrap(), *proof);

        let binary = postcard::to_allocvec(proof).unwrap();
        assert!(
            binary.ends_with(bytes) && binary.len() <= bytes.len() + 3,
            "a length, then the bytes"
        );
        assert_eq!(postcard::from_bytes::<P>(&binary).unwrap(), *proof);
    }

    #[test]
    fn round_trip() {
        let tree = Tree::from_leaves(Rfc6962::new(), leaves(6));
        let proof = tree.prove(2).unwrap();
        check(&proof, &proof.to_bytes());
        let proof = tree.prove_many(&[1, 2, 5]).unwrap();
        check(&proof, &proof.to_bytes());
        let proof = tree.prove_consistency(3).unwrap();
        check(&proof, &proof.to_bytes());
        check(&InclusionProof::<Hash>::from(Vec::new()), &[]);
    }

    #[test]
    fn invalid_proofs_are_refused() {
        let read = |json: &str| serde_json::from_str::<InclusionProof<Hash>>(json);
        let half = read(&format!("\"{}\"", "ab".repeat(31))).unwrap_err().to_string();
        assert!(half.contains("31 bytes is not a multiple of the node size of 32 bytes"), "{half}");
        let not_digits = ["\"0\"", "\"zz\"", "\"0x00\"", "[]", "7", "null", "{}", "[[0]]"];
        for json in not_digits {
            assert!(read(json).is_err(), "{json}");
        }
        let half_a_node = [&[31][..], &[0; 31]].concat();
        assert!(postcard::from_bytes::<InclusionProof<Hash>>(&half_a_node).is_err());
    }
}
