//! SHA-2 (FIPS 205 §11.2).

use alloc::vec;
use alloc::vec::Vec;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256, Sha512};
use sha256_multi::{Backend, Midstate, Sha256Lanes};
use sha512_multi::Prefix;
use zeroize::Zeroizing;

use super::{Messages, Node, Nodes, OptRand, PkSeed, Randomizer, SkPrf, Suite, nodes};
use crate::address::Address;

/// Security category 1: everything by SHA-256 (FIPS 205 §11.2.1).
#[derive(Debug)]
pub struct Sha2Category1 {
    f: Seeded256,
}

impl Suite for Sha2Category1 {
    fn new(backend: Backend, n: usize, pk_seed: &PkSeed) -> Self {
        Self { f: Seeded256::new(backend, &pk_seed.0[..n]) }
    }

    fn tweak_len(&self) -> usize {
        Address::COMPRESSED_LEN
    }

    fn write_tweak(&self, address: Address, to: &mut Vec<u8>) {
        to.extend_from_slice(&address.compressed());
    }

    fn f(&self, messages: &Messages) -> Nodes {
        self.f.hash(messages)
    }

    fn h(&self, messages: &Messages) -> Nodes {
        self.f.hash(messages)
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        self.f.chains(messages, steps)
    }

    fn prf_msg(n: usize, sk_prf: &SkPrf, opt_rand: &OptRand, message: &[&[u8]]) -> Randomizer {
        mac_of::<Hmac<Sha256>>(&sk_prf.0[..n], &opt_rand.0[..n], message)
    }

    fn h_msg(r_and_key: [&[u8]; 3], message: &[&[u8]], digest: &mut [u8]) {
        mgf1_of::<Sha256>(r_and_key, message, digest);
    }
}

/// Security categories 3 and 5: H, T and the functions of the message by SHA-512 (FIPS 205
/// §11.2.2).
#[derive(Debug)]
pub struct Sha2Category35 {
    f: Seeded256,
    h: Prefix,
}

impl Suite for Sha2Category35 {
    fn new(backend: Backend, n: usize, pk_seed: &PkSeed) -> Self {
        let pk_seed = &pk_seed.0[..n];
        Self {
            f: Seeded256::new(backend, pk_seed),
            h: Prefix::with_backend(backend, &padded::<128>(pk_seed)),
        }
    }

    fn tweak_len(&self) -> usize {
        Address::COMPRESSED_LEN
    }

    fn write_tweak(&self, address: Address, to: &mut Vec<u8>) {
        to.extend_from_slice(&address.compressed());
    }

    fn f(&self, messages: &Messages) -> Nodes {
        self.f.hash(messages)
    }

    fn h(&self, messages: &Messages) -> Nodes {
        let mut long = Zeroizing::new(vec![[0; 64]; messages.count()]);
        self.h.hash_many_into(messages.iter().map(|message| (message,)), &mut long);
        let mut digests = nodes(long.len());
        for (digest, long) in digests.iter_mut().zip(&*long) {
            *digest = truncated(long);
        }
        digests
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        self.f.chains(messages, steps)
    }

    fn prf_msg(n: usize, sk_prf: &SkPrf, opt_rand: &OptRand, message: &[&[u8]]) -> Randomizer {
        mac_of::<Hmac<Sha512>>(&sk_prf.0[..n], &opt_rand.0[..n], message)
    }

    fn h_msg(r_and_key: [&[u8]; 3], message: &[&[u8]], digest: &mut [u8]) {
        mgf1_of::<Sha512>(r_and_key, message, digest);
    }
}

/// The public seed, padded to a block with zeros.
fn padded<const BLOCK: usize>(pk_seed: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[..pk_seed.len()].copy_from_slice(pk_seed);
    block
}

/// The first 32 bytes of a digest: no parameter set uses more.
fn truncated(digest: &[u8]) -> Node {
    *digest.first_chunk().expect("a digest has 32 bytes or more")
}

/// SHA-256 after the padded seed, in lanes.
#[derive(Debug)]
struct Seeded256 {
    lanes: Sha256Lanes,
    prefix: Midstate,
}

impl Seeded256 {
    fn new(backend: Backend, pk_seed: &[u8]) -> Self {
        Self { lanes: Sha256Lanes::on(backend), prefix: Midstate::new(&padded::<64>(pk_seed)) }
    }

    fn hash(&self, messages: &Messages) -> Nodes {
        let mut digests = nodes(messages.count());
        self.lanes.hash_many_after_into(&self.prefix, messages.iter(), &mut digests);
        digests
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        messages.chains(|layout, messages| {
            self.lanes.hash_chains_after(&self.prefix, layout, messages, steps);
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
