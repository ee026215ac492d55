//! SHAKE256 (FIPS 205 §11.1).

use alloc::vec::Vec;

use hash_lanes::Backend;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

use super::{Messages, Node, Nodes, Suite, nodes};
use crate::address::Address;

/// Every security category.
#[derive(Debug)]
pub struct Shake {
    pk_seed: Vec<u8>,
}

const ADDRESS_LEN: usize = 32;

impl Suite for Shake {
    const ADDRESS_LEN: usize = ADDRESS_LEN;

    fn new(_: Backend, pk_seed: &[u8]) -> Self {
        Self { pk_seed: pk_seed.to_vec() }
    }

    fn write_address(address: Address, to: &mut Vec<u8>) {
        to.extend_from_slice(&address.bytes());
    }

    fn f(&self, messages: &Messages) -> Nodes {
        self.h(messages)
    }

    fn h(&self, messages: &Messages) -> Nodes {
        let mut digests = nodes(messages.count());
        for (digest, message) in digests.iter_mut().zip(messages.iter()) {
            xof(&[&self.pk_seed, message], &[], digest);
        }
        digests
    }

    fn chains(&self, messages: Messages, steps: &[u32]) -> Nodes {
        messages.chains::<ADDRESS_LEN>(|layout, messages| {
            for (message, &steps) in messages.chunks_mut(layout.message_len()).zip(steps) {
                for _ in 0..steps {
                    let mut digest = [0; 32];
                    xof(&[&self.pk_seed, message], &[], &mut digest);
                    layout.advance(message, &digest);
                }
            }
        })
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
