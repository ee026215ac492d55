//! External test vectors, in the folder named by the environment variable `HASHLANES_VECTORS`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use sumhash512::{
    Backend, CompressLookup, CompressMatrix, Compressor, Matrix, Table, compress_many_with, hash,
    hash_many_with, hash_salted,
};

use crate::{UNWRITTEN, assert_hashed, digest, shake256, tables};

fn read(name: &str) -> Vec<u8> {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    let path = PathBuf::from(folder).join("sumhash").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The objects in the top-level list of a file.
fn list(name: &str) -> Vec<Value> {
    serde_json::from_slice(&read(name)).unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap().try_into().unwrap()
}

/// Lengths with their digests.
fn sweep(name: &str) -> Vec<(usize, [u8; 64])> {
    let text = String::from_utf8(read(name)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (length, digits) = line.split_once(' ').unwrap();
            (length.parse().unwrap(), digest(digits))
        })
        .collect()
}

fn assert_sweep(name: &str, salt: Option<&[u8; 64]>) {
    let sweep = sweep(name);
    assert!(sweep.len() > 100);
    let message = shake256(b"sumhash input", 6000);
    let tables = tables();
    for (length, expected) in &sweep {
        assert_hashed(&tables, salt, &message[..*length], expected);
    }
    if salt.is_none() {
        // All at once, to mix the lengths.
        for backend in Backend::available() {
            let mut digests = vec![UNWRITTEN; sweep.len()];
            hash_many_with(
                backend,
                sweep.iter().map(|(length, _)| &message[..*length]),
                &mut digests,
            );
            assert!(digests.iter().zip(&sweep).all(|(digest, (_, expected))| digest == expected));
        }
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn lengths() {
    assert_sweep("sweep_unsalted.txt", None);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn lengths_with_a_salt() {
    let salt: [u8; 64] = shake256(b"sumhash salt", 64).try_into().unwrap();
    assert_sweep("sweep_salted.txt", Some(&salt));
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn messages_of_one_byte() {
    let all = list("constant_byte_messages.json");
    assert!(!all.is_empty());
    let tables = tables();
    for vector in all {
        let message = vec![number(&vector["Byte"]) as u8; number(&vector["Len"])];
        assert_hashed(&tables, None, &message, &bytes(&vector["Digest"]));
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn leaves_of_a_state_proof() {
    let all = list("betanet_leaf_preimages.json");
    assert!(!all.is_empty());
    let messages: Vec<Vec<u8>> = all.iter().map(|vector| bytes(&vector["Preimage"])).collect();
    let expected: Vec<[u8; 64]> =
        all.iter().map(|vector| bytes(&vector["Digest"]).try_into().unwrap()).collect();
    for (message, expected) in messages.iter().zip(&expected) {
        assert_hashed(&tables(), None, message, expected);
    }
    for backend in Backend::available() {
        let mut digests = vec![UNWRITTEN; messages.len()];
        hash_many_with(backend, &messages, &mut digests);
        assert_eq!(digests, expected, "{backend}");
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn matrix() {
    let file = read("algorand_matrix_8x1024_u64le_rowmajor.bin");
    let matrix = Matrix::sumhash512();
    let words: Vec<u8> =
        (0..8).flat_map(|i| matrix.row(i)).flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(words, file);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn compressions() {
    let all = list("compress_8x1024_algorand.json");
    assert!(!all.is_empty());
    let inputs: Vec<Vec<u8>> = all.iter().map(|vector| bytes(&vector["In"])).collect();
    let expected: Vec<[u8; 64]> =
        all.iter().map(|vector| bytes(&vector["Out"]).try_into().unwrap()).collect();
    let halves = |at: usize| -> Vec<[u8; 64]> {
        inputs.iter().map(|input| input[at..at + 64].try_into().unwrap()).collect()
    };
    let compress = CompressMatrix::new(&Matrix::sumhash512());
    for (input, expected) in inputs.iter().zip(&expected) {
        let mut output = UNWRITTEN;
        compress.compress(input, &mut output);
        assert_eq!(output, *expected);
    }
    for backend in Backend::available() {
        let mut states = halves(0);
        compress_many_with(backend, &mut states, &halves(64));
        assert_eq!(states, expected, "{backend}");
        let mut states = halves(0);
        Table::large().compress_many_with(backend, &mut states, &halves(64));
        assert_eq!(states, expected, "{backend}, large table");
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn other_sizes() {
    let all = list("generic_parameters.json");
    assert!(!all.is_empty());
    for vector in all {
        let (n, m) = (number(&vector["N"]), number(&vector["M"]));
        let matrix = Matrix::new(n, m, &bytes(&vector["seed_hex"])).unwrap();
        let block = number(&vector["block_bytes"]);
        let message = shake256(b"sumhash input", number(&vector["Len"]));
        let salt = vector["Salted"].as_bool().unwrap().then(|| shake256(b"sumhash salt", block));
        let expected = bytes(&vector["Digest"]);
        let compressors: [&dyn Compressor; 2] =
            [&CompressLookup::new(&matrix), &CompressMatrix::new(&matrix)];
        for compress in compressors {
            let digest = match &salt {
                None => hash(compress, &message),
                Some(salt) => hash_salted(compress, salt, &message),
            };
            assert_eq!(digest, expected, "{n} rows, {m} columns, {} bytes", message.len());
        }
    }
}
