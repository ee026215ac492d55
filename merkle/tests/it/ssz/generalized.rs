//! Generalized indices and branches, compared with the definitions in `ssz/merkle-proofs.md` of the
//! specification.

use std::collections::BTreeMap;

use merkle_lanes::ssz::{GeneralizedIndex, Ssz};
use merkle_lanes::{Backend, InclusionProof, Tree, VerifyError};

use super::{Hash, chunks, index, node};

fn branch_indices(index: u64) -> Vec<u64> {
    std::iter::successors(Some(index), |&index| Some(index / 2))
        .take_while(|&index| index > 1)
        .map(|index| index ^ 1)
        .collect()
}

/// All nodes of a tree of `2^depth` chunks.
fn all_nodes(depth: u32) -> BTreeMap<u64, Hash> {
    let count = 1 << depth;
    let mut nodes: BTreeMap<u64, Hash> = (count..).zip(chunks(count as usize)).collect();
    for index in (1..count).rev() {
        nodes.insert(index, node(&nodes[&(2 * index)], &nodes[&(2 * index + 1)]));
    }
    nodes
}

#[test]
fn indices_of_places() {
    assert_eq!(GeneralizedIndex::new(0), None);
    assert_eq!(GeneralizedIndex::ROOT, index(1));
    for number in 1..1000_u64 {
        let place = index(number);
        assert_eq!(u64::from(place.depth()), u64::from(63 - number.leading_zeros()));
        assert_eq!(GeneralizedIndex::at(place.depth(), place.position()), Some(place));
        assert_eq!(place.left().unwrap().get(), 2 * number);
        assert_eq!(place.right().unwrap().get(), 2 * number + 1);
        for child in [place.left(), place.right()].map(Option::unwrap) {
            assert_eq!(child.depth(), place.depth() + 1);
        }
        assert_eq!(place.concat(GeneralizedIndex::ROOT), Some(place));
        assert_eq!(GeneralizedIndex::ROOT.concat(place), Some(place));
    }
}

#[test]
fn places_that_are_too_deep() {
    assert_eq!(GeneralizedIndex::at(63, (1 << 63) - 1), Some(index(u64::MAX)));
    assert_eq!(GeneralizedIndex::at(63, 1 << 63), None);
    assert_eq!(GeneralizedIndex::at(64, 0), None);
    assert_eq!(GeneralizedIndex::at(u32::MAX, 0), None);
    assert_eq!(GeneralizedIndex::at(0, 1), None);
    assert_eq!(GeneralizedIndex::at(3, 8), None);
    let deepest = index(1 << 63);
    assert_eq!((deepest.left(), deepest.right()), (None, None));
    assert_eq!(index(1 << 32).concat(index(1 << 31)), Some(deepest));
    assert_eq!(index(1 << 32).concat(index(1 << 32)), None);
}

/// `concat_generalized_indices` joins the bits after the leading one of each index.
#[test]
fn concat_joins_the_bits() {
    for above in 1..70_u64 {
        for below in 1..70_u64 {
            let expected = format!("{above:b}{}", &format!("{below:b}")[1..]);
            let concatenated = index(above).concat(index(below)).unwrap();
            assert_eq!(format!("{:b}", concatenated.get()), expected);
        }
    }
}

#[test]
fn branches_of_all_nodes() {
    let nodes = all_nodes(5);
    for backend in Backend::available() {
        let ssz = Ssz::with_limit(3).with_backend(backend);
        for (&place, &value) in &nodes {
            let branch: Vec<Hash> =
                branch_indices(place).iter().map(|sibling| nodes[sibling]).collect();
            let verify = |node: &Hash, branch: Vec<Hash>| {
                ssz.verify_branch(&nodes[&1], index(place), node, &branch.into())
            };
            assert_eq!(verify(&value, branch.clone()), Ok(()));
            assert_eq!(verify(&[0; 32], branch.clone()), Err(VerifyError::WrongRoot));
            let (expected, longer) = (branch.len(), [branch.as_slice(), &[[0; 32]]].concat());
            let error = VerifyError::WrongLength { expected, got: expected + 1 };
            assert_eq!(verify(&value, longer), Err(error));
            if let Some((_, shorter)) = branch.split_last() {
                let error = VerifyError::WrongLength { expected, got: expected - 1 };
                assert_eq!(verify(&value, shorter.to_vec()), Err(error));
            }
        }
    }
}

#[test]
fn the_deepest_branch() {
    let branch: InclusionProof<Hash> = chunks(63).into();
    let place = index(u64::MAX - 6);
    let root = branch.nodes().iter().enumerate().fold([1; 32], |value, (level, sibling)| {
        if place.get() >> level & 1 == 1 { node(sibling, &value) } else { node(&value, sibling) }
    });
    assert_eq!(Ssz::new().verify_branch(&root, place, &[1; 32], &branch), Ok(()));
}

/// The length of a list and one of its chunks: a branch through the list's tree, and one more node.
#[test]
fn a_chunk_of_a_list() {
    let chunks = chunks(11);
    let ssz = Ssz::with_limit(1 << 40);
    let tree = Tree::from_leaves(ssz, chunks.as_slice());
    let root = ssz.mix_in_length(&tree.root(), 11);
    let mut length = [0; 32];
    length[0] = 11;
    for position in 0..11 {
        let mut branch = tree.prove(position).unwrap().into_nodes();
        branch.push(length);
        let place = index(2).concat(GeneralizedIndex::at(40, position).unwrap()).unwrap();
        ssz.verify_branch(&root, place, &chunks[position as usize], &branch.into()).unwrap();
    }
    ssz.verify_branch(&root, index(3), &length, &vec![tree.root()].into()).unwrap();
}
