//! What single families add to trees and proofs.

use std::panic::catch_unwind;

use merkle_lanes::ssz::{self, Ssz, ZERO_HASHES};
use merkle_lanes::{
    AnyDigest, FrontierError, NoSuchLeafError, NodeHasher, RootBuilder, Tree, VerifyError, root,
};
use sha256_multi::Sha256Lanes;

#[cfg(feature = "algorand")]
use super::Multi;
use super::{A, B, BILLION, Inclusion, LARGEST};
use crate::misuse::assert_panics;
use crate::oracle::Hash;

#[test]
fn limits() {
    let none = Ssz::with_limit(0);
    assert_eq!((none.capacity(), none.depth(u64::MAX), root(&none, &[])), (0, 0, [0; 32]));
    assert_eq!(none.merkleize(&[]), Ok([0; 32]));
    assert_eq!(none.merkleize(&[A]), Err(ssz::TooManyChunksError { limit: 0, got: 1 }));
    let message = "a tree of 1 leaves exceeds the capacity of 0 leaves";
    assert_panics(message, || root(&none, &[A]));
    assert_panics(message, || Tree::new(none).push(A));
    assert_panics(message, || RootBuilder::new(none).push(A));
    assert_eq!(Tree::with_lowest_level(none, BILLION, []).root(), [0; 32]);

    let largest = Ssz::with_limit(LARGEST);
    assert_eq!(root(&largest, &[]), ZERO_HASHES[63]);
    for lowest in [1, 5, 63, BILLION] {
        let mut tree = Tree::with_lowest_level(largest, lowest, [A]);
        let expected = root(&largest, &[A]);
        assert_eq!((tree.depth(), tree.root(), tree.level(63)), (63, expected, &[expected][..]));
        tree.extend(&[B]);
        assert_eq!(tree.root(), root(&largest, &[A, B]));
        let proof = tree.prove(1).unwrap();
        assert_eq!(proof.verify(&largest, &tree.head(), 1, &B), Ok(()));
        tree.update(0, B).unwrap();
        tree.truncate(1);
        assert_eq!(tree.root(), root(&largest, &[B]));
    }
    let message = "a limit of 18446744073709551615 chunks exceeds the maximum of \
                   9223372036854775808";
    assert_panics(message, || Ssz::with_limit(u64::MAX));
}

#[test]
fn of_ssz() {
    use ssz::tree_hash::MerkleHasher;
    use ssz::{DepositTree, GeneralizedIndex, NodeProof, NodeProofError, SnapshotError};

    let ssz = Ssz::new();
    assert_eq!(ssz::pack(&[]), [[0; 32]; 0]);
    assert_ne!(ssz.mix_in_length(&A, u64::MAX), ssz.mix_in_length(&A, 0));
    assert_ne!(ssz.mix_in_selector(&A, u8::MAX), ssz.mix_in_selector(&A, 0));
    let largest = MerkleHasher::with_leaves(LARGEST as usize);
    assert_eq!(largest.finish(), Ok(ZERO_HASHES[63]));

    let (top, deepest) = (GeneralizedIndex::ROOT, GeneralizedIndex::new(u64::MAX).unwrap());
    let (empty, one) = (Tree::new(ssz), Tree::from_leaves(ssz, [A]));
    assert_eq!((top.node_of(&empty), deepest.node_of(&empty)), (Some([0; 32]), None));
    assert_eq!((top.node_of(&one), deepest.node_of(&one)), (Some(A), None));
    let largest = Tree::from_leaves(Ssz::with_limit(LARGEST), [A]);
    assert_eq!(deepest.node_of(&largest), Some([0; 32]));
    assert_eq!(top.node_of(&Tree::new(Ssz::with_limit(LARGEST))), Some(ZERO_HASHES[63]));

    let branch = |nodes| Inclusion::from(vec![A; nodes]);
    let wrong = |expected, got| Err(VerifyError::WrongLength { expected, got });
    assert_eq!(ssz.verify_branch(&A, top, &A, &branch(0)), Ok(()));
    assert_eq!(ssz.verify_branch(&A, top, &A, &branch(1000)), wrong(0, 1000));
    assert_eq!(ssz.verify_branch(&A, deepest, &A, &branch(0)), wrong(63, 0));
    let result = ssz.verify_branch(&A, deepest, &A, &branch(63));
    assert_eq!(result, Err(VerifyError::WrongRoot));

    let nodes = [(deepest, A)];
    let result = NodeProof::from(vec![A; 1000]).verify(&ssz, &A, &nodes);
    assert_eq!(result, Err(NodeProofError::WrongLength { expected: 63, got: 1000 }));
    let result = NodeProof::from(vec![A; 63]).verify(&ssz, &A, &nodes);
    assert_eq!(result, Err(NodeProofError::WrongRoot));

    let resume = |nodes, count| DepositTree::resume(vec![A; nodes], count, &A).err();
    let too_many = FrontierError::TooManyLeaves { size: u64::MAX, capacity: (1 << 32) - 1 };
    assert_eq!(resume(64, u64::MAX), Some(SnapshotError::Frontier(too_many)));
    let wrong = FrontierError::WrongLength { size: 0, expected: 0, got: 1 };
    assert_eq!(resume(1, 0), Some(SnapshotError::Frontier(wrong)));
    assert_eq!(resume(0, 0), Some(SnapshotError::WrongRoot));
    assert_eq!(resume(32, (1 << 32) - 1), Some(SnapshotError::WrongRoot));
    let mut none = DepositTree::new();
    none.extend(&[]);
    assert_eq!((none.len(), none.is_empty(), none.finalized()), (0, true, vec![]));
}

