//! Tests external vectors from the folder in the environment variable `HASHLANES_VECTORS`.

use std::fs;
use std::path::PathBuf;

use sha1_multi::{Backend, Sha1Lanes};

use crate::digest;
use crate::known::monte_carlo;

fn read(name: &str) -> String {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    let path = PathBuf::from(folder).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The values of all lines `key = value` with this key.
fn values<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    text.lines()
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))
        .map(str::trim)
        .collect()
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn nist_short_messages() {
    let text = read("nist/SHA1ShortMsg.rsp");
    let bits = values(&text, "Len").into_iter().map(|bits| bits.parse::<usize>().unwrap());
    let mut messages: Vec<Vec<u8>> =
        values(&text, "Msg").into_iter().map(|digits| hex::decode(digits).unwrap()).collect();
    // The empty message is written as one byte.
    for (message, bits) in messages.iter_mut().zip(bits) {
        message.truncate(bits / 8);
    }
    let expected: Vec<_> = values(&text, "MD").into_iter().map(digest).collect();
    assert_eq!((messages.len(), expected.len()), (65, 65));
    for backend in Backend::available() {
        let digests = Sha1Lanes::on(backend).hash_many(&messages);
        assert_eq!(digests, expected, "{backend}");
        for (message, expected) in messages.iter().zip(&expected) {
            assert_eq!(
                Sha1Lanes::on(backend).hash(message),
                *expected,
                "{backend}, {} bytes",
                message.len()
            );
        }
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn nist_monte_carlo() {
    let text = read("nist/SHA1Monte.rsp");
    let [seed] = values(&text, "Seed").try_into().expect("one seed");
    let expected: Vec<_> = values(&text, "MD").into_iter().map(digest).collect();
    assert_eq!(expected.len(), 100);
    for backend in Backend::available() {
        let results: Vec<_> = monte_carlo(backend, digest(seed)).take(expected.len()).collect();
        assert_eq!(results, expected, "{backend}");
    }
}
