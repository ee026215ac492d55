//! Multiproofs by generalized indices, compared with the definitions in `ssz/merkle-proofs.md` of
//! the specification and with values that @chainsafe/persistent-merkle-tree computed
//! (generate.mjs).

use std::collections::{BTreeMap, BTreeSet};

use merkle_lanes::ssz::{
    GeneralizedIndex, MultiClaim, NodeAt, Object, PersistentList, ProgressiveList, Ssz,
    SszMultiProof, ZERO_HASHES, helper_indices, verify_multiproofs,
};
use merkle_lanes::{Backend, DecodeError, Tree, VerifyError};
use proptest::prelude::*;
use serde_json::Value;

use super::{Hash, chunks, index, node};
use crate::flipped;

type Nodes = Vec<(GeneralizedIndex, Hash)>;

fn indices(numbers: &[u64]) -> Vec<GeneralizedIndex> {
    numbers.iter().map(|&number| index(number)).collect()
}

/// The nodes of an object at these indices.
fn nodes_of(object: &impl NodeAt, indices: &[GeneralizedIndex]) -> Nodes {
    indices.iter().map(|&index| (index, object.node_at(index).unwrap())).collect()
}

/// `get_helper_indices` of the specification.
fn defined_helpers(indices: &[GeneralizedIndex]) -> Vec<GeneralizedIndex> {
    let (mut helpers, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for index in indices {
        let mut number = index.get();
        while number > 1 {
            helpers.insert(number ^ 1);
            paths.insert(number);
            number /= 2;
        }
    }
    (&helpers - &paths).into_iter().rev().map(index).collect()
}

/// Every node of a tree of `2^depth` chunks.
struct Full(BTreeMap<u64, Hash>);

impl Full {
    fn new(chunks: &[Hash]) -> Self {
        let mut nodes: BTreeMap<u64, Hash> =
            (chunks.len() as u64..).zip(chunks.iter().copied()).collect();
        for index in (1..chunks.len() as u64).rev() {
            nodes.insert(index, node(&nodes[&(2 * index)], &nodes[&(2 * index + 1)]));
        }
        Self(nodes)
    }
}

impl NodeAt for Full {
    fn node_at(&self, index: GeneralizedIndex) -> Option<Hash> {
        self.0.get(&index.get()).copied()
    }
}

/// The state of generate.mjs.
fn state(slot: u64, size: u64) -> Object<'static> {
    let number = |number: u64| {
        let mut chunk = [0; 32];
        chunk[..8].copy_from_slice(&number.to_le_bytes());
        Object::from(chunk)
    };
    let ssz = Ssz::new();
    let limited = Ssz::with_limit(1 << 38);
    let balances: Vec<u8> = (0..size).flat_map(|i| (32_000_000_000 + i).to_le_bytes()).collect();
    let balances = Tree::from_leaves(limited, merkle_lanes::ssz::pack(&balances));
    let bytes = merkle_lanes::ssz::pack(&[9; 48]);
    let inner = [number(7), Object::new(Tree::from_leaves(ssz, bytes))];
    let fields = [
        number(slot),
        Object::with_length(&ssz, balances, size),
        Object::new(Tree::from_leaves(ssz, chunks(6))),
        Object::container(&ssz, inner),
        number(1),
    ];
    Object::container(&ssz, fields)
}

