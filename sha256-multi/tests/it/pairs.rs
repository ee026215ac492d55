//! Tests 64-byte nodes.

use sha256_multi::{
    Backend, Sha256Lanes, double_hash_pairs, double_hash_pairs_into, hash_pairs, hash_pairs_into,
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
            let (lanes, nodes) = (Sha256Lanes::on(backend), &nodes[..count]);
            let mut digests = vec![UNWRITTEN; count];
            lanes.hash_pairs_into(nodes, &mut digests);
            assert!(digests == once[..count], "{backend}, {count} nodes");
            assert!(lanes.hash_pairs(nodes) == digests, "{backend}, {count} nodes");

            digests.fill(UNWRITTEN);
            lanes.double_hash_pairs_into(nodes, &mut digests);
            assert!(digests == twice[..count], "twice, {backend}, {count} nodes");
            assert!(lanes.double_hash_pairs(nodes) == digests, "twice, {backend}, {count} nodes");
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
fn without_a_backend_argument() {
    let nodes = nodes(21);
    let once: Vec<_> = nodes.iter().map(sha256).collect();
    let twice: Vec<_> = nodes.iter().map(double_sha256).collect();
    assert_eq!(hash_pairs(&nodes), once);
    assert_eq!(double_hash_pairs(&nodes), twice);
    let mut digests = [UNWRITTEN; 21];
    hash_pairs_into(&nodes, &mut digests);
    assert_eq!(digests, *once);
    double_hash_pairs_into(&nodes, &mut digests);
    assert_eq!(digests, *twice);
}
