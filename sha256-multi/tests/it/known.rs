//! Tests published digests.

use sha256_multi::{Backend, Sha256Lanes};

use crate::published::published;
use crate::{digest, double_sha256};

#[test]
fn all_at_once() {
    let (messages, expected): (Vec<_>, Vec<_>) = published().into_iter().unzip();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let digests = Sha256Lanes::on(backend).hash_many(&messages);
        assert_eq!(digests, expected, "{backend}");
    }
}

/// The header of Bitcoin's first block, and its double SHA-256.
#[test]
fn bitcoin_genesis_block() {
    let header = hex::decode(
        "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e\
         67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c",
    )
    .unwrap();
    // Block hashes are written in reverse byte order.
    let mut expected = digest("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f");
    expected.reverse();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        for count in 1..=17 {
            let digests = Sha256Lanes::on(backend).double_hash_many(vec![&header; count]);
            assert!(digests.iter().all(|digest| *digest == expected), "{backend}, {count} headers");
        }
    }
}

/// The node above two zero leaves: Ethereum's first zero hash.
#[test]
fn node_of_zeros() {
    let expected = digest("f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        for count in 1..=33 {
            let nodes = vec![[0; 64]; count];
            let lanes = Sha256Lanes::on(backend);
            assert_eq!(lanes.hash_pairs(&nodes), vec![expected; count], "{backend}");
            let pairs = vec![[0; 32]; 2 * count];
            assert_eq!(lanes.hash_pairs(&pairs), vec![expected; count], "{backend}");
            let twice = double_sha256([0; 64]);
            assert_eq!(lanes.double_hash_pairs(&nodes), vec![twice; count], "{backend}");
            assert_eq!(lanes.double_hash_pairs(&pairs), vec![twice; count], "{backend}");
        }
    }
}
