//! The hypertree: XMSS trees that sign the roots below them (FIPS 205 §6, §7).
//!
//! Which trees sign depends on the digest of the message alone, so the trees of all layers are
//! hashed together, and their one-time signatures, too.

use alloc::vec::Vec;

use crate::address::{Address, Kind};
use crate::parallel;
use crate::parameters::Parameters;
use crate::published::publish;
use crate::suite::{Node, Nodes, SignedNode, SkSeed, Suite, nodes};
use crate::trees::{self, Climbed, Leaves, MAX_HEIGHT, Tree, climb, climb_from};
use crate::watch::{Stopped, Watch};
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
    let mut leaves = Nodes::with_capacity(keys.len());
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

/// The height of the nodes of a tall tree that are computed once, or cached: half a thousand leaves
/// are below each.
pub(crate) const CACHED_HEIGHT: usize = 9;

/// What the trees of a call stand on.
pub(crate) struct Ground<'g> {
    pub(crate) watch: &'g Watch<'g>,
    /// The nodes at [`CACHED_HEIGHT`] of the only tree, if they are known.
    pub(crate) cache: Option<&'g [Node]>,
}

/// Why there is no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoSignature {
    Stopped,
    /// The cached nodes are not those of the key.
    Cache,
    /// The root of the key is not that of its secret part.
    Root,
}

impl From<Stopped> for NoSignature {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The hashes of a one-time key: beginnings, chains and their compression.
pub(crate) fn leaf_hashes(parameters: &Parameters) -> u64 {
    parameters.wots_len() as u64 * u64::from(parameters.w()) + 1
}

/// Hashes trees of `height` from their one-time keys.
fn climb_from_keys<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    height: usize,
    trees: &[Tree],
    watch: &Watch<'_>,
) -> Result<Climbed, Stopped> {
    let make = |trees: &[Tree], count| leaves(suite, parameters, sk_seed, trees, count);
    let leaves = Leaves { make, hashes: leaf_hashes(parameters), watch };
    climb(suite, parameters.n, height, trees, &leaves)
}

/// Whether the set has one tree, which is hashed in parts.
const fn is_tall(parameters: &Parameters) -> bool {
    parameters.tree_height() > MAX_HEIGHT
}

/// The nodes at [`CACHED_HEIGHT`] of the only tree of a set.
pub(crate) fn cached_nodes<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    watch: &Watch<'_>,
) -> Result<Nodes, Stopped> {
    let Tree { address, .. } = uppermost(parameters);
    let first = |i: u32| i << CACHED_HEIGHT;
    let parts = 0..1 << (parameters.tree_height() - CACHED_HEIGHT);
    let parts: Vec<Tree> = parts.map(|i| Tree { address, first: first(i), leaf: None }).collect();
    Ok(climb_from_keys(suite, parameters, sk_seed, CACHED_HEIGHT, &parts, watch)?.roots)
}

/// Hashes the only tree of a set above its cached nodes.
pub(crate) fn climb_from_cached<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    leaf: Option<u32>,
    cached: Nodes,
) -> Climbed {
    let leaf = leaf.map(|leaf| leaf >> CACHED_HEIGHT);
    let tree = Tree { leaf, ..uppermost(parameters) };
    let height = parameters.tree_height() - CACHED_HEIGHT;
    climb_from(suite, parameters.n, CACHED_HEIGHT, height, &[tree], cached)
}

/// The tree whose root is a part of the public key, without a leaf.
fn uppermost(parameters: &Parameters) -> Tree {
    let address = Address::of_tree(parameters.d as u32 - 1, 0).with(Kind::Tree, 0);
    Tree { address, first: 0, leaf: None }
}

