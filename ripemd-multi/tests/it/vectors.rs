//! Tests external vectors from the folder in the environment variable `HASHLANES_VECTORS`.

use std::fs;
use std::path::PathBuf;

use ripemd_multi::{Backend, Ripemd160Lanes, hash};

use crate::{digest, p2pkh};

/// The fields of each line that is not a comment.
fn rows<const FIELDS: usize>(name: &str) -> Vec<[String; FIELDS]> {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    let path = PathBuf::from(folder).join("ripemd").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let fields =
        |line: &str| line.split('\t').map(String::from).collect::<Vec<_>>().try_into().unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(fields).collect()
}

fn assert_hashed(messages: &[Vec<u8>], expected: &[[u8; 20]]) {
    for backend in Backend::available() {
        let digests = Ripemd160Lanes::on(backend).hash_many(messages);
        assert_eq!(digests, expected, "{backend}");
    }
    for (message, expected) in messages.iter().zip(expected) {
        assert_eq!(hash(message), *expected, "{} bytes", message.len());
    }
}

/// Asserts the hashes of all messages together, of those with one length together, and of each
/// message alone.
fn assert_hash160(messages: &[Vec<u8>], expected: &[[u8; 20]]) {
    assert_hash160_together(messages, expected);
    for length in [33, 65] {
        let of_length =
            messages.iter().zip(expected).filter(|(message, _)| message.len() == length);
        let (messages, expected): (Vec<_>, Vec<_>) =
            of_length.map(|(m, e)| (m.clone(), *e)).unzip();
        assert_hash160_together(&messages, &expected);
    }
    for (message, expected) in messages.iter().zip(expected) {
        for backend in Backend::available() {
            assert_eq!(
                Ripemd160Lanes::on(backend).hash160(message),
                *expected,
                "{backend}, {} bytes",
                message.len()
            );
        }
    }
}

fn assert_hash160_together(messages: &[Vec<u8>], expected: &[[u8; 20]]) {
    for backend in Backend::available() {
        let hashes = Ripemd160Lanes::on(backend).hash160_many(messages);
        assert_eq!(hashes, expected, "{backend}");
    }
}

/// Decodes a message written as `repeat:COUNT:DIGITS` or `DIGITS`.
fn message(written: &str) -> Vec<u8> {
    match written.strip_prefix("repeat:").and_then(|repeat| repeat.split_once(':')) {
        Some((count, digits)) => hex::decode(digits).unwrap().repeat(count.parse().unwrap()),
        None => hex::decode(written).unwrap(),
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn vectors_of_the_authors() {
    let rows = rows::<2>("ripemd160_official.tsv");
    assert_eq!(rows.len(), 9);
    let messages: Vec<_> = rows.iter().map(|[written, _]| message(written)).collect();
    assert!(messages.iter().any(|message| message.len() == 1_000_000));
    let expected: Vec<_> = rows.iter().map(|[_, digits]| digest(digits)).collect();
    assert_hashed(&messages, &expected);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn every_length() {
    let rows = rows::<3>("ripemd160_lengths.tsv");
    assert_eq!(rows.len(), 301);
    let messages: Vec<Vec<u8>> = rows
        .iter()
        .map(|[length, ..]| {
            let length = length.parse().unwrap();
            (0..length).map(|i| ((7 * i + length) & 255) as u8).collect()
        })
        .collect();
    let lengths: Vec<usize> = messages.iter().map(Vec::len).collect();
    assert_eq!(lengths, (0..=300).collect::<Vec<_>>());
    let ripemd160: Vec<_> = rows.iter().map(|[_, digits, _]| digest(digits)).collect();
    let hash160: Vec<_> = rows.iter().map(|[_, _, digits]| digest(digits)).collect();
    assert_hashed(&messages, &ripemd160);
    assert_hash160(&messages, &hash160);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn multiples_of_the_generator() {
    let rows = rows::<5>("kG_pubkeys.tsv");
    assert_eq!(rows.len(), 138);
    let keys: Vec<_> = rows.iter().map(|[_, key, ..]| hex::decode(key).unwrap()).collect();
    assert!(keys.iter().filter(|key| key.len() == 33).count() == 69);
    let expected: Vec<_> = rows.iter().map(|[_, _, digits, ..]| digest(digits)).collect();
    assert_hash160(&keys, &expected);
    for ([_, _, _, address, _], hash) in rows.iter().zip(&expected) {
        assert_eq!(p2pkh(hash), *address);
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn keys_of_the_block_chain() {
    let rows = rows::<3>("onchain_pairs.tsv");
    assert_eq!(rows.len(), 1814);
    let keys: Vec<_> = rows.iter().map(|[key, ..]| hex::decode(key).unwrap()).collect();
    let expected: Vec<_> = rows.iter().map(|[_, digits, _]| digest(digits)).collect();
    assert_hash160(&keys, &expected);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn messages_of_bitcoinjs() {
    let rows = rows::<2>("bitcoinjs_hash160.tsv");
    assert_eq!(rows.len(), 4);
    let messages: Vec<_> = rows.iter().map(|[written, _]| message(written)).collect();
    let expected: Vec<_> = rows.iter().map(|[_, digits]| digest(digits)).collect();
    assert_hash160(&messages, &expected);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn keys_of_bitcoinjs() {
    let rows = rows::<4>("bitcoinjs_pairs.tsv");
    assert_eq!(rows.len(), 2);
    let keys: Vec<_> = rows.iter().map(|[key, ..]| hex::decode(key).unwrap()).collect();
    let expected: Vec<_> = rows.iter().map(|[_, digits, ..]| digest(digits)).collect();
    assert_hash160(&keys, &expected);
    let addresses = rows.iter().zip(&expected).filter(|([.., fixture], _)| fixture == "p2pkh.json");
    let count =
        addresses.map(|([_, _, address, _], hash)| assert_eq!(p2pkh(hash), *address)).count();
    assert_eq!(count, 1);
}
