//! Generalized indices and proofs, compared with a transcription of the specification's functions
//! (`ssz/merkle-proofs.md`).

use std::collections::{BTreeMap, BTreeSet};

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::{GeneralizedIndex, NodeProof, NodeProofError, Ssz, helper_indices};
use merkle_lanes::{Backend, InclusionProof, NodeHasher, Tree, VerifyError};
use proptest::prelude::*;
use proptest::sample::Index;

use super::{Hash, chunks, index, node};

fn branch_indices(index: u64) -> Vec<u64> {
    std::iter::successors(Some(index), |&index| Some(index / 2))
        .take_while(|&index| index > 1)
        .map(|index| index ^ 1)
        .collect()
}

fn path_indices(index: u64) -> Vec<u64> {
    std::iter::successors(Some(index), |&index| Some(index / 2))
        .take_while(|&index| index > 1)
        .collect()
}

/// `get_helper_indices`.
fn spec_helpers(indices: &[u64]) -> Vec<u64> {
    let branches: BTreeSet<u64> = indices.iter().flat_map(|&index| branch_indices(index)).collect();
    let paths: BTreeSet<u64> = indices.iter().flat_map(|&index| path_indices(index)).collect();
    let mut helpers: Vec<u64> = branches.difference(&paths).copied().collect();
    helpers.reverse();
    helpers
}

