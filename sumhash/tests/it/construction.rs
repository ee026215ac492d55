//! The construction at any size, and the salted mode.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use serde_json::Value;
use sumhash512::construction::{
    CompressLookup, CompressMatrix, Compressor, MAX_WORDS, SizeError, SumhashCore,
};
use sumhash512::{Backend, Sumhash512Core, Table};

use crate::reference::{Reference, shake256};
use crate::{digest, painted, tables};

/// The digest by each kind of compressor, with whole blocks and with each block by itself.
fn assert_digest(matrix: &CompressMatrix, message: &[u8], salt: Option<&[u8]>, expected: &[u8]) {
    let lookup = CompressLookup::new(matrix);
    let compressors: [&dyn Compressor; 2] = [matrix, &lookup];
    for compressor in compressors {
        let mut core = match salt {
            None => SumhashCore::new(compressor).unwrap(),
            Some(salt) => SumhashCore::with_salt(compressor, salt).unwrap(),
        };
        let block_len = core.block_len();
        let (blocks, rest) = message.split_at(message.len() - message.len() % block_len);
        core.update_blocks(blocks);
        assert_eq!(core.finalize(rest), expected, "{} bytes", message.len());
        core.reset();
        for block in blocks.chunks(block_len) {
            core.update_blocks(block);
        }
        core.update_blocks(&[]);
        assert_eq!(core.clone().finalize(rest), expected);
        assert_eq!(core.finalize(rest), expected);
    }
}

/// The input of the known answers of go-sumhash.
fn input(length: usize) -> Vec<u8> {
    shake256(b"sumhash input", length)
}

/// Their salt.
fn salt(block: usize) -> Vec<u8> {
    shake256(b"sumhash salt", block)
}

/// From the tests of go-sumhash 0.1.0, and computed with it.
#[test]
fn known_answers_of_other_sizes() {
    for (n, m, seed, salted, length, expected) in [
        (1, 192, &b""[..], false, 0, "f879318068c244b9"),
        (1, 192, b"", true, 100, "035951556935194a"),
        (2, 264, b"\x11\x22\x33\x44", false, 100, "cd6eefef9619f83fd726f9ab931c3cdf"),
        (2, 264, b"\x11\x22\x33\x44", true, 0, "a6d53d392dbc2c5ecf4d48a27dc4e314"),
        (
            4,
            512,
            b"Algorand",
            true,
            100,
            "cf4a79f62f58d010a68b3bc25dff7b3def8599ce178524af85b8140afab5b5df",
        ),
        (
            8,
            8192,
            b"Algorand",
            false,
            2000,
            "eb6ed745881cfa555f4becf860f247d9bac80c6362bf856cfa1c7dd6f646305eaedf5a6cde88ef317063\
             2df49b98a887d58d9f01fb123bb23e815395a87a6724",
        ),
        (
            9,
            8192,
            b"Algorand",
            true,
            9000,
            "c80b001f9e8c42823bdfb76adcf9a423279b5eca2506bb1260bd56f70aaa486a1f3015a5a4a751c71ef6\
             c7e3d90a946cd15ae1d62eb14537b8cdb373985df814275b1ed1b8341099",
        ),
        (
            17,
            2048,
            b"seed",
            true,
            9000,
            "06a53121841ccd11870cb9b3ac8dd3efd9324e103f871f3c2e1fd2964dfde9b9e656f8eec09b35e60370\
             a5ec65b3f2071b0ae170344724f3e9a38f0be963f96dbf808c8066db4a402bb45dc8d8a8c9b48414f10e\
             00a5dab928e3bfb501c345d73a460e291b27f37c2eab108cffdf7c9387836983d03210cccba1383cf4dd\
             0a8a0cdd4d1063ea64ec",
        ),
    ] {
        let matrix = CompressMatrix::new(n, m, seed).unwrap();
        let salt = salted.then(|| salt(m / 8 - 8 * n));
        let expected = hex::decode(expected).unwrap();
        assert_digest(&matrix, &input(length), salt.as_deref(), &expected);
    }
    let matrix = CompressMatrix::new(14, 3584, b"\x11\x22\x33\x44").unwrap();
    let expected = "fc91828801365750f0267edd5530a301d1471736c485472bbadf22507731a81f\
                    d67e0d80cce722a81c6dc690b698f5771713855c5d1927488d79713e3abd8105\
                    3de2c7db1430b8fb106b3f6aa6b93e54aec351e47bcc176c0df58a0336d24979\
                    a064f3acb67a693db399c6402149157b";
    assert_digest(&matrix, b"1234567890", None, &hex::decode(expected).unwrap());
}

