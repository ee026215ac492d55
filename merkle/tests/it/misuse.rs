//! The documented panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use merkle_lanes::ssz::Ssz;
use merkle_lanes::{NodeHasher, RootBuilder, Tree, root};

use crate::oracle::Hash;
use crate::{UNWRITTEN, each_family, leaves};

/// Asserts that a job panics with a message.
pub(crate) fn assert_panics<T>(expected: &str, job: impl FnOnce() -> T) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(job)) else { panic!("no panic: {expected}") };
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
    assert_eq!(message, Some(expected));
}

/// Calls a function with every family, and with every family in `Parallel`.
macro_rules! each_family_twice {
    ($check:ident) => {{
        each_family(|hasher, _| $check(hasher));
        #[cfg(feature = "rayon")]
        each_family(|hasher, _| $check(merkle_lanes::Parallel(hasher)));
    }};
}

#[test]
fn levels_of_wrong_length() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H) {
        for (children, parents) in [
            (0, 1),
            (1, 0),
            (1, 1),
            (2, 0),
            (2, 2),
            (3, 1),
            (3, 2),
            (64, 31),
            (65, 32),
            (2000, 2000),
        ] {
            let message = format!("{children} children cannot be hashed into {parents} parents");
            assert_panics(&message, || {
                hasher.hash_level(&leaves(children), &mut vec![UNWRITTEN; parents]);
            });
        }
    }
    each_family_twice!(check);
}

#[test]
fn subtrees_of_wrong_length() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H) {
        let cases = [
            (4, 0, 4),
            (0, 0, 0),
            (4, 1, 1),
            (4, 2, 2),
            (3, 1, 1),
            (5, 1, 2),
            (0, 1, 1),
            (0, 63, 2),
            (0, 64, 0),
            (0, 64, 1),
            (0, u32::MAX, 0),
            (2048, 5, 63),
            (2048, 12, 1),
        ];
        for (leaves, height, roots) in cases {
            let message = format!(
                "{leaves} leaves cannot be hashed into {roots} subtrees of height {height}"
            );
            let leaves = crate::leaves(leaves);
            assert_panics(&message, || {
                hasher.hash_subtrees(&leaves, height, &mut vec![UNWRITTEN; roots]);
            });
        }
    }
    each_family_twice!(check);
}

#[test]
fn leaves_of_wrong_length() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(hasher: H) {
        for leaves in [0, 2, 4] {
            let message = format!("3 messages cannot be hashed into {leaves} digests");
            assert_panics(&message, || {
                hasher.hash_leaves(&["a", "b", "c"], &mut vec![UNWRITTEN; leaves]);
            });
        }
    }
    each_family_twice!(check);
}

#[test]
fn too_many_leaves() {
    let hasher = Ssz::with_limit(5);
    let six = leaves(6);
    let message = "a tree of 6 leaves exceeds the capacity of 5 leaves";
    assert_panics(message, || root(&hasher, &six));
    assert_panics(message, || Tree::from_leaves(hasher, six.as_slice()));

    let mut tree = Tree::from_leaves(hasher, &six[..5]);
    let full = tree.root();
    assert_panics(message, || tree.push(six[5]));
    assert_panics(message, || tree.extend(&six[5..]));
    assert_panics(message, || tree.extend_data(&["data"]));
    assert_eq!((tree.len(), tree.root()), (5, full));

    let mut builder = RootBuilder::new(hasher);
    builder.extend(&six[..5]);
    assert_panics(message, || builder.push(six[5]));
    assert_panics(message, || builder.extend(&six[5..]));
    assert_panics(message, || builder.extend_data(&["data"]));
    assert_eq!((builder.len(), builder.root()), (5, full));
}
