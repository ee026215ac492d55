//! Tests 64-byte nodes.

use sha256_multi::{
    Backend, double_hash_pairs, double_hash_pairs_with, hash_many_with, hash_pairs, hash_pairs_with,
};

use crate::{UNWRITTEN, double_sha256, painted, sha256};

fn nodes(count: usize) -> Vec<[u8; 64]> {
    (0..count).map(|seed| painted(seed, 64).try_into().unwrap()).collect()
}

fn assert_counts_hashed(counts: impl IntoIterator<Item = usize>, max: usize) {
    let nodes = nodes(max);
    let once: Vec<_> = nodes.iter().map(sha256).collect();
    let twice: Vec<_> = nodes.iter().map(double_sha256).collect();
    for count in counts {
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            let mut digests = vec![UNWRITTEN; count];
            hash_pairs_with(backend, &nodes[..count], &mut digests);
            assert!(digests == once[..count], "{backend}, {count} nodes");

            digests.fill(UNWRITTEN);
            double_hash_pairs_with(backend, &nodes[..count], &mut digests);
            assert!(digests == twice[..count], "twice, {backend}, {count} nodes");
        }
    }
}

#[test]
fn every_count() {
    assert_counts_hashed(0..=70, 70);
}

#[test]
fn many_more_nodes_than_lanes() {
    assert_counts_hashed([127, 128, 129, 4096, 4096 + 5, 4096 + 16 + 8 + 1], 4200);
}

#[test]
fn same_digests_as_64_byte_messages() {
    let nodes = nodes(37);
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let (mut as_nodes, mut as_messages) = ([UNWRITTEN; 37], [UNWRITTEN; 37]);
        hash_pairs_with(backend, &nodes, &mut as_nodes);
        hash_many_with(backend, &nodes, &mut as_messages);
        assert_eq!(as_nodes, as_messages, "{backend}");
    }
}

#[test]
fn without_a_backend_argument() {
    let nodes = nodes(21);
    let mut digests = [UNWRITTEN; 21];
    hash_pairs(&nodes, &mut digests);
    assert!(digests.iter().zip(&nodes).all(|(digest, node)| *digest == sha256(node)));
    double_hash_pairs(&nodes, &mut digests);
    assert!(digests.iter().zip(&nodes).all(|(digest, node)| *digest == double_sha256(node)));
}
