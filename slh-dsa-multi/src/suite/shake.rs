//! SHAKE256 (FIPS 205 §11.1).

use alloc::vec::Vec;

use hash_lanes::Backend;
use sha3_multi::XofLanes;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

use super::{Messages, Node, Nodes, Suite, nodes};
use crate::address::Address;

/// Every security category.
#[derive(Debug)]
pub struct Shake {
    lanes: XofLanes,
    pk_seed: Vec<u8>,
}

impl Suite for Shake {
    fn new(backend: Backend, pk_seed: &[u8]) -> Self {
        Self { lanes: XofLanes::shake256().with_backend(backend), pk_seed: pk_seed.to_vec() }
    }

    fn tweak_len(&self) -> usize {
        self.pk_seed.len() + Address::LEN
    }

    fn write_tweak(&self, address: Address, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.pk_seed);
        to.extend_from_slice(&address.bytes());
    }

    fn f(&self, messages: &Messages) -> Nodes {
        self.h(messages)
    }

    fn h(&self, messages: &Messages) -> Nodes {
        let mut digests = nodes(messages.count());
        self.lanes.xof_many_into(messages.iter(), &mut digests);
        digests
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        messages.chains(|layout, messages| self.lanes.hash_chains(layout, messages, steps))
    }

    fn prf_msg(sk_prf: &[u8], opt_rand: &[u8], message: &[&[u8]]) -> Node {
        let mut node = [0; 32];
        xof(&[sk_prf, opt_rand], message, &mut node);
        node
    }

    fn h_msg(r: &[u8], pk_seed: &[u8], pk_root: &[u8], message: &[&[u8]], digest: &mut [u8]) {
        xof(&[r, pk_seed, pk_root], message, digest);
    }
}

/// SHAKE256 of parts.
fn xof(first: &[&[u8]], rest: &[&[u8]], output: &mut [u8]) {
    let mut hasher = Shake256::default();
    first.iter().chain(rest).for_each(|part| hasher.update(part));
    hasher.finalize_xof().read(output);
}
