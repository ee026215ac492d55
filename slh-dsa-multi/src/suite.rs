//! The tweakable hashes of FIPS 205 §11, each of many messages at once.

mod sha2;
mod shake;

use alloc::boxed::Box;
use alloc::vec::Vec;

use hash_lanes::engine::{Blank, Erased};
use hash_lanes::{Backend, ChainLayout};
use zeroize::Zeroize;

pub(crate) use self::sha2::{Sha2Category1, Sha2Category35};
pub(crate) use self::shake::Shake;
use crate::address::Address;

/// A value of n bytes, at most 32, and zeros.
pub(crate) type Padded = [u8; 32];

/// These bytes, at most 32, and zeros.
pub(crate) fn padded(bytes: &[u8]) -> Padded {
    let mut padded = [0; 32];
    padded[..bytes.len()].copy_from_slice(bytes);
    padded
}

/// A hash value of a tree or a chain. Bytes after the first n do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node(Padded);

impl Node {
    /// The node with these bytes, at most 32.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(padded(bytes))
    }

    /// The first `n` bytes.
    pub(crate) fn bytes(&self, n: usize) -> &[u8] {
        &self.0[..n]
    }

    /// The first `n` bytes, to change them.
    pub(crate) fn bytes_mut(&mut self, n: usize) -> &mut [u8] {
        &mut self.0[..n]
    }
}

impl Blank for Node {
    const BLANK: Self = Self(Padded::BLANK);
}

impl AsRef<Padded> for Node {
    fn as_ref(&self) -> &Padded {
        &self.0
    }
}

/// Takes digests, of which only the first bytes may count.
impl AsMut<[u8]> for Node {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// A node that a WOTS+ key signs: the public key of FORS, or the root of the tree below. It is
/// public.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignedNode(pub(crate) Node);

/// SK.seed: what all secret values of a key are made of. It is erased when it is dropped, and on
/// the heap, so that moving it leaves no copy.
#[derive(Clone)]
pub(crate) struct SkSeed(pub(crate) Box<Padded>);

impl SkSeed {
    pub(crate) fn new(seed: Padded) -> Self {
        Self(Box::new(seed))
    }
}

impl AsRef<Padded> for SkSeed {
    fn as_ref(&self) -> &Padded {
        &self.0
    }
}

/// SK.prf: makes the randomizers of a key. It is erased like SK.seed.
#[derive(Clone)]
pub struct SkPrf(pub(crate) Box<Padded>);

impl SkPrf {
    pub(crate) fn new(prf: Padded) -> Self {
        Self(Box::new(prf))
    }
}

impl Drop for SkSeed {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Drop for SkPrf {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// PK.seed: a part of every hash of a key, and public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PkSeed(pub(crate) Padded);

/// The randomness of a signature: random bytes or, for deterministic signing, PK.seed.
#[derive(Clone, Copy)]
pub struct OptRand(pub(crate) Padded);

/// R: the randomizer of a message, public.
#[derive(Clone, Copy)]
pub struct Randomizer(pub(crate) Padded);

/// Some hash values. They are erased, because the beginnings of chains and the leaves of FORS are
/// secret, by wide stores: those of `zeroize`, a byte each, took a tenth of a verification.
pub(crate) type Nodes = Erased<Node>;

/// `count` hash values of zeros.
pub(crate) fn nodes(count: usize) -> Nodes {
    Nodes::blank(count)
}

/// Copies the first bytes of a value. Copies of constant size are a few moves, others calls.
#[inline]
fn copy(to: &mut [u8], value: &[u8]) {
    match to.len() {
        16 => to[..16].copy_from_slice(&value[..16]),
        24 => to[..24].copy_from_slice(&value[..24]),
        32 => to[..32].copy_from_slice(&value[..32]),
        n => to.copy_from_slice(&value[..n]),
    }
}

/// Messages of equal length, end to end: a tweak and hash values.
#[derive(Debug)]
pub struct Messages {
    /// With room for as many as were announced, in zeros.
    bytes: Erased<u8>,
    /// The bytes of a message.
    len: usize,
    /// The bytes of a tweak.
    tweak: usize,
    /// The key of each message, of those that the suite has.
    keys: Vec<u32>,
}

impl Messages {
    /// No messages yet, with room for `count` of a tweak and `body` bytes.
    pub(crate) fn new<S: Suite>(suite: &S, count: usize, body: usize) -> Self {
        let tweak = suite.tweak_len();
        let len = tweak + body;
        let bytes = Erased::blank(count * len);
        Self { bytes, len, tweak, keys: Vec::with_capacity(count) }
    }

