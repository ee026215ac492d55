//! Roots of ranges of leaves, combined to the root of all leaves.

use hash_lanes::OneByOne;
use merkle_lanes::bep52::Bep52;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{AnyDigest, Node, NodeHasher, Odd, Ranges, RangesError, RootBuilder, root};
use sha2::{Digest as _, Sha384};
use sha256_multi::Sha256Lanes;

use crate::oracle::{self, Definition, Hash, NaiveTree};
use crate::{each_family, leaves};

/// Heights below, at and above the depth of any tree here.
const HEIGHTS: [u32; 12] = [0, 1, 2, 3, 5, 7, 8, 9, 21, 63, 64, u32::MAX];

/// The leaves of each range, from the definition of a range.
fn parts<N>(leaves: &[N], height: u32) -> impl Iterator<Item = &[N]> {
    leaves.chunks(1_usize.checked_shl(height).unwrap_or(usize::MAX))
}

/// Each range root is computed by its own `Ranges`, as on different machines.
fn combined<H: NodeHasher + Clone>(hasher: &H, leaves: &[H::Node], height: u32) -> H::Node {
    let ranges = || Ranges::new(hasher.clone(), leaves.len() as u64, height).unwrap();
    let mut start = 0;
    let mut roots = Vec::new();
    for (index, part) in (0..).zip(parts(leaves, height)) {
        assert_eq!(ranges().range(index), Ok(start..start + part.len() as u64));
        start += part.len() as u64;
        let root = ranges().range_root(index, part).unwrap();
        let mut stream = RootBuilder::new(hasher.clone());
        for few in part.chunks(100) {
            stream.extend(few);
        }
        assert_eq!(ranges().range_root_of_stream(index, &stream), Ok(root), "range {index}");
        roots.push(root);
    }
    assert_eq!((ranges().len(), ranges().is_empty()), (roots.len() as u64, leaves.is_empty()));
    ranges().root(&roots).unwrap()
}

fn check<H: NodeHasher + Clone>(
    name: &str,
    hasher: &H,
    leaves: &[H::Node],
    definition: impl Fn(&[H::Node]) -> H::Node,
) {
    for size in (0..=270).chain([511, 512, 513, 1000]) {
        let leaves = &leaves[..size];
        let expected = definition(leaves);
        assert_eq!(root(hasher, leaves), expected, "{name}: all of {size}");
        for height in HEIGHTS {
            assert_eq!(combined(hasher, leaves, height), expected, "{name}: {size} by 2^{height}");
        }
    }
}

#[test]
fn of_every_family() {
    fn check_family<H>(hasher: H, definition: Definition, leaves: &[Hash])
    where
        H: NodeHasher<Node = Hash> + Copy,
    {
        check(&format!("{definition:?}"), &hasher, leaves, |leaves| definition.root(leaves));
    }
    let leaves = leaves(1000);
    each_family!(check_family, &leaves);
    // A limit that is not a power of two.
    check("limit", &Ssz::with_limit(1025), &leaves, |leaves| oracle::ssz(leaves, 11));
    check("BEP 52", &Bep52::new(), &leaves, |leaves| match leaves {
        [] => [0; 32],
        _ => Definition::Ssz.root(leaves),
    });
}

#[test]
fn of_any_digest() {
    let leaves = leaves(1000);
    let any = AnyDigest::<Sha256Lanes, 32>::new;
    check("promoted", &any().node_prefix(&[1]), &leaves, oracle::rfc6962);
    let padded = any().padded_with_subtrees_of([0; 32]).with_empty_root([0; 32]);
    check("padded", &padded, &leaves, |leaves| Definition::Ssz.root(leaves));

    // A node without a sibling is hashed with itself.
    fn duplicated(nodes: &[[u8; 48]]) -> [u8; 48] {
        match nodes {
            [] => [9; 48],
            [root] => *root,
            _ => {
                let pair = |pair: &[[u8; 48]]| [pair[0], pair[pair.len() - 1]].concat();
                let parents: Vec<_> =
                    nodes.chunks(2).map(|nodes| Sha384::digest(pair(nodes)).into()).collect();
                duplicated(&parents)
            }
        }
    }
    let wide: Vec<[u8; 48]> = leaves.iter().map(|leaf| Sha384::digest(leaf).into()).collect();
    let family = AnyDigest::<OneByOne<Sha384>, 48>::new().duplicated().with_empty_root([9; 48]);
    assert_eq!(family.odd(), Odd::Duplicated);
    check("duplicated", &family, &wide, duplicated);
}

#[cfg(feature = "algorand")]
#[test]
fn of_algorand() {
    use merkle_lanes::algorand::{Algorand, HashFunction, Sha256, Sha512_256, Sumhash512};

    use crate::algorand::{plain, sumhash};

    fn of<F: HashFunction>(function: F, hash: impl Fn(&[u8]) -> F::Node) {
        let leaves: Vec<_> = (0..1000_u32).map(|i| hash(&i.to_le_bytes())).collect();
        check("Algorand", &Algorand::new(function, b""), &leaves, |leaves| plain(leaves, &hash));
    }
    of(Sha256::new(), |message| oracle::sha256(&[message]));
    of(Sha512_256, |message| sha2::Sha512_256::digest(message).into());
    of(Sumhash512::new(), sumhash());
}

