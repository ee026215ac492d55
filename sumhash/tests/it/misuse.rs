//! Panics on wrong lengths.

use sumhash512::{
    CompressLookup, Compressor, Matrix, SaltedSumhash512Core, Sumhash512Core, Table, hash,
    hash_salted,
};

fn compressor() -> CompressLookup {
    CompressLookup::new(&Matrix::sumhash512())
}

#[test]
#[should_panic(expected = "2 messages cannot be hashed into 1 digests")]
fn fewer_digests_than_messages() {
    sumhash512::hash_many(["", ""], &mut [[0; 64]]);
}

#[test]
#[should_panic(expected = "1 messages cannot be hashed into 2 digests")]
fn more_digests_than_messages() {
    Table::new().hash_many([""], &mut [[0; 64]; 2]);
}

#[test]
#[should_panic(expected = "1 blocks cannot be compressed into 2 states")]
fn fewer_blocks_than_states() {
    sumhash512::compress_many(&mut [[0; 64]; 2], &[[0; 64]]);
}

#[test]
#[should_panic(expected = "`rest` is 64 bytes long, but must be shorter than a block (64 bytes)")]
fn whole_block_as_rest() {
    let _ = Sumhash512Core::new().finalize(&[0; 64]);
}

#[test]
#[should_panic(expected = "`rest` is 65 bytes long, but must be shorter than a block (64 bytes)")]
fn more_than_a_block_as_salted_rest() {
    let _ = SaltedSumhash512Core::new(&[0; 64]).finalize(&[0; 65]);
}

#[test]
#[should_panic(expected = "`input` is 127 bytes long, but the compression function takes 128")]
fn short_input() {
    compressor().compress(&[0; 127], &mut [0; 64]);
}

#[test]
#[should_panic(expected = "`output` is 65 bytes long, but the compression function writes 64")]
fn long_output() {
    compressor().compress(&[0; 128], &mut [0; 65]);
}

#[test]
#[should_panic(expected = "the salt is 63 bytes long, but must be as long as a block (64 bytes)")]
fn short_salt() {
    hash_salted(&compressor(), &[0; 63], b"");
}

#[test]
#[should_panic(expected = "row 8 is out of range: the matrix has 8 rows")]
fn row_out_of_range() {
    let _ = Matrix::sumhash512().row(8);
}

/// A user's own `Compressor` can have any sizes.
#[test]
#[should_panic(expected = "blocks of 15 bytes, but at least 16 are needed for the message length")]
fn compressor_without_room_for_a_length() {
    struct Narrow;

    impl Compressor for Narrow {
        fn input_bytes(&self) -> usize {
            23
        }

        fn output_bytes(&self) -> usize {
            8
        }

        fn compress(&self, _: &[u8], _: &mut [u8]) {}
    }

    hash(&Narrow, b"");
}
