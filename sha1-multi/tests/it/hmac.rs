//! Tests HMAC and PBKDF2 with published vectors, and against RustCrypto's `hmac` and `pbkdf2`.

use std::iter::repeat_n;

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use sha1_multi::{Backend, hmac_many, hmac_many_with, pbkdf2_many, pbkdf2_many_with};

use crate::{UNWRITTEN, digest, painted};

fn backends() -> impl Iterator<Item = Backend> {
    Backend::available().into_iter().chain(Backend::single_kernels())
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 20] {
    let mac = Hmac::<Sha1>::new_from_slice(key).unwrap();
    mac.chain_update(message).finalize().into_bytes().into()
}

fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32, len: usize) -> Vec<u8> {
    let mut output = vec![0; len];
    pbkdf2::pbkdf2_hmac::<Sha1>(password, salt, rounds, &mut output);
    output
}

/// The test cases of RFC 2202 §3.
#[test]
fn published_macs() {
    let bytes = |byte: u8, len| vec![byte; len];
    let text = |text: &str| text.as_bytes().to_vec();
    let cases = [
        (bytes(0x0b, 20), text("Hi There"), "b617318655057264e28bc0b6fb378c8ef146be00"),
        (
            text("Jefe"),
            text("what do ya want for nothing?"),
            "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
        ),
        (bytes(0xaa, 20), bytes(0xdd, 50), "125d7342b9ac11cd91a39af48aa17b4f63f175d3"),
        ((1..=25).collect(), bytes(0xcd, 50), "4c9007f4026250c6bc8414f9bf50c86c2d7235da"),
        (bytes(0x0c, 20), text("Test With Truncation"), "4c1a03424b55e07fe7f27be1d58bb9324a9a5a04"),
        (
            bytes(0xaa, 80),
            text("Test Using Larger Than Block-Size Key - Hash Key First"),
            "aa4ae5e15272d00e95705637ce8a3b55ed402112",
        ),
        (
            bytes(0xaa, 80),
            text("Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data"),
            "e8e99d0f45237d786d6bbaa7965c7808bbff1a91",
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

/// The test vectors of RFC 6070, except for that of 16,777,216 rounds.
#[test]
fn published_outputs() {
    for backend in backends() {
        for (rounds, expected) in [
            (1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
            (2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
            (4096, "4b007901b765489abead49d926f721d065a429c1"),
        ] {
            let mut output = [UNWRITTEN];
            pbkdf2_many_with(backend, ["password"], ["salt"], rounds, &mut output);
            assert_eq!(output, [digest(expected)], "{backend}, {rounds} rounds");
        }
        // Outputs of 25 and of 16 bytes.
        let mut outputs = [vec![0; 25], vec![0; 16]];
        pbkdf2_many_with(
            backend,
            ["passwordPASSWORDpassword", "pass\0word"],
            ["saltSALTsaltSALTsaltSALTsaltSALTsalt", "sa\0lt"],
            4096,
            &mut outputs,
        );
        let expected = [
            "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038",
            "56fa6aa75548099dcc37d7f03425e0c3",
        ];
        assert_eq!(outputs.map(hex::encode), expected, "{backend}");
    }
}

#[test]
#[ignore = "takes long"]
fn published_output_of_many_rounds_long() {
    for backend in Backend::available() {
        let mut outputs = [UNWRITTEN; 16];
        let (passwords, salts) = (repeat_n("password", 16), repeat_n("salt", 16));
        pbkdf2_many_with(backend, passwords, salts, 16_777_216, &mut outputs);
        let expected = digest("eefe3d61cd4da4e4e9945b3d6ba2158c2634e984");
        assert_eq!(outputs, [expected; 16], "{backend}");
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
            .map(|(password, salt)| pbkdf2(password, salt, rounds, 20))
            .collect();
        for backend in backends() {
            for count in 0..=33 {
                let mut outputs = vec![[0xee; 20].to_vec(); count];
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
    let lengths = |i: usize| [0, 1, 20 - 1, 20, 20 + 1, 10 * 20, 300 * 20 + 5][i % 7];
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
