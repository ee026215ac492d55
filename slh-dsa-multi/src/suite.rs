//! The tweakable hashes of FIPS 205 §11, each of many messages at once.

mod sha2;
mod shake;

use alloc::boxed::Box;
use alloc::vec::Vec;

use hash_lanes::engine::Erased;
use hash_lanes::{Backend, ChainLayout};
use zeroize::Zeroize;

pub(crate) use self::sha2::{Sha2Category1, Sha2Category35};
pub(crate) use self::shake::Shake;
use crate::address::Address;

/// A hash value, of which the first n bytes count.
pub(crate) type Node = [u8; 32];

/// SK.seed: what all secret values of a key are made of. It is erased when it is dropped, and on
/// the heap, so that moving it leaves no copy.
#[derive(Clone)]
pub(crate) struct SkSeed(pub(crate) Box<Node>);

impl SkSeed {
    pub(crate) fn new(seed: Node) -> Self {
        Self(Box::new(seed))
    }
}

/// SK.prf: makes the randomizers of a key. It is erased like SK.seed.
#[derive(Clone)]
pub struct SkPrf(pub(crate) Box<Node>);

impl SkPrf {
    pub(crate) fn new(prf: Node) -> Self {
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
pub struct PkSeed(pub(crate) Node);

/// The randomness of a signature: random bytes or, for deterministic signing, PK.seed.
#[derive(Clone, Copy)]
pub struct OptRand(pub(crate) Node);

/// R: the randomizer of a message, public.
#[derive(Clone, Copy)]
pub struct Randomizer(pub(crate) Node);

/// Some hash values. They are erased, because the beginnings of chains and the leaves of FORS are
/// secret, by wide stores: those of `zeroize`, a byte each, took a tenth of a verification.
pub(crate) type Nodes = Erased<Node>;

/// The hash value with these bytes, at most 32.
pub(crate) fn node(bytes: &[u8]) -> Node {
    let mut node = [0; 32];
    node[..bytes.len()].copy_from_slice(bytes);
    node
}

/// `count` hash values of zeros.
pub(crate) fn nodes(count: usize) -> Nodes {
    Nodes::blank(count)
}

/// Messages of equal length, end to end: a tweak and hash values.
#[allow(unreachable_pub, reason = "a public trait that nobody outside can name uses it")]
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

    /// Adds a message.
    pub(crate) fn push<'v, S: Suite>(
        &mut self,
        suite: &S,
        address: Address,
        n: usize,
        values: impl IntoIterator<Item = &'v Node>,
    ) {
        let message = &mut self.bytes[self.keys.len() * self.len..][..self.len];
        self.keys.push(address.key);
        let (tweak, body) = message.split_at_mut(self.tweak);
        suite.write_tweak(address, tweak);
        for (place, value) in body.chunks_exact_mut(n).zip(values) {
            // Copies of constant size are a few moves, others calls.
            match place.as_chunks_mut::<16>().0 {
                [begin] if n == 16 => begin.copy_from_slice(&value[..16]),
                [begin, end] if n == 32 => {
                    begin.copy_from_slice(&value[..16]);
                    end.copy_from_slice(&value[16..]);
                }
                _ => place.copy_from_slice(&value[..n]),
            }
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
        ChainLayout::new(self.len, 0..size_of::<Node>())
    }

    /// The values of messages of this layout after `run`, which takes the messages and their keys.
    fn advance(mut self, layout: &ChainLayout, run: impl FnOnce(&mut [u8], &[u32])) -> Nodes {
        run(&mut self.bytes, &self.keys);
        let mut values = nodes(self.count());
        for (value, message) in values.iter_mut().zip(self.iter()) {
            let end = &message[layout.value()];
            value[..end.len()].copy_from_slice(end);
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

    /// `H_msg`: the digest of a message in parts, as long as `digest`. `r`, the public seed and the
    /// root have n bytes each, end to end.
    fn h_msg(r_and_key: [&[u8]; 3], message: &[&[u8]], digest: &mut [u8]);
}