#[test]
fn the_salted_known_answer() {
    let expected = digest(
        "c9be08eed13218c30f8a673f7694711d87dfec9c7b0cb1c8e18bf68420d4682530e45c1cd5d886b1c6ab442141\
         61f06e091b0150f28374d6b5ca0c37efc2bca7",
    );
    assert_salted(&input(6000), &expected);
    let matrix = CompressMatrix::new(8, 1024, b"Algorand").unwrap();
    assert_digest(&matrix, &input(6000), Some(&salt(64)), &expected);
}

/// Asserts the digest with the salt of go-sumhash, with every table on every backend.
fn assert_salted(message: &[u8], expected: &[u8; 64]) {
    let salt: [u8; 64] = salt(64).try_into().unwrap();
    let (blocks, rest) = message.as_chunks();
    for backend in Backend::available() {
        for table in &tables() {
            let mut core = Sumhash512Core::with_table(table).with_backend(backend).with_salt(&salt);
            core.update_blocks(blocks);
            let context = format!("{backend}, {table:?}, {} bytes", message.len());
            assert_eq!(core.finalize(rest), *expected, "{context}");
            core.reset();
            core.update_blocks(blocks);
            assert_eq!(core.finalize(rest), *expected, "{context}, after a reset");
        }
    }
}

/// Around the ends of blocks and of copies, against the definition.
#[test]
fn salted_messages_of_any_length() {
    let reference = Reference::new();
    for length in (0..260).chain([511, 512, 513, 1100]) {
        let message = painted(length, length);
        let expected = reference.digest_salted(&message, Some(&salt(64)));
        assert_salted(&message, &expected.try_into().unwrap());
    }
    let zeros = Sumhash512Core::new().with_salt(&[0; 64]);
    assert_ne!(zeros.finalize(b""), Sumhash512Core::new().finalize(b""));
}

/// Messages of more than 8 KiB, whose length in bits takes three bytes, against the definition.
#[test]
fn long_messages() {
    for (rows, columns) in [(8, 1024), (2, 264)] {
        let matrix = CompressMatrix::new(rows, columns, b"Algorand").unwrap();
        let reference = Reference::sized(rows, columns, b"Algorand");
        for length in [8191, 8192, 8193, 9000, 20_000] {
            let message = painted(length, length);
            for salt in [None, Some(salt(columns / 8 - 8 * rows))] {
                let expected = reference.digest_salted(&message, salt.as_deref());
                assert_digest(&matrix, &message, salt.as_deref(), &expected);
            }
        }
    }
}

/// Both compressors, with more rows than sumhash512 has, against the definition.
#[test]
fn more_rows_than_sumhash512() {
    for rows in (8..=17).chain([32, 33]) {
        let block = 16 + rows % 5;
        let columns = 8 * (8 * rows + block);
        let matrix = CompressMatrix::new(rows, columns, b"rows").unwrap();
        let reference = Reference::sized(rows, columns, b"rows");
        for length in [0, block, 3 * block + 1] {
            let message = painted(rows, length);
            for salt in [None, Some(salt(block))] {
                let expected = reference.digest_salted(&message, salt.as_deref());
                assert_digest(&matrix, &message, salt.as_deref(), &expected);
            }
        }
    }
}