/// A family on all cores, and ranges larger than the 4096 leaves that a builder keeps.
#[test]
fn of_large_ranges() {
    fn check<H>(hasher: H, definition: Definition, leaves: &[Hash])
    where
        H: NodeHasher<Node = Hash> + Copy + Sync,
    {
        let expected = definition.root(leaves);
        for height in [11, 12, 13, 14, 15] {
            assert_eq!(combined(&hasher, leaves, height), expected, "{definition:?}: 2^{height}");
            #[cfg(feature = "rayon")]
            assert_eq!(combined(&merkle_lanes::Parallel(hasher), leaves, height), expected);
        }
    }
    each_family!(check, &leaves((1 << 14) + 8192 + 77));
}

/// A range root is the node of the tree above the range, so that a tree can take it over.
#[test]
fn roots_are_nodes_of_the_tree() {
    fn check<H>(hasher: H, definition: Definition, leaves: &[Hash])
    where
        H: NodeHasher<Node = Hash> + Copy,
    {
        let tree = NaiveTree::new(definition, leaves);
        for (height, nodes) in tree.levels.iter().enumerate() {
            let ranges = Ranges::new(hasher, leaves.len() as u64, height as u32).unwrap();
            let roots: Vec<_> = (0..)
                .zip(parts(leaves, height as u32))
                .map(|(index, part)| ranges.range_root(index, part).unwrap())
                .collect();
            assert_eq!(roots, *nodes, "{definition:?}: level {height} of {}", leaves.len());
        }
    }
    let leaves = leaves(70);
    for size in 1..=leaves.len() {
        each_family!(check, &leaves[..size]);
    }
}

#[test]
fn wrong_counts_are_refused() {
    let ranges = Ranges::new(Rfc6962::new(), 1000, 8).unwrap();
    let four = [[7; 32]; 4];
    for got in [0, 1, 3, 5, 1000] {
        let refused = RangesError::WrongCount { expected: 4, got };
        assert_eq!(ranges.root(&vec![[7; 32]; got as usize]), Err(refused));
    }
    assert!(ranges.root(&four).is_ok());
    for (index, expected) in [(0, 256), (1, 256), (2, 256), (3, 232)] {
        for got in [0, 1, expected - 1, expected, expected + 1, 256, 1000] {
            let leaves = vec![<[u8; 32]>::ZERO; got as usize];
            let mut stream = RootBuilder::new(Rfc6962::new());
            stream.extend(&leaves);
            let root = ranges.range_root(index, &leaves);
            assert_eq!(root, ranges.range_root_of_stream(index, &stream));
            match root {
                Ok(_) => assert_eq!(got, expected),
                Err(error) => {
                    assert_ne!(got, expected);
                    assert_eq!(error, RangesError::WrongLength { index, expected, got });
                }
            }
        }
    }
    for index in [4, 5, u64::MAX] {
        let refused = RangesError::NoSuchRange { index, ranges: 4 };
        assert_eq!(ranges.range(index), Err(refused));
        assert_eq!(ranges.range_root(index, &four), Err(refused));
        let stream = RootBuilder::new(Rfc6962::new());
        assert_eq!(ranges.range_root_of_stream(index, &stream), Err(refused));
    }
}

#[test]
fn the_largest_trees() {
    let largest = 1 << 63;
    for size in [largest + 1, u64::MAX] {
        let refused = RangesError::TooManyLeaves { size, capacity: largest };
        assert_eq!(Ranges::new(Ssz::new(), size, 0).err(), Some(refused));
    }
    let limited = Ranges::new(Ssz::with_limit(9), 10, 1).err();
    assert_eq!(limited, Some(RangesError::TooManyLeaves { size: 10, capacity: 9 }));

    let single = Ranges::new(Ssz::new(), largest, u32::MAX).unwrap();
    assert_eq!((single.len(), single.range(0)), (1, Ok(0..largest)));
    assert_eq!(single.root(&[[5; 32]]), Ok([5; 32]));
    let leaves = Ranges::new(Ssz::new(), largest - 1, 0).unwrap();
    assert_eq!(leaves.len(), largest - 1);
    assert_eq!(leaves.range(largest - 2), Ok(largest - 2..largest - 1));
    // Two ranges of 2^62 leaves: their roots are the children of the root.
    let halves = Ranges::new(Rfc6962::new(), largest - 3, 62).unwrap();
    assert_eq!(halves.range(1), Ok(largest / 2..largest - 3));
    let expected = oracle::sha256(&[&[1], &[5; 32], &[6; 32]]);
    assert_eq!(halves.root(&[[5; 32], [6; 32]]), Ok(expected));
}
