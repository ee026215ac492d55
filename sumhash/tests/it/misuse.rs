//! Lengths that do not match.

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
#[should_panic(expected = "a rest of 64 bytes has a whole block in it")]
fn whole_block_as_rest() {
    let _ = Sumhash512Core::new().finalize(&[0; 64]);
}

#[test]
#[should_panic(expected = "a rest of 65 bytes has a whole block in it")]
fn more_than_a_block_as_salted_rest() {
    let _ = SaltedSumhash512Core::new(&[0; 64]).finalize(&[0; 65]);
}

#[test]
#[should_panic(expected = "an input of 127 bytes for a compression of 128")]
fn short_input() {
    compressor().compress(&[0; 127], &mut [0; 64]);
}

#[test]
#[should_panic(expected = "an output of 65 bytes for a compression to 64")]
fn long_output() {
    compressor().compress(&[0; 128], &mut [0; 65]);
}

#[test]
#[should_panic(expected = "a salt of 63 bytes for blocks of 64")]
fn short_salt() {
    hash_salted(&compressor(), &[0; 63], b"");
}

#[test]
#[should_panic(expected = "row 8 of a matrix of 8 rows")]
fn row_below_the_matrix() {
    let _ = Matrix::sumhash512().row(8);
}

/// Of the crate's user, whose sizes nobody has checked.
#[test]
#[should_panic(expected = "blocks of 15 bytes have no room for a message's length")]
fn compression_without_room_for_a_length() {
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