#[test]
fn of_persistent_lists() {
    use ssz::{Packed, PersistentList};

    let mut list = PersistentList::<u64>::new(Ssz::with_limit(LARGEST));
    assert_eq!((list.len(), list.is_empty(), list.root()), (0, true, ZERO_HASHES[63]));
    let no_such = |index, size| Err(NoSuchLeafError { index, size });
    assert_eq!((list.get(0), list.get(u64::MAX)), (None, None));
    assert_eq!((list.set(0, 1), list.set(u64::MAX, 1)), (no_such(0, 0), no_such(u64::MAX, 0)));
    list.rebase_on(&list.clone());
    list.extend([]);
    assert_eq!(list.iter().next(), None);
    list.push(u64::MAX);
    assert_eq!((list.get(0), list.get(1)), (Some(u64::MAX), None));
    assert_eq!(list.set(1, 1), no_such(1, 1));
    list.rebase_on(&PersistentList::new(Ssz::with_limit(0)));
    let expected = root(&Ssz::with_limit(LARGEST), &ssz::pack(&u64::MAX.to_le_bytes()));
    assert_eq!((list.len(), list.root()), (1, expected));

    for bytes in [0, 31, 33] {
        let wrong = || vec![0; bytes];
        assert!(catch_unwind(|| A.encode(&mut wrong())).is_err());
        assert!(catch_unwind(|| Hash::decode(&wrong())).is_err());
        assert!(catch_unwind(|| true.encode(&mut wrong())).is_err());
        assert!(catch_unwind(|| u128::decode(&wrong())).is_err());
    }
}

#[test]
fn of_any_digest() {
    let any = || AnyDigest::<Sha256Lanes, 32>::default();
    let long = vec![7; 1000].leak();
    let family = any().leaf_prefix(long).node_prefix(long).with_empty_root(B).promoted();
    assert_eq!((family.empty_root(), root(&family, &[A])), (B, A));
    assert_eq!(family.hash_leaf(&[]), sha256_multi::hash(long));
    let node = sha256_multi::hash(&[&long[..], &A, &B].concat());
    assert_eq!(root(&family, &[A, B]), node);
    assert_eq!(any().leaf_prefix(&[]).hash_leaf(&[]), sha256_multi::hash(&[]));
    for missing in [any().padded_with(A), any().padded_with_subtrees_of(A)] {
        assert_eq!((missing.missing(0), missing.missing(u32::MAX)), (A, [0; 32]));
    }
}

