//! Trees of any digest, compared with the existing families and with definitions.

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::{Ssz, ZERO_HASHES};
use merkle_lanes::{AnyDigest, Backend, NodeHasher, Odd, Tree, VerifyError, root};
use sha2::{Digest as _, Sha384};
use sha256_multi::Sha256Lanes;

use crate::{leaves, oracle};

fn new() -> AnyDigest<Sha256Lanes, 32> {
    AnyDigest::default()
}

fn on(backend: Backend) -> AnyDigest<Sha256Lanes, 32> {
    AnyDigest::new(Sha256Lanes::on(backend))
}

#[test]
fn known_families_can_be_expressed() {
    for backend in Backend::available() {
        let log = on(backend).leaf_prefix(&[0]).node_prefix(&[1]);
        let padded = on(backend).padded_with_subtrees_of([0; 32]).with_empty_root([0; 32]);
        for count in 0..=130 {
            let leaves = leaves(count);
            assert_eq!(root(&log, &leaves), oracle::rfc6962(&leaves), "{count}");
            assert_eq!(root(&padded, &leaves), root(&Ssz::new(), &leaves), "{count}");
        }
        let data: Vec<Vec<u8>> = (0..300).map(|i| vec![i as u8; i]).collect();
        let (mut ours, mut theirs) = (vec![[0; 32]; data.len()], vec![[0; 32]; data.len()]);
        log.hash_leaves(&data, &mut ours);
        Rfc6962::new().hash_leaves(&data, &mut theirs);
        assert_eq!(ours, theirs);
        // More nodes than are staged at once.
        let leaves = leaves(1500);
        assert_eq!(root(&log, &leaves), root(&Rfc6962::new(), &leaves));
    }
    assert_eq!(new().padded_with_subtrees_of([0; 32]).missing(62), ZERO_HASHES[62]);
}

type Wide = [u8; 48];

fn sha384(parts: &[&[u8]]) -> Wide {
    Sha384::digest(parts.concat()).into()
}

/// A tree of this height, padded with `missing(level)`.
fn padded(leaves: &[Wide], height: u32, prefix: &[u8], missing: &impl Fn(u32) -> Wide) -> Wide {
    if leaves.is_empty() {
        return missing(height);
    }
    if height == 0 {
        return leaves[0];
    }
    let (left, right) = leaves.split_at(leaves.len().min(1 << (height - 1)));
    sha384(&[
        prefix,
        &padded(left, height - 1, prefix, missing),
        &padded(right, height - 1, prefix, missing),
    ])
}

#[test]
fn wide_nodes_with_prefixes_and_padding() {
    let hash = |message: &[u8]| Sha384::digest(message);
    let family = || AnyDigest::<_, 48>::new(hash).leaf_prefix(b"leaf of ");
    let same = family().padded_with([9; 48]).node_prefix(b"a node of some length: ");
    // Setting the prefix after the padding recomputes the padding.
    let chain =
        family().node_prefix(b"to be replaced").padded_with_subtrees_of([7; 48]).node_prefix(b"n");
    let missing = |level: u32| (0..level).fold([7; 48], |node, _| sha384(&[b"n", &node, &node]));
    for count in 1..=130_usize {
        let leaves: Vec<Wide> = (0..count).map(|i| sha384(&[b"leaf of ", &[i as u8]])).collect();
        let data: Vec<[u8; 1]> = (0..count).map(|i| [i as u8]).collect();
        let height = count.next_power_of_two().ilog2();

        let mut tree = Tree::new(same);
        tree.extend_data(&data);
        assert_eq!(tree.leaves(), leaves);
        assert_eq!(
            tree.root(),
            padded(&leaves, height, b"a node of some length: ", &|_| [9; 48]),
            "{count}"
        );

        let tree = Tree::from_leaves(chain, &leaves[..]);
        assert_eq!(tree.root(), padded(&leaves, height, b"n", &missing), "{count}");
        let (head, last) = (tree.head(), count as u64 - 1);
        let proof = tree.prove(last).unwrap();
        let verified = proof.verify(&chain, &head, last, &leaves[count - 1]);
        assert_eq!(verified, Ok(()));
        if count > 1 {
            let wrong = proof.verify(&same, &head, last, &leaves[count - 1]);
            assert!(matches!(wrong, Err(VerifyError::WrongRoot | VerifyError::NotMissing { .. })));
        }
    }
    assert_eq!(same.empty_root(), sha384(&[]));
}

#[test]
fn the_last_odd_rule_wins() {
    let padded = || new().padded_with([1; 32]);
    assert_eq!(padded().odd(), Odd::Padded);
    assert_eq!(padded().duplicated().odd(), Odd::Duplicated);
    assert_eq!(padded().duplicated().promoted().odd(), Odd::Promoted);
    assert_eq!(
        new().padded_with_subtrees_of([0; 32]).padded_with([1; 32]).node_prefix(b"x").missing(3),
        [1; 32]
    );
}

#[test]
#[should_panic(expected = "a digest of 48 bytes does not fill nodes of 32 bytes")]
fn nodes_of_a_different_length_are_refused() {
    let _ = AnyDigest::<_, 32>::new(|message: &[u8]| Sha384::digest(message));
}
