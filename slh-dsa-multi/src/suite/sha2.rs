//! SHA-2 (FIPS 205 §11.2).

use alloc::vec;
use alloc::vec::Vec;

use hash_lanes::engine::{Erased, LaneHash, Start, hash_into, into_slice};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256, Sha512};
use sha256_multi::engine::Sha256 as Sha256Lanes;
use sha256_multi::{Backend, ChainLayout, Midstate, Prefix as Prefix256};
use sha512_multi::Prefix;

use super::{Messages, Node, Nodes, OptRand, Padded, PkSeed, Randomizer, SkPrf, Suite, nodes};
use crate::address::Address;

/// Security category 1: everything by SHA-256 (FIPS 205 §11.2.1).
#[derive(Debug)]
pub struct Sha2Category1 {
    f: Seeded256,
}

impl Suite for Sha2Category1 {
    fn new(backend: Backend, n: usize, pk_seeds: &[PkSeed]) -> Self {
        Self { f: Seeded256::new(backend, n, pk_seeds) }
    }

    fn tweak_len(&self) -> usize {
        Address::COMPRESSED_LEN
    }

    fn write_tweak(&self, address: Address, to: &mut [u8]) {
        to.copy_from_slice(&address.compressed());
    }

    fn f(&self, messages: Messages) -> Nodes {
        self.f.hash(messages)
    }

    fn h(&self, messages: Messages) -> Nodes {
        self.f.hash(messages)
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        self.f.chains(messages, steps)
    }

    fn prf_msg(n: usize, sk_prf: &SkPrf, opt_rand: &OptRand, message: &[&[u8]]) -> Randomizer {
        mac_of::<Hmac<Sha256>>(&sk_prf.0[..n], &opt_rand.0[..n], message)
    }

    fn h_msg(
        n: usize,
        r: &Randomizer,
        pk_seed: &PkSeed,
        pk_root: &Node,
        message: &[&[u8]],
        digest: &mut [u8],
    ) {
        mgf1_of::<Sha256>([&r.0[..n], &pk_seed.0[..n], pk_root.bytes(n)], message, digest);
    }
}

/// Security categories 3 and 5: H, T and the functions of the message by SHA-512 (FIPS 205
/// §11.2.2).
#[derive(Debug)]
pub struct Sha2Category35 {
    f: Seeded256,
    /// The state after each public seed, padded to a block.
    h: Vec<Prefix>,
    /// Before messages that begin with one of these blocks.
    plain: Prefix,
    blocks: Vec<[u8; 128]>,
}

impl Suite for Sha2Category35 {
    fn new(backend: Backend, n: usize, pk_seeds: &[PkSeed]) -> Self {
        let prefix = |seed: &PkSeed| Prefix::with_backend(backend, &seed.padded::<128>(n));
        Self {
            f: Seeded256::new(backend, n, pk_seeds),
            h: pk_seeds.iter().map(prefix).collect(),
            plain: Prefix::with_backend(backend, &[]),
            blocks: pk_seeds.iter().map(|seed| seed.padded(n)).collect(),
        }
    }

    fn tweak_len(&self) -> usize {
        Address::COMPRESSED_LEN
    }

    fn write_tweak(&self, address: Address, to: &mut [u8]) {
        to.copy_from_slice(&address.compressed());
    }

    fn f(&self, messages: Messages) -> Nodes {
        self.f.hash(messages)
    }

    fn h(&self, messages: Messages) -> Nodes {
        let mut long = Erased::blank(messages.count());
        if let [prefix] = &self.h[..] {
            prefix.hash_many_into(messages.iter().map(|message| (message,)), &mut long);
        } else {
            let blocks = messages.keys().iter().map(|&key| &self.blocks[key as usize]);
            let parts = blocks.zip(messages.iter());
            self.plain.hash_many_into(parts, &mut long);
        }
        let mut digests = nodes(long.len());
        for (digest, long) in digests.iter_mut().zip(long.iter()) {
            *digest = Node::of(&long[..32]);
        }
        digests
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        self.f.chains(messages, steps)
    }

    fn prf_msg(n: usize, sk_prf: &SkPrf, opt_rand: &OptRand, message: &[&[u8]]) -> Randomizer {
        mac_of::<Hmac<Sha512>>(&sk_prf.0[..n], &opt_rand.0[..n], message)
    }

