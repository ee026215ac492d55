//! Hashing on all cores gives the same results as on one.

use merkle_lanes::{NodeHasher, Parallel, RootBuilder, Tree, root};
use rayon::ThreadPoolBuilder;

use crate::family::Family;
use crate::oracle::Definition;
use crate::{UNWRITTEN, each_family, leaves};

/// Runs a job on a pool of this many threads, whatever the number of cores.
fn with_threads(threads: usize, job: impl FnOnce() + Send) {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(job);
}

/// Sizes on both sides of the thresholds at which work is divided.
const SIZES: [usize; 12] = [0, 1, 2, 33, 511, 512, 513, 1025, 1023, 2049, 5000, 20_001];

#[test]
fn roots_and_trees() {
    let leaves = leaves(20_001);
    for threads in [1, 2, 5] {
        with_threads(threads, || {
            for size in SIZES {
                let leaves = &leaves[..size];
                each_family(|hasher, definition| {
                    let (size, expected, parallel) =
                        (leaves.len(), root(&hasher, leaves), Parallel(hasher));
                    assert_eq!(root(&parallel, leaves), expected, "{definition:?}: root of {size}");
                    let (one, all) =
                        (Tree::from_leaves(hasher, leaves), Tree::from_leaves(parallel, leaves));
                    assert_eq!(
                        (all.depth(), all.root()),
                        (one.depth(), expected),
                        "{definition:?}: {size}"
                    );
                    for level in 0..=one.depth() {
                        assert_eq!(
                            one.level(level),
                            all.level(level),
                            "{definition:?}: level {level} of {size}"
                        );
                    }
                    let mut builder = RootBuilder::new(parallel);
                    builder.extend(leaves);
                    assert_eq!(builder.root(), expected, "{definition:?}: builder of {size}");
                });
            }
        });
    }
}

#[test]
fn levels_and_subtrees() {
    let leaves = leaves(1 << 14);
    with_threads(3, || {
        each_family(|hasher, definition| {
            let parallel = Parallel(hasher);
            for parents in [0, 1, 511, 512, 513, 514, 1000, 1024, 4097, 8192] {
                let children = &leaves[..2 * parents];
                let (mut one, mut all) = (vec![UNWRITTEN; parents], vec![UNWRITTEN; parents]);
                hasher.hash_level(children, &mut one);
                parallel.hash_level(children, &mut all);
                assert!(one == all, "{definition:?}: {parents} parents");
            }
            for height in 1..=12 {
                for roots in [0, 1, 2, 3, 31, 32, 33, 100, 300]
                    .into_iter()
                    .filter(|roots| roots << height <= leaves.len())
                {
                    let (mut one, mut all) = (vec![UNWRITTEN; roots], vec![UNWRITTEN; roots]);
                    hasher.hash_subtrees(&leaves[..roots << height], height, &mut one);
                    parallel.hash_subtrees(&leaves[..roots << height], height, &mut all);
                    assert!(one == all, "{definition:?}: {roots} subtrees of height {height}");
                }
            }
        });
    });
}

#[test]
fn leaves_of_data_of_any_length() {
    fn check(hasher: Family, definition: Definition, data: &[Vec<u8>]) {
        let (mut one, mut all) = (vec![UNWRITTEN; data.len()], vec![UNWRITTEN; data.len()]);
        hasher.hash_leaves(data, &mut one);
        Parallel(hasher).hash_leaves(data, &mut all);
        assert!(one == all, "{definition:?}: {} pieces of data", data.len());
        let mut tree = Tree::new(Parallel(hasher));
        tree.extend_data(data);
        assert_eq!(tree.leaves(), one, "{definition:?}");
    }
    let short: Vec<Vec<u8>> = (0..5000).map(|i| vec![i as u8; i % 150]).collect();
    let long: Vec<Vec<u8>> = (0..100).map(|i| vec![i as u8; 40_000 + i]).collect();
    with_threads(4, || {
        for count in [0, 1, 31, 32, 33, 257, 1000, 5000] {
            each_family(|hasher, definition| check(hasher, definition, &short[..count]));
        }
        for count in [1, 33, 100] {
            each_family(|hasher, definition| check(hasher, definition, &long[..count]));
        }
    });
}