/// 8192 columns, the most that 128 rows can have, with few rows and with many.
#[test]
fn matrices_of_8192_columns() {
    for (rows, length) in [(1, 2000), (8, 2000), (17, 1000), (126, 40)] {
        let matrix = CompressMatrix::new(rows, 8192, b"\x11\x22\x33\x44").unwrap();
        let reference = Reference::sized(rows, 8192, b"\x11\x22\x33\x44");
        let message = painted(rows, length);
        for salt in [None, Some(salt(1024 - 8 * rows))] {
            let expected = reference.digest_salted(&message, salt.as_deref());
            assert_digest(&matrix, &message, salt.as_deref(), &expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(40)
    })]

    #[test]
    fn any_size(
        rows in 1..6_usize,
        block in 16..40_usize,
        seed in prop::collection::vec(any::<u8>(), 0..20),
        message in prop::collection::vec(any::<u8>(), 0..130),
        salted in any::<bool>(),
    ) {
        let columns = 8 * (8 * rows + block);
        let matrix = CompressMatrix::new(rows, columns, &seed).unwrap();
        let salt = salted.then(|| painted(rows, block));
        let reference = Reference::sized(rows, columns, &seed);
        let expected = reference.digest_salted(&message, salt.as_deref());
        assert_digest(&matrix, &message, salt.as_deref(), &expected);
    }
}

/// The tables of sumhash512 are compressors, too.
#[test]
fn all_compressors_agree() {
    let matrix = CompressMatrix::new(8, 1024, b"Algorand").unwrap();
    let lookup = CompressLookup::new(&matrix);
    let [small, large] = &tables();
    let all: [&dyn Compressor; 4] = [&matrix, &lookup, small, large];
    let reference = Reference::new();
    for i in 0..50 {
        let input = painted(i, 128);
        let expected = reference.compress(&input);
        for compressor in all {
            let mut output = [0xee; 64];
            compressor.compress(&input, &mut output);
            assert_eq!(output[..], expected);
            assert_eq!((compressor.input_len(), compressor.output_len()), (128, 64));
        }
    }
}

/// The words that the definition derives from the seed make the matrix of the seed.
#[test]
fn a_matrix_of_given_words() {
    let (rows, columns) = (3, 320);
    let sizes = [64, rows as u16, columns as u16].map(u16::to_le_bytes);
    let bytes = shake256(&[sizes.as_flattened(), b"seed"].concat(), 8 * rows * columns);
    let words: Vec<u64> = bytes.as_chunks().0.iter().map(|it| u64::from_le_bytes(*it)).collect();
    let matrix = CompressMatrix::from_words(rows, columns, &words).unwrap();
    let expected = Reference::sized(rows, columns, b"seed").digest_salted(b"a message", None);
    assert_digest(&matrix, b"a message", None, &expected);

    let refused = |rows, columns, words: &[u64]| {
        CompressMatrix::from_words(rows, columns, words).err().unwrap()
    };
    let error = SizeError::Words { words: 959, expected: 960 };
    assert_eq!(refused(rows, columns, &words[1..]), error);
    assert_eq!(error.to_string(), "959 words, but the matrix has 960");
    assert_eq!(refused(1, 12, &words[..12]), SizeError::Columns { columns: 12 });
    assert_eq!(refused(0, 8, &[]), SizeError::Matrix { rows: 0, columns: 8 });
}

