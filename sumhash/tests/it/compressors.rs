//! The compression functions, at any size.

use proptest::prelude::*;
use sumhash512::{Backend, CompressLookup, CompressMatrix, Compressor, Matrix, hash, hash_salted};

use crate::painted;
use crate::reference::Reference;

/// Each compressor on each backend, with its name.
fn compressors(matrix: &Matrix) -> Vec<(String, Box<dyn Compressor>)> {
    let mut all: Vec<(String, Box<dyn Compressor>)> = Vec::new();
    for backend in Backend::available() {
        let small = CompressLookup::new(matrix).with_backend(backend);
        all.push((format!("{backend}, small tables"), Box::new(small)));
        let large = CompressLookup::large(matrix).with_backend(backend);
        all.push((format!("{backend}, large tables"), Box::new(large)));
        let matrix = CompressMatrix::new(matrix).with_backend(backend);
        all.push((format!("{backend}, constant-time tables"), Box::new(matrix)));
    }
    all
}

fn compressed(compressor: &dyn Compressor, input: &[u8]) -> Vec<u8> {
    let mut output = vec![0xee; compressor.output_bytes()];
    compressor.compress(input, &mut output);
    output
}

#[test]
fn each_single_bit_is_a_column() {
    let reference = Reference::sumhash512();
    for (name, compressor) in compressors(&Matrix::sumhash512()) {
        for j in 0..1024 {
            let mut input = [0; 128];
            input[j / 8] = 1 << (j % 8);
            let column: Vec<u8> = (0..8).flat_map(|i| reference.row(i)[j].to_le_bytes()).collect();
            assert_eq!(compressed(&*compressor, &input), column, "{name}, column {j}");
        }
        assert_eq!(compressed(&*compressor, &[0; 128]), [0; 64], "{name}");
    }
}

#[test]
fn each_byte_in_every_position() {
    let reference = Reference::sumhash512();
    let compressors = compressors(&Matrix::sumhash512());
    for byte in 0..=255 {
        let expected = reference.compress(&[byte; 128]);
        for (name, compressor) in &compressors {
            assert_eq!(compressed(&**compressor, &[byte; 128]), expected, "{name}, byte {byte}");
        }
    }
}

#[test]
fn hashes_of_other_sizes() {
    // The shortest block, fewer rows than a piece of eight, one row more than a piece, and three
    // pieces.
    for (n, m) in
        [(1, 192), (1, 200), (3, 512), (7, 640), (8, 640), (9, 1024), (16, 2048), (17, 1216)]
    {
        let reference = Reference::new(n, m, b"another seed");
        let matrix = Matrix::new(n, m, b"another seed").unwrap();
        let block = reference.block_bytes();
        let salt = painted(n + m, block);
        let compressors = compressors(&matrix);
        for (name, compressor) in &compressors {
            assert_eq!(
                (compressor.input_bytes(), compressor.output_bytes()),
                (m / 8, 8 * n),
                "{name}"
            );
        }
        for length in 0..=2 * block + 1 {
            let message = painted(length, length);
            let plain = reference.hash(None, &message);
            let salted = reference.hash(Some(&salt), &message);
            for (name, compressor) in &compressors {
                let name = format!("{name}, {n} rows, {m} columns, {length} bytes");
                assert_eq!(hash(&**compressor, &message), plain, "{name}");
                assert_eq!(hash_salted(&**compressor, &salt, &message), salted, "{name}, salted");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_inputs(inputs in prop::collection::vec(prop::array::uniform32(any::<[u8; 4]>()), 4)) {
        thread_local! {
            static COMPRESSORS: Vec<(String, Box<dyn Compressor>)> =
                compressors(&Matrix::sumhash512());
            static REFERENCE: Reference = Reference::sumhash512();
        }
        for input in inputs {
            let expected = REFERENCE.with(|reference| reference.compress(input.as_flattened()));
            COMPRESSORS.with(|compressors| {
                for (name, compressor) in compressors {
                    assert_eq!(compressed(&**compressor, input.as_flattened()), expected, "{name}");
                }
            });
        }
    }
}
