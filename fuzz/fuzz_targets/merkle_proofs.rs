//! Verifies proofs of any bytes. The verifiers never panic, and accept only what the definitions
//! accept.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{
    Claim, ConsistencyProof, InclusionProof, MultiProof, NodeHasher, Tree, TreeHead, verify_many,
};

use oracle::{Definition, Hash, NaiveTree, rfc9162_consistent, sha256};

#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    family: u8,
    /// The size of the tree that the valid proofs are from.
    size: u8,
    /// The claimed size and index for proofs that are arbitrary bytes.
    claimed: [u64; 2],
    bytes: &'a [u8],
    claims: Vec<Hostile>,
    indices: Vec<u8>,
    edits: Vec<Edit>,
    old_size: u8,
}

/// A valid claim with some changes.
#[derive(Arbitrary, Debug)]
struct Hostile {
    index: u8,
    edits: Vec<Edit>,
    claimed_index: Option<u8>,
    claimed_size: Option<u8>,
    leaf_of: Option<u8>,
}

/// A change to a proof.
#[derive(Arbitrary, Debug)]
enum Edit {
    Flip(u16),
    Remove(u8),
    Twice(u8),
    Swap(u8, u8),
    /// Replaces a node with a leaf.
    Leaf(u8, u8),
}

fn edit(nodes: &mut Vec<Hash>, edits: &[Edit], leaves: &[Hash]) {
    for edit in edits.iter().take(4) {
        let count = nodes.len();
        if count == 0 {
            return;
        }
        match *edit {
            Edit::Flip(bit) => {
                nodes.as_flattened_mut()[bit as usize / 8 % (32 * count)] ^= 1 << (bit % 8)
            }
            Edit::Remove(at) => drop(nodes.remove(at as usize % count)),
            Edit::Twice(at) => nodes.insert(at as usize % count, nodes[at as usize % count]),
            Edit::Swap(one, other) => nodes.swap(one as usize % count, other as usize % count),
            Edit::Leaf(at, leaf) => {
                nodes[at as usize % count] = leaves[leaf as usize % leaves.len()]
            }
        }
    }
}

fuzz_target!(|input: Input<'_>| {
    match input.family % 4 {
        0 => run(Rfc6962::new(), Definition::Rfc6962, &input),
        1 => run(Bitcoin::new(), Definition::Bitcoin, &input),
        2 => run(Ssz::new(), Definition::Ssz, &input),
        _ => run(Ssz::with_limit(1 << 10), Definition::SszOfDepth(10), &input),
    }
});

fn run<H: NodeHasher<Node = Hash>>(hasher: H, definition: Definition, input: &Input<'_>) {
    decode(&hasher, definition, input);
    let size = 1 + u64::from(input.size) % 70;
    let leaves: Vec<Hash> = (0..size).map(|i| sha256(&[&i.to_le_bytes()])).collect();
    let tree = Tree::from_leaves(hasher, leaves);
    inclusion(&tree, definition, &input.claims);
    multi(&tree, definition, &input.indices, &input.edits);
    consistency(&tree, definition, 1 + u64::from(input.old_size) % size, &input.edits);
}

fn head(size: u64, root: &Hash) -> TreeHead<Hash> {
    TreeHead { size, root: *root }
}

/// Decodes the bytes as proofs, with sizes and indices of any magnitude.
fn decode<H: NodeHasher<Node = Hash>>(hasher: &H, definition: Definition, input: &Input<'_>) {
    let [size, index] = input.claimed;
    let (leaf, root) = ([1; 32], [2; 32]);
    if let Ok(proof) = InclusionProof::<Hash>::try_from(input.bytes) {
        assert_eq!(proof.to_bytes(), input.bytes);
        let climbed = proof.root(hasher, size, index, &leaf);
        if size <= hasher.capacity() {
            assert_eq!(climbed.ok(), definition.climb(size, index, &leaf, proof.nodes()));
        } else {
            assert!(climbed.is_err());
        }
    }
    if let Ok(proof) = MultiProof::<Hash>::try_from(input.bytes) {
        assert_eq!(proof.to_bytes(), input.bytes);
        let leaves: Vec<_> =
            input.indices.iter().map(|&step| (index.wrapping_add(step.into()), leaf)).collect();
        let climbed = proof.root(hasher, size, &leaves);
        if let ([(index, leaf)], Ok(climbed)) = (leaves.as_slice(), climbed) {
            // A multiproof of one leaf equals its inclusion proof.
            assert_eq!(definition.climb(size, *index, leaf, proof.nodes()), Some(climbed));
        }
    }
    if let Ok(proof) = ConsistencyProof::<Hash>::try_from(input.bytes) {
        assert_eq!(proof.to_bytes(), input.bytes);
        let verdict = proof.verify(hasher, &head(index, &leaf), &head(size, &root));
        // No known input hashes to such a root.
        assert!(verdict.is_err());
    }
}