/// Hashes the trees that sign.
fn climb_trees<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    trees: &[Tree],
    ground: &Ground<'_>,
) -> Result<Climbed, NoSignature> {
    let height = parameters.tree_height();
    let [tree] = trees else {
        return Ok(climb_from_keys(suite, parameters, sk_seed, height, trees, ground.watch)?);
    };
    if !is_tall(parameters) {
        return Ok(climb_from_keys(suite, parameters, sk_seed, height, trees, ground.watch)?);
    }
    let mut cached = nodes(0);
    match ground.cache {
        Some(nodes) => cached.extend_from_slice(nodes),
        None => cached = cached_nodes(suite, parameters, sk_seed, ground.watch)?,
    }
    let leaf = tree.signing_leaf();
    let part = leaf >> CACHED_HEIGHT;
    let below = [Tree {
        first: part << CACHED_HEIGHT,
        leaf: Some(leaf & ((1 << CACHED_HEIGHT) - 1)),
        ..*tree
    }];
    let mut lower =
        climb_from_keys(suite, parameters, sk_seed, CACHED_HEIGHT, &below, ground.watch)?;
    let n = parameters.n;
    publish(lower.roots[0].bytes_mut(n));
    if lower.roots[0].bytes(n) != cached[part as usize].bytes(n) {
        return Err(NoSignature::Cache);
    }
    let upper = climb_from_cached(suite, parameters, Some(leaf), cached);
    let mut paths = Nodes::with_capacity(height);
    paths.extend_from_slice(&lower.paths);
    paths.extend_from_slice(&upper.paths);
    Ok(Climbed { roots: upper.roots, paths })
}

/// The root of the uppermost tree: a part of the public key.
pub(crate) fn root<S: Suite>(suite: &S, parameters: &Parameters, sk_seed: &SkSeed) -> Node {
    let watch = &Watch::nobody();
    let climbed = if is_tall(parameters) {
        cached_nodes(suite, parameters, sk_seed, watch)
            .map(|cached| climb_from_cached(suite, parameters, None, cached))
    } else {
        let (height, tree) = (parameters.tree_height(), uppermost(parameters));
        climb_from_keys(suite, parameters, sk_seed, height, &[tree], watch)
    };
    climbed.expect("nobody stops it").roots[0]
}

/// Appends the signature of `message` at `place`. Returns the root of the uppermost tree.
pub(crate) fn sign<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    message: SignedNode,
    place: Place,
    signature: &mut Vec<u8>,
    ground: &Ground<'_>,
) -> Result<Node, NoSignature> {
    let (n, height) = (parameters.n, parameters.tree_height());
    let trees = trees(parameters, 0, place);
    let climbed = climb_trees(suite, parameters, sk_seed, &trees, ground)?;
    // Each layer signs the root of the one below.
    let mut messages = alloc::vec![message];
    messages.extend(climbed.roots[..trees.len() - 1].iter().copied().map(SignedNode));
    messages.iter_mut().for_each(|message| publish(message.0.bytes_mut(n)));
    let keys: Vec<KeyPair> = trees.iter().map(KeyPair::that_signs).collect();
    let signed = wots::sign(suite, parameters, sk_seed, &keys, &messages);
    let layers = signed.chunks_exact(parameters.wots_len()).zip(climbed.paths.chunks_exact(height));
    for node in layers.flat_map(|(wots, path)| wots.iter().chain(path)) {
        signature.extend_from_slice(node.bytes(n));
    }
    Ok(climbed.roots[trees.len() - 1])
}

/// A signature of the hypertree.
#[derive(Clone, Copy)]
pub(crate) struct Signed<'s> {
    /// The key, of those that the suite has.
    pub(crate) key: u32,
    pub(crate) place: Place,
    pub(crate) signature: &'s [u8],
}

/// The roots above `signed[i]`, if its key signed the `i`-th of `messages`.
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
        let value =
            |i: usize, number: usize| Node::of(&signed[i].signature[begin + number * n..][..n]);
        let mut chains = nodes(signed.len() * len);
        for (i, node) in chains.iter_mut().enumerate() {
            *node = value(i / len, i % len);
        }
        let messages: Vec<SignedNode> = roots.iter().copied().map(SignedNode).collect();
        let leaves = wots::public_keys_of(suite, parameters, &keys, &messages, &chains);
        roots = trees::roots_of(suite, n, height, &trees, leaves, |i, z| value(i, len + z));
    }
    roots
}
