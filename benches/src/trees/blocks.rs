//! Trees that are not roots of given leaves: chunks of Swarm, values of OpenZeppelin, and files of
//! fs-verity, each beside the same definition one hash at a time.

use merkle_lanes::keccak::{CHUNK_BYTES, Chunk, OpenZeppelin, Swarm};
use merkle_lanes::verity::{Algorithm, FsVerity};
use sha2::{Digest as _, Sha256};
use sha3::Keccak256;

use super::data::{Node, random_nodes};
use super::naive;
use super::ours::on_backends;
use crate::harness::{Candidate, Role, Shape};
use crate::machine::label;

/// A block of fs-verity.
const BLOCK: usize = 4096;

/// The addresses of full chunks.
pub(super) fn swarm_addresses(count: usize) -> Shape {
    let names = ("swarm_addresses", count.to_string());
    Shape::new("trees", names, (count, count * CHUNK_BYTES), move |then| {
        let segments: Vec<Node> = random_nodes(count * CHUNK_BYTES / size_of::<Node>());
        let payloads: Vec<&[u8]> = segments.as_flattened().chunks(CHUNK_BYTES).collect();
        let chunks: Vec<_> = payloads.iter().map(|payload| Chunk::new(payload)).collect();
        let by_definition =
            || -> Vec<u8> { payloads.iter().flat_map(|payload| address(payload)).collect() };
        let mut all = on_backends(|backend| {
            let (swarm, chunks) = (Swarm::new().with_backend(backend), &chunks);
            move || swarm.addresses(chunks).expect("no chunk is too long").concat()
        });
        all.push(Candidate::returning(label("sha3", "0.12"), Role::Rival, by_definition));
        then(all, &by_definition());
    })
}

fn keccak256(parts: &[&[u8]]) -> Node {
    parts.iter().fold(Keccak256::new(), |hash, part| hash.chain_update(part)).finalize().into()
}

/// The address of a full chunk.
fn address(payload: &[u8]) -> Node {
    let root = naive::root(payload.as_chunks().0, |left, right| keccak256(&[left, right]));
    keccak256(&[&(payload.len() as u64).to_le_bytes(), &root])
}

/// The root of OpenZeppelin's tree of leaves in order.
pub(super) fn open_zeppelin_root(count: usize) -> Shape {
    let names = ("open_zeppelin_root", super::size(count));
    Shape::new("trees", names, (count, count * size_of::<Node>()), move |then| {
        let leaves = random_nodes(count);
        let by_definition = || -> Node {
            let mut tree = vec![[0; 32]; count - 1];
            tree.extend(leaves.iter().rev());
            for i in (0..count - 1).rev() {
                let (one, other) = (tree[2 * i + 1], tree[2 * i + 2]);
                tree[i] = keccak256(&[&one.min(other), &one.max(other)]);
            }
            tree[0]
        };
        let mut all = on_backends(|backend| {
            let (hasher, leaves) =
                (OpenZeppelin::new().with_backend(backend).sort_leaves(false), &leaves);
            move || hasher.simple_tree(leaves).expect("there are leaves").root()
        });
        all.push(Candidate::returning(label("sha3", "0.12"), Role::Rival, by_definition));
        then(all, &by_definition());
    })
}

/// The root of fs-verity's tree over a file of this many blocks, a power of 128.
pub(super) fn fs_verity_root(blocks: usize) -> Shape {
    let names = ("fs_verity_root", super::size(blocks));
    Shape::new("trees", names, (blocks, blocks * BLOCK), move |then| {
        let nodes: Vec<Node> = random_nodes(blocks * BLOCK / size_of::<Node>());
        let data = nodes.as_flattened();
        let by_definition = || -> Node {
            let mut level = data.to_vec();
            loop {
                let digests: Vec<Node> =
                    level.chunks(BLOCK).map(|block| Sha256::digest(block).into()).collect();
                if let [root] = digests[..] {
                    return root;
                }
                level = digests.concat();
            }
        };
        let mut all = on_backends(|backend| {
            let format = FsVerity::new(Algorithm::Sha256).with_backend(backend);
            move || {
                let mut hasher = format.clone().hasher();
                hasher.update(data);
                hasher.finalize().root()
            }
        });
        all.push(Candidate::returning(label("sha2", "0.11"), Role::Rival, by_definition));
        then(all, &by_definition());
    })
}
