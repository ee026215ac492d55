//! Roots of every number of leaves with every backend, at once and as a stream.

use merkle_lanes::{Backend, Node, NodeHasher, RootBuilder, Tree, TreeHead, root};
use proptest::prelude::*;

use crate::oracle::{Definition, Hash, NaiveTree};
use crate::{each_family, each_family_on, leaves};

fn check(backend: Backend, leaves: &[Hash]) {
    let size = leaves.len();
    each_family_on(backend, |hasher, definition| {
        let expected = definition.root(leaves);
        assert_eq!(root(&hasher, leaves), expected, "{definition:?}, {backend}: {size} at once");
        let tree = Tree::from_leaves(hasher, leaves);
        assert_eq!(tree.root(), expected, "{definition:?}, {backend}: tree of {size}");
    });
}

#[test]
fn of_every_size_with_every_backend() {
    let leaves = leaves(140);
    for backend in Backend::available() {
        for size in 0..=leaves.len() {
            check(backend, &leaves[..size]);
        }
    }
}

/// The sizes around which leaves are divided differently.
#[test]
fn of_large_trees_with_every_backend() {
    let leaves = leaves((1 << 14) + 77);
    let around =
        (8..=14).step_by(2).map(|log2| 1 << log2).flat_map(|size| [size - 1, size, size + 1]);
    let sizes: Vec<usize> =
        around.chain([2047 + 31, 3000, 5000, 8192 + 65, leaves.len()]).collect();
    for backend in Backend::available() {
        for &size in &sizes {
            check(backend, &leaves[..size]);
        }
    }
}

/// All backends compute the same roots, so only the `Debug` output shows which one is used.
#[test]
fn an_explicit_backend_is_used() {
    for backend in Backend::available() {
        each_family_on(backend, |hasher, definition| {
            let shown = format!("{hasher:?}");
            // Any hash function may be one without backends.
            let is_shown = shown.starts_with("Any") || shown.contains(&format!("{backend:?}"));
            assert!(is_shown, "{definition:?}, {backend}: {shown}");
        });
    }
}

/// Leaves in bytes, such as those of a memory-mapped file.
#[test]
fn leaves_are_read_in_place() {
    let leaves = leaves(5001);
    let bytes = [leaves.as_flattened(), &[0xff; 5]].concat();
    let (nodes, rest) = Hash::from_bytes(&bytes);
    assert_eq!((nodes.as_ptr().cast(), rest), (bytes.as_ptr(), &[0xff; 5][..]));
    assert_eq!((nodes, Hash::as_bytes(nodes)), (&leaves[..], leaves.as_flattened()));
    assert_eq!((<[u8; 48]>::BYTES, <[u8; 48]>::ZERO), (48, [0; 48]));
}

/// The complete subtrees that leaves decompose into, from the nodes of the tree.
fn frontier(definition: Definition, leaves: &[Hash]) -> Vec<Hash> {
    if leaves.is_empty() {
        return Vec::new();
    }
    let levels = NaiveTree::new(definition, leaves).levels;
    let ones = (0..levels.len()).rev().filter(|level| leaves.len() >> level & 1 == 1);
    ones.map(|level| levels[level][(leaves.len() >> level) - 1]).collect()
}

#[test]
fn after_each_leaf_of_a_stream() {
    let leaves = leaves(140);
    for backend in Backend::available() {
        each_family_on(backend, |hasher, definition| {
            let mut builder = RootBuilder::new(hasher);
            for size in 0..=leaves.len() {
                assert_eq!(builder.len(), size as u64);
                assert_eq!(
                    builder.root(),
                    definition.root(&leaves[..size]),
                    "{definition:?}: root of {size}"
                );
                let head = TreeHead { size: size as u64, root: builder.root() };
                assert_eq!(builder.head(), head);
                assert_eq!(
                    builder.frontier(),
                    frontier(definition, &leaves[..size]),
                    "{definition:?}: {size}"
                );
                if let Some(&leaf) = leaves.get(size) {
                    builder.push(leaf);
                }
            }
        });
    }
}

#[test]
fn of_a_stream_of_data() {
    // More than are hashed at once.
    let data: Vec<String> = (0..4096 + 50).map(|i| format!("entry {i}")).collect();
    let data = &data;
    each_family(|hasher, definition| {
        let mut hashed = vec![crate::UNWRITTEN; data.len()];
        hasher.hash_leaves(data, &mut hashed);
        let mut builder = RootBuilder::new(hasher);
        builder.extend_data(&data[..3]);
        builder.extend_data(&data[3..3]);
        builder.extend_data(&data[3..]);
        assert_eq!(builder.root(), definition.root(&hashed), "{definition:?}");
        assert_eq!(builder.hasher().capacity(), hasher.capacity());
    });
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(40)
    })]

    #[test]
    fn of_a_stream_in_any_parts(
        parts in proptest::collection::vec(
            prop_oneof![0..9_usize, 0..5000_usize, Just(4096)],
            0..7,
        ),
    ) {
        each_family(|hasher, definition| {
            let leaves = leaves(parts.iter().sum());
            let mut builder = RootBuilder::new(hasher);
            let mut size = 0;
            for part in &parts {
                builder.extend(&leaves[size..size + part]);
                size += part;
                assert_eq!(builder.len(), size as u64);
                let frontier = builder.frontier();
                let mut resumed = RootBuilder::resume(hasher, size as u64, frontier).unwrap();
                assert_eq!(resumed.root(), builder.root());
                if size % 2 == 1 {
                    builder = resumed;
                }
            }
            assert_eq!(builder.root(), definition.root(&leaves), "{definition:?}: {parts:?}");
            let expected = frontier(definition, &leaves);
            assert_eq!(builder.frontier(), expected, "{definition:?}: {parts:?}");
        });
    }
}
