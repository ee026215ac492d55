//! The known answers of the Keccak team and of NIST that RustCrypto's `sha3` tests with.

use std::fs;
use std::path::Path;

use sha3_multi::*;

/// Checks the messages of a file in one call, on the default backend.
fn check<const N: usize>(file: &str, hash_many: fn(&[&[u8]]) -> Vec<[u8; N]>) {
    let folder = std::env::var("HASHLANES_VECTORS").expect("HASHLANES_VECTORS names a folder");
    let path = Path::new(&folder).join("keccak").join(file);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vectors = blobby::parse_into_vec(&bytes).expect("a file of blobs");
    let (pairs, []) = vectors.as_chunks::<2>() else { panic!("{file}: an odd number of blobs") };
    assert!(!pairs.is_empty(), "{file} has no vectors");
    let messages: Vec<&[u8]> = pairs.iter().map(|pair| pair[0]).collect();
    for (digest, [message, expected]) in hash_many(&messages).iter().zip(pairs) {
        assert_eq!(digest[..], **expected, "{file}, {} bytes", message.len());
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn known_answers() {
    check("keccak_224_kat.blb", |messages| keccak224::hash_many(messages));
    check("keccak_256_kat.blb", |messages| keccak256::hash_many(messages));
    check("keccak_384_kat.blb", |messages| keccak384::hash_many(messages));
    check("keccak_512_kat.blb", |messages| keccak512::hash_many(messages));
    check("sha3_224_kat.blb", |messages| sha3_224::hash_many(messages));
    check("sha3_256_kat.blb", |messages| sha3_256::hash_many(messages));
    check("sha3_384_kat.blb", |messages| sha3_384::hash_many(messages));
    check("sha3_512_kat.blb", |messages| sha3_512::hash_many(messages));
}
