//! Extreme arguments and wrong counts.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sumhash512::{
    Backend, CompressLookup, Compressor, Matrix, SaltedSumhash512Core, Sumhash512Core, Table, hash,
    hash_salted,
};

use crate::{UNWRITTEN, tables};

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

#[test]
#[should_panic(expected = "is out of range: the matrix has 8 rows")]
fn last_possible_row() {
    let _ = Matrix::sumhash512().row(usize::MAX);
}

#[test]
#[should_panic(expected = "`input` is 0 bytes long, but the compression function takes 128")]
fn no_input() {
    compressor().compress(&[], &mut [0; 64]);
}

#[test]
#[should_panic(expected = "`output` is 0 bytes long, but the compression function writes 64")]
fn no_output() {
    compressor().compress(&[0; 128], &mut []);
}

#[test]
#[should_panic(expected = "the salt is 0 bytes long, but must be as long as a block (64 bytes)")]
fn no_salt() {
    hash_salted(&compressor(), &[], b"");
}

#[test]
#[should_panic(expected = "1 blocks cannot be compressed into 0 states")]
fn no_states() {
    Table::constant_time().compress_many(&mut [], &[[0; 64]]);
}

#[test]
#[should_panic(expected = "0 blocks cannot be compressed into 1 states")]
fn no_blocks() {
    sumhash512::compress_many(&mut [[0; 64]], &[]);
}

/// An iterator that claims a number of messages.
struct Claims {
    claimed: usize,
    messages: std::vec::IntoIter<&'static str>,
}

impl Claims {
    fn new(claimed: usize, actual: usize) -> Self {
        Self { claimed, messages: vec!["a"; actual].into_iter() }
    }
}

impl Iterator for Claims {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        self.messages.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.claimed, Some(self.claimed))
    }
}

impl ExactSizeIterator for Claims {}

#[test]
#[should_panic(expected = "messages cannot be hashed into 1 digests")]
fn as_many_messages_as_can_be_claimed() {
    sumhash512::hash_many(Claims::new(usize::MAX, 1), &mut [[0; 64]]);
}

#[test]
fn fewer_or_more_messages_than_claimed() {
    for backend in Backend::available() {
        for table in tables() {
            for (claimed, actual) in [(0, 1), (1, 0), (3, 1), (100, 70), (100, 0), (7, 9), (64, 65)]
            {
                let mut digests = vec![UNWRITTEN; claimed];
                let hashed = catch_unwind(AssertUnwindSafe(|| {
                    table.hash_many_with(backend, Claims::new(claimed, actual), &mut digests);
                }));
                let panic = hashed.expect_err("the length is wrong");
                let message = panic.downcast_ref::<String>().expect("a formatted message");
                let length = format!("than its length of {claimed}");
                assert!(message.ends_with(&length), "{backend}, {table:?}: {message}");
            }
        }
    }
}

#[test]
fn names_of_no_backend() {
    for name in ["", " ", "avx512 ", "AVX2", "\0", &"a".repeat(1 << 20)] {
        assert!(name.parse::<Backend>().is_err());
    }
}

/// A user's own `Compressor`, of any sizes.
struct Custom {
    input: usize,
    output: usize,
}

impl Compressor for Custom {
    fn input_bytes(&self) -> usize {
        self.input
    }

    fn output_bytes(&self) -> usize {
        self.output
    }

    fn compress(&self, _: &[u8], _: &mut [u8]) {}
}

#[test]
#[should_panic(expected = "blocks of 15 bytes, but at least 16 are needed for the message length")]
fn compressor_without_room_for_a_length() {
    hash(&Custom { input: 23, output: 8 }, b"");
}

#[test]
#[should_panic(expected = "blocks of 0 bytes, but at least 16 are needed for the message length")]
fn compressor_of_nothing() {
    hash(&Custom { input: 0, output: 0 }, b"");
}

#[test]
#[should_panic(expected = "blocks of 0 bytes, but at least 16 are needed for the message length")]
fn compressor_with_more_output_than_input() {
    hash_salted(&Custom { input: 0, output: usize::MAX }, &[], b"");
}

#[test]
#[should_panic(expected = "bytes, which no slice can have")]
fn compressor_with_endless_blocks() {
    hash(&Custom { input: usize::MAX, output: 0 }, b"");
}

#[test]
#[should_panic(expected = "bytes, which no slice can have")]
fn compressor_with_endless_states() {
    hash_salted(&Custom { input: usize::MAX, output: usize::MAX - 16 }, &[0; 16], b"");
}

#[test]
fn compressor_without_output() {
    assert!(hash(&Custom { input: 16, output: 0 }, b"abc").is_empty());
    assert!(hash_salted(&Custom { input: 16, output: 0 }, &[7; 16], b"abc").is_empty());
}
