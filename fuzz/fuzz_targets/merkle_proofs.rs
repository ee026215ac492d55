//! Proves leaves, sets of leaves and earlier trees, and changes the proofs, their leaves and their
//! numbers. A proof verifies only where the definitions accept it.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::ssz::{GeneralizedIndex, NodeAt, Ssz, SszMultiProof};
use merkle_lanes::{
    Backend, Claim, ConsistencyProof, InclusionProof, MultiProof, NodeHasher, Tree, TreeHead,
    verify_many,
};

use family::Family;
use oracle::{Definition, Hash, NaiveTree, rfc9162_consistent, sha256};

#[path = "../../merkle/tests/it/family.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod family;
#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

#[derive(Arbitrary, Debug)]
struct Input {
    family: u8,
    /// The number of leaves.
    size: u8,
    /// The leaves to prove. The first one is also the size of the earlier tree.
    chosen: Vec<u8>,
    edits: Vec<Edit>,
    /// A bit of a leaf or of a root to flip.
    flip: Option<(u8, u8)>,
    /// Another size and another index for the inclusion proof.
    claimed: Option<(u64, u64)>,
}

/// A change to the nodes of a proof.
#[derive(Arbitrary, Debug)]
enum Edit {
    Flip(u8, u8),
    Remove(u8),
    Twice(u8),
    Swap(u8, u8),
    /// Puts a leaf in place of a node.
    Leaf(u8, u8),
}

/// Made once, because some of them are leaked.
static FAMILIES: LazyLock<Vec<(Family, Definition)>> =
    LazyLock::new(|| Family::all(Backend::detect()));

fuzz_target!(|input: Input| {
    let (hasher, definition) = FAMILIES[usize::from(input.family) % FAMILIES.len()];
    check(&input, hasher, definition);
    generalized(&input);
});

fn check<H: NodeHasher<Node = Hash> + Copy>(input: &Input, hasher: H, definition: Definition) {
    let size = 1 + usize::from(input.size) % 70;
    let leaves: Vec<Hash> = (0..size).map(|index| sha256(&[&index.to_le_bytes()])).collect();
    let naive = NaiveTree::new(definition, &leaves);
    let tree = Tree::from_leaves(hasher, leaves.as_slice());
    let mut indices: Vec<usize> =
        input.chosen.iter().take(20).map(|&index| usize::from(index) % size).collect();
    if indices.is_empty() {
        indices.push(0);
    }
    let first = indices[0];
    indices.sort_unstable();
    indices.dedup();

    inclusion(input, &tree, &naive, definition, first);
    multi(input, &tree, &naive, &indices);
    consistency(input, &tree, &naive, definition, first + 1);
}

/// The definition says which changed proofs verify, because a claimed size may be wrong.
fn inclusion<H: NodeHasher<Node = Hash> + Copy>(
    input: &Input,
    tree: &Tree<H>,
    naive: &NaiveTree,
    definition: Definition,
    index: usize,
) {
    let good = tree.prove(index as u64).expect("the index is in range");
    assert_eq!(good.nodes(), naive.path(index));
    let nodes = edited(good.nodes(), input, tree.leaves());
    let mut leaf = tree.leaves()[index];
    if let Some((_, bit)) = input.flip {
        leaf = flipped(leaf, bit);
    }
    let (size, claimed) = input.claimed.unwrap_or((tree.len(), index as u64));
    let head = TreeHead { size, root: tree.root() };
    let expected = size <= tree.hasher().capacity()
        && definition.climb(size, claimed, &leaf, &nodes) == Some(head.root);
    let is_good = nodes == good.nodes() && input.flip.is_none();
    if (size, claimed) == (tree.len(), index as u64) {
        assert_eq!(expected, is_good);
    }
    let proof = InclusionProof::from(nodes);
    assert_eq!(proof.verify(tree.hasher(), &head, claimed, &leaf).is_ok(), expected);

    // Beside a valid proof, with which it shares nodes.
    let (last, whole) = (tree.len() - 1, tree.head());
    let valid = tree.prove(last).expect("the index is in range");
    let claims = [
        Claim { head: &whole, index: last, leaf: &tree.leaves()[last as usize], proof: &valid },
        Claim { head: &head, index: claimed, leaf: &leaf, proof: &proof },
    ];
    let verdicts = verify_many(tree.hasher(), &claims);
    assert_eq!([verdicts[0].is_ok(), verdicts[1].is_ok()], [true, expected]);
}

