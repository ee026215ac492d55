//! The compression function, with every table on every backend.

use proptest::prelude::*;
use sumhash512::{Backend, Sumhash512Lanes, Table};

use crate::reference::Reference;
use crate::{UNWRITTEN, tables};

/// Asserts what a block compresses each state into.
fn assert_compressed(
    tables: &[Table],
    states: &[[u8; 64]],
    blocks: &[[u8; 64]],
    expected: &[[u8; 64]],
) {
    for backend in Backend::available() {
        for table in tables {
            // All at once, and one by one.
            for at_once in [states.len(), 1] {
                let mut compressed = states.to_vec();
                for (states, blocks) in compressed.chunks_mut(at_once).zip(blocks.chunks(at_once)) {
                    Sumhash512Lanes::with_table(table).on(backend).compress_many(states, blocks);
                }
                assert!(compressed == expected, "{backend}, {table:?}, {at_once} at once");
            }
        }
    }
}

#[test]
fn each_single_bit_is_a_column() {
    let reference = Reference::new();
    let (mut states, mut blocks, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for j in 0..1024 {
        let mut input = [[0; 64]; 2];
        input.as_flattened_mut()[j / 8] = 1 << (j % 8);
        let [state, block] = input;
        let mut column = UNWRITTEN;
        for (i, bytes) in column.as_chunks_mut().0.iter_mut().enumerate() {
            *bytes = reference.row(i)[j].to_le_bytes();
        }
        states.push(state);
        blocks.push(block);
        columns.push(column);
    }
    assert_compressed(&tables(), &states, &blocks, &columns);
}

#[test]
fn each_byte_in_every_position() {
    let reference = Reference::new();
    let inputs: Vec<_> = (0..=255).map(|byte| [byte; 64]).collect();
    let expected: Vec<_> = inputs.iter().map(|input| reference.compress(input, input)).collect();
    assert_compressed(&tables(), &inputs, &inputs, &expected);
}

#[test]
fn columns_of_the_specification() {
    let reference = Reference::new();
    assert_eq!(reference.row(0)[..2], [0xc0df_2685_a9f8_a108, 0xd372_dd79_18bd_1926]);
    assert_eq!(reference.row(7)[1023], 0xd254_76de_b555_b6cb);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_inputs(
        states in prop::collection::vec(prop::array::uniform32(any::<[u8; 2]>()), 4),
        blocks in prop::collection::vec(prop::array::uniform32(any::<[u8; 2]>()), 4),
    ) {
        thread_local! {
            static TABLES: [Table; 3] = tables();
            static REFERENCE: Reference = Reference::new();
        }
        let arrays = |halves: Vec<[[u8; 2]; 32]>| -> Vec<[u8; 64]> {
            halves.iter().map(|bytes| bytes.as_flattened().try_into().unwrap()).collect()
        };
        let (states, blocks) = (arrays(states), arrays(blocks));
        let compress = |(state, block)| REFERENCE.with(|reference| reference.compress(state, block));
        let expected: Vec<_> = states.iter().zip(&blocks).map(compress).collect();
        TABLES.with(|tables| assert_compressed(tables, &states, &blocks, &expected));
    }
}
