//! Tests loading blocks and rows into lanes, and storing rows, against the plain definition.

use hash_lanes::engine::{
    BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, LaneJob, LaneKernel, Lanes, MAX_LANES,
};
use proptest::prelude::*;

use crate::{InTwoGroups, kernels};

struct LoadBlocks<'a> {
    blocks: &'a [Block],
    order: ByteOrder,
}

impl LaneJob for LoadBlocks<'_> {
    type Output = [[u32; MAX_LANES]; BLOCK_WORDS];

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Self::Output {
        let blocks = &self.blocks[..V::COUNT];
        let vectors = V::load_blocks(
            token,
            self.order,
            #[inline(always)]
            |lane| &blocks[lane],
        );
        let mut words = [[0; MAX_LANES]; BLOCK_WORDS];
        for i in 0..BLOCK_WORDS {
            vectors[i].to_words(&mut words[i]);
        }
        words
    }
}

struct LoadRows<'a> {
    rows: &'a [[u8; 32]],
    order: ByteOrder,
}

impl LaneJob for LoadRows<'_> {
    type Output = [[u32; MAX_LANES]; 8];

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Self::Output {
        let rows = &self.rows[..V::COUNT];
        let vectors = V::load_rows(
            token,
            self.order,
            #[inline(always)]
            |lane| &rows[lane],
        );
        let mut words = [[0; MAX_LANES]; 8];
        for i in 0..8 {
            vectors[i].to_words(&mut words[i]);
        }
        words
    }
}

struct StoreRows<'a> {
    words: &'a [[u32; MAX_LANES]; 8],
}

impl LaneJob for StoreRows<'_> {
    type Output = Vec<(usize, [u32; 8])>;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> Self::Output {
        let mut vectors = [V::splat(token, 0); 8];
        for i in 0..8 {
            vectors[i] = V::from_words(token, &self.words[i]);
        }
        let mut rows = Vec::new();
        V::store_rows(
            vectors,
            #[inline(always)]
            |lane, row| rows.push((lane, row)),
        );
        rows
    }
}

/// Asserts that `loaded[i]` holds word `i` of each lane's row.
fn assert_loaded(
    loaded: &[[u32; MAX_LANES]],
    rows: &[&[u8]],
    order: ByteOrder,
    kernel: LaneKernel,
    lanes: usize,
) {
    for (lane, row) in rows[..lanes].iter().enumerate() {
        for (i, word) in row.chunks(4).enumerate() {
            let word = word.try_into().unwrap();
            let expected = match order {
                ByteOrder::Big => u32::from_be_bytes(word),
                ByteOrder::Little => u32::from_le_bytes(word),
            };
            assert_eq!(loaded[i][lane], expected, "{kernel:?}, {order:?}, word {i}, lane {lane}");
        }
    }
}

proptest! {
    #[test]
    fn loaded_blocks(bytes in prop::collection::vec(any::<u8>(), MAX_LANES * BLOCK_BYTES)) {
        let blocks: &[Block] = bytes.as_chunks().0;
        let rows: Vec<&[u8]> = blocks.iter().map(|block| &block[..]).collect();
        for kernel in kernels() {
            for order in [ByteOrder::Big, ByteOrder::Little] {
                let job = || LoadBlocks { blocks, order };
                let (one, two) = (kernel.run(job()), kernel.run(InTwoGroups(job())));
                assert_loaded(&one, &rows, order, kernel, kernel.lanes());
                assert_loaded(&two, &rows, order, kernel, 2 * kernel.lanes());
            }
        }
    }

    #[test]
    fn loaded_rows(bytes in prop::collection::vec(any::<u8>(), MAX_LANES * 32)) {
        let rows: &[[u8; 32]] = bytes.as_chunks().0;
        let slices: Vec<&[u8]> = rows.iter().map(|row| &row[..]).collect();
        for kernel in kernels() {
            for order in [ByteOrder::Big, ByteOrder::Little] {
                let job = || LoadRows { rows, order };
                let (one, two) = (kernel.run(job()), kernel.run(InTwoGroups(job())));
                assert_loaded(&one, &slices, order, kernel, kernel.lanes());
                assert_loaded(&two, &slices, order, kernel, 2 * kernel.lanes());
            }
        }
    }

    #[test]
    fn stored_rows(words in any::<[[u32; MAX_LANES]; 8]>()) {
        for kernel in kernels() {
            let one = (kernel.run(StoreRows { words: &words }), kernel.lanes());
            let two = (kernel.run(InTwoGroups(StoreRows { words: &words })), 2 * kernel.lanes());
            for (mut rows, lanes) in [one, two] {
                rows.sort_by_key(|&(lane, _)| lane);
                prop_assert_eq!(rows.len(), lanes, "{:?}", kernel);
                for (expected_lane, (lane, row)) in rows.into_iter().enumerate() {
                    prop_assert_eq!(lane, expected_lane, "{:?}", kernel);
                    let expected_row = words.map(|word| word[lane]);
                    prop_assert_eq!(row, expected_row, "{:?}, lane {}", kernel, lane);
                }
            }
        }
    }
}