#[test]
fn sizes_that_are_refused() {
    let new = |rows, columns| CompressMatrix::new(rows, columns, b"").err();
    let matrix = |rows, columns| Some(SizeError::Matrix { rows, columns });
    for (rows, columns) in [
        (0, 8),
        (1, 0),
        (1 << 16, 8),
        (1, 1 << 16),
        (65535, 65528),
        (17, 1 << 16),
        (129, 8192),
        (usize::MAX, usize::MAX),
    ] {
        assert_eq!(new(rows, columns), matrix(rows, columns));
    }
    assert_eq!(new(1, 65535), Some(SizeError::Columns { columns: 65535 }));
    assert_eq!(new(1, 4), Some(SizeError::Columns { columns: 4 }));
    assert!(128 * 8192 == MAX_WORDS && new(128, 8192).is_none());
    assert!(new(1, 65528).is_none());

    for (rows, columns) in [(1, 8), (1, 184), (2, 248), (8, 8)] {
        let matrix = CompressMatrix::new(rows, columns, b"").unwrap();
        let error = SizeError::Block { input: columns / 8, output: 8 * rows };
        assert_eq!(SumhashCore::new(&matrix).err(), Some(error));
        assert_eq!(SumhashCore::with_salt(&matrix, &[]).err(), Some(error));
    }
    let matrix = CompressMatrix::new(1, 192, b"").unwrap();
    for length in [0, 15, 17] {
        let error = SizeError::Salt { salt: length, block: 16 };
        assert_eq!(SumhashCore::with_salt(&matrix, &vec![0; length]).err(), Some(error));
    }
    let message = "a matrix of 0 rows and 8 columns: both must be from 1 to 65535, and their \
                   product at most 1048576";
    assert_eq!(SizeError::Matrix { rows: 0, columns: 8 }.to_string(), message);
}

#[test]
#[cfg_attr(panic = "abort", ignore = "catches panics")]
fn slices_of_wrong_lengths_panic() {
    fn message_of(job: impl FnOnce()) -> String {
        *catch_unwind(AssertUnwindSafe(job)).unwrap_err().downcast().unwrap()
    }
    let matrix = CompressMatrix::new(1, 192, b"").unwrap();
    let lookup = CompressLookup::new(&matrix);
    let compressors: [(&dyn Compressor, usize, usize); 3] =
        [(&matrix, 24, 8), (&lookup, 24, 8), (&Table::new(), 128, 64)];
    for (compressor, input, output) in compressors {
        for (from, into) in [(input - 1, output), (input, output + 1), (0, 0)] {
            let message = message_of(|| compressor.compress(&vec![0; from], &mut vec![0; into]));
            let expected = format!(
                "{from} bytes cannot be compressed into {into}: the matrix takes {input} and \
                 gives {output}"
            );
            assert_eq!(message, expected);
        }
    }
    let mut core = SumhashCore::new(&matrix).unwrap();
    let expected = "`rest` is 16 bytes long, but must be shorter than a block (16 bytes); pass \
                    whole blocks to `update_blocks`";
    assert_eq!(message_of(|| drop(core.finalize(&[0; 16]))), expected);
    let expected = "17 bytes are not a multiple of the block length of 16 bytes; pass the rest of \
                    the message to `finalize`";
    assert_eq!(message_of(|| core.update_blocks(&[0; 17])), expected);
}

#[test]
fn secrets_are_not_printed() {
    let matrix = CompressMatrix::new(1, 192, b"").unwrap();
    let shown = "CompressMatrix { output_len: 8, input_len: 24, .. }";
    assert_eq!(format!("{matrix:?}"), shown);
    let core = SumhashCore::with_salt(&matrix, &[7; 16]).unwrap();
    assert_eq!(format!("{core:?}"), "SumhashCore { ... }");
    let core = Sumhash512Core::new().with_salt(&[7; 64]);
    assert_eq!(format!("{core:?}"), "Sumhash512Core { ... }");
}

/// The sizes as types, for the traits of both generations.
#[cfg(all(feature = "digest", feature = "digest-0_10"))]
mod sized {
    use digest_0_10::consts::{U8, U16, U24};
    use sumhash512::SizedCore;

    use super::*;

    digest::buffer_fixed!(
        /// A hasher of 0.11.
        struct Wrapper(SizedCore<CompressLookup, U16, U24>);
        impl: BaseFixedTraits AlgorithmName HashMarker Reset FixedOutputReset;
    );

