//! The hypertree: XMSS trees that sign the roots below them (FIPS 205 §6, §7).
//!
//! Which trees sign depends on the digest of the message alone, so the trees of all layers are
//! hashed together, and their one-time signatures, too.

use alloc::vec::Vec;

use crate::address::{Address, Kind};
use crate::parallel;
use crate::parameters::Parameters;
use crate::published::publish;
use crate::suite::{Node, Nodes, SkSeed, Suite, nodes};
use crate::trees::{Climbed, Tree, climb, roots_of};
use crate::wots::{self, KeyPair};

/// The keys that are hashed together: their chains fit into a second-level cache.
const KEYS: usize = 64;

/// The tree of each layer, from the bottom, above leaf `leaf` of tree `tree`.
fn trees(parameters: &Parameters, tree: u64, leaf: u32) -> Vec<Tree> {
    let height = parameters.tree_height();
    let (mut tree, mut leaf) = (tree, leaf);
    let layers = 0..parameters.d as u32;
    layers
        .map(|layer| {
            let address = Address::of_tree(layer, tree).with(Kind::Tree, 0);
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

/// Appends the signature of `message` with leaf `leaf` of tree `tree`.
pub(crate) fn sign<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    message: &Node,
    (tree, leaf): (u64, u32),
    signature: &mut Vec<u8>,
) {
    let (n, height) = (parameters.n, parameters.tree_height());
    let trees = trees(parameters, tree, leaf);
    let climbed = climb_trees(suite, parameters, sk_seed, &trees);
    // Each layer signs the root of the one below.
    let mut messages = nodes(0);
    messages.push(*message);
    messages.extend_from_slice(&climbed.roots[..trees.len() - 1]);
    messages.iter_mut().for_each(|message| publish(&mut message[..n]));
    let keys: Vec<_> = trees
        .iter()
        .map(|tree| KeyPair { tree: tree.address, index: tree.signing_leaf() })
        .collect();
    let signed = wots::sign(suite, parameters, sk_seed, &keys, &messages);
    let layers = signed.chunks_exact(parameters.wots_len()).zip(climbed.paths.chunks_exact(height));
    for node in layers.flat_map(|(wots, path)| wots.iter().chain(path)) {
        signature.extend_from_slice(&node[..n]);
    }
}

/// The root that would have signed `message` with `signature`.
pub(crate) fn root_of<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    message: Node,
    (tree, leaf): (u64, u32),
    signature: &[u8],
) -> Node {
    let (n, height) = (parameters.n, parameters.tree_height());
    let mut root = message;
    let layers = signature.chunks_exact(parameters.xmss_len());
    for (tree, layer) in trees(parameters, tree, leaf).into_iter().zip(layers) {
        let mut values = nodes(layer.len() / n);
        for (value, bytes) in values.iter_mut().zip(layer.chunks_exact(n)) {
            value[..n].copy_from_slice(bytes);
        }
        let path = values.split_off(parameters.wots_len());
        let key = KeyPair { tree: tree.address, index: tree.signing_leaf() };
        let mut leaf = nodes(1);
        leaf[0] = wots::public_key_of(suite, parameters, key, &root, &values);
        root = roots_of(suite, n, height, &[tree], leaf, |_, z| path[z])[0];
    }
    root
}
