//! Computes the SSZ root of a list of balances as in Ethereum's beacon state, updates it after an
//! epoch, and proves one balance against the new root.

use merkle_lanes::ssz::{GeneralizedIndex, PersistentList, Ssz};
use sha2::{Digest, Sha256};

/// The limit of the beacon state's `balances`: a `List[Gwei, 2^40]`.
const LIMIT: u64 = 1 << 40;

/// Four balances of eight bytes are a chunk, so the tree has 2^38 chunks.
const DEPTH: u32 = 38;

const VALIDATORS: u64 = 100_000;

/// 32 ether in Gwei.
const STAKE: u64 = 32_000_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ssz = Ssz::with_limit(LIMIT / 4);
    let mut balances = PersistentList::new(ssz);
    balances.extend((0..VALIDATORS).map(|_| STAKE));
    let before = hash_tree_root(&ssz, &mut balances);
    println!("root of {VALIDATORS} balances: 0x{}", hex::encode(before));

    // The next state shares all subtrees that do not change. Only the paths to changed balances are
    // hashed again.
    let mut next = balances.clone();
    for validator in (0..VALIDATORS).step_by(1000) {
        next.set(validator, STAKE + 10_000 + validator)?;
    }
    let after = hash_tree_root(&ssz, &mut next);
    assert_eq!(after, by_definition(&next.iter().collect::<Vec<_>>()));
    assert_eq!(before, hash_tree_root(&ssz, &mut balances), "the old state is still there");
    println!("after {} updates: 0x{}", VALIDATORS / 1000, hex::encode(after));

    // A proof of the chunk with a balance ends at the root of the chunks, below which the length
    // is mixed in.
    let validator = 42_000;
    let (chunk_index, chunk) = next.chunk_of(validator).ok_or("there is no such validator")?;
    let mut nodes = next.prove(chunk_index)?.into_nodes();
    nodes.push(length_chunk(next.len()));
    let branch = nodes.into();
    let contents = GeneralizedIndex::ROOT.left().ok_or("the root has children")?;
    let chunks =
        GeneralizedIndex::at(DEPTH, chunk_index.get()).ok_or("the chunk is in the tree")?;
    let place = contents.concat(chunks).ok_or("the tree is not too deep")?;
    ssz.verify_branch(&after, place, &chunk, &branch)?;
    let balance = &chunk[8 * (validator % 4) as usize..][..8];
    println!(
        "validator {validator} has {} Gwei, proven by {} nodes",
        u64::from_le_bytes(balance.try_into()?),
        branch.nodes().len()
    );
    assert!(ssz.verify_branch(&before, place, &chunk, &branch).is_err());
    Ok(())
}

/// The root of a list: that of its chunks, with its length.
fn hash_tree_root(ssz: &Ssz, list: &mut PersistentList<u64>) -> [u8; 32] {
    ssz.mix_in_length(&list.root(), list.len())
}

fn length_chunk(length: u64) -> [u8; 32] {
    let mut chunk = [0; 32];
    chunk[..8].copy_from_slice(&length.to_le_bytes());
    chunk
}

/// The same root by the definition, one node after another.
fn by_definition(balances: &[u64]) -> [u8; 32] {
    let node = |left: &[u8; 32], right: &[u8; 32]| -> [u8; 32] {
        Sha256::new().chain_update(left).chain_update(right).finalize().into()
    };
    let mut level: Vec<[u8; 32]> = balances
        .chunks(4)
        .map(|four| {
            let mut chunk = [0; 32];
            for (bytes, balance) in chunk.as_chunks_mut().0.iter_mut().zip(four) {
                *bytes = balance.to_le_bytes();
            }
            chunk
        })
        .collect();
    let mut zero = [0; 32];
    for _ in 0..DEPTH {
        level = level.chunks(2).map(|pair| node(&pair[0], pair.get(1).unwrap_or(&zero))).collect();
        zero = node(&zero, &zero);
    }
    node(&level[0], &length_chunk(balances.len() as u64))
}
