//! Tests loading blocks and rows into lanes, and storing rows, against the plain definition.

use hash_lanes::engine::{
    Array, BLOCK_WORDS, Block, ByteOrder, LaneJob, LaneKernel, Lanes, MAX_LANES, ROW_WORDS, Row,
    Vectors, Word,
};
use proptest::prelude::*;

use crate::{InTwoGroups, kernels};

/// The words of each vector, one for each lane.
type Columns<W, const N: usize> = [[W; MAX_LANES]; N];

struct LoadBlocks<'a, W: Vectors> {
    blocks: &'a [Block<W>],
    order: ByteOrder,
}

impl<W: Vectors> LaneJob for LoadBlocks<'_, W> {
    type Word = W;

    type Output = Columns<W, BLOCK_WORDS>;

    #[inline(always)]
    fn run<V: Lanes<Word = W>>(self, token: V::Token) -> Self::Output {
        let blocks = &self.blocks[..V::COUNT];
        let vectors = V::load_blocks(
            token,
            self.order,
            #[inline(always)]
            |lane| &blocks[lane],
        );
        let mut words = [[W::default(); MAX_LANES]; BLOCK_WORDS];
        for i in 0..BLOCK_WORDS {
            vectors[i].to_words(&mut words[i]);
        }
        words
    }
}

struct LoadRows<'a, W: Vectors> {
    rows: &'a [Row<W>],
    order: ByteOrder,
}

impl<W: Vectors> LaneJob for LoadRows<'_, W> {
    type Word = W;

    type Output = Columns<W, ROW_WORDS>;

    #[inline(always)]
    fn run<V: Lanes<Word = W>>(self, token: V::Token) -> Self::Output {
        let rows = &self.rows[..V::COUNT];
        let vectors = V::load_rows(
            token,
            self.order,
            #[inline(always)]
            |lane| &rows[lane],
        );
        let mut words = [[W::default(); MAX_LANES]; ROW_WORDS];
        for i in 0..ROW_WORDS {
            vectors[i].to_words(&mut words[i]);
        }
        words
    }
}

struct StoreRows<'a, W: Vectors> {
    words: &'a Columns<W, ROW_WORDS>,
}

impl<W: Vectors> LaneJob for StoreRows<'_, W> {
    type Word = W;

    type Output = Vec<(usize, [W; ROW_WORDS])>;

    #[inline(always)]
    fn run<V: Lanes<Word = W>>(self, token: V::Token) -> Self::Output {
        let mut vectors = [V::splat(token, W::default()); ROW_WORDS];
        for i in 0..ROW_WORDS {
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
fn assert_loaded<W: Vectors>(
    loaded: &[[W; MAX_LANES]],
    rows: &[&[u8]],
    order: ByteOrder,
    kernel: LaneKernel,
    lanes: usize,
) {
    for (lane, row) in rows[..lanes].iter().enumerate() {
        for (i, word) in row.chunks(W::BYTES).enumerate() {
            let mut expected: Vec<u8> = word.to_vec();
            if order == ByteOrder::Little {
                expected.reverse();
            }
            let expected = format!("0x{}", hex(&expected));
            let word = format!("{:#0width$x?}", loaded[i][lane], width = 2 + 2 * W::BYTES);
            assert_eq!(word, expected, "{kernel:?}, {order:?}, word {i}, lane {lane}");
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn assert_blocks_load<W: Vectors>(bytes: &[u8]) {
    let (blocks, _) = W::blocks_of(bytes);
    let rows: Vec<&[u8]> = blocks.iter().map(|block| block.elements()).collect();
    for kernel in kernels() {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let job = || LoadBlocks::<W> { blocks, order };
            let (one, two) = (kernel.run(job()), kernel.run(InTwoGroups(job())));
            let lanes = kernel.lanes::<W>();
            assert_loaded(&one, &rows, order, kernel, lanes);
            assert_loaded(&two, &rows, order, kernel, 2 * lanes);
        }
    }
}

fn assert_rows_load<W: Vectors>(bytes: &[u8]) {
    let rows: Vec<Row<W>> =
        bytes.chunks(8 * W::BYTES).filter_map(|row| W::first_row(row).copied()).collect();
    let slices: Vec<&[u8]> = rows.iter().map(|row| row.elements()).collect();
    for kernel in kernels() {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let job = || LoadRows::<W> { rows: &rows, order };
            let (one, two) = (kernel.run(job()), kernel.run(InTwoGroups(job())));
            let lanes = kernel.lanes::<W>();
            assert_loaded(&one, &slices, order, kernel, lanes);
            assert_loaded(&two, &slices, order, kernel, 2 * lanes);
        }
    }
}

fn assert_rows_are_stored<W: Vectors>(words: &Columns<W, ROW_WORDS>) {
    for kernel in kernels() {
        let lanes = kernel.lanes::<W>();
        let one = (kernel.run(StoreRows { words }), lanes);
        let two = (kernel.run(InTwoGroups(StoreRows { words })), 2 * lanes);
        for (mut rows, lanes) in [one, two] {
            rows.sort_by_key(|&(lane, _)| lane);
            assert_eq!(rows.len(), lanes, "{kernel:?}");
            for (expected_lane, (lane, row)) in rows.into_iter().enumerate() {
                assert_eq!(lane, expected_lane, "{kernel:?}");
                let expected_row = words.map(|word| word[lane]);
                assert_eq!(row, expected_row, "{kernel:?}, lane {lane}");
            }
        }
    }
}

proptest! {
    #[test]
    fn loaded_blocks(
        bytes in prop::collection::vec(any::<u8>(), MAX_LANES * BLOCK_WORDS * u64::BYTES),
    ) {
        assert_blocks_load::<u32>(&bytes);
        assert_blocks_load::<u64>(&bytes);
    }

    #[test]
    fn loaded_rows(
        bytes in prop::collection::vec(any::<u8>(), MAX_LANES * ROW_WORDS * u64::BYTES),
    ) {
        assert_rows_load::<u32>(&bytes);
        assert_rows_load::<u64>(&bytes);
    }

    #[test]
    fn stored_rows(words in any::<Columns<u64, ROW_WORDS>>()) {
        assert_rows_are_stored(&words);
        assert_rows_are_stored(&words.map(|words| words.map(|word| word as u32)));
    }
}
