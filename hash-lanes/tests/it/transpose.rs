//! Loading blocks into lanes and storing rows, against the plain formula.

use hash_lanes::{BLOCK_BYTES, BLOCK_WORDS, Block, ByteOrder, LaneJob, Lanes, MAX_LANES};
use proptest::prelude::*;

use crate::kernels;

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

proptest! {
    #[test]
    fn loaded_blocks(bytes in prop::collection::vec(any::<u8>(), MAX_LANES * BLOCK_BYTES)) {
        let blocks: &[Block] = bytes.as_chunks().0;
        for kernel in kernels() {
            for order in [ByteOrder::Big, ByteOrder::Little] {
                let loaded = kernel.run(LoadBlocks { blocks, order });
                for (lane, block) in blocks[..kernel.lanes()].iter().enumerate() {
                    for (i, word) in block.chunks(4).enumerate() {
                        let word = word.try_into().unwrap();
                        let expected = match order {
                            ByteOrder::Big => u32::from_be_bytes(word),
                            ByteOrder::Little => u32::from_le_bytes(word),
                        };
                        prop_assert_eq!(loaded[i][lane], expected, "{:?}, {:?}, lane {}", kernel, order, lane);
                    }
                }
            }
        }
    }

    #[test]
    fn stored_rows(words in any::<[[u32; MAX_LANES]; 8]>()) {
        for kernel in kernels() {
            let mut rows = kernel.run(StoreRows { words: &words });
            rows.sort_by_key(|&(lane, _)| lane);
            prop_assert_eq!(rows.len(), kernel.lanes(), "{:?}", kernel);
            for (expected_lane, (lane, row)) in rows.into_iter().enumerate() {
                prop_assert_eq!(lane, expected_lane, "{:?}", kernel);
                prop_assert_eq!(row, words.map(|word| word[lane]), "{:?}, lane {}", kernel, lane);
            }
        }
    }
}