    /// Adds a message of an address and values of `n` bytes: nodes, or SK.seed.
    pub(crate) fn push<'v, S: Suite, V: AsRef<Padded> + 'v>(
        &mut self,
        suite: &S,
        address: Address,
        n: usize,
        values: impl IntoIterator<Item = &'v V>,
    ) {
        let message = &mut self.bytes[self.keys.len() * self.len..][..self.len];
        self.keys.push(address.key);
        let (tweak, body) = message.split_at_mut(self.tweak);
        suite.write_tweak(address, tweak);
        for (place, value) in body.chunks_exact_mut(n).zip(values) {
            copy(place, value.as_ref());
        }
    }

    /// Their number.
    pub(crate) fn count(&self) -> usize {
        self.keys.len()
    }

    /// The key of each message.
    pub(crate) fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// Chains of the values after the tweaks. The last four bytes of a tweak, the end of the
    /// address, count the steps.
    fn chain_layout(&self) -> ChainLayout {
        ChainLayout::new(self.len, self.tweak..self.len).with_counter(self.tweak - 4..self.tweak)
    }

    /// Messages that are replaced by their digests.
    fn in_place(&self) -> ChainLayout {
        ChainLayout::new(self.len, 0..size_of::<Padded>())
    }

    /// The values of messages of this layout after `run`, which takes the messages and their keys.
    fn advance(mut self, layout: &ChainLayout, run: impl FnOnce(&mut [u8], &[u32])) -> Nodes {
        run(&mut self.bytes, &self.keys);
        let mut values = nodes(self.count());
        let place = layout.value();
        for (value, message) in values.iter_mut().zip(self.iter()) {
            copy(value.bytes_mut(place.len()), &message[place.clone()]);
        }
        values
    }

    /// The bytes of each message.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.len)
    }
}

/// The functions of FIPS 205 §4.1 for some public seeds: the address of a message says which.
pub trait Suite: Sized + Sync {
    /// On a backend, with the public seeds of some keys, of `n` bytes each.
    fn new(backend: Backend, n: usize, pk_seeds: &[PkSeed]) -> Self;

    /// The bytes of a tweak.
    fn tweak_len(&self) -> usize;

    /// Writes the tweak, which is before the values in a message: the address, after the public
    /// seed unless that is hashed once for all messages.
    fn write_tweak(&self, address: Address, to: &mut [u8]);

    /// PRF and F of messages: the same function of an address and one value.
    fn f(&self, messages: Messages) -> Nodes;

    /// H and T of messages: of an address and two or more values.
    fn h(&self, messages: Messages) -> Nodes;

    /// Replaces the value of the `i`-th message, which [`Self::f`] would hash, by that at the end
    /// of a chain of `steps[i]` hashes. The last word of the address counts them. Returns the
    /// values.
    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes;

    /// `PRF_msg`: the randomizer of a message in parts, of `n` bytes.
    fn prf_msg(n: usize, sk_prf: &SkPrf, opt_rand: &OptRand, message: &[&[u8]]) -> Randomizer;

    /// `H_msg`: the digest of a message in parts, as long as `digest`. The randomizer and both
    /// parts of the key have `n` bytes each.
    fn h_msg(
        n: usize,
        r: &Randomizer,
        pk_seed: &PkSeed,
        pk_root: &Node,
        message: &[&[u8]],
        digest: &mut [u8],
    );
}
