//! Tests HMAC and PBKDF2 with published vectors, and against RustCrypto's `hmac` and `pbkdf2`.

use std::iter::repeat_n;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sha256_multi::{Backend, hmac_many, hmac_many_with, pbkdf2_many, pbkdf2_many_with};

use crate::{UNWRITTEN, digest, painted};

fn backends() -> impl Iterator<Item = Backend> {
    Backend::available().into_iter().chain(Backend::single_kernels())
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.chain_update(message).finalize().into_bytes().into()
}

fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32, len: usize) -> Vec<u8> {
    let mut output = vec![0; len];
    pbkdf2::pbkdf2_hmac::<Sha256>(password, salt, rounds, &mut output);
    output
}

/// The test cases of RFC 4231, with the whole MAC of case 5.
#[test]
fn published_macs() {
    let bytes = |byte: u8, len| vec![byte; len];
    let text = |text: &str| text.as_bytes().to_vec();
    let cases = [
        (
            bytes(0x0b, 20),
            text("Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        ),
        (
            text("Jefe"),
            text("what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (
            bytes(0xaa, 20),
            bytes(0xdd, 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        ),
        (
            (1..=25).collect(),
            bytes(0xcd, 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        ),
        (
            bytes(0x0c, 20),
            text("Test With Truncation"),
            "a3b6167473100ee06e0c796c2955552bfa6f7c0a6a8aef8b93f860aab0cd20c5",
        ),
        (
            bytes(0xaa, 131),
            text("Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
        (
            bytes(0xaa, 131),
            text(
                "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.",
            ),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
        ),
    ];
    let expected = cases.each_ref().map(|(_, _, digits)| digest(digits));
    for backend in backends() {
        let (keys, messages) =
            (cases.each_ref().map(|case| &case.0), cases.each_ref().map(|case| &case.1));
        let mut macs = [UNWRITTEN; 7];
        hmac_many_with(backend, keys, messages, &mut macs);
        assert_eq!(macs, expected, "{backend}");
    }
}

/// The test vectors of RFC 7914 §11.
#[test]
fn published_outputs() {
    for backend in backends() {
        let mut output = [[0; 64]];
        pbkdf2_many_with(backend, ["passwd"], ["salt"], 1, &mut output);
        let expected = [
            digest("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
            digest("49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"),
        ];
        assert_eq!(output[0], *expected.as_flattened(), "{backend}");
    }
    for backend in Backend::available() {
        let mut output = [[0; 64]];
        pbkdf2_many_with(backend, ["Password"], ["NaCl"], 80_000, &mut output);
        let expected = [
            digest("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
            digest("a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"),
        ];
        assert_eq!(output[0], *expected.as_flattened(), "{backend}");
    }
}

/// Keys and messages of lengths around the block size, so many that they span several chunks.
#[test]
fn macs_of_mixed_lengths() {
    const LENGTHS: [usize; 11] = [0, 1, 20, 55, 56, 63, 64, 65, 128, 129, 1000];
    let keys: Vec<_> = (0..600).map(|i| painted(i, LENGTHS[i % 11])).collect();
    let messages: Vec<_> = (0..600).map(|i| painted(3 * i, LENGTHS[i % 7 + i % 5])).collect();
    let expected: Vec<_> = keys.iter().zip(&messages).map(|(k, m)| hmac(k, m)).collect();
    for backend in backends() {
        for count in (0..=33).chain([255, 256, 257, 600]) {
            let mut macs = vec![UNWRITTEN; count];
            hmac_many_with(backend, &keys[..count], &messages[..count], &mut macs);
            assert_eq!(macs, expected[..count], "{backend}, {count} messages");
        }
    }
}

/// Keys that are one slice, and equal and different keys around them.
#[test]
fn repeated_keys() {
    let (short, long) = (painted(1, 16), painted(2, 100));
    let copy = short.clone();
    let keys = [&short, &short, &long, &long, &short, &copy, &short];
    // A prefix of the previous key begins at the same address.
    let keys = keys.iter().map(|key| &key[..]).chain([&short[..15]]);
    let messages: Vec<_> = (0..8).map(|i| painted(i, 10 * i)).collect();
    let expected: Vec<_> = keys.clone().zip(&messages).map(|(k, m)| hmac(k, m)).collect();
    let mut macs = [UNWRITTEN; 8];
    hmac_many(keys.collect::<Vec<_>>(), &messages, &mut macs);
    assert_eq!(macs, *expected);

    hmac_many(repeat_n(&long, 8), &messages, &mut macs);
    assert_eq!(macs, *messages.iter().map(|m| hmac(&long, m)).collect::<Vec<_>>());
}

#[test]
fn passwords_of_mixed_lengths() {
    let passwords: Vec<_> = (0..34).map(|i| painted(i, 5 * i)).collect();
    let salts: Vec<_> = (0..34).map(|i| painted(7 * i, i % 9 * 8)).collect();
    for rounds in [1, 2, 3, 10] {
        let expected: Vec<_> = passwords
            .iter()
            .zip(&salts)
            .map(|(password, salt)| pbkdf2(password, salt, rounds, 32))
            .collect();
        for backend in backends() {
            for count in 0..=33 {
                let mut outputs = vec![[0xee; 32].to_vec(); count];
                let (passwords, salts) = (&passwords[..count], &salts[..count]);
                pbkdf2_many_with(backend, passwords, salts, rounds, &mut outputs);
                assert_eq!(outputs, expected[..count], "{backend}, {count}, {rounds} rounds");
            }
        }
    }
}

/// Outputs of several digests each, and together more than one chunk.
#[test]
fn outputs_of_mixed_lengths() {
    let passwords: Vec<_> = (0..40).map(|i| painted(i, 11)).collect();
    let lengths = |i: usize| [0, 1, 32 - 1, 32, 32 + 1, 10 * 32, 300 * 32 + 5][i % 7];
    let expected: Vec<_> = (0..40).map(|i| pbkdf2(&passwords[i], b"salt", 4, lengths(i))).collect();
    for backend in Backend::available() {
        let mut outputs: Vec<_> = (0..40).map(|i| vec![0xee; lengths(i)]).collect();
        pbkdf2_many_with(backend, &passwords, repeat_n("salt", 40), 4, &mut outputs);
        assert!(outputs == expected, "{backend}");
    }
}

#[test]
#[should_panic(expected = "2 keys do not match 3 messages")]
fn a_key_is_missing() {
    hmac_many(["a", "b"], ["1", "2", "3"], &mut [UNWRITTEN; 3]);
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn a_mac_is_missing() {
    hmac_many(["a", "b", "c"], ["1", "2", "3"], &mut [UNWRITTEN; 2]);
}

#[test]
#[should_panic(expected = "2 passwords, 3 salts and 3 outputs do not match")]
fn a_password_is_missing() {
    pbkdf2_many(["a", "b"], ["1", "2", "3"], 1, &mut [UNWRITTEN; 3]);
}

#[test]
#[should_panic(expected = "3 passwords, 2 salts and 3 outputs do not match")]
fn a_salt_is_missing() {
    pbkdf2_many(["a", "b", "c"], ["1", "2"], 1, &mut [UNWRITTEN; 3]);
}

#[test]
#[should_panic(expected = "PBKDF2 needs at least one round")]
fn no_rounds() {
    pbkdf2_many(["a"], ["1"], 0, &mut [UNWRITTEN]);
}
