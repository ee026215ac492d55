//! Algorand's trees: the definitions, data of go-algorand, and state proofs from the public chains.

mod go_algorand;
mod state_proofs;

use merkle_lanes::algorand::{
    Algorand, HashFunction, Sha256, Sha512_256, Sumhash512, VectorCommitment, VectorHead,
    fixed_length_bytes, verify_element, verify_elements,
};
use merkle_lanes::{
    Backend, InclusionProof, Node, NodeHasher, RootBuilder, Tree, VerifyError, root,
};
use sha2::Digest;
use sumhash512::{Sumhash512Core, Table};

use crate::oracle;

type Wide = [u8; 64];

/// sumhash512 of one message.
fn sumhash() -> impl Fn(&[u8]) -> Wide {
    let table = Table::new();
    move |message| {
        let (blocks, rest) = message.as_chunks();
        let mut core = Sumhash512Core::with_table(&table);
        core.update_blocks(blocks);
        core.finalize(rest)
    }
}

/// A tree from its definition: a level with an odd number of nodes is padded with zeros.
fn plain<N: Node>(leaves: &[N], node: &impl Fn(&[u8]) -> N) -> N {
    match leaves {
        [] => N::ZERO,
        [root] => *root,
        _ => {
            let pair =
                |pair: &[N]| [pair[0].as_ref(), pair.get(1).unwrap_or(&N::ZERO).as_ref()].concat();
            let parents: Vec<N> =
                leaves.chunks(2).map(|nodes| node(&[b"MA", &pair(nodes)[..]].concat())).collect();
            plain(&parents, node)
        }
    }
}

/// The leaves of a vector commitment in their positions.
fn placed<N: Node>(leaves: &[N], bottom: N) -> Vec<N> {
    let mut depth = 0;
    while 1 << depth < leaves.len() {
        depth += 1;
    }
    let element = |position: usize| {
        let index = (0..depth).fold(0, |index, bit| index * 2 + (position >> bit & 1));
        leaves.get(index).copied().unwrap_or(bottom)
    };
    (0..1 << depth).map(element).collect()
}

fn check<F: HashFunction>(function: F, hash: impl Fn(&[u8]) -> F::Node) {
    let hasher = Algorand::new(function, b"MX");
    let data: Vec<[u8; 32]> = (0..131_u8).map(|i| oracle::sha256(&[&[i]])).collect();
    let leaves: Vec<F::Node> = data.iter().map(|data| hash(&[b"MX", &data[..]].concat())).collect();
    let mut hashed = vec![F::Node::ZERO; data.len()];
    hasher.hash_leaves(&data, &mut hashed);
    assert_eq!(hashed, leaves);

    for count in 0..=130 {
        let leaves = &leaves[..count];
        let expected = plain(leaves, &hash);
        assert_eq!(root(&hasher, leaves), expected, "{count}");
        let tree = Tree::from_leaves(hasher, leaves);
        assert_eq!(tree.root(), expected, "{count}");
        let mut builder = RootBuilder::new(hasher);
        builder.extend(leaves);
        assert_eq!(builder.root(), expected, "{count}");

        let vector = VectorCommitment::from_data(hasher, &data[..count]);
        let placed = placed(leaves, hash(b"MB"));
        assert_eq!(vector.tree().leaves(), placed, "{count}");
        let expected = plain(&placed, &hash);
        let head = vector.head();
        assert_eq!((head.root, 1 << head.depth), (expected, placed.len()), "{count}");
        assert_eq!((vector.len(), vector.is_empty()), (count as u64, count == 0));

        // A stride that covers every index in some tree.
        for index in (0..count).step_by(1 + count / 10) {
            let proof = tree.prove(index as u64).unwrap();
            let (index, leaf) = (index as u64, &leaves[index]);
            proof.verify(&hasher, &tree.head(), index, leaf).unwrap();
            let proof = vector.prove(index).unwrap();
            assert_eq!(verify_element(&hasher, &head, index, leaf, &proof), Ok(()));
            let long = InclusionProof::from([proof.nodes(), &[F::Node::ZERO]].concat());
            assert!(verify_element(&hasher, &head, index, leaf, &long).is_err());
            let deeper = VectorHead { depth: head.depth + 1, ..head };
            assert!(verify_element(&hasher, &deeper, index, leaf, &long).is_err());
            assert!(verify_element(&hasher, &head, index + 1, leaf, &proof).is_err());
        }
        for step in [1, 2, 3, 7, 64] {
            // In descending order.
            let indices: Vec<u64> = (0..count as u64).rev().step_by(step).collect();
            let elements: Vec<_> =
                indices.iter().map(|&index| (index, leaves[index as usize])).collect();
            let Ok(proof) = vector.prove_many(&indices) else {
                assert_eq!(count, 0);
                continue;
            };
            assert_eq!(verify_elements(&hasher, &head, &elements, &proof), Ok(()));
            let twice = [&elements[..], &elements[..1]].concat();
            let refused = verify_elements(&hasher, &head, &twice, &proof);
            assert!(matches!(refused, Err(VerifyError::Unsorted { .. })));
        }
    }
}

