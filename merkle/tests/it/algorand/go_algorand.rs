//! Known answers of go-algorand, and generated trees that its verifier accepts.

use std::fs;

use merkle_lanes::algorand::{
    Algorand, HashFunction, Sha256, Sha512_256, Sumhash512, VectorCommitment, verify_elements,
};
use merkle_lanes::{Node, NodeHasher, RootBuilder, Tree};
use serde_json::Value;

use super::Wide;
use crate::oracle;

pub(super) fn vectors(name: &str) -> Vec<u8> {
    let path = crate::vectors(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(super) fn json(name: &str) -> Value {
    serde_json::from_slice(&vectors(name)).unwrap()
}

pub(super) fn hexadecimal(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

/// A node. Empty bytes are a missing node.
pub(super) fn node<N: Node>(bytes: &[u8]) -> N {
    if bytes.is_empty() { N::ZERO } else { N::from_bytes(bytes).0[0] }
}

pub(super) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn nodes<N: Node>(value: &Value) -> Vec<N> {
    items(value).iter().map(|item| node(&hexadecimal(item))).collect()
}

pub(super) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn known_answers<F: HashFunction>(name: &str, root: impl Fn(Algorand<F>, &[Vec<u8>]) -> F::Node) {
    let known = json("merkle/algorand/merklearray_kats.json");
    let known = items(&known[name]);
    assert_eq!(known.len(), 5, "{name}");
    for answer in known {
        let elements: Vec<_> = items(&answer["Elements"]).iter().map(hexadecimal).collect();
        let expected: F::Node = node(&hexadecimal(&answer["Root"]));
        assert_eq!(root(Algorand::new(F::default(), b"MX"), &elements), expected, "{name}");
    }
}

fn root_of_data<F: HashFunction>(hasher: Algorand<F>, data: &[Vec<u8>]) -> F::Node {
    let mut builder = RootBuilder::new(hasher);
    builder.extend_data(data);
    builder.root()
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn known_answers_of_go_algorand() {
    known_answers::<Sumhash512>("Sumhash", root_of_data);
    known_answers::<Sha512_256>("Sha512_256", root_of_data);
    known_answers::<Sha256>("Sha256", root_of_data);
    known_answers::<Sha512_256>("VC_Sha512_256", |hasher, data| {
        VectorCommitment::from_data(hasher, data).root()
    });
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn trees_accepted_by_go_algorand() {
    let trees = json("merkle/algorand/sumhash_trees.json");
    let hasher = Algorand::new(Sumhash512::new(), b"MX");
    let data: Vec<_> = (0..33).map(|i| oracle::sha256(&[format!("leaf {i}").as_bytes()])).collect();
    let mut leaves = vec![[0; 64]; data.len()];
    hasher.hash_leaves(&data, &mut leaves);

    let mut proofs = 0;
    for (name, is_vector) in [("plain", false), ("vector_commitment", true)] {
        assert_eq!(items(&trees[name]).len(), 14);
        for known in items(&trees[name]) {
            let count = number(&known["Count"]) as usize;
            let vector = VectorCommitment::from_leaves(hasher, &leaves[..count]);
            let plain = Tree::from_leaves(hasher, &leaves[..count]);
            let tree = if is_vector { vector.tree() } else { &plain };
            let root: Wide = node(&hexadecimal(&known["Root"]));
            assert_eq!(tree.root(), root, "{name} {count}");
            assert_eq!(u64::from(tree.depth()), number(&known["Depth"]), "{name} {count}");
            for (level, expected) in items(&known["levels"]).iter().enumerate() {
                assert_eq!(
                    tree.level(level as u32),
                    nodes::<Wide>(expected),
                    "{name} {count}: {level}"
                );
            }
            for known in items(&known["proofs"]) {
                let indices: Vec<u64> = items(&known["idx"]).iter().map(number).collect();
                let path: Vec<Wide> = nodes(&known["path"]);
                let elements: Vec<_> =
                    indices.iter().map(|&index| (index, leaves[index as usize])).collect();
                let proof = if is_vector {
                    vector.prove_many(&indices)
                } else {
                    plain.prove_many(&indices)
                }
                .unwrap();
                assert_eq!(proof.nodes(), path, "{name} {count}: {indices:?}");
                if is_vector {
                    verify_elements(&hasher, &vector.head(), &elements, &proof).unwrap();
                } else {
                    proof.verify(&hasher, &plain.head(), &elements).unwrap();
                }
                if let [index] = indices[..] {
                    let single =
                        if is_vector { vector.prove(index) } else { plain.prove(index) }.unwrap();
                    assert_eq!(single.nodes(), path, "{name} {count}: {index}");
                }
                proofs += 1;
            }
        }
    }
    assert!(proofs > 120, "{proofs} proofs");
}