/// There is only one valid proof for some leaves.
fn multi<H: NodeHasher<Node = Hash> + Copy>(
    input: &Input,
    tree: &Tree<H>,
    naive: &NaiveTree,
    indices: &[usize],
) {
    let given: Vec<u64> = indices.iter().map(|&index| index as u64).collect();
    let good = tree.prove_many(&given).expect("the indices are sorted and in range");
    assert_eq!(good.nodes(), naive.multiproof(indices));
    let nodes = edited(good.nodes(), input, tree.leaves());
    let mut proven: Vec<_> =
        given.iter().zip(indices).map(|(&i, &at)| (i, tree.leaves()[at])).collect();
    if let Some((at, bit)) = input.flip {
        let leaf = &mut proven[usize::from(at) % indices.len()].1;
        *leaf = flipped(*leaf, bit);
    }
    let is_good = nodes == good.nodes() && input.flip.is_none();
    let verdict = MultiProof::from(nodes).verify(tree.hasher(), &tree.head(), &proven);
    assert_eq!(verdict.is_ok(), is_good, "{verdict:?}");
}

/// There is only one valid proof between two sizes.
fn consistency<H: NodeHasher<Node = Hash> + Copy>(
    input: &Input,
    tree: &Tree<H>,
    naive: &NaiveTree,
    definition: Definition,
    old: usize,
) {
    let good = tree.prove_consistency(old as u64).expect("the size is that of an earlier tree");
    assert_eq!(good.nodes(), naive.consistency(old));
    let nodes = edited(good.nodes(), input, tree.leaves());
    let root = definition.root(&tree.leaves()[..old]);
    let mut heads = [TreeHead { size: old as u64, root }, tree.head()];
    if let Some((at, bit)) = input.flip {
        let head = &mut heads[usize::from(at) % 2];
        head.root = flipped(head.root, bit);
    }
    let is_good = nodes == good.nodes() && input.flip.is_none();
    if let Definition::Rfc6962 = definition {
        let [old, new] = heads.each_ref().map(|head| (head.size, &head.root));
        assert_eq!(rfc9162_consistent(old, new, &nodes), is_good);
    }
    let verdict = ConsistencyProof::from(nodes).verify(tree.hasher(), &heads[0], &heads[1]);
    assert_eq!(verdict.is_ok(), is_good, "{verdict:?}");
}

/// Nodes of a tree by generalized indices: there is only one valid proof for them.
fn generalized(input: &Input) {
    let size = 1 + usize::from(input.size) % 70;
    let leaves: Vec<Hash> = (0..size).map(|index| sha256(&[&index.to_le_bytes()])).collect();
    let tree = Tree::from_leaves(Ssz::new(), leaves.as_slice());
    let mut indices: Vec<_> = (input.chosen.iter().take(20))
        .filter_map(|&index| GeneralizedIndex::new(index.into()))
        .filter(|&index| tree.node_at(index).is_some())
        .collect();
    let Ok(good) = SszMultiProof::new(&tree, &indices) else {
        indices.sort_unstable();
        assert!(indices.is_empty() || indices.windows(2).any(|pair| pair[0] == pair[1]));
        return;
    };
    let nodes = edited(good.nodes(), input, &leaves);
    let mut proven: Vec<_> = (indices.iter())
        .map(|&index| (index, tree.node_at(index).expect("the tree has the node")))
        .collect();
    if let Some((at, bit)) = input.flip {
        let node = &mut proven[usize::from(at) % indices.len()].1;
        *node = flipped(*node, bit);
    }
    let is_good = nodes == good.nodes() && input.flip.is_none();
    let verdict = SszMultiProof::from(nodes).verify(&Ssz::new(), &tree.root(), &proven);
    assert_eq!(verdict.is_ok(), is_good, "{verdict:?}");
}

fn edited(nodes: &[Hash], input: &Input, leaves: &[Hash]) -> Vec<Hash> {
    let mut nodes = nodes.to_vec();
    for edit in input.edits.iter().take(4) {
        let count = nodes.len();
        if count == 0 {
            break;
        }
        let at = |at: u8| usize::from(at) % count;
        match *edit {
            Edit::Flip(one, bit) => nodes[at(one)] = flipped(nodes[at(one)], bit),
            Edit::Remove(one) => drop(nodes.remove(at(one))),
            Edit::Twice(one) => nodes.insert(at(one), nodes[at(one)]),
            Edit::Swap(one, other) => nodes.swap(at(one), at(other)),
            Edit::Leaf(one, leaf) => nodes[at(one)] = leaves[usize::from(leaf) % leaves.len()],
        }
    }
    nodes
}

fn flipped(mut node: Hash, bit: u8) -> Hash {
    node[usize::from(bit / 8)] ^= 1 << (bit % 8);
    node
}
