//! The hypertree: XMSS trees that sign the roots below them (FIPS 205 §6, §7).
//!
//! Which trees sign depends on the digest of the message alone, so the trees of all layers are
//! hashed together, and their one-time signatures, too.

use alloc::vec::Vec;

use crate::address::{Address, Kind};
use crate::parallel;
use crate::parameters::Parameters;
use crate::published::publish;
use crate::suite::{Node, Nodes, SkSeed, Suite, node, nodes};
use crate::trees::{self, Climbed, Tree, climb};
use crate::wots::{self, KeyPair};

/// The keys that are hashed together: their chains fit into a second-level cache.
const KEYS: usize = 64;

/// Where a message is signed, which its digest says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The tree of the lowest layer.
    pub(crate) tree: u64,
    pub(crate) leaf: u32,
}

/// The tree of each layer, from the bottom, above this place, of one of the suite's keys.
fn trees(parameters: &Parameters, key: u32, place: Place) -> Vec<Tree> {
    let height = parameters.tree_height();
    let Place { mut tree, mut leaf } = place;
    let layers = 0..parameters.d as u32;
    layers
        .map(|layer| {
            let address = Address::of_tree(layer, tree).of_key(key).with(Kind::Tree, 0);
            let here = Tree { address, first: 0, leaf: Some(leaf) };
            leaf = (tree & ((1 << height) - 1)) as u32;
            // No tree is above the last one, whose height may be that of the number.
            tree = tree.checked_shr(height as u32).unwrap_or(0);
            here
        })
        .collect()
}

/// The first `count` leaves of some trees, tree by tree.
fn leaves<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    trees: &[Tree],
    count: u32,
) -> Nodes {
    let keys: Vec<KeyPair> = trees
        .iter()
        .flat_map(|tree| {
            let indices = tree.first..tree.first + count;
            indices.map(|index| KeyPair { tree: tree.address, index })
        })
        .collect();
    let chunks: Vec<&[KeyPair]> = keys.chunks(KEYS).collect();
    let mut leaves = nodes(0);
    leaves.reserve_exact(keys.len());
    for chunk in parallel::map(&chunks, |keys| wots::public_keys(suite, parameters, sk_seed, keys))
    {
        leaves.extend_from_slice(&chunk);
    }
    leaves
}

impl KeyPair {
    /// The key of the leaf that signs.
    fn that_signs(tree: &Tree) -> Self {
        Self { tree: tree.address, index: tree.signing_leaf() }
    }
}

/// Hashes trees from their one-time keys.
fn climb_trees<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    trees: &[Tree],
) -> Climbed {
    climb(suite, parameters.n, parameters.tree_height(), trees, |trees, count| {
        leaves(suite, parameters, sk_seed, trees, count)
    })
}

/// The root of the uppermost tree: a part of the public key.
pub(crate) fn root<S: Suite>(suite: &S, parameters: &Parameters, sk_seed: &SkSeed) -> Node {
    let address = Address::of_tree(parameters.d as u32 - 1, 0).with(Kind::Tree, 0);
    let tree = Tree { address, first: 0, leaf: None };
    climb_trees(suite, parameters, sk_seed, &[tree]).roots[0]
}

/// Appends the signature of `message` at `place`.
pub(crate) fn sign<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    message: &Node,
    place: Place,
    signature: &mut Vec<u8>,
) {
    let (n, height) = (parameters.n, parameters.tree_height());
    let trees = trees(parameters, 0, place);
    let climbed = climb_trees(suite, parameters, sk_seed, &trees);
    // Each layer signs the root of the one below.
    let mut messages = nodes(0);
    messages.push(*message);
    messages.extend_from_slice(&climbed.roots[..trees.len() - 1]);
    messages.iter_mut().for_each(|message| publish(&mut message[..n]));
    let keys: Vec<KeyPair> = trees.iter().map(KeyPair::that_signs).collect();
    let signed = wots::sign(suite, parameters, sk_seed, &keys, &messages);
    let layers = signed.chunks_exact(parameters.wots_len()).zip(climbed.paths.chunks_exact(height));
    for node in layers.flat_map(|(wots, path)| wots.iter().chain(path)) {
        signature.extend_from_slice(&node[..n]);
    }
}

/// A signature of the hypertree.
#[derive(Clone, Copy)]
pub(crate) struct Signed<'s> {
    /// The key, of those that the suite has.
    pub(crate) key: u32,
    pub(crate) place: Place,
    pub(crate) signature: &'s [u8],
}

/// The roots that would have signed `messages[i]` with `signed[i]`.
pub(crate) fn roots_of<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    messages: Nodes,
    signed: &[Signed<'_>],
) -> Nodes {
    let (n, len, height) = (parameters.n, parameters.wots_len(), parameters.tree_height());
    let layers: Vec<Vec<Tree>> =
        signed.iter().map(|it| trees(parameters, it.key, it.place)).collect();
    let mut roots = messages;
    for layer in 0..parameters.d {
        let trees: Vec<Tree> = layers.iter().map(|trees| trees[layer]).collect();
        let keys: Vec<KeyPair> = trees.iter().map(KeyPair::that_signs).collect();
        let begin = layer * parameters.xmss_len();
        let value = |i: usize, number: usize| node(&signed[i].signature[begin + number * n..][..n]);
        let mut chains = nodes(signed.len() * len);
        for (i, node) in chains.iter_mut().enumerate() {
            *node = value(i / len, i % len);
        }
        let leaves = wots::public_keys_of(suite, parameters, &keys, &roots, &chains);
        roots = trees::roots_of(suite, n, height, &trees, leaves, |i, z| value(i, len + z));
    }
    roots
}
