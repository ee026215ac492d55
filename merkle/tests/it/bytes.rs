//! The byte encoding of proofs.

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
