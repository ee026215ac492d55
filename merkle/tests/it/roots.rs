//! Roots of every number of leaves, with every backend.

use merkle_lanes::{Backend, Node, Tree, root};

use crate::oracle::Hash;
use crate::{each_family_on, leaves};

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
            assert!(shown.contains(&format!("{backend:?}")), "{definition:?}, {backend}: {shown}");
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