/// `calculate_multi_merkle_root`.
fn spec_root(leaves: &[Hash], proof: &[Hash], indices: &[u64]) -> Hash {
    let helpers = spec_helpers(indices);
    assert_eq!(proof.len(), helpers.len());
    let places = indices.iter().chain(&helpers).copied();
    let mut objects: BTreeMap<u64, Hash> =
        places.zip(leaves.iter().chain(proof).copied()).collect();
    let mut keys: Vec<u64> = objects.keys().rev().copied().collect();
    let mut at = 0;
    while let Some(&key) = keys.get(at) {
        if objects.contains_key(&(key ^ 1)) && !objects.contains_key(&(key / 2)) {
            objects.insert(key / 2, node(&objects[&(key & !1)], &objects[&(key | 1)]));
            keys.push(key / 2);
        }
        at += 1;
    }
    objects[&1]
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

/// The indices that are not above another one.
fn without_upper(indices: &BTreeSet<u64>) -> Vec<u64> {
    let uppers: BTreeSet<u64> =
        indices.iter().flat_map(|&index| path_indices(index).into_iter().map(|i| i / 2)).collect();
    indices.difference(&uppers).copied().collect()
}

fn typed(indices: &[u64]) -> Vec<GeneralizedIndex> {
    indices.iter().copied().map(index).collect()
}

#[test]
fn indices_of_places() {
    assert_eq!(GeneralizedIndex::new(0), None);
    assert_eq!(GeneralizedIndex::ROOT, index(1));
    assert_eq!((GeneralizedIndex::ROOT.sibling(), GeneralizedIndex::ROOT.parent()), (None, None));
    assert_eq!(index(105).to_string(), "105");
    for number in 1..1000_u64 {
        let place = index(number);
        assert_eq!(u64::from(place.depth()), u64::from(63 - number.leading_zeros()));
        assert_eq!(GeneralizedIndex::at(place.depth(), place.position()), Some(place));
        assert_eq!(place.left().unwrap().get(), 2 * number);
        assert_eq!(place.right().unwrap().get(), 2 * number + 1);
        for child in [place.left(), place.right()].map(Option::unwrap) {
            assert_eq!(child.parent(), Some(place));
            assert_eq!(child.sibling().unwrap().get(), child.get() ^ 1);
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

#[test]
fn nodes_of_trees() {
    for count in 1..=16 {
        let tree = Tree::from_leaves(Ssz::with_limit(16), chunks(count));
        let mut padded = chunks(count);
        padded.resize(16, [0; 32]);
        let full = Tree::from_leaves(Ssz::new(), padded);
        for number in 1..32_u64 {
            let place = index(number);
            let expected = full.level(4 - place.depth())[place.position() as usize];
            assert_eq!(place.node_of(&tree), Some(expected), "{number} of {count}");
        }
        assert_eq!(index(32).node_of(&tree), None);
    }
    // Without chunks there are only zeros.
    let empty = Tree::new(Ssz::with_limit(4));
    assert_eq!(index(1).node_of(&empty), Some(Ssz::new().missing(2)));
    assert_eq!(index(7).node_of(&empty), Some([0; 32]));
    // Other families have no padding.
    let tree = Tree::from_leaves(Rfc6962::new(), chunks(5));
    for (number, level, position) in
        [(1, 3, 0), (2, 2, 0), (3, 2, 1), (6, 1, 2), (8, 0, 0), (12, 0, 4)]
    {
        assert_eq!(index(number).node_of(&tree), Some(tree.level(level)[position]), "{number}");
    }
    for number in [7, 13, 14, 15, 16] {
        assert_eq!(index(number).node_of(&tree), None, "{number}");
    }
}

#[test]
fn invalid_places_are_refused() {
    use NodeProofError::{AboveAnother, NoNodes, Repeated};
    let check = |indices: &[u64], error: NodeProofError| {
        let indices = typed(indices);
        assert_eq!(helper_indices(&indices), Err(error));
        let nodes: Vec<_> = indices.iter().map(|&index| (index, [1; 32])).collect();
        let proof = NodeProof::from(Vec::new());
        assert_eq!(proof.root(&Ssz::new(), &nodes), Err(error));
    };
    check(&[], NoNodes);
    check(&[5, 5], Repeated { index: index(5) });
    check(&[5, 9, 5], Repeated { index: index(5) });
    check(&[1, 1], Repeated { index: index(1) });
    check(&[2, 9], AboveAnother { index: index(2) });
    check(&[9, 4], AboveAnother { index: index(4) });
    check(&[1, u64::MAX], AboveAnother { index: index(1) });
    check(&[1, 2, 3], AboveAnother { index: index(1) });
    // Both children are given, and so is their parent.
    check(&[8, 9, 4, 5], AboveAnother { index: index(4) });
}

#[test]
fn proofs_from_trees() {
    for count in 1..=9_usize {
        for ssz in [Ssz::new(), Ssz::with_limit(16)] {
            let tree = Tree::from_leaves(ssz, chunks(count));
            for subset in 1_u64..1 << count {
                let positions = (0..count as u64).filter(|&position| subset >> position & 1 == 1);
                let at = |position| GeneralizedIndex::at(tree.depth(), position).unwrap();
                let indices: Vec<_> = positions.map(at).collect();
                let proof = NodeProof::new(&tree, &indices).unwrap();
                let node = |&index: &GeneralizedIndex| index.node_of(&tree).unwrap();
                let helpers = helper_indices(&indices).unwrap();
                assert_eq!(proof.nodes(), helpers.iter().map(node).collect::<Vec<_>>());
                let nodes: Vec<_> = indices.iter().map(|index| (*index, node(index))).collect();
                assert_eq!(proof.verify(&ssz, &tree.root(), &nodes), Ok(()));
            }
        }
    }
    let tree = Tree::from_leaves(Ssz::new(), chunks(4));
    assert_eq!(NodeProof::new(&tree, &[]), Err(NodeProofError::NoNodes));
    let error = NodeProofError::NoSuchNode { index: index(11) };
    assert_eq!(NodeProof::new(&tree, &typed(&[10])), Err(error));
}

proptest! {
    #[test]
    fn nodes_at_any_depths(
        chosen in proptest::collection::btree_set(1_u64..1 << 9, 1..20),
        change in any::<Index>(),
        bit in 0_usize..256,
        order in any::<Index>(),
    ) {
        let all = all_nodes(8);
        let mut indices = without_upper(&chosen);
        let turn = order.index(indices.len());
        indices.rotate_left(turn);

        let helpers = spec_helpers(&indices);
        prop_assert_eq!(helper_indices(&typed(&indices)), Ok(typed(&helpers)));
        let entries: Vec<Hash> = helpers.iter().map(|helper| all[helper]).collect();
        let mut nodes: Vec<_> = indices.iter().map(|&place| (index(place), all[&place])).collect();
        let ssz = Ssz::new();
        let proof = NodeProof::from(entries.clone());
        prop_assert_eq!(proof.verify(&ssz, &all[&1], &nodes), Ok(()));

        let expected = entries.len();
        let shorter = NodeProof::from(entries[..expected.saturating_sub(1)].to_vec());
        if expected > 0 {
            let error = NodeProofError::WrongLength { expected, got: expected - 1 };
            prop_assert_eq!(shorter.verify(&ssz, &all[&1], &nodes), Err(error));
        }
        let longer = NodeProof::from([entries.as_slice(), &[[0; 32]]].concat());
        let error = NodeProofError::WrongLength { expected, got: expected + 1 };
        prop_assert_eq!(longer.verify(&ssz, &all[&1], &nodes), Err(error));

        // Any bit of the nodes or of the proof.
        let changed = change.index(nodes.len() + expected);
        let mut entries = entries;
        let value = if changed < nodes.len() {
            &mut nodes[changed].1
        } else {
            &mut entries[changed - nodes.len()]
        };
        value[bit / 8] ^= 1 << (bit % 8);
        let verdict = NodeProof::from(entries).verify(&ssz, &all[&1], &nodes);
        prop_assert_eq!(verdict, Err(NodeProofError::WrongRoot));
    }

    #[test]
    fn arbitrary_places_match_the_specification_or_are_refused(
        indices in proptest::collection::vec(prop_oneof![1_u64..64, 1_u64..1 << 20, 1_u64..], 0..8),
        missing in 0_usize..3,
    ) {
        let set: BTreeSet<u64> = indices.iter().copied().collect();
        let distinct = set.len() == indices.len();
        let allowed = !set.is_empty() && distinct && without_upper(&set).len() == set.len();
        let helpers = helper_indices(&typed(&indices));
        prop_assert_eq!(helpers.is_ok(), allowed, "{:?}", indices);
        let leaves = chunks(indices.len());
        let nodes: Vec<_> = typed(&indices).into_iter().zip(leaves.iter().copied()).collect();
        match helpers {
            Err(error) => {
                let proof = NodeProof::from(chunks(missing));
                prop_assert_eq!(proof.root(&Ssz::new(), &nodes), Err(error));
            }
            Ok(helpers) => {
                let entries = chunks(helpers.len());
                let expected = spec_root(&leaves, &entries, &indices);
                prop_assert_eq!(NodeProof::from(entries).root(&Ssz::new(), &nodes), Ok(expected));
            }
        }
    }
}
