//! Splits trees into ranges of any height, and compares their combined roots with the definitions.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{NodeHasher, Ranges, RangesError, RootBuilder};

use oracle::{Definition, Hash, sha256};

#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

#[derive(Arbitrary, Debug)]
struct Input {
    family: u8,
    /// The number of leaves that are hashed.
    leaves: u16,
    height: u8,
    /// Numbers of leaves and of ranges to try, usually wrong.
    wrong: [u8; 2],
    /// Ranges of a tree of any size, without leaves.
    size: u64,
    any_height: u32,
    index: u64,
}

fuzz_target!(|input: Input| {
    match input.family % 4 {
        0 => run(Rfc6962::new(), Definition::Rfc6962, &input),
        1 => run(Bitcoin::new(), Definition::Bitcoin, &input),
        2 => run(Ssz::new(), Definition::Ssz, &input),
        _ => run(Ssz::with_limit(1 << 10), Definition::SszOfDepth(10), &input),
    }
});

fn run<H: NodeHasher<Node = Hash> + Copy>(hasher: H, definition: Definition, input: &Input) {
    positions(hasher, input);

    let count = usize::from(input.leaves) % 400;
    let leaves: Vec<Hash> = (0..count).map(|i| sha256(&[&i.to_le_bytes()])).collect();
    let height = u32::from(input.height) % 12;
    let ranges = Ranges::new(hasher, count as u64, height).expect("the leaves fit the tree");
    let root = |index: u64, part: &[Hash]| {
        let mut stream = RootBuilder::new(hasher);
        stream.extend(part);
        let root = ranges.range_root(index, part);
        assert_eq!(ranges.range_root_of_stream(index, &stream), root);
        root
    };
    let mut roots = Vec::new();
    for (index, part) in (0..).zip(leaves.chunks(1 << height)) {
        roots.push(root(index, part).expect("the range has these leaves"));
    }
    assert_eq!(ranges.root(&roots), Ok(definition.root(&leaves)));

    // Another number of leaves or ranges.
    let [leaves, more] = input.wrong.map(usize::from);
    for (index, range) in (0..).map_while(|index| Some((index, ranges.range(index).ok()?))) {
        let expected = range.end - range.start;
        let verdict = root(index, &vec![[7; 32]; leaves]);
        if expected != leaves as u64 {
            let got = leaves as u64;
            assert_eq!(verdict, Err(RangesError::WrongLength { index, expected, got }));
        }
    }
    if more != roots.len() {
        let (expected, got) = (roots.len() as u64, more as u64);
        let refused = Err(RangesError::WrongCount { expected, got });
        assert_eq!(ranges.root(&vec![[7; 32]; more]), refused);
    }
}

/// Compares the indices of ranges with divisions.
fn positions<H: NodeHasher<Node = Hash>>(hasher: H, input: &Input) {
    let (size, capacity) = (input.size, hasher.capacity());
    let depth = hasher.depth(size.min(capacity));
    let ranges = match Ranges::new(hasher, size, input.any_height) {
        Ok(ranges) => ranges,
        Err(error) => {
            assert_eq!(error, RangesError::TooManyLeaves { size, capacity });
            return assert!(size > capacity);
        }
    };
    assert!(size <= capacity);
    let width = 1 << input.any_height.min(depth);
    let count = size.div_ceil(width);
    assert_eq!((ranges.len(), ranges.is_empty()), (count, size == 0));
    for index in [input.index, input.index % count.max(1), count, count.wrapping_sub(1)] {
        let expected = if index < count {
            Ok(index * width..size.min((index + 1).saturating_mul(width)))
        } else {
            Err(RangesError::NoSuchRange { index, ranges: count })
        };
        assert_eq!(ranges.range(index), expected);
    }
}
