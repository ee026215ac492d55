//! External test vectors, in the folder named by the environment variable `HASHLANES_VECTORS`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use sumhash512::{Backend, Sumhash512Lanes};

use crate::reference::Reference;
use crate::{assert_hashed, digest, shake256, tables};

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

fn array(value: &Value) -> [u8; 64] {
    bytes(value).try_into().unwrap()
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

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn lengths() {
    let sweep = sweep("sweep_unsalted.txt");
    assert!(sweep.len() > 100);
    let message = shake256(b"sumhash input", 6000);
    let tables = tables();
    for (length, expected) in &sweep {
        assert_hashed(&tables, &message[..*length], expected);
    }
    // All at once, to mix the lengths.
    let messages: Vec<_> = sweep.iter().map(|(length, _)| &message[..*length]).collect();
    for backend in Backend::available() {
        let digests = Sumhash512Lanes::default().on(backend).hash_many(&messages);
        assert!(digests.iter().zip(&sweep).all(|(digest, (_, expected))| digest == expected));
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn messages_of_one_byte() {
    let all = list("constant_byte_messages.json");
    assert!(!all.is_empty());
    let tables = tables();
    for vector in all {
        let message = vec![number(&vector["Byte"]) as u8; number(&vector["Len"])];
        assert_hashed(&tables, &message, &array(&vector["Digest"]));
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn leaves_of_a_state_proof() {
    let all = list("betanet_leaf_preimages.json");
    assert!(!all.is_empty());
    let messages: Vec<Vec<u8>> = all.iter().map(|vector| bytes(&vector["Preimage"])).collect();
    let expected: Vec<[u8; 64]> = all.iter().map(|vector| array(&vector["Digest"])).collect();
    for (message, expected) in messages.iter().zip(&expected) {
        assert_hashed(&tables(), message, expected);
    }
    for backend in Backend::available() {
        let hash = Sumhash512Lanes::default().on(backend);
        assert_eq!(hash.hash_many(&messages), expected, "{backend}");
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn matrix() {
    let file = read("algorand_matrix_8x1024_u64le_rowmajor.bin");
    let reference = Reference::new();
    let words: Vec<u8> =
        (0..8).flat_map(|i| reference.row(i)).flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(words, file);
}

/// The other tests compare with the reference.
#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn compressions_of_the_reference() {
    let all = list("compress_8x1024_algorand.json");
    assert!(!all.is_empty());
    let reference = Reference::new();
    for vector in all {
        let input = bytes(&vector["In"]);
        let [state, block] = input.as_chunks().0 else { panic!("two halves") };
        assert_eq!(reference.compress(state, block), array(&vector["Out"]));
    }
}