#[test]
fn values_of_persistent_merkle_tree() {
    let file: Value = serde_json::from_str(include_str!("multiproofs.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    let hash = |value: &Value| -> Hash {
        hex::decode(value.as_str().unwrap()).unwrap().try_into().unwrap()
    };
    let hashes = |value: &Value| value.as_array().unwrap().iter().map(hash).collect::<Vec<_>>();
    let ssz = Ssz::new();
    let mut claims: Vec<(Hash, Nodes, SszMultiProof)> = Vec::new();
    for case in cases {
        let (kind, parameter) = case["kind"].as_str().unwrap().split_once(' ').unwrap();
        let (parameter, size): (u64, _) =
            (parameter.parse().unwrap(), case["size"].as_u64().unwrap());
        let places: Vec<_> = (case["indices"].as_array().unwrap().iter())
            .map(|number| index(number.as_str().unwrap().parse().unwrap()))
            .collect();
        let nodes: Nodes = places.iter().copied().zip(hashes(&case["nodes"])).collect();
        let (root, expected) = (hash(&case["root"]), SszMultiProof::from(hashes(&case["proof"])));
        let check = |object: &dyn NodeAt| {
            assert_eq!(object.node_at(GeneralizedIndex::ROOT), Some(root), "{case}");
            for &(place, node) in &nodes {
                assert_eq!(object.node_at(place), Some(node), "{case}");
            }
            assert_eq!(SszMultiProof::new(object, &places).as_ref(), Ok(&expected), "{case}");
        };
        match kind {
            "chunks" => {
                let ssz = Ssz::with_limit(1 << parameter);
                check(&Tree::from_leaves(ssz, chunks(size as usize)));
                let mut list = PersistentList::new(ssz);
                list.extend(chunks(size as usize));
                check(&list.hashed());
                let fields = chunks(size as usize).into_iter().map(Object::from);
                if size.next_power_of_two() == 1 << parameter {
                    check(&Object::container(&ssz, fields));
                }
            }
            _ => check(&state(parameter, size)),
        }
        assert_eq!(expected.verify(&ssz, &root, &nodes), Ok(()), "{case}");
        claims.push((root, nodes, expected));
    }
    for backend in Backend::available() {
        let claims: Vec<_> =
            (claims.iter()).map(|(root, nodes, proof)| MultiClaim { root, nodes, proof }).collect();
        let ssz = Ssz::new().with_backend(backend);
        assert_eq!(verify_multiproofs(&ssz, &claims), vec![Ok(()); cases.len()]);
    }
}

/// Every set of up to three nodes of a tree of eight chunks, with nodes above others, too.
#[test]
fn every_set_of_nodes() {
    let object = Full::new(&chunks(8));
    let ssz = Ssz::new();
    for a in 1..16 {
        for b in 1..16 {
            for c in 1..16 {
                let mut set = vec![a, b, c];
                set.dedup();
                let places = indices(&set);
                let is_repeated = set.iter().collect::<BTreeSet<_>>().len() < set.len();
                if is_repeated {
                    let error = VerifyError::Repeated { index: a };
                    assert_eq!(helper_indices(&places), Err(error));
                    assert_eq!(SszMultiProof::new(&object, &places), Err(error));
                    continue;
                }
                assert_eq!(helper_indices(&places), Ok(defined_helpers(&places)), "{set:?}");
                let proof = SszMultiProof::new(&object, &places).unwrap();
                let nodes = nodes_of(&object, &places);
                assert_eq!(proof.root(&ssz, &nodes), Ok(object.0[&1]), "{set:?}");
                assert_eq!(proof.verify(&ssz, &object.0[&1], &nodes), Ok(()), "{set:?}");
            }
        }
    }
}

/// A change of any node, wherever it is, is refused: also of one whose path leads through another,
/// which the function of the specification does not look at.
#[test]
fn every_forged_node() {
    let object = Full::new(&chunks(16));
    let (ssz, root) = (Ssz::new(), object.0[&1]);
    let sets: [&[u64]; 7] =
        [&[1], &[16], &[16, 17, 31], &[8, 16], &[2, 5, 20, 27], &[3, 16, 12, 1], &[9, 18, 19]];
    for set in sets {
        let places = indices(set);
        let (proof, nodes) =
            (SszMultiProof::new(&object, &places).unwrap(), nodes_of(&object, &places));
        let refused = |nodes: &Nodes, proof: &SszMultiProof| {
            assert!(
                matches!(
                    proof.verify(&ssz, &root, nodes),
                    Err(VerifyError::WrongRoot | VerifyError::NotParent { .. })
                ),
                "{set:?}"
            );
        };
        for i in 0..nodes.len() {
            for bit in [0, 100, 255] {
                let mut forged = nodes.clone();
                forged[i].1 = flipped(&forged[i].1, bit);
                refused(&forged, &proof);
            }
        }
        for i in 0..proof.nodes().len() {
            let mut forged = proof.nodes().to_vec();
            forged[i] = flipped(&forged[i], 7 * i);
            refused(&nodes, &forged.into());
        }
        let other = proof.verify(&ssz, &flipped(&root, 9), &nodes);
        assert_eq!(other, Err(VerifyError::WrongRoot));
        let expected = proof.nodes().len();
        for length in [0, expected.wrapping_sub(1), expected + 1] {
            if length == expected || length > 100 {
                continue;
            }
            let mut forged = proof.nodes().to_vec();
            forged.resize(length, [0; 32]);
            let error = VerifyError::WrongLength { expected, got: length };
            assert_eq!(SszMultiProof::from(forged).verify(&ssz, &root, &nodes), Err(error));
        }
        // The same node twice, and the true one last.
        let mut forged = nodes.clone();
        forged.insert(0, (forged[0].0, [7; 32]));
        let error = VerifyError::Repeated { index: set[0] };
        assert_eq!(proof.verify(&ssz, &root, &forged), Err(error));
    }
    let none = SszMultiProof::from(Vec::new());
    assert_eq!(none.verify(&ssz, &root, &[]), Err(VerifyError::NoLeaves));
    assert_eq!(helper_indices(&[]), Err(VerifyError::NoLeaves));
    assert_eq!(SszMultiProof::new(&object, &[]), Err(VerifyError::NoLeaves));
    // The upper of two nodes does not match the lower one.
    let places = indices(&[8, 16]);
    let proof = SszMultiProof::new(&object, &places).unwrap();
    let mut nodes = nodes_of(&object, &places);
    nodes[1].1 = [0; 32];
    assert_eq!(proof.root(&ssz, &nodes), Err(VerifyError::NotParent { index: 8 }));
}

#[test]
fn the_deepest_nodes() {
    let places = indices(&[u64::MAX, 1 << 63]);
    let helpers = helper_indices(&places).unwrap();
    assert_eq!((helpers.len(), &helpers), (124, &defined_helpers(&places)));
    let proof = SszMultiProof::from(chunks(124));
    let nodes: Nodes = places.into_iter().zip([[1; 32], [2; 32]]).collect();
    // Up both sides, the helpers of a level in pairs, the right one first.
    let (mut left, mut right) = ([2; 32], [1; 32]);
    for pair in proof.nodes().chunks(2) {
        (left, right) = (node(&left, &pair[1]), node(&pair[0], &right));
    }
    assert_eq!(proof.root(&Ssz::new(), &nodes), Ok(node(&left, &right)));
}

#[test]
fn nodes_that_do_not_exist() {
    let missing = |object: &dyn NodeAt, number: u64| {
        let error = VerifyError::NoSuchNode { index: number };
        assert_eq!(object.node_at(index(number)), None, "{number}");
        assert_eq!(SszMultiProof::new(object, &indices(&[1, number])), Err(error));
    };
    let tree = Tree::from_leaves(Ssz::with_limit(8), chunks(5));
    assert_eq!(tree.node_at(index(13)), Some([0; 32]));
    assert_eq!(tree.node_at(index(7)), Some(ZERO_HASHES[1]));
    missing(&tree, 16);
    missing(&tree, u64::MAX);
    let state = state(3, 4);
    // Below a number, below padding, and below a list's length.
    for number in [16, 13 * 2, 15 << 40, 19 << 1, 18 << 39] {
        missing(&state, number);
    }
    assert_eq!(state.node_at(index(13)), Some([0; 32]));
    let mut list = ProgressiveList::<u64>::new(Ssz::new());
    assert_eq!(list.hashed().node_at(GeneralizedIndex::ROOT), Some([0; 32]));
    missing(&list.hashed(), 2);
    list.extend(0..21);
    for number in [4, 8, 30, 31, 12 << 3, 13 << 2] {
        missing(&list.hashed(), number);
    }
    assert_eq!(list.hashed().node_at(index(15)), Some([0; 32]));
    assert_eq!(list.hashed().node_at(index(14)).unwrap(), {
        let mut chunk = [0; 32];
        chunk[..8].copy_from_slice(&20_u64.to_le_bytes());
        Tree::from_leaves(Ssz::with_limit(16), [chunk]).root()
    });
    // A container is as deep as its fields need, whatever the limit of the family is.
    let fields = || chunks(3).into_iter().map(Object::from);
    let limited = Object::container(&Ssz::with_limit(1 << 20), fields());
    assert_eq!(limited.root(), Object::container(&Ssz::new(), fields()).root());
    for object in [Tree::new(Ssz::new()), Tree::new(Ssz::with_limit(8))] {
        assert_eq!(object.node_at(GeneralizedIndex::ROOT), Some(object.root()));
    }
}

/// The nodes of lists, at all places of a few levels: each is the parent of both below it, and
/// [`GeneralizedIndex::progressive`] finds the chunks.
#[test]
fn nodes_of_lists() {
    fn check(object: &impl NodeAt, root: Hash, deepest: u32) {
        assert_eq!(object.node_at(GeneralizedIndex::ROOT), Some(root));
        for number in 1..1 << deepest {
            let below = [2 * number, 2 * number + 1].map(|below| object.node_at(index(below)));
            if let [Some(left), Some(right)] = below {
                assert_eq!(object.node_at(index(number)), Some(node(&left, &right)), "{number}");
            } else {
                assert_eq!(below, [None; 2], "{number}");
            }
        }
    }
    for size in [0, 1, 3, 4, 5, 100, 300, 333, 2050] {
        for ssz in [Ssz::new(), Ssz::with_limit(1 << 10)] {
            let mut list = PersistentList::<u64>::new(ssz);
            list.extend(0..size);
            let root = list.root();
            check(&list.hashed(), root, 10);
            // Hashed anew after a change.
            if size > 0 {
                list.set(size / 2, u64::MAX).unwrap();
                let root = list.clone().root();
                check(&list.hashed(), root, 10);
            }
        }
        let mut list: ProgressiveList<u64> = (0..size).collect();
        let root = list.root();
        check(&list.hashed(), root, 13);
        for value in (0..size).step_by(7) {
            let (place, chunk) = list.chunk_of(value).unwrap();
            let place = GeneralizedIndex::progressive(place).unwrap();
            assert_eq!(list.hashed().node_at(place), Some(chunk));
        }
    }
}

/// Good and bad proofs of several objects together.
#[test]
fn batches() {
    let objects: Vec<_> = [1_usize, 2, 16, 64].map(|size| Full::new(&chunks(size))).into();
    let mut claims: Vec<(Hash, Nodes, SszMultiProof)> = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        for number in 1..2 * [1, 2, 16, 64][i] {
            let places = indices(&[number]);
            let proof = SszMultiProof::new(object, &places).unwrap();
            let mut nodes = nodes_of(object, &places);
            let mut root = object.0[&1];
            match number % 5 {
                0 => nodes[0].1[3] ^= 1,
                1 => nodes.clear(),
                2 => root[0] ^= 1,
                3 => nodes.push((index(number | 1 << 40), [0; 32])),
                _ => {}
            }
            claims.push((root, nodes, proof));
        }
    }
    let claims: Vec<_> =
        claims.iter().map(|(root, nodes, proof)| MultiClaim { root, nodes, proof }).collect();
    for backend in Backend::available() {
        let ssz = Ssz::with_limit(1).with_backend(backend);
        let alone: Vec<_> = (claims.iter())
            .map(|claim| claim.proof.verify(&ssz, claim.root, claim.nodes))
            .collect();
        assert!(alone.contains(&Ok(())) && alone.contains(&Err(VerifyError::WrongRoot)));
        assert_eq!(verify_multiproofs(&ssz, &claims), alone);
    }
    assert_eq!(verify_multiproofs(&Ssz::new(), &[]), []);
}