    fn h_msg(
        n: usize,
        r: &Randomizer,
        pk_seed: &PkSeed,
        pk_root: &Node,
        message: &[&[u8]],
        digest: &mut [u8],
    ) {
        mgf1_of::<Sha512>([&r.0[..n], &pk_seed.0[..n], pk_root.bytes(n)], message, digest);
    }
}

impl PkSeed {
    /// The seed of `n` bytes, padded to a block with zeros.
    fn padded<const BLOCK: usize>(&self, n: usize) -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        block[..n].copy_from_slice(&self.0[..n]);
        block
    }
}

/// The first 32 bytes of a digest: no parameter set uses more.
fn truncated(digest: &[u8]) -> Padded {
    *digest.first_chunk().expect("a digest has 32 bytes or more")
}

/// SHA-256 after padded seeds, in lanes.
#[derive(Debug)]
struct Seeded256 {
    backend: Backend,
    /// The state after each public seed, padded to a block.
    prefixes: Vec<Midstate>,
    /// Before messages that begin with one of these blocks.
    plain: Prefix256,
    blocks: Vec<[u8; 64]>,
}

/// The longest message that fits into one block with its padding.
const MAX_ONE_BLOCK: usize = 55;

impl Seeded256 {
    fn new(backend: Backend, n: usize, pk_seeds: &[PkSeed]) -> Self {
        let blocks: Vec<[u8; 64]> = pk_seeds.iter().map(|seed| seed.padded(n)).collect();
        let prefixes = blocks.iter().map(|block| Midstate::new(block)).collect();
        let plain = Prefix256::with_backend(backend, &[]);
        Self { backend, prefixes, plain, blocks }
    }

    fn hash(&self, messages: Messages) -> Nodes {
        if let [prefix] = &self.prefixes[..] {
            let mut digests = nodes(messages.count());
            let start = Sha256Lanes::row(&prefix.words());
            into_slice(messages.iter(), &mut digests, |messages, digests| {
                let start = Start::ending(Some(&start), prefix.prefix_len());
                hash_into::<Sha256Lanes>(self.backend, start, messages, digests);
            });
            digests
        } else if messages.len <= MAX_ONE_BLOCK {
            // Chains of one step: their lanes have states of their own.
            let (layout, steps) = (messages.in_place(), vec![1; messages.count()]);
            self.advance(messages, &layout, &steps)
        } else {
            let mut digests = nodes(messages.count());
            let blocks = messages.keys().iter().map(|&key| &self.blocks[key as usize]);
            let found = self.plain.hash_many(blocks.zip(messages.iter()));
            for (digest, found) in digests.iter_mut().zip(found) {
                *digest = Node::of(&found);
            }
            digests
        }
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        let layout = messages.chain_layout();
        self.advance(messages, &layout, steps)
    }

    fn advance(&self, messages: Messages, layout: &ChainLayout, steps: &[u32]) -> Nodes {
        if let [prefix] = &self.prefixes[..] {
            return messages.advance(layout, |bytes, _| {
                prefix.hash_chains_with(self.backend, layout, bytes, steps);
            });
        }
        messages.advance(layout, |bytes, keys| {
            let prefixes: Vec<Midstate> =
                keys.iter().map(|&key| self.prefixes[key as usize]).collect();
            Midstate::hash_chains_after_each(self.backend, &prefixes, layout, bytes, steps);
        })
    }
}

/// `PRF_msg`: HMAC of the random bytes and the message.
fn mac_of<M: Mac + KeyInit>(sk_prf: &[u8], opt_rand: &[u8], message: &[&[u8]]) -> Randomizer {
    let mut mac = <M as KeyInit>::new_from_slice(sk_prf).expect("a key of any length");
    mac.update(opt_rand);
    message.iter().for_each(|part| mac.update(part));
    Randomizer(truncated(&mac.finalize().into_bytes()))
}

/// `H_msg`: MGF1 (RFC 8017 §B.2.1) of the randomizer, the public seed and a digest of everything.
fn mgf1_of<D: Digest>(r_and_key: [&[u8]; 3], message: &[&[u8]], digest: &mut [u8]) {
    let [r, pk_seed, _] = r_and_key;
    let mut inner = D::new();
    r_and_key.iter().chain(message).for_each(|part| inner.update(part));
    let inner = inner.finalize();
    for (counter, bytes) in (0_u32..).zip(digest.chunks_mut(<D as Digest>::output_size())) {
        let mut mask = D::new();
        [r, pk_seed, &inner, &counter.to_be_bytes()].iter().for_each(|part| mask.update(part));
        bytes.copy_from_slice(&mask.finalize()[..bytes.len()]);
    }
}
