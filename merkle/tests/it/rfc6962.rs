//! Trees of Certificate Transparency.

mod mtc;
mod subtrees;

use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::{Backend, NodeHasher, RootBuilder, Tree, root};

use crate::UNWRITTEN;
use crate::oracle::{Hash, sha256};

fn hash(digits: &str) -> Hash {
    hex::FromHex::from_hex(digits).unwrap()
}

/// The entries in the reference tests of Certificate Transparency, and the roots of the trees of
/// their prefixes, starting with the empty tree. They are from `testonly/constants.go` of
/// transparency-dev/merkle and date back to the first implementation of RFC 6962.
const ENTRIES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];
const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/// The nodes above the leaves in the tree of all entries, from the same source.
const NODES: [&[&str]; 2] = [
    &[
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    ],
    &[
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
];

#[test]
fn known_roots() {
    let entries = ENTRIES.map(|digits| hex::decode(digits).unwrap());
    for backend in Backend::available() {
        let hasher = Rfc6962::new().with_backend(backend);
        let (mut tree, mut builder) = (Tree::new(hasher), RootBuilder::new(hasher));
        for (size, expected) in ROOTS.map(hash).into_iter().enumerate() {
            assert_eq!(tree.root(), expected, "{backend}: tree of {size}");
            assert_eq!(builder.root(), expected, "{backend}: builder of {size}");
            assert_eq!(root(&hasher, tree.leaves()), expected, "{backend}: root of {size}");
            if let Some(entry) = entries.get(size) {
                tree.extend_data(&[entry]);
                builder.push(hasher.hash_leaf(entry));
            }
        }
        for (level, nodes) in (1..).zip(NODES) {
            let nodes: Vec<Hash> = nodes.iter().map(|digits| hash(digits)).collect();
            assert_eq!(tree.level(level), nodes, "{backend}: level {level}");
        }
    }
}

fn assert_leaves(data: &[Vec<u8>]) {
    for backend in Backend::available() {
        let hasher = Rfc6962::new().with_backend(backend);
        let mut leaves = vec![UNWRITTEN; data.len()];
        hasher.hash_leaves(data, &mut leaves);
        for (leaf, data) in leaves.iter().zip(data) {
            assert_eq!(*leaf, sha256(&[&[0], data]), "{backend}: {} bytes", data.len());
        }
    }
}

#[test]
fn leaves_of_entries_of_every_length() {
    let data: Vec<Vec<u8>> =
        (0..=400).map(|length| (0..length).map(|i| (i % 251) as u8).collect()).collect();
    assert_leaves(&data);
    for count in 0..34 {
        assert_leaves(&data[40..40 + count]);
    }
}

/// Batches are limited in the number and the length of their entries.
#[test]
fn leaves_of_many_and_of_long_entries() {
    let short: Vec<Vec<u8>> =
        (0..1030_u32).map(|i| i.to_le_bytes().repeat(1 + i as usize % 9)).collect();
    for count in [255, 256, 257, 512, 1030] {
        assert_leaves(&short[..count]);
    }
    let lengths = [1, 300_000, 200_000, 2, 0, 1 << 20, (1 << 20) - 1, 3, 900_000, 900_000];
    let long: Vec<Vec<u8>> =
        lengths.iter().map(|&length| (0..length).map(|i| (i % 251) as u8).collect()).collect();
    assert_leaves(&long);
}
