//! WOTS+, the one-time signatures of the hypertree (FIPS 205 §5), of many keys at once.

use alloc::vec::Vec;

use crate::address::{Address, Kind};
use crate::parameters::{Parameters, base_2b};
use crate::suite::{Messages, Nodes, SignedNode, SkSeed, Suite};

/// A WOTS+ key: a leaf of an XMSS tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyPair {
    /// The tree; only its layer and number count.
    pub(crate) tree: Address,
    pub(crate) index: u32,
}

/// The most digits of a signature, for n = 32 and w = 4.
pub(crate) const MAX_LEN: usize = 133;

/// The digits that sign `message`: those of the message, and of its checksum (FIPS 205 §5.2).
pub(crate) fn digits(parameters: &Parameters, message: &SignedNode) -> [u32; MAX_LEN] {
    let mut digits = [0; MAX_LEN];
    let (lg_w, max) = (parameters.lg_w, parameters.w() - 1);
    let (of_message, of_checksum) =
        digits[..parameters.wots_len()].split_at_mut(parameters.message_digits());
    let mut checksum = 0;
    for (digit, value) in of_message.iter_mut().zip(base_2b(message.0.bytes(parameters.n), lg_w)) {
        *digit = value;
        checksum += max - value;
    }
    for digit in of_checksum.iter_mut().rev() {
        *digit = checksum & max;
        checksum >>= lg_w;
    }
    digits
}

/// The values where the chains of some keys begin, key by key. They are secret.
fn beginnings<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    keys: &[KeyPair],
) -> Nodes {
    let (n, len) = (parameters.n, parameters.wots_len());
    let mut messages = Messages::new(suite, keys.len() * len, n);
    for key in keys {
        let address = key.tree.with(Kind::WotsPrf, key.index);
        for chain in 0..len {
            messages.push(suite, address.at(chain as u32, 0), n, [sk_seed]);
        }
    }
    suite.f(messages)
}

/// Walks the chains of some keys, key by key, from the values at `from`.
fn walk<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    keys: &[KeyPair],
    values: &Nodes,
    from: impl Fn(usize) -> u32,
    steps: &[u32],
) -> Nodes {
    let (n, len) = (parameters.n, parameters.wots_len());
    let mut messages = Messages::new(suite, values.len(), n);
    for (i, value) in values.iter().enumerate() {
        let key = &keys[i / len];
        let address = key.tree.with(Kind::WotsHash, key.index);
        messages.push(suite, address.at((i % len) as u32, from(i)), n, [value]);
    }
    suite.chains(messages, steps)
}

/// The public keys, from the ends of their chains.
fn compress<S: Suite>(suite: &S, parameters: &Parameters, keys: &[KeyPair], ends: &Nodes) -> Nodes {
    let (n, len) = (parameters.n, parameters.wots_len());
    let mut messages = Messages::new(suite, keys.len(), len * n);
    for (key, ends) in keys.iter().zip(ends.chunks_exact(len)) {
        messages.push(suite, key.tree.with(Kind::WotsKey, key.index), n, ends);
    }
    suite.h(messages)
}

/// The public keys of some keys (`wots_pkGen`).
pub(crate) fn public_keys<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    keys: &[KeyPair],
) -> Nodes {
    let begin = beginnings(suite, parameters, sk_seed, keys);
    let steps = alloc::vec![parameters.w() - 1; begin.len()];
    let ends = walk(suite, parameters, keys, &begin, |_| 0, &steps);
    compress(suite, parameters, keys, &ends)
}

/// The signatures of `messages[i]` with `keys[i]` (`wots_sign`), end to end.
pub(crate) fn sign<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    sk_seed: &SkSeed,
    keys: &[KeyPair],
    messages: &[SignedNode],
) -> Nodes {
    let begin = beginnings(suite, parameters, sk_seed, keys);
    let len = parameters.wots_len();
    let digits = messages.iter().map(|message| digits(parameters, message));
    let steps: Vec<u32> = digits.flat_map(|digits| digits.into_iter().take(len)).collect();
    walk(suite, parameters, keys, &begin, |_| 0, &steps)
}

/// The public keys that would have signed `messages[i]` with `signatures`, end to end, at the
/// places of `keys[i]` (`wots_pkFromSig`).
pub(crate) fn public_keys_of<S: Suite>(
    suite: &S,
    parameters: &Parameters,
    keys: &[KeyPair],
    messages: &[SignedNode],
    signatures: &Nodes,
) -> Nodes {
    let (len, max) = (parameters.wots_len(), parameters.w() - 1);
    let digits = messages.iter().map(|message| digits(parameters, message));
    let digits: Vec<u32> = digits.flat_map(|digits| digits.into_iter().take(len)).collect();
    let steps: Vec<u32> = digits.iter().map(|digit| max - digit).collect();
    let ends = walk(suite, parameters, keys, signatures, |i| digits[i], &steps);
    compress(suite, parameters, keys, &ends)
}
