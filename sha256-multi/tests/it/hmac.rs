//! Tests HMAC and PBKDF2 with published vectors.

use sha256_multi::{
    Backend, Sha256Lanes, hmac_many, hmac_many_into, pbkdf2_many, pbkdf2_many_into,
};

use crate::{UNWRITTEN, digest};

fn backends() -> impl Iterator<Item = Backend> {
    Backend::available().into_iter().chain(Backend::single_kernels())
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
        let (keys, messages) = (cases.iter().map(|case| &case.0), cases.iter().map(|case| &case.1));
        let macs = Sha256Lanes::on(backend).hmac_many(keys, messages);
        assert_eq!(macs, expected, "{backend}");
    }
    let keys = || cases.iter().map(|case| &case.0);
    let messages = || cases.iter().map(|case| &case.1);
    assert_eq!(hmac_many(keys(), messages()), expected);
    let mut macs = [UNWRITTEN; 7];
    hmac_many_into(keys(), messages(), &mut macs);
    assert_eq!(macs, expected);
}

/// The test vectors of RFC 7914 §11.
#[test]
fn published_outputs() {
    for backend in backends() {
        let output: Vec<[u8; 64]> = Sha256Lanes::on(backend).pbkdf2_many(["passwd"], ["salt"], 1);
        let expected = [
            digest("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
            digest("49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"),
        ];
        assert_eq!(output[0], *expected.as_flattened(), "{backend}");

        let mut by_default = [[0; 64]];
        pbkdf2_many_into(["passwd"], ["salt"], 1, &mut by_default);
        assert_eq!(by_default, *output);
        assert_eq!(pbkdf2_many(["passwd"], ["salt"], 1), output);
    }
    for backend in Backend::available() {
        let output: Vec<[u8; 64]> =
            Sha256Lanes::on(backend).pbkdf2_many(["Password"], ["NaCl"], 80_000);
        let expected = [
            digest("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
            digest("a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"),
        ];
        assert_eq!(output[0], *expected.as_flattened(), "{backend}");
    }
}
