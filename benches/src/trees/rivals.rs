//! The rival tree crates, each called as its users do.

use bitcoin_hashes::sha256d;
use ct_merkle::mem_backed_tree::MemoryBackedTree;
use ct_merkle::{InclusionProof, RootHash};
use rs_merkle::algorithms::Sha256 as PlainSha256;
use rs_merkle::{Hasher, MerkleProof, MerkleTree};
use sha2::Sha256;

use super::data::{Node, Proofs};
use super::naive::{by_levels, rfc6962_leaf};
use crate::harness::{Candidate, Role};
use crate::machine::label;

fn rival<'a, T: AsRef<[u8]>>(name: String, run: impl FnMut() -> T + 'a) -> Candidate<'a> {
    Candidate::returning(name, Role::Rival, run)
}

fn rs_merkle() -> String {
    label("rs_merkle", "1.5")
}

/// Hashes whole levels, each into its own vector.
pub(super) fn hashtree_root(leaves: &[Node]) -> Candidate<'_> {
    hashtree_rs::init();
    rival(label("hashtree-rs", "0.2"), move || {
        let hash_level = |nodes: &[Node], parents: &mut [Node]| {
            // hashtree checks the length of neither slice.
            assert_eq!(nodes.len(), 2 * parents.len());
            let count = parents.len();
            hashtree_rs::hash(parents.as_flattened_mut(), nodes.as_flattened(), count);
        };
        by_levels(leaves, hash_level)
    })
}

pub(super) fn ssz_roots(leaves: &[Node]) -> Vec<Candidate<'_>> {
    vec![
        hashtree_root(leaves),
        rival(label("tree_hash", "0.12"), move || tree_hash::merkle_root(leaves.as_flattened(), 0)),
        rival(rs_merkle(), move || rs_merkle_root::<PlainSha256>(leaves)),
    ]
}

pub(super) fn bitcoin_roots(txids: &[Node]) -> Vec<Candidate<'_>> {
    let name = label("bitcoin_hashes", "1.2");
    vec![
        rival(format!("{name}:hash_64_many"), move || {
            let hash_level = |nodes: &[Node], parents: &mut [Node]| {
                sha256d::Hash::hash_64_many(parents, nodes.as_flattened().as_chunks().0);
            };
            by_levels(txids, hash_level)
        }),
        rival(name, move || {
            let hash_level = |nodes: &[Node], parents: &mut [Node]| {
                for (pair, parent) in nodes.chunks_exact(2).zip(parents) {
                    *parent = sha256d::hash(pair.as_flattened()).to_byte_array();
                }
            };
            by_levels(txids, hash_level)
        }),
    ]
}

pub(super) fn rfc6962_roots(entries: &[Node]) -> Vec<Candidate<'_>> {
    vec![
        rival(label("ct-merkle", "0.3"), move || {
            let mut tree = MemoryBackedTree::<Sha256, Node>::new();
            for &entry in entries {
                tree.push(entry);
            }
            tree.root().as_bytes().to_vec()
        }),
        rival(rs_merkle(), move || {
            let leaves: Vec<Node> = entries.iter().map(rfc6962_leaf).collect();
            rs_merkle_root::<NodesOfRfc6962>(&leaves)
        }),
    ]
}

fn rs_merkle_root<H: Hasher<Hash = Node>>(leaves: &[Node]) -> Node {
    MerkleTree::<H>::from_leaves(leaves).root().expect("there are leaves")
}

/// Adds RFC 6962's node prefix to `rs_merkle`, which has none, as its users do.
#[derive(Clone, Debug)]
struct NodesOfRfc6962;

impl Hasher for NodesOfRfc6962 {
    type Hash = Node;

    fn hash(data: &[u8]) -> Node {
        PlainSha256::hash(data)
    }

    fn concat_and_hash(left: &Node, right: Option<&Node>) -> Node {
        match right {
            Some(right) => Self::hash(&[&[1], left.as_slice(), right.as_slice()].concat()),
            None => *left,
        }
    }
}

pub(super) fn ssz_verifier(proofs: &Proofs) -> Candidate<'_> {
    let decoded: Vec<MerkleProof<PlainSha256>> =
        proofs.all.iter().map(|proof| MerkleProof::new(proof.path.clone())).collect();
    rival(rs_merkle(), move || -> Vec<u8> {
        let both = proofs.all.iter().zip(&decoded);
        both.map(|(of, proof)| {
            u8::from(proof.verify(proofs.root, &[of.index], &[of.data], proofs.size))
        })
        .collect()
    })
}

pub(super) fn rfc6962_verifier(proofs: &Proofs) -> Candidate<'_> {
    let decoded: Vec<InclusionProof<Sha256>> = proofs
        .all
        .iter()
        .map(|proof| InclusionProof::from_bytes(proof.path.as_flattened().to_vec()))
        .collect();
    rival(label("ct-merkle", "0.3"), move || -> Vec<u8> {
        let root = RootHash::<Sha256>::new(proofs.root.into(), proofs.size as u64);
        let both = proofs.all.iter().zip(&decoded);
        both.map(|(of, proof)| {
            u8::from(root.verify_inclusion(&of.data, of.index as u64, proof).is_ok())
        })
        .collect()
    })
}
