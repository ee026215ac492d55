//! FORS, the few-time signature at the bottom (FIPS 205 §8).

use alloc::vec::Vec;

use crate::address::{Address, Kind};
use crate::parameters::{Parameters, base_2b};
use crate::suite::{Messages, Node, Nodes, SignedNode, SkSeed, Suite};
use crate::trees::{Leaves, Tree, climb, roots_of};
use crate::watch::{Stopped, Watch};

/// The hashes of a leaf: those of its secret and of the leaf.
const LEAF_HASHES: u64 = 2;

/// The hashes of a signature, as [`Watch`] counts them.
#[cfg(any(feature = "draft-sp800-230", test))]
pub(crate) fn hashes(parameters: &Parameters) -> u64 {
    (parameters.k as u64 * (LEAF_HASHES + 1)) << parameters.a
}

/// `md`: the part of a message's digest that FORS signs.
#[derive(Clone, Copy)]
pub(crate) struct Md<'d>(pub(crate) &'d [u8]);

/// The tree `i`, and the leaf that signs: the `i`-th number of `a` bits of the digest.
fn trees(parameters: &Parameters, address: Address, md: Md<'_>) -> Vec<Tree> {
    let a = parameters.a;
    let leaves = base_2b(md.0, a).take(parameters.k);
    let tree = |(i, leaf): (u32, u32)| Tree { address, first: i << a, leaf: Some(leaf) };
    (0..).zip(leaves).map(tree).collect()
}

/// The secret values with these numbers.
fn secrets<S: Suite>(
    suite: &S,
    n: usize,
    sk_seed: &SkSeed,
    address: Address,
    numbers: impl Iterator<Item = u32> + Clone,
) -> Nodes {
    let address = address.with(Kind::ForsPrf, address.key_pair);
    let mut messages = Messages::new(suite, numbers.clone().count(), n);
    for number in numbers {
        messages.push(suite, address.at(0, number), n, [sk_seed]);
    }
    suite.f(messages)
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
    suite.f(messages)
}

/// The public keys of some addresses, from the roots of their trees, key by key.
fn public_keys<S: Suite>(suite: &S, n: usize, addresses: &[Address], roots: &Nodes) -> Nodes {
    let count = roots.len() / addresses.len();
    let mut messages = Messages::new(suite, addresses.len(), count * n);
    for (address, roots) in addresses.iter().zip(roots.chunks_exact(count)) {
        messages.push(suite, address.with(Kind::ForsRoots, address.key_pair), n, roots);
    }
    suite.h(messages)
}

/// Signs the digest `md` with the key at `address`, which is of [`Kind::ForsTree`]. Appends the
/// signature and returns the public key.
pub(crate) fn sign<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    address: Address,
    md: Md<'_>,
    signature: &mut Vec<u8>,
    watch: &Watch<'_>,
) -> Result<SignedNode, Stopped> {
    let Parameters { n, a, .. } = *parameters;
    let trees = trees(parameters, address, md);
    let revealed = secrets(suite, n, sk_seed, address, numbers(&trees));
    let make = |trees: &[Tree], count| {
        let numbers = trees.iter().flat_map(|tree| tree.first..tree.first + count);
        let secrets = secrets(suite, n, sk_seed, address, numbers.clone());
        leaves(suite, n, address, numbers, &secrets)
    };
    let leaves = Leaves { make, hashes: LEAF_HASHES, watch };
    let climbed = climb(suite, n, a, &trees, &leaves)?;
    for (secret, path) in revealed.iter().zip(climbed.paths.chunks_exact(a)) {
        signature.extend_from_slice(secret.bytes(n));
        for node in path {
            signature.extend_from_slice(node.bytes(n));
        }
    }
    Ok(SignedNode(public_keys(suite, n, &[address], &climbed.roots)[0]))
}

/// The numbers of the leaves that sign.
fn numbers(trees: &[Tree]) -> impl Iterator<Item = u32> + Clone {
    trees.iter().map(|tree| tree.first + tree.signing_leaf())
}

/// A signature with the key at an address, which is of [`Kind::ForsTree`].
#[derive(Clone, Copy)]
pub(crate) struct Signed<'s> {
    pub(crate) address: Address,
    pub(crate) md: Md<'s>,
    pub(crate) signature: &'s [u8],
}

/// The public key that would have made each signature.
pub(crate) fn public_keys_of<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    signed: &[Signed<'_>],
) -> Nodes {
    let Parameters { n, a, k, .. } = *parameters;
    let trees: Vec<Tree> =
        signed.iter().flat_map(|it| trees(parameters, it.address, it.md)).collect();
    let value = |tree: usize, number: usize| {
        Node::of(&signed[tree / k].signature[(tree % k * (1 + a) + number) * n..][..n])
    };
    let mut messages = Messages::new(suite, trees.len(), n);
    for (i, tree) in trees.iter().enumerate() {
        let number = tree.first + tree.signing_leaf();
        messages.push(suite, tree.address.at(0, number), n, [&value(i, 0)]);
    }
    let leaves = suite.f(messages);
    let roots = roots_of(suite, n, a, &trees, leaves, |i, z| value(i, 1 + z));
    let addresses: Vec<Address> = signed.iter().map(|it| it.address).collect();
    public_keys(suite, n, &addresses, &roots)
}