fn inclusion<H: NodeHasher<Node = Hash>>(
    tree: &Tree<H>,
    definition: Definition,
    hostile: &[Hostile],
) {
    let (hasher, root, leaves) = (tree.hasher(), tree.root(), tree.leaves());
    let proofs: Vec<_> = hostile
        .iter()
        .take(40)
        .map(|hostile| {
            let index = u64::from(hostile.index) % tree.len();
            let mut nodes = tree.prove(index).expect("the leaf exists").into_nodes();
            edit(&mut nodes, &hostile.edits, leaves);
            let index = hostile.claimed_index.map_or(index, u64::from);
            let size = hostile.claimed_size.map_or(tree.len(), u64::from);
            let leaf = hostile.leaf_of.map_or(hostile.index, |other| other) as usize % leaves.len();
            (head(size, &root), index, &leaves[leaf], InclusionProof::from(nodes))
        })
        .collect();
    let claims: Vec<_> = proofs
        .iter()
        .map(|&(ref head, index, leaf, ref proof)| Claim { head, index, leaf, proof })
        .collect();
    for (claim, verdict) in claims.iter().zip(verify_many(hasher, &claims)) {
        let Claim { head, index, leaf, proof } = *claim;
        assert_eq!(proof.verify(hasher, head, index, leaf), verdict);
        let expected = definition.climb(head.size, index, leaf, proof.nodes()) == Some(root);
        assert_eq!(verdict.is_ok(), expected, "{claim:?}");
        if head.size == tree.len() && verdict.is_ok() {
            assert_eq!(leaves[index as usize], *leaf, "{claim:?}");
        }
    }
}

fn multi<H: NodeHasher<Node = Hash>>(
    tree: &Tree<H>,
    definition: Definition,
    indices: &[u8],
    edits: &[Edit],
) {
    let mut indices: Vec<u64> =
        indices.iter().map(|&index| u64::from(index) % tree.len()).collect();
    indices.sort_unstable();
    indices.dedup();
    let Ok(proof) = tree.prove_many(&indices) else {
        return assert!(indices.is_empty());
    };
    let naive = NaiveTree::new(definition, tree.leaves());
    let places: Vec<usize> = indices.iter().map(|&index| index as usize).collect();
    let good = naive.multiproof(&places);
    assert_eq!(proof.nodes(), good);
    let proven: Vec<_> =
        indices.iter().map(|&index| (index, tree.leaves()[index as usize])).collect();
    assert_eq!(proof.verify(tree.hasher(), &tree.head(), &proven), Ok(()));
    let mut nodes = proof.into_nodes();
    edit(&mut nodes, edits, tree.leaves());
    // There is only one valid proof for these leaves.
    let verdict = MultiProof::from(nodes.clone()).verify(tree.hasher(), &tree.head(), &proven);
    assert_eq!(verdict.is_ok(), nodes == good, "{verdict:?}");
}

fn consistency<H: NodeHasher<Node = Hash>>(
    tree: &Tree<H>,
    definition: Definition,
    old: u64,
    edits: &[Edit],
) {
    let new = tree.head();
    let old = head(old, &definition.root(&tree.leaves()[..old as usize]));
    let proof = tree.prove_consistency(old.size).expect("the tree has grown through all sizes");
    let good = NaiveTree::new(definition, tree.leaves()).consistency(old.size as usize);
    assert_eq!(proof.nodes(), good);
    assert_eq!(proof.verify(tree.hasher(), &old, &new), Ok(()));
    let mut nodes = proof.into_nodes();
    edit(&mut nodes, edits, tree.leaves());
    let by_rfc = rfc9162_consistent((old.size, &old.root), (new.size, &new.root), &nodes);
    let is_good = nodes == good;
    let verdict = ConsistencyProof::from(nodes).verify(tree.hasher(), &old, &new);
    assert_eq!(verdict.is_ok(), is_good, "{verdict:?}");
    if let Definition::Rfc6962 = definition {
        assert_eq!(verdict.is_ok(), by_rfc, "{verdict:?}");
    }
}