#[test]
fn trees_match_the_definition() {
    check(Sumhash512::new(), sumhash());
    check(Sha512_256::new(), |message| sha2::Sha512_256::digest(message).into());
    for backend in Backend::available() {
        check(Sha256::new().with_backend(backend), |message| oracle::sha256(&[message]));
    }
}

#[test]
fn every_backend_agrees_on_larger_trees() {
    let hash = sumhash();
    let leaves: Vec<Wide> = (0..700_u32).map(|i| hash(&i.to_le_bytes())).collect();
    let expected = plain(&leaves, &hash);
    for backend in sumhash512::Backend::available() {
        let hasher = Algorand::new(Sumhash512::new().with_backend(backend), b"");
        assert_eq!(root(&hasher, &leaves), expected, "{}", backend.name());
    }
    let leaves: Vec<[u8; 32]> =
        (0..5000_u32).map(|i| oracle::sha256(&[&i.to_le_bytes()])).collect();
    let expected = plain(&leaves, &|message: &[u8]| oracle::sha256(&[message]));
    for backend in Backend::available() {
        let hasher = Algorand::new(Sha256::new().with_backend(backend), b"");
        assert_eq!(root(&hasher, &leaves), expected, "{}", backend.name());
        assert_eq!(Tree::from_leaves(hasher, &leaves[..]).root(), expected, "{}", backend.name());
    }
}

#[test]
fn positions() {
    let position = |index, depth| VectorHead { depth, root: [0; 32] }.position(index);
    assert_eq!(position(0, 0), Ok(0));
    assert_eq!(position(0b0011, 4), Ok(0b1100));
    assert_eq!(position(1, 63), Ok(1 << 62));
    assert_eq!(position(16, 4), Err(VerifyError::NoSuchLeaf { index: 16, size: 16 }));
    let hasher = Algorand::new(Sha256::new(), b"");
    let too_deep = VerifyError::TooManyLeaves { size: u64::MAX, capacity: 1 << 63 };
    for depth in [64, 1_000_000_000, u32::MAX] {
        let head = VectorHead { depth, root: [1; 32] };
        assert_eq!((head.position(0), head.tree_head()), (Err(too_deep), Err(too_deep)));
        let proof = InclusionProof::from(vec![]);
        assert_eq!(verify_element(&hasher, &head, u64::MAX, &[1; 32], &proof), Err(too_deep));
    }
}

#[test]
fn fixed_length_proofs() {
    let hasher = Algorand::new(Sumhash512::new(), b"MX");
    let vector = VectorCommitment::from_data(hasher, &(0..9_u8).map(|i| [i]).collect::<Vec<_>>());
    let proof = vector.prove(5).unwrap();
    let bytes = [&[4], &[0; 12 * 64][..], &proof.to_bytes()].concat();
    assert_eq!(fixed_length_bytes(&proof), Some(bytes));
    let longest = fixed_length_bytes(&InclusionProof::from(vec![[1; 64]; 16])).unwrap();
    assert_eq!(longest, [&[16], &[1; 16 * 64][..]].concat());
    assert_eq!(fixed_length_bytes(&InclusionProof::from(vec![[1; 64]; 17])), None);
}
