//! Ethereum's SSZ: objects, places in them, and proofs.

mod generalized;
mod multiproofs;
mod persistent;
mod progressive;
mod vectors;

use merkle_lanes::ssz::{GeneralizedIndex, Ssz, TooManyChunksError, ZERO_HASHES, pack};
use merkle_lanes::{Backend, NodeHasher, RootBuilder, root};
use proptest::prelude::*;

use crate::leaves as chunks;
use crate::oracle::{self, Hash, sha256};

fn node(left: &Hash, right: &Hash) -> Hash {
    sha256(&[left, right])
}

fn index(index: u64) -> GeneralizedIndex {
    GeneralizedIndex::new(index).unwrap()
}

#[test]
fn each_zero_hash_is_the_parent_of_two_below() {
    assert_eq!(ZERO_HASHES[0], [0; 32]);
    for pair in ZERO_HASHES.windows(2) {
        assert_eq!(pair[1], node(&pair[0], &pair[0]));
    }
}

/// `merkleize` of the specification.
fn merkleize(chunks: &[Hash], limit: usize) -> Hash {
    oracle::ssz(chunks, limit.max(1).next_power_of_two().ilog2())
}

#[test]
fn merkleize_within_limits() {
    let chunks = chunks(40);
    for count in 0..=40 {
        let chunks = &chunks[..count];
        assert_eq!(Ssz::new().merkleize(chunks), Ok(merkleize(chunks, count)), "{count}");
        for limit in 0..=70 {
            let expected = if count > limit {
                Err(TooManyChunksError { limit: limit as u64, got: count as u64 })
            } else {
                Ok(merkleize(chunks, limit))
            };
            let ssz = Ssz::with_limit(limit as u64);
            assert_eq!(ssz.merkleize(chunks), expected, "{count} of {limit}");
            if expected.is_ok() {
                let mut builder = RootBuilder::new(ssz);
                builder.extend(chunks);
                assert_eq!(Ok(builder.root()), expected, "{count} of {limit}");
            }
        }
    }
}

#[test]
fn the_largest_limit() {
    let ssz = Ssz::with_limit(1 << 63);
    assert_eq!(ssz.merkleize(&[]), Ok(ZERO_HASHES[63]));
    let expected = (0..63).fold([7; 32], |left, level| node(&left, &ZERO_HASHES[level]));
    assert_eq!(ssz.merkleize(&[[7; 32]]), Ok(expected));
}

#[test]
fn mixed_in_numbers_are_little_endian() {
    let (ssz, root) = (Ssz::new(), [9; 32]);
    let mut number = [0; 32];
    number[..2].copy_from_slice(&[0x34, 0x12]);
    assert_eq!(ssz.mix_in_length(&root, 0x1234), node(&root, &number));
    assert_eq!(
        ssz.mix_in_selector(&root, 0xFF),
        node(&root, &[[0xFF].as_slice(), &[0; 31]].concat().try_into().unwrap())
    );
    assert_eq!(ssz.mix_in_length(&root, 0), node(&root, &[0; 32]));
    // All eight bytes, and any integer.
    let length = 0x0123_4567_89ab_cdef_u64;
    number[..8].copy_from_slice(&[0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]);
    assert_eq!(ssz.mix_in_length(&root, length), node(&root, &number));
    assert_eq!(ssz.mix_in_length(&root, u128::from(length)), node(&root, &number));
    let seven = ssz.mix_in_length(&root, 7_u64);
    assert_eq!(ssz.mix_in_length(&root, 7_usize), seven);
    assert_eq!(ssz.mix_in_length(&root, [0_u8; 7].len()), seven);
    let message = "a length must be from 0 to 2^64 - 1";
    crate::extremes::assert_panics(message, || ssz.mix_in_length(&root, -1));
    crate::extremes::assert_panics(message, || ssz.mix_in_length(&root, 1_u128 << 64));
}

/// `get_deposit_root` of the deposit contract before the first deposit.
#[test]
fn the_empty_deposit_tree() {
    let ssz = Ssz::with_limit((1 << 32) - 1);
    assert_eq!(
        hex::encode(ssz.mix_in_length(&root(&ssz, &[]), 0)),
        "d70a234731285c6804c2a4f56711ddb8c82c99740f207854891028af34e27e5e"
    );
}

/// The deposit data of a validator: a container with a 48-byte and a 96-byte vector.
#[test]
fn containers_of_byte_vectors() {
    let (ssz, key, signature) = (Ssz::new(), [1; 48], [2; 96]);
    let leaves = [ssz.hash_leaf(&key), ssz.hash_leaf(&signature)];
    let last = [[1; 16], [0; 16]].concat().try_into().unwrap();
    assert_eq!(leaves[0], node(&[1; 32], &last));
    let right = node(&[2; 32], &[0; 32]);
    assert_eq!(leaves[1], node(&node(&[2; 32], &[2; 32]), &right));
}

#[test]
fn vectors_of_mixed_lengths() {
    // Runs of vectors with equal chunk counts but different lengths, with short ones between them.
    let lengths =
        [0, 0, 1, 31, 32, 33, 64, 65, 96, 97, 100, 200, 0, 2047, 2048, 2049, 2080, 2081, 3000, 48];
    for repeated in [1, 2, 33, 600] {
        let mut data = Vec::new();
        for length in lengths {
            for copy in 0..if length > 300 { 3 } else { repeated } {
                data.push(
                    (0..length).map(|i| (i * 7 + copy + length) as u8 % 251).collect::<Vec<u8>>(),
                );
            }
        }
        let expected: Vec<Hash> = data
            .iter()
            .map(|data| {
                let chunks = pack(data);
                merkleize(&chunks, chunks.len())
            })
            .collect();
        for backend in Backend::available() {
            // The limit applies to the list of all, not to each.
            let ssz = Ssz::with_limit(1 << 40).with_backend(backend);
            let mut leaves = vec![[0xAA; 32]; data.len()];
            ssz.hash_leaves(&data, &mut leaves);
            assert_eq!(leaves, expected, "{backend:?}, {repeated} of each");
        }
    }
}

proptest! {
    #[test]
    fn pack_keeps_the_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let chunks = pack(&bytes);
        prop_assert_eq!(chunks.len(), bytes.len().div_ceil(32));
        let (front, back) = chunks.as_flattened().split_at(bytes.len());
        prop_assert_eq!(front, bytes);
        prop_assert!(back.iter().all(|&byte| byte == 0));
    }

    #[test]
    fn large_limits(count in 0_usize..300, depth in 9_u32..40) {
        let chunks = chunks(count);
        prop_assert_eq!(root(&Ssz::with_limit(1 << depth), &chunks), oracle::ssz(&chunks, depth));
    }
}
