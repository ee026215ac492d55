//! The public key of LMS (RFC 8554), a hash-based signature scheme: 68,608 chains of 15 hashes, in
//! lanes.
//!
//! The seed and the root are those of RFC 8554 appendix F, test case 2.

use hex::ToHex;
use sha256_multi::{ChainLayout, hash_chains, hash_many};

/// `LMS_SHA256_M32_H10`: the height of the tree.
const HEIGHT: u32 = 10;
/// `LMOTS_SHA256_N32_W4`: a one-time key has 67 chains of 2^4 values.
const CHAINS: u16 = 67;
const STEPS: u32 = 15;
/// What a hash is for (RFC 8554 §4.4 and §5.3).
const D_PBLC: u16 = 0x8080;
const D_LEAF: u16 = 0x8282;
const D_INTR: u16 = 0x8383;

/// An identifier, a leaf or node, and a chain or purpose: how every hashed message begins.
fn tagged(id: &[u8; 16], q: u32, tag: u16) -> Vec<u8> {
    [&id[..], &q.to_be_bytes(), &tag.to_be_bytes()].concat()
}

/// The public keys of all one-time keys (RFC 8554 §4.3, with the private keys of appendix A).
fn one_time_keys(id: &[u8; 16], seed: &[u8; 32]) -> Vec<[u8; 32]> {
    let chains = (0..1 << HEIGHT).flat_map(|q| (0..CHAINS).map(move |i| (q, i)));
    let starts = hash_many(chains.clone().map(|(q, i)| {
        let mut message = tagged(id, q, i);
        message.push(0xff);
        message.extend(seed);
        message
    }));
    // A message: the tag of the chain, the number of the step, and the value before it.
    let layout = ChainLayout::new(55, 23..55).with_counter(22..23);
    let mut messages = Vec::with_capacity(starts.len() * layout.message_len());
    for ((q, i), start) in chains.zip(&starts) {
        messages.extend(tagged(id, q, i));
        messages.push(0);
        messages.extend(start);
    }
    hash_chains(&layout, &mut messages, &vec![STEPS; starts.len()]);

    let keys = messages.chunks(layout.message_len() * usize::from(CHAINS)).zip(0..);
    hash_many(keys.map(|(key, q)| {
        let mut message = tagged(id, q, D_PBLC);
        for chain in key.chunks(layout.message_len()) {
            message.extend(&chain[layout.value()]);
        }
        message
    }))
}

/// The root of the tree (RFC 8554 §5.3).
fn root(id: &[u8; 16], seed: &[u8; 32]) -> [u8; 32] {
    let keys = one_time_keys(id, seed);
    let first = 1 << HEIGHT;
    let mut nodes = hash_many(
        keys.iter().zip(first..).map(|(key, r)| [&tagged(id, r, D_LEAF)[..], key].concat()),
    );
    while nodes.len() > 1 {
        let first = nodes.len() as u32 / 2;
        let (pairs, _) = nodes.as_chunks::<2>();
        nodes = hash_many(
            pairs
                .iter()
                .zip(first..)
                .map(|([left, right], r)| [&tagged(id, r, D_INTR)[..], left, right].concat()),
        );
    }
    nodes[0]
}

fn main() {
    let array = |digits| hex::decode(digits).expect("hexadecimal digits");
    let id = array("d08fabd4a2091ff0a8cb4ed834e74534").try_into().expect("16 bytes");
    let seed = array("558b8966c48ae9cb898b423c83443aae014a72f1b1ab5cc85cf1d892903b5439");
    let root = root(&id, &seed.try_into().expect("32 bytes"));
    println!("public key of LMS_SHA256_M32_H10 with LMOTS_SHA256_N32_W4:");
    println!("{}", root.encode_hex::<String>());
    assert_eq!(
        root.encode_hex::<String>(),
        "32a58885cd9ba0431235466bff9651c6c92124404d45fa53cf161c28f1ad5a8e"
    );
}