#[test]
fn of_bep52() {
    use merkle_lanes::bep52::{
        Bep52, FileHasher, FileHashes, HashRequest, Hashes, LayerError, LayerProofError,
        PayloadError, PieceError, PieceLength, answer, hash_blocks,
    };

    let bep52 = Bep52::new();
    let longest = PieceLength::new(LARGEST).unwrap();
    assert_eq!((longest.bytes(), longest.blocks(), longest.level()), (LARGEST, 1 << 49, 49));
    assert_eq!(hash_blocks(&bep52, &[]), [[0; 32]; 0]);

    let mut hasher = FileHasher::new(bep52, longest);
    hasher.update(&[]);
    let empty = hasher.finish();
    assert_eq!((empty.length(), empty.pieces(), empty.pieces_root()), (0, 0, None));
    let mut hasher = FileHasher::new(bep52, longest);
    hasher.update(&[1]);
    let one = hasher.finish();
    assert_eq!((one.pieces(), one.piece_layer()), (1, &[][..]));
    assert_eq!(one.pieces_root(), Some(sha256_multi::hash(&[1])));

    let verified = |piece_length, length, root, layer: &[u8]| {
        FileHashes::verified(&bep52, PieceLength::new(piece_length).unwrap(), length, root, layer)
    };
    let smallest = 1 << 14;
    let wrong = |expected, got| Some(LayerError::WrongLength { expected, got });
    assert_eq!(verified(smallest, 0, Some(A), &[]).err(), Some(LayerError::Root { length: 0 }));
    let error = Some(LayerError::Root { length: u64::MAX });
    assert_eq!(verified(LARGEST, u64::MAX, None, &[]).err(), error);
    assert_eq!(verified(smallest, u64::MAX, Some(A), &[]).err(), wrong(1 << 55, 0));
    assert_eq!(verified(smallest, 0, None, &[0; 32]).err(), wrong(0, 32));
    assert_eq!(verified(LARGEST, u64::MAX, Some(A), &[0; 63]).err(), wrong(64, 63));
    assert_eq!(verified(LARGEST, u64::MAX, Some(A), &[0; 64]).err(), Some(LayerError::WrongRoot));
    let root = bep52.hash_node(&A, &B);
    let file = verified(LARGEST, u64::MAX, Some(root), [A, B].as_flattened()).unwrap();
    assert_eq!((file.pieces(), file.bytes_of_piece(1)), (2, Ok(LARGEST - 1)));
    for index in [2, u64::MAX] {
        let error = PieceError::NoSuchPiece { index, pieces: 2 };
        assert_eq!(file.bytes_of_piece(index), Err(error));
        assert_eq!(file.hash_of_piece(index), Err(error));
        assert_eq!(file.verify_blocks(&bep52, index, &[]), Err(error));
        assert_eq!(file.verify_pieces(&bep52, &[(index, [])]), [Err(error)]);
    }
    let error = PieceError::WrongBlocks { index: 1, expected: 1 << 49, got: 0 };
    assert_eq!(file.verify_blocks(&bep52, 1, &[]), Err(error));
    let error = PieceError::WrongLength { index: 1, expected: LARGEST - 1, got: 0 };
    assert_eq!(file.verify_pieces(&bep52, &[(1, [])]), [Err(error)]);
    assert_eq!(file.verify_pieces::<_, [u8; 0]>(&bep52, &[]), []);
    let error = PieceError::NoSuchPiece { index: 0, pieces: 0 };
    assert_eq!((empty.bytes_of_piece(0), empty.hash_of_piece(0)), (Err(error), Err(error)));

    let request = |base_layer, index, length, proof_layers| HashRequest {
        pieces_root: A,
        base_layer,
        index,
        length,
        proof_layers,
    };
    let above = |layer, root| LayerProofError::AboveRoot { layer, root };
    for (request, error) in [
        (request(0, 0, 0, 0), LayerProofError::Length(0)),
        (request(0, 0, 1, 0), LayerProofError::Length(1)),
        (request(0, 0, u32::MAX, 0), LayerProofError::Length(u32::MAX)),
        (request(0, u32::MAX, 2, 0), LayerProofError::Index { index: u32::MAX, length: 2 }),
        (request(BILLION, 0, 2, 0), above(1_000_000_001, 50)),
        (request(u32::MAX, 0, 2, u32::MAX), above((1 << 33) - 1, 50)),
    ] {
        assert_eq!(request.check(), Err(error));
        assert_eq!(request.check_file(u64::MAX), Err(error));
        assert_eq!(answer(&Tree::new(bep52), &request), Err(error));
        let bytes = request.to_bytes();
        let refused = Err(PayloadError::Request(error));
        assert_eq!(HashRequest::try_from(&bytes[..]), refused);
        assert_eq!(Hashes::try_from(&bytes[..]).err(), refused.err());
    }
    assert_eq!(request(0, 0, 2, 0).check_file(0), Err(above(1, 0)));
    assert_eq!(answer(&Tree::new(bep52), &request(0, 0, 2, 0)), Err(above(1, 0)));
    assert_eq!(HashRequest::all_proof_layers(u32::MAX, u64::MAX), 0);
    assert_eq!(HashRequest::all_proof_layers(0, 0), 0);
    let wrong = |got| PayloadError::WrongLength { expected: 48, got };
    assert_eq!(HashRequest::try_from(&[][..]), Err(wrong(0)));
    assert_eq!(HashRequest::try_from(&[0; 49][..]), Err(wrong(49)));
    assert_eq!(Hashes::try_from(&[][..]).err(), Some(wrong(0)));
}

