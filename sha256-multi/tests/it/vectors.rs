//! Tests external vectors from the folder in the environment variable `HASHLANES_VECTORS`.

use std::fs;
use std::path::PathBuf;

use sha256_multi::{Backend, Sha256Lanes};

use crate::digest;

fn read(name: &str) -> String {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    let path = PathBuf::from(folder).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The values of all lines `key = value` with this key.
fn values<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    text.lines()
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))
        .map(str::trim)
        .collect()
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn nist_short_messages() {
    let text = read("nist/SHA256ShortMsg.rsp");
    let bits = values(&text, "Len").into_iter().map(|bits| bits.parse::<usize>().unwrap());
    let mut messages: Vec<Vec<u8>> =
        values(&text, "Msg").into_iter().map(|digits| hex::decode(digits).unwrap()).collect();
    // The empty message is written as one byte.
    for (message, bits) in messages.iter_mut().zip(bits) {
        message.truncate(bits / 8);
    }
    let expected: Vec<_> = values(&text, "MD").into_iter().map(digest).collect();
    assert_eq!((messages.len(), expected.len()), (65, 65));
    for backend in Backend::available() {
        let digests = Sha256Lanes::on(backend).hash_many(&messages);
        assert_eq!(digests, expected, "{backend}");
        for (message, expected) in messages.iter().zip(&expected) {
            let alone = Sha256Lanes::on(backend).hash_many([message]);
            assert_eq!(alone[0], *expected, "{backend}, {} bytes", message.len());
        }
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn nodes_of_hashtree() {
    let text = read("merkle/hashtree_nodes.txt");
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        hex::decode(line.unwrap_or_else(|| panic!("no line starts with {name}")).trim()).unwrap()
    };
    for (nodes, expected) in [
        ("test_32_block", "test_32_digests"),
        ("test_16_block", "test_16_digests"),
        ("test_16_block", "test_4_digests"),
        ("test_16_block", "test_1_digest"),
    ] {
        let (nodes, expected) = (value(nodes), value(expected));
        let expected: &[[u8; 32]] = expected.as_chunks().0;
        let nodes = &nodes.as_chunks::<64>().0[..expected.len()];
        for backend in Backend::available() {
            let digests = Sha256Lanes::on(backend).hash_pairs(nodes);
            assert_eq!(digests, expected, "{backend}");
        }
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn zero_hashes_of_ethereum() {
    let text = read("merkle/ethereum/zero_hashes_1_to_31.txt");
    let expected: Vec<_> = text.split_whitespace().map(digest).collect();
    assert_eq!(expected.len(), 31);
    for backend in Backend::available() {
        let mut hash = [0; 32];
        for expected in &expected {
            let node: [u8; 64] = [hash, hash].concat().try_into().unwrap();
            let digests = Sha256Lanes::on(backend).hash_pairs(&[node]);
            hash = digests[0];
            assert_eq!(hash, *expected, "{backend}");
        }
    }
}
