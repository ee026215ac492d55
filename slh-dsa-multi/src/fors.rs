//! FORS, the few-time signature at the bottom (FIPS 205 §8).

use alloc::vec::Vec;

use crate::address::{Address, Kind};
use crate::parallel;
use crate::parameters::Parameters;
use crate::suite::{Messages, Node, Nodes, Suite, nodes};
use crate::trees::{Tree, climb, roots_of};

/// The leaves that are hashed together, unless a tree has more: the largest trees have 2^14.
const MAX_LEAVES: usize = 1 << 15;

/// The tree `i`, and the leaf that signs: the `i`-th number of `a` bits of the digest.
fn trees(parameters: &Parameters, address: Address, md: &[u8]) -> Vec<Tree> {
    let a = parameters.a;
    let bit = |at: usize| u32::from(md[at / 8] >> (7 - at % 8) & 1);
    let leaf = |i: usize| (i * a..(i + 1) * a).fold(0, |number, at| number << 1 | bit(at));
    (0..parameters.k).map(|i| Tree { address, first: (i << a) as u32, leaf: leaf(i) }).collect()
}

/// The secret values with these numbers.
fn secrets<S: Suite>(
    suite: &S,
    n: usize,
    sk_seed: &Node,
    address: Address,
    numbers: impl Iterator<Item = u32> + Clone,
) -> Nodes {
    let address = address.with(Kind::ForsPrf, address.key_pair);
    let mut messages = Messages::new(suite, numbers.clone().count(), n);
    for number in numbers {
        messages.push(suite, address.at(0, number), n, [sk_seed]);
    }
    suite.f(&messages)
}

/// The leaves of secret values.
fn leaves<S: Suite>(
    suite: &S,
    n: usize,
    address: Address,
    numbers: impl Iterator<Item = u32>,
    secrets: &Nodes,
) -> Nodes {
    let mut messages = Messages::new(suite, secrets.len(), n);
    for (number, secret) in numbers.zip(secrets.iter()) {
        messages.push(suite, address.at(0, number), n, [secret]);
    }
    suite.f(&messages)
}

/// The public key, from the roots of the trees.
fn public_key<S: Suite>(suite: &S, n: usize, address: Address, roots: &Nodes) -> Node {
    let mut messages = Messages::new(suite, 1, roots.len() * n);
    messages.push(suite, address.with(Kind::ForsRoots, address.key_pair), n, &**roots);
    suite.h(&messages)[0]
}

/// Signs the digest `md` with the key at `address`, which is of [`Kind::ForsTree`]. Appends the
/// signature and returns the public key.
pub(crate) fn sign<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &Node,
    address: Address,
    md: &[u8],
    signature: &mut Vec<u8>,
) -> Node {
    let Parameters { n, a, .. } = *parameters;
    let trees = trees(parameters, address, md);
    let chosen = trees.iter().map(|tree| tree.first + tree.leaf);
    let revealed = secrets(suite, n, sk_seed, address, chosen);
    let groups: Vec<&[Tree]> = trees.chunks((MAX_LEAVES >> a).max(1)).collect();
    let climbed = parallel::map(&groups, |trees| {
        let first = trees[0].first;
        let numbers = first..first + (trees.len() << a) as u32;
        let secrets = secrets(suite, n, sk_seed, address, numbers.clone());
        climb(suite, n, a, trees, leaves(suite, n, address, numbers, &secrets))
    });
    let paths = climbed.iter().flat_map(|climbed| climbed.paths.chunks_exact(a));
    for (secret, path) in revealed.iter().zip(paths) {
        signature.extend_from_slice(&secret[..n]);
        for node in path {
            signature.extend_from_slice(&node[..n]);
        }
    }
    let mut roots = nodes(0);
    for climbed in &climbed {
        roots.extend_from_slice(&climbed.roots);
    }
    public_key(suite, n, address, &roots)
}

/// The public key that would have signed `md` with `signature`.
pub(crate) fn public_key_of<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    address: Address,
    md: &[u8],
    signature: &[u8],
) -> Node {
    let Parameters { n, a, .. } = *parameters;
    let trees = trees(parameters, address, md);
    let value = |i: usize, number: usize| {
        let mut node = [0; 32];
        node[..n].copy_from_slice(&signature[(i * (1 + a) + number) * n..][..n]);
        node
    };
    let mut secrets = nodes(trees.len());
    for (i, secret) in secrets.iter_mut().enumerate() {
        *secret = value(i, 0);
    }
    let numbers = trees.iter().map(|tree| tree.first + tree.leaf);
    let leaves = leaves(suite, n, address, numbers, &secrets);
    let roots = roots_of(suite, n, a, &trees, leaves, |i, z| value(i, 1 + z));
    public_key(suite, n, address, &roots)
}