#[test]
fn bytes_of_proofs() {
    let proof = SszMultiProof::from(chunks(70));
    assert_eq!(proof.to_bytes(), proof.nodes().concat());
    assert_eq!(SszMultiProof::try_from(proof.to_bytes().as_slice()), Ok(proof.clone()));
    assert_eq!(SszMultiProof::from(proof.clone().into_nodes()), proof);
    let error = DecodeError::PartialNode { length: 33, node: 32 };
    assert_eq!(SszMultiProof::try_from(&[0; 33][..]), Err(error));
    #[cfg(feature = "serde")]
    {
        let json = serde_json::to_string(&proof).unwrap();
        assert_eq!(json, format!("\"{}\"", hex::encode(proof.to_bytes())));
        assert_eq!(serde_json::from_str::<SszMultiProof>(&json).unwrap(), proof);
    }
}

proptest! {
    /// Any indices, in any order, and any bytes.
    #[test]
    fn random_sets(numbers in prop::collection::vec(1..600_u64, 1..12), forged in any::<usize>()) {
        let places = indices(&numbers);
        let distinct: BTreeSet<_> = places.iter().collect();
        let object = Tree::from_leaves(Ssz::with_limit(512), chunks(300));
        if distinct.len() < places.len() {
            let is_repeated = matches!(helper_indices(&places), Err(VerifyError::Repeated { .. }));
            prop_assert!(is_repeated);
            return Ok(());
        }
        prop_assert_eq!(helper_indices(&places), Ok(defined_helpers(&places)));
        let proof = SszMultiProof::new(&object, &places).unwrap();
        let mut nodes = nodes_of(&object, &places);
        let ssz = Ssz::new();
        prop_assert_eq!(proof.verify(&ssz, &object.root(), &nodes), Ok(()));
        let at = forged % nodes.len();
        nodes[at].1 = flipped(&nodes[at].1, forged % 256);
        prop_assert!(proof.verify(&ssz, &object.root(), &nodes).is_err());
    }

    #[test]
    fn hostile_proofs_do_not_panic(
        numbers in prop::collection::vec(1..=u64::MAX, 0..6), length in 0..80_usize,
    ) {
        let nodes: Nodes = numbers.iter().map(|&number| (index(number), [1; 32])).collect();
        let proof = SszMultiProof::from(vec![[2; 32]; length]);
        prop_assert!(proof.verify(&Ssz::new(), &[3; 32], &nodes).is_err());
    }
}
