//! Tests HMAC and PBKDF2 with published vectors.

use std::iter::repeat_n;

use sha1_multi::{Backend, Sha1Lanes, hmac_many, hmac_many_into, pbkdf2_many, pbkdf2_many_into};

use crate::{UNWRITTEN, digest};

fn backends() -> impl Iterator<Item = Backend> {
    Backend::available().into_iter().chain(Backend::single_kernels())
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
        let (keys, messages) = (cases.iter().map(|case| &case.0), cases.iter().map(|case| &case.1));
        let macs = Sha1Lanes::on(backend).hmac_many(keys, messages);
        assert_eq!(macs, expected, "{backend}");
    }
    let keys = || cases.iter().map(|case| &case.0);
    let messages = || cases.iter().map(|case| &case.1);
    assert_eq!(hmac_many(keys(), messages()), expected);
    let mut macs = [UNWRITTEN; 7];
    hmac_many_into(keys(), messages(), &mut macs);
    assert_eq!(macs, expected);
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
            let output = Sha1Lanes::on(backend).pbkdf2_many(["password"], ["salt"], rounds);
            assert_eq!(output, [digest(expected)], "{backend}, {rounds} rounds");

            let mut by_default = [UNWRITTEN];
            pbkdf2_many_into(["password"], ["salt"], rounds, &mut by_default);
            assert_eq!(by_default, *output, "{rounds} rounds");
            assert_eq!(pbkdf2_many(["password"], ["salt"], rounds), output, "{rounds} rounds");
        }
        // Outputs of 25 and of 16 bytes.
        let mut outputs = [vec![0; 25], vec![0; 16]];
        Sha1Lanes::on(backend).pbkdf2_many_into(
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
        Sha1Lanes::on(backend).pbkdf2_many_into(passwords, salts, 16_777_216, &mut outputs);
        let expected = digest("eefe3d61cd4da4e4e9945b3d6ba2158c2634e984");
        assert_eq!(outputs, [expected; 16], "{backend}");
    }
}