#[cfg(feature = "algorand")]
#[test]
fn of_algorand() {
    use merkle_lanes::algorand::{
        Algorand, FixedLengthError, FixedLengthProof, Sha256, VectorCommitment, VectorHead,
        verify_element, verify_elements,
    };

    let hasher = Algorand::new(Sha256::new(), b"");
    let no_such = |index, size| VerifyError::NoSuchLeaf { index, size };
    fn too_deep<T>() -> Result<T, VerifyError> {
        Err(VerifyError::TooManyLeaves { size: u64::MAX, capacity: LARGEST })
    }
    let of_depth = |depth| VectorHead { depth, root: A };
    assert_eq!(of_depth(0).position(1), Err(no_such(1, 1)));
    assert_eq!(of_depth(63).position(u64::MAX), Err(no_such(u64::MAX, LARGEST)));
    assert_eq!(of_depth(63).position(LARGEST - 1), Ok(LARGEST - 1));
    for depth in [64, BILLION, u32::MAX] {
        let head = of_depth(depth);
        assert_eq!((head.position(0), head.tree_head()), (too_deep(), too_deep()));
        let result = verify_element(&hasher, &head, u64::MAX, &A, &Inclusion::from(vec![]));
        assert_eq!(result, too_deep());
        let proof = Multi::from(vec![]);
        assert_eq!(verify_elements(&hasher, &head, &[(0, A)], &proof), too_deep());
        assert_eq!(verify_elements(&hasher, &head, &[], &proof), too_deep());
    }
    let result = verify_elements(&hasher, &of_depth(0), &[], &Multi::from(vec![]));
    assert_eq!(result, Err(VerifyError::NoLeaves));

    let empty = VectorCommitment::from_leaves(hasher, &[]);
    assert_eq!((empty.len(), empty.depth(), empty.root()), (0, 0, hash_of_bottom()));
    for index in [0, u64::MAX] {
        assert_eq!(empty.prove(index), Err(NoSuchLeafError { index, size: 0 }));
        assert_eq!(empty.prove_many(&[index]), Err(no_such(index, 0)));
    }
    assert_eq!(empty.prove_many(&[]), Err(VerifyError::NoLeaves));

    let fixed = |nodes| FixedLengthProof::try_from(Inclusion::from(vec![A; nodes]));
    assert!(fixed(0).is_ok() && fixed(16).is_ok());
    assert_eq!(fixed(0).unwrap().into_proof(), Inclusion::from(vec![]));
    assert_eq!(fixed(1000), Err(FixedLengthError::TooDeep { depth: 1000 }));
    let decode = |bytes: &[u8]| FixedLengthProof::<Hash>::try_from(bytes);
    assert_eq!(decode(&[]), Err(FixedLengthError::WrongLength { expected: 513, got: 0 }));
    assert_eq!(decode(&[0xff; 513]), Err(FixedLengthError::TooDeep { depth: 255 }));
    assert_eq!(decode(&[0; 513]), fixed(0));
}

/// The root of a vector commitment without elements.
#[cfg(feature = "algorand")]
fn hash_of_bottom() -> Hash {
    crate::oracle::sha256(&[b"MB"])
}