    fn core() -> SumhashCore<CompressLookup> {
        let matrix = CompressMatrix::new(2, 320, b"seed").unwrap();
        SumhashCore::with_salt(CompressLookup::new(&matrix), &[3; 24]).unwrap()
    }

    #[test]
    fn hash_messages_in_parts() {
        for length in [0, 1, 7, 8, 23, 24, 25, 48, 100] {
            let message = painted(length, length);
            let reference = Reference::sized(2, 320, b"seed");
            let expected = reference.digest_salted(&message, Some(&[3; 24]));
            let (first, second) = message.split_at(length / 3);
            {
                use digest_0_10::core_api::CoreWrapper;
                use digest_0_10::{FixedOutputReset as _, Update as _};
                let sized = SizedCore::<_, U16, U24>::new(core()).unwrap();
                let mut hasher = CoreWrapper::from_core(sized);
                for _ in 0..2 {
                    hasher.update(first);
                    hasher.update(second);
                    assert_eq!(hasher.finalize_fixed_reset()[..], expected);
                }
            }
            {
                use digest::block_api::CoreProxy as _;
                use digest::{FixedOutputReset as _, Update as _};
                let sized = SizedCore::new(core()).unwrap();
                let mut hasher = Wrapper::compose(sized, Default::default());
                for _ in 0..2 {
                    hasher.update(first);
                    hasher.update(second);
                    assert_eq!(hasher.finalize_fixed_reset()[..], expected);
                }
            }
        }
    }

    #[test]
    fn types_of_other_sizes_are_refused() {
        let error = SizeError::Types { types: (8, 24), core: (16, 24) };
        assert_eq!(SizedCore::<_, U8, U24>::new(core()).err(), Some(error));
        let error = SizeError::Types { types: (16, 8), core: (16, 24) };
        assert_eq!(SizedCore::<_, U16, U8>::new(core()).err(), Some(error));
        let sized = SizedCore::<_, U16, U24>::new(core()).unwrap();
        assert_eq!(format!("{:?}", sized.clone()), "SizedCore { ... }");
    }
}

/// A file of the large test vectors.
fn vectors(name: &str) -> String {
    let folder = std::env::var("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    std::fs::read_to_string(format!("{folder}/sumhash/{name}")).unwrap()
}

fn decoded(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn generic_parameters() {
    let cases: Vec<Value> = serde_json::from_str(&vectors("generic_parameters.json")).unwrap();
    assert!(cases.len() >= 330);
    for case in &cases {
        let [n, m, block, length] =
            ["N", "M", "block_bytes", "Len"].map(|key| case[key].as_u64().unwrap() as usize);
        let matrix = CompressMatrix::new(n, m, &decoded(&case["seed_hex"])).unwrap();
        let salt = case["Salted"].as_bool().unwrap().then(|| salt(block));
        assert_digest(&matrix, &input(length), salt.as_deref(), &decoded(&case["Digest"]));
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn compressions() {
    let cases: Vec<Value> =
        serde_json::from_str(&vectors("compress_8x1024_algorand.json")).unwrap();
    assert!(cases.len() >= 10);
    let matrix = CompressMatrix::new(8, 1024, b"Algorand").unwrap();
    let lookup = CompressLookup::new(&matrix);
    let [small, large] = &tables();
    let all: [&dyn Compressor; 4] = [&matrix, &lookup, small, large];
    for case in &cases {
        for compressor in all {
            let mut output = [0; 64];
            compressor.compress(&decoded(&case["In"]), &mut output);
            assert_eq!(output[..], decoded(&case["Out"]));
        }
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn salted_sweep() {
    let sweep = vectors("sweep_salted.txt");
    let cases = sweep.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for case in cases {
        let (length, expected) = case.split_once(' ').unwrap();
        assert_salted(&input(length.parse().unwrap()), &digest(expected));
        count += 1;
    }
    assert!(count > 250);
}
