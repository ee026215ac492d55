//! SHAKE256 (FIPS 205 §11.1).

use alloc::vec::Vec;

use hash_lanes::Backend;
use sha3_multi::XofLanes;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

use super::{Messages, Node, Nodes, OptRand, PkSeed, Randomizer, SkPrf, Suite, nodes};
use crate::address::Address;

/// Every security category.
#[derive(Debug)]
pub struct Shake {
    lanes: XofLanes,
    n: usize,
    pk_seeds: Vec<PkSeed>,
}

impl Suite for Shake {
    fn new(backend: Backend, n: usize, pk_seeds: &[PkSeed]) -> Self {
        let lanes = XofLanes::shake256().with_backend(backend);
        Self { lanes, n, pk_seeds: pk_seeds.to_vec() }
    }

    fn tweak_len(&self) -> usize {
        self.n + Address::LEN
    }

    fn write_tweak(&self, address: Address, to: &mut [u8]) {
        let (seed, to) = to.split_at_mut(self.n);
        seed.copy_from_slice(&self.pk_seeds[address.key as usize].0[..self.n]);
        to.copy_from_slice(&address.bytes());
    }

    fn f(&self, messages: Messages) -> Nodes {
        self.h(messages)
    }

    fn h(&self, messages: Messages) -> Nodes {
        let mut digests = nodes(messages.count());
        self.lanes.xof_many_into(messages.iter(), &mut digests);
        digests
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        let layout = messages.chain_layout();
        messages.advance(&layout, |bytes, _| self.lanes.hash_chains(&layout, bytes, steps))
    }

    fn prf_msg(n: usize, sk_prf: &SkPrf, opt_rand: &OptRand, message: &[&[u8]]) -> Randomizer {
        let mut r = [0; 32];
        xof(&[&sk_prf.0[..n], &opt_rand.0[..n]], message, &mut r);
        Randomizer(r)
    }

    fn h_msg(
        n: usize,
        r: &Randomizer,
        pk_seed: &PkSeed,
        pk_root: &Node,
        message: &[&[u8]],
        digest: &mut [u8],
    ) {
        xof(&[&r.0[..n], &pk_seed.0[..n], pk_root.bytes(n)], message, digest);
    }
}

/// SHAKE256 of parts.
fn xof(first: &[&[u8]], rest: &[&[u8]], output: &mut [u8]) {
    let mut hasher = Shake256::default();
    first.iter().chain(rest).for_each(|part| hasher.update(part));
    hasher.finalize_xof().read(output);
}
